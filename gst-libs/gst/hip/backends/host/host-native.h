/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Shared by the files that are HIP's functions on the host device only. */
#pragma once

#include "host-internal.h"
#include "../../hip-native.h"

G_BEGIN_DECLS

#define HOST_NATIVE_MAX_GRID_X G_MAXINT32
#define HOST_NATIVE_MAX_GRID_YZ 65535
#define HOST_NATIVE_MAX_BLOCK_Z 64

/* --- host-native.c --- */
HostContext *host_native_context (void);

/* Takes error. */
HipResult host_native_result (gboolean ok, GError * error);

/* Before something is queued: what stands for stream; for 0 after all others. */
HipResult host_native_begin (HipStreamHandle stream, HipNativeStream * native);

/* After something was queued, or not; takes error. */
HipResult host_native_end (HipStreamHandle stream, HipNativeStream native, gboolean ok, GError * error);

/* Waits for everything that is queued on the device now, whoever made the streams. */
HipResult host_native_synchronize (void);
HipResult host_hip_attribute (int *value, guint attribute, int device);

/* --- host-native-memory.c --- */
HipResult host_hip_malloc (void **address, size_t bytes);
HipResult host_hip_host_malloc (void **address, size_t bytes, guint flags);
HipResult host_hip_free (void *address);
HipResult host_hip_fill_8 (HipAddress address, guchar value, size_t count, HipStreamHandle stream);
HipResult host_hip_fill_16 (HipAddress address, gushort value, size_t count, HipStreamHandle stream);
HipResult host_hip_fill_32 (HipAddress address, int value, size_t count, HipStreamHandle stream);
HipResult host_hip_copy_2d (const struct hip_Memcpy2D *given, HipStreamHandle stream);

/* --- host-native-kernels.c --- */
HipResult host_hip_module_load (HipModuleHandle * module, const void *image);
HipResult host_hip_module_unload (HipModuleHandle module);
HipResult host_hip_module_function (HipFunctionHandle * function, HipModuleHandle module, const char *name);
HipResult host_hip_launch (HipFunctionHandle function, guint grid_x, guint grid_y, guint grid_z, guint block_x,
    guint block_y, guint block_z, guint shared_bytes, HipStreamHandle stream, void **params, void **extra);

G_END_DECLS
