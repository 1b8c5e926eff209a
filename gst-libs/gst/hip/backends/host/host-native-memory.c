/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* HIP's functions for memory on the host device: made, filled, copied, freed.
 *
 * What frees waits for the whole device, as HIP has it. Streams and their rules
 * are host-native.c. */
#include "host-native.h"

static HipResult
allocate (HipSpace space, void **address, gsize bytes)
{
  guintptr data = 0;
  GError *error = NULL;
  gboolean ok = TRUE;

  if (!address)
    return HIP_INVALID_VALUE;
  if (bytes > 0)
    ok = host_memory_alloc (host_native_context (), space, bytes, &data,
        &error);
  *address = (void *) data;
  return host_native_result (ok, error);
}

HipResult
host_hip_malloc (void **address, size_t bytes)
{
  return allocate (HIP_SPACE_DEVICE, address, bytes);
}

HipResult
host_hip_host_malloc (void **address, size_t bytes, guint flags)
{
  return allocate (HIP_SPACE_PINNED, address, bytes);
}

HipResult
host_hip_free (void *address)
{
  HostContext *device = host_native_context ();
  HipResult result;

  if (!address)
    return HIP_OK;
  result = host_native_synchronize ();
  host_memory_free (device, HIP_SPACE_DEVICE, (guintptr) address);
  return result;
}

static HipResult
fill (HipAddress address, guint32 value, guint unit_bytes, gsize count,
    HipStreamHandle stream)
{
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (count == 0)
    return HIP_OK;
  if (!address || (guintptr) address % unit_bytes
      || count > G_MAXSIZE / unit_bytes)
    return HIP_INVALID_VALUE;
  result = host_native_begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_fill_units (host_native_context (), native,
      (guintptr) address, count, unit_bytes, value, &error);
  return host_native_end (stream, native, ok, error);
}

HipResult
host_hip_fill_8 (HipAddress address, guchar value, size_t count,
    HipStreamHandle stream)
{
  return fill (address, value, 1, count, stream);
}

HipResult
host_hip_fill_16 (HipAddress address, gushort value, size_t count,
    HipStreamHandle stream)
{
  return fill (address, value, 2, count, stream);
}

HipResult
host_hip_fill_32 (HipAddress address, int value, size_t count,
    HipStreamHandle stream)
{
  return fill (address, (guint32) value, 4, count, stream);
}

/* One end of a copy: where its first row begins */
static gboolean
locate (guint type, const void *host, HipAddress device, gsize x_bytes,
    gsize y, gsize pitch, guintptr * address)
{
  switch (type) {
    case HIP_MEMORY_HOST_R0600:
      *address = (guintptr) host;
      break;
    case HIP_MEMORY_DEVICE_R0600:
    case HIP_MEMORY_UNIFIED_R0600:
    case HIP_MEMORY_MANAGED_R0600:
      *address = (guintptr) device;
      break;
    default:
      return FALSE;
  }
  if (!*address)
    return FALSE;
  *address += y * pitch + x_bytes;
  return TRUE;
}

HipResult
host_hip_copy_2d (const struct hip_Memcpy2D *given, HipStreamHandle stream)
{
  const HipMemcpy2D *copy = (const HipMemcpy2D *) given;
  HipCopy2D work = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, };
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (!copy)
    return HIP_INVALID_VALUE;
  if (copy->width_bytes == 0 || copy->height == 0)
    return HIP_OK;
  work.src_stride = copy->src_pitch ? copy->src_pitch : copy->width_bytes;
  work.dst_stride = copy->dst_pitch ? copy->dst_pitch : copy->width_bytes;
  work.row_bytes = copy->width_bytes;
  work.rows = copy->height;
  if (copy->src_x_bytes + copy->width_bytes > work.src_stride
      || copy->dst_x_bytes + copy->width_bytes > work.dst_stride)
    return HIP_INVALID_PITCH_VALUE;
  if (!locate (copy->src_type, copy->src_host, copy->src_device,
          copy->src_x_bytes, copy->src_y, work.src_stride, &work.src)
      || !locate (copy->dst_type, copy->dst_host, copy->dst_device,
          copy->dst_x_bytes, copy->dst_y, work.dst_stride, &work.dst))
    return HIP_INVALID_VALUE;

  result = host_native_begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_copy_2d (host_native_context (), native, &work, &error);
  return host_native_end (stream, native, ok, error);
}
