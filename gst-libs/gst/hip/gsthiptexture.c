/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a plane of a frame become a texture?
 *
 * Textures belong to their memory: made when first asked for, one for each
 * plane, filter and address mode, and destroyed with it, when nothing is
 * pending on it any more. The library's own kernels use none (some GPUs have no
 * texture units); they are for programs that do.
 *
 * Must not know: ordering; a texture is an address like any other.
 */
#include <string.h>

#include "gsthiperror.h"
#include "hip-layout.h"
#include "hip-memory.h"
#include "hip-stream.h"

static gboolean
refuse (const gchar * why, GError ** error)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
      "no texture: %s; kernels can load from the address instead", why);
  return FALSE;
}

/* How many values of how many bytes a pixel of plane has. Textures have 1, 2 or
 * 4, each whole bytes of its own. */
static gboolean
describe_pixel (const GstVideoInfo * info, guint plane, guint * channels,
    guint * bytes)
{
  const GstVideoFormatInfo *format = info->finfo;
  guint pixel_bytes = 0, used = 0;

  *bytes = 0;
  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); i++) {
    guint size = format->depth[i] + format->shift[i] > 8 ? 2 : 1;
    guint bit = 1u << (format->poffset[i] / size);

    if (format->plane[i] != plane)
      continue;
    if (format->depth[i] + format->shift[i] > 16 || format->poffset[i] > 16)
      return FALSE;
    if ((pixel_bytes && (guint) format->pixel_stride[i] != pixel_bytes)
        || (*bytes && size != *bytes) || (used & bit))
      return FALSE;
    pixel_bytes = format->pixel_stride[i];
    *bytes = size;
    used |= bit;
  }
  if (!pixel_bytes)
    return FALSE;
  *channels = pixel_bytes / *bytes;
  return *channels == 1 || *channels == 2 || *channels == 4;
}

static gboolean
describe_plane (GstHipMemoryPrivate * priv, guint plane,
    HipResourceDesc * resource, GError ** error)
{
  guint channels, bytes, rows;
  gsize row_bytes;

  if (!priv->is_video || plane >= GST_VIDEO_INFO_N_PLANES (&priv->info))
    return refuse ("the memory has no such plane", error);
  if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX (priv->info.finfo)
      || !describe_pixel (&priv->info, plane, &channels, &bytes)
      || !gst_hip_video_info_get_plane_size (&priv->info, plane, &row_bytes,
          &rows))
    return refuse ("a pixel of this format is nothing that a texture has",
        error);

  memset (resource, 0, sizeof (*resource));
  resource->type = HIP_RESOURCE_PITCH2D;
  resource->of.pitch2d.address = (HipAddress) (priv->device_address +
      GST_VIDEO_INFO_PLANE_OFFSET (&priv->info, plane));
  resource->of.pitch2d.format = bytes == 2 ? HIP_FORMAT_UINT16 :
      HIP_FORMAT_UINT8;
  resource->of.pitch2d.channels = channels;
  resource->of.pitch2d.width = row_bytes / (channels * bytes);
  resource->of.pitch2d.height = rows;
  resource->of.pitch2d.pitch_bytes =
      GST_VIDEO_INFO_PLANE_STRIDE (&priv->info, plane);
  return TRUE;
}

/* Call with the memory's lock held. */
static HipTextureHandle
find (GstHipMemoryPrivate * priv, const HipMemoryTexture * wanted)
{
  for (guint i = 0; priv->textures && i < priv->textures->len; i++) {
    const HipMemoryTexture *texture =
        &g_array_index (priv->textures, HipMemoryTexture, i);

    if (texture->plane == wanted->plane && texture->filter == wanted->filter
        && texture->address == wanted->address)
      return texture->handle;
  }
  return NULL;
}

static HipTextureHandle
find_locked (GstHipMemoryPrivate * priv, const HipMemoryTexture * wanted)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&priv->lock);

  return find (priv, wanted);
}

