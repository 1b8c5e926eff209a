/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Names of the public types and the export macro. Included by every other
 * public header; includes GLib and GStreamer only. */
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#ifndef GST_HIP_API
# ifdef BUILDING_GST_HIP
#  define GST_HIP_API GST_API_EXPORT
# else
#  define GST_HIP_API GST_API_IMPORT
# endif
#endif

typedef struct _GstHipDevice GstHipDevice;
typedef struct _GstHipDeviceClass GstHipDeviceClass;
typedef struct _GstHipDeviceInfo GstHipDeviceInfo;
typedef struct _GstHipStream GstHipStream;
typedef struct _GstHipEvent GstHipEvent;
typedef struct _GstHipEventPool GstHipEventPool;
typedef struct _GstHipEventPoolClass GstHipEventPoolClass;
typedef struct _GstHipFenceData GstHipFenceData;
typedef struct _GstHipFenceDataPool GstHipFenceDataPool;
typedef struct _GstHipFenceDataPoolClass GstHipFenceDataPoolClass;
typedef struct _GstHipMemory GstHipMemory;
typedef struct _GstHipMemoryPrivate GstHipMemoryPrivate;
typedef struct _GstHipAllocator GstHipAllocator;
typedef struct _GstHipAllocatorClass GstHipAllocatorClass;
typedef struct _GstHipAllocatorPrivate GstHipAllocatorPrivate;
typedef struct _GstHipPoolAllocator GstHipPoolAllocator;
typedef struct _GstHipPoolAllocatorClass GstHipPoolAllocatorClass;
typedef struct _GstHipPoolAllocatorPrivate GstHipPoolAllocatorPrivate;
typedef struct _GstHipBufferPool GstHipBufferPool;
typedef struct _GstHipBufferPoolClass GstHipBufferPoolClass;
typedef struct _GstHipBufferPoolPrivate GstHipBufferPoolPrivate;
typedef struct _GstHipKernelModule GstHipKernelModule;
typedef struct _GstHipKernelArgs GstHipKernelArgs;
typedef struct _GstHipKernelParameter GstHipKernelParameter;
typedef struct _GstHipConverter GstHipConverter;
typedef struct _GstHipConverterClass GstHipConverterClass;
typedef struct _GstHipTensorDesc GstHipTensorDesc;
typedef struct _GstHipFrameMap GstHipFrameMap;
typedef struct _GstHipCopyEnd GstHipCopyEnd;

G_END_DECLS
