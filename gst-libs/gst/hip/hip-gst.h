/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* HIP's own functions on every vendor's devices, for C programs that have HIP's headers: GstHip itself needs none, so
 * this header is apart from gst/hip/gsthip.h.
 *
 *   GstHipStream *stream = gst_hip_device_get_stream (device);
 *   hipError_t result = HipMemsetD8Async (gst_hip_device_get_vendor (device), address, 0, size,
 *       gst_hip_stream_get_handle (stream));
 *
 * Each function is the one of HIP that its name says, with the vendor before its arguments. On AMD it is the driver's.
 * On NVIDIA it is the CUDA driver's, in the primary context of the device that HipSetDevice () named; handles are
 * CUDA's. On the host it is GstHip's own. hipErrorNotSupported is the answer where a device cannot do such a thing: on
 * the host textures, graphics, and launches with `extra`. HipFree (), HipHostFree (), HipStreamDestroy () and, on the
 * host, whatever uses stream 0 may wait for the device; nothing else does but ...Synchronize. Threads: any.
 *
 * Calls here bypass what GstHip knows: order them with gst_hip_memory_begin_access () and
 * gst_hip_memory_end_access (), keep what they use alive with #GstHipFenceData.
 *
 * The headers of HIP 5 and of HIP 6 and later have another struct of device properties and other numbers of memory
 * types: those that a program is compiled with are what it gets, whatever library is loaded.
 */
#pragma once

#ifdef __HIP_PLATFORM_NVIDIA__
#error "gst/hip/hip-gst.h wants the types that HIP has on AMD, for devices of all vendors: define __HIP_PLATFORM_AMD__"
#endif
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif

/* In this order: HIP's headers define words that GLib's use. */
#include <gst/hip/gsthip.h>
#include <hip/hip_runtime.h>

G_BEGIN_DECLS

/* --- HIP's functions --- */

GST_HIP_API
hipError_t HipInit (GstHipVendor vendor, unsigned int flags);

GST_HIP_API
hipError_t HipDriverGetVersion (GstHipVendor vendor, int * driver_version);

GST_HIP_API
hipError_t HipRuntimeGetVersion (GstHipVendor vendor, int * runtime_version);

GST_HIP_API
const char * HipGetErrorName (GstHipVendor vendor, hipError_t error);

GST_HIP_API
const char * HipGetErrorString (GstHipVendor vendor, hipError_t error);

/* Devices */
GST_HIP_API
hipError_t HipGetDeviceCount (GstHipVendor vendor, int * count);

#if HIP_VERSION >= 60000000
#define HipGetDeviceProperties HipGetDevicePropertiesR0600
#define HipMemcpyParam2DAsync HipMemcpyParam2DAsyncR0600
#endif

GST_HIP_API
hipError_t HipGetDeviceProperties (GstHipVendor vendor, hipDeviceProp_t * prop, int device_id);

GST_HIP_API
hipError_t HipDeviceGetAttribute (GstHipVendor vendor, int * value, hipDeviceAttribute_t attribute, int device_id);

GST_HIP_API
hipError_t HipSetDevice (GstHipVendor vendor, int device_id);

/* Memory */
GST_HIP_API
hipError_t HipMalloc (GstHipVendor vendor, void ** ptr, size_t size);

GST_HIP_API
hipError_t HipFree (GstHipVendor vendor, void * ptr);

GST_HIP_API
hipError_t HipHostMalloc (GstHipVendor vendor, void ** ptr, size_t size, unsigned int flags);

GST_HIP_API
hipError_t HipHostFree (GstHipVendor vendor, void * ptr);

GST_HIP_API
hipError_t HipMemcpyParam2DAsync (GstHipVendor vendor, const hip_Memcpy2D * copy, hipStream_t stream);

GST_HIP_API
hipError_t HipMemsetD8Async (GstHipVendor vendor, hipDeviceptr_t dest, unsigned char value, size_t count,
                             hipStream_t stream);

GST_HIP_API
hipError_t HipMemsetD16Async (GstHipVendor vendor, hipDeviceptr_t dest, unsigned short value, size_t count,
                              hipStream_t stream);

GST_HIP_API
hipError_t HipMemsetD32Async (GstHipVendor vendor, hipDeviceptr_t dest, int value, size_t count, hipStream_t stream);

/* Streams and events */
GST_HIP_API
hipError_t HipStreamCreate (GstHipVendor vendor, hipStream_t * stream);

GST_HIP_API
hipError_t HipStreamDestroy (GstHipVendor vendor, hipStream_t stream);