static gboolean
create (GstHipMemoryPrivate * priv, const HipNativeFunctions * functions,
    HipMemoryTexture * texture, GError ** error)
{
  HipResourceDesc resource;
  HipTextureDesc desc;
  HipResult result;

  if (!describe_plane (priv, texture->plane, &resource, error))
    return FALSE;
  memset (&desc, 0, sizeof (desc));
  for (guint i = 0; i < G_N_ELEMENTS (desc.address_mode); i++)
    desc.address_mode[i] = texture->address;
  desc.filter_mode = texture->filter;
  desc.flags = HIP_TEXTURE_NORMALIZED;

  if (!hip_context_enter (priv->context, error))
    return FALSE;
  result = functions->TexObjectCreate (&texture->handle,
      (const struct HIP_RESOURCE_DESC_st *) &resource,
      (const struct HIP_TEXTURE_DESC_st *) &desc, NULL);
  hip_context_leave (priv->context);
  if (result == HIP_OK)
    return TRUE;
  if (result == HIP_NOT_SUPPORTED)
    return refuse ("the device has none", error);
  if (result == HIP_INVALID_VALUE)
    return refuse ("the plane begins where none may begin", error);
  g_set_error (error, GST_HIP_ERROR, result == HIP_OUT_OF_MEMORY ?
      GST_HIP_ERROR_OUT_OF_MEMORY : GST_HIP_ERROR_FAILED,
      "making a texture of plane %u: %s", texture->plane,
      HipGetErrorName (priv->context->info.vendor, result));
  return FALSE;
}

void
hip_memory_free_textures (GstHipMemoryPrivate * priv)
{
  const HipNativeFunctions *functions;

  if (!priv->textures)
    return;
  functions = hip_native_get (priv->context->info.vendor, NULL);
  for (guint i = 0; functions && i < priv->textures->len; i++)
    functions->TexObjectDestroy (g_array_index (priv->textures,
            HipMemoryTexture, i).handle);
  g_array_unref (g_steal_pointer (&priv->textures));
}

/**
 * gst_hip_memory_get_texture_object:
 * @mem: a #GstHipMemory that is a frame
 * @plane: one of its planes
 * @filter: what the texture gives between pixels
 * @address: what it gives outside
 * @error: return location for an error
 *
 * Gives a texture over a plane, for kernels that take one: coordinates from 0
 * to 1, values from 0.0 to 1.0. The texture is @mem's and lives as long as it.
 * Using it is using @mem: gst_hip_memory_begin_access() and
 * gst_hip_memory_end_access() go around it.
 *
 * Errors: UNSUPPORTED on the host, on GPUs without texture units, and for
 * planes whose pixels are not one, two or four whole values; OUT_OF_MEMORY,
 * DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: a CUtexObject, a hipTextureObject_t, or 0 with @error set
 *
 * Since: 1.30
 */
guintptr
gst_hip_memory_get_texture_object (GstHipMemory * mem, guint plane,
    GstHipTextureFilter filter, GstHipTextureAddress address, GError ** error)
{
  HipMemoryTexture texture = { plane, filter, address, NULL };
  const HipNativeFunctions *functions;
  GstHipMemoryPrivate *priv;
  HipTextureHandle other;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), 0);
  g_return_val_if_fail (filter <= GST_HIP_TEXTURE_FILTER_LINEAR, 0);
  g_return_val_if_fail (address <= GST_HIP_TEXTURE_ADDRESS_BORDER, 0);

  priv = mem->priv;
  if (mem->mem.parent)
    return refuse ("a part of a memory has no planes", error);
  other = find_locked (priv, &texture);
  if (other)
    return (guintptr) other;

  functions = hip_native_get (priv->context->info.vendor, NULL);
  if (!functions || !functions->TexObjectCreate || !functions->TexObjectDestroy)
    return refuse ("the device has none", error);
  /* No lock while the driver is called: the first one that is there stays. */
  if (!create (priv, functions, &texture, error))
    return 0;
  hip_mutex_lock (&priv->lock);
  other = find (priv, &texture);
  if (!other) {
    if (!priv->textures)
      priv->textures = g_array_new (FALSE, FALSE, sizeof (HipMemoryTexture));
    g_array_append_val (priv->textures, texture);
  }
  hip_mutex_unlock (&priv->lock);
  if (!other)
    return (guintptr) texture.handle;
  if (hip_context_enter_for_free (priv->context)) {
    functions->TexObjectDestroy (texture.handle);
    hip_context_leave (priv->context);
  }
  return (guintptr) other;
}