GST_HIP_API
hipError_t HipStreamSynchronize (GstHipVendor vendor, hipStream_t stream);

GST_HIP_API
hipError_t HipEventCreateWithFlags (GstHipVendor vendor, hipEvent_t * event, unsigned int flags);

GST_HIP_API
hipError_t HipEventRecord (GstHipVendor vendor, hipEvent_t event, hipStream_t stream);

GST_HIP_API
hipError_t HipEventDestroy (GstHipVendor vendor, hipEvent_t event);

GST_HIP_API
hipError_t HipEventSynchronize (GstHipVendor vendor, hipEvent_t event);

GST_HIP_API
hipError_t HipEventQuery (GstHipVendor vendor, hipEvent_t event);

/* Modules: images come from gst_hip_rtc_compile () or are what the vendor's compilers make */
GST_HIP_API
hipError_t HipModuleLoadData (GstHipVendor vendor, hipModule_t * module, const void * image);

GST_HIP_API
hipError_t HipModuleUnload (GstHipVendor vendor, hipModule_t module);

GST_HIP_API
hipError_t HipModuleGetFunction (GstHipVendor vendor, hipFunction_t * function, hipModule_t module, const char * name);

GST_HIP_API
hipError_t HipModuleLaunchKernel (GstHipVendor vendor, hipFunction_t function, unsigned int grid_x,
                                  unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
                                  unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                                  hipStream_t stream, void ** kernel_params, void ** extra);

/* Textures and graphics */
GST_HIP_API
hipError_t HipTexObjectCreate (GstHipVendor vendor, hipTextureObject_t * texture, const HIP_RESOURCE_DESC * resource,
                               const HIP_TEXTURE_DESC * desc, const HIP_RESOURCE_VIEW_DESC * view);

GST_HIP_API
hipError_t HipTexObjectDestroy (GstHipVendor vendor, hipTextureObject_t texture);

GST_HIP_API
hipError_t HipGraphicsMapResources (GstHipVendor vendor, int count, hipGraphicsResource_t * resources,
                                    hipStream_t stream);

GST_HIP_API
hipError_t HipGraphicsResourceGetMappedPointer (GstHipVendor vendor, void ** ptr, size_t * size,
                                                hipGraphicsResource_t resource);

GST_HIP_API
hipError_t HipGraphicsUnmapResources (GstHipVendor vendor, int count, hipGraphicsResource_t * resources,
                                      hipStream_t stream);

GST_HIP_API
hipError_t HipGraphicsUnregisterResource (GstHipVendor vendor, hipGraphicsResource_t resource);

/* --- GstHip's functions with HIP's types; each has a twin without them in gst/hip/gsthip.h --- */

/* Logs what is no success to category. Blocking: never. Returns: whether it is one */
GST_HIP_API
gboolean _gst_hip_result (hipError_t result, GstHipVendor vendor, GstDebugCategory * category, const gchar * file,
                          const gchar * function, gint line);

#ifndef GST_DISABLE_GST_DEBUG
#define gst_hip_result(result, vendor) \
  _gst_hip_result (result, vendor, GST_CAT_DEFAULT, __FILE__, GST_FUNCTION, __LINE__)
#else
#define gst_hip_result(result, vendor) _gst_hip_result (result, vendor, NULL, __FILE__, GST_FUNCTION, __LINE__)
#endif

/* Twin: gst_hip_device_get_info () */
GST_HIP_API
hipError_t gst_hip_device_get_attribute (GstHipDevice * device, hipDeviceAttribute_t attribute, gint * value);

/* Twin: gst_hip_stream_get_native_handle (). Lives as long as stream. */
GST_HIP_API
hipStream_t gst_hip_stream_get_handle (GstHipStream * stream);

/* Twin: gst_hip_event_record_on_stream (). stream may be anybody's, also one that GstHip does not know. */
GST_HIP_API
hipError_t gst_hip_event_record (GstHipEvent * event, hipStream_t stream);

/* Twin: gst_hip_event_query_state (). hipErrorNotReady: not done yet */
GST_HIP_API
hipError_t gst_hip_event_query (GstHipEvent * event);

/* Twin: gst_hip_event_wait (). Blocking: waits for the device */
GST_HIP_API
hipError_t gst_hip_event_synchronize (GstHipEvent * event);

/* Twin: gst_hip_memory_get_texture_object () */
GST_HIP_API
gboolean gst_hip_memory_get_texture (GstHipMemory * mem, guint plane, HIPfilter_mode filter_mode,
                                     HIPaddress_mode address_mode, hipTextureObject_t * texture);

G_END_DECLS
