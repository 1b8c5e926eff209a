/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does whoever decodes a tensor, far downstream, learn where its pixels are
 * in the frame that the tensor is attached to?
 *
 * Invariant: the map is of the frame that carries it, scaled or not; where that
 * cannot be said any more there is none.
 */
#include <string.h>

#include <gst/video/video.h>

#include "gsthipframemap.h"

#define API_NAME "GstHipFrameMapMetaAPI"
#define META_NAME "GstHipFrameMapMeta"

typedef struct
{
  GstMeta meta;
  GstHipFrameMap map;
  GQuark tensor_id;             /* 0: of any */
} FrameMapMeta;

static const GstMetaInfo *get_info (void);

static gboolean
meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  FrameMapMeta *self = (FrameMapMeta *) meta;

  memset (&self->map, 0, sizeof (self->map));
  self->tensor_id = 0;
  return TRUE;
}

static void
add (GstBuffer * buffer, const GstHipFrameMap * map, GQuark tensor_id)
{
  FrameMapMeta *self = (FrameMapMeta *) gst_buffer_add_meta (buffer,
      get_info (), NULL);

  self->map = *map;
  self->tensor_id = tensor_id;
}

/* What lay in the frame lies in the scaled one. */
static void
scale (GstHipFrameMap * map, const GstVideoMetaTransform * transform)
{
  gdouble x = (gdouble) GST_VIDEO_INFO_WIDTH (transform->out_info) /
      GST_VIDEO_INFO_WIDTH (transform->in_info);
  gdouble y = (gdouble) GST_VIDEO_INFO_HEIGHT (transform->out_info) /
      GST_VIDEO_INFO_HEIGHT (transform->in_info);

  map->xx *= x;
  map->xy *= x;
  map->x0 *= x;
  map->yx *= y;
  map->yy *= y;
  map->y0 *= y;
  map->width = GST_VIDEO_INFO_WIDTH (transform->out_info);
  map->height = GST_VIDEO_INFO_HEIGHT (transform->out_info);
}

static gboolean
meta_transform (GstBuffer * to, GstMeta * meta, GstBuffer * from, GQuark type,
    gpointer data)
{
  FrameMapMeta *self = (FrameMapMeta *) meta;
  GstHipFrameMap map = self->map;

  if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    scale (&map, data);
  else if (!GST_META_TRANSFORM_IS_COPY (type))
    return FALSE;
  add (to, &map, self->tensor_id);
  return TRUE;
}

static GType
get_api (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
      GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL
    };
    GType type = g_type_from_name (API_NAME);

    /* Of another copy of this library in the process it is the same. */
    g_once_init_leave (&once, type ? type : gst_meta_api_type_register
        (API_NAME, tags));
  }
  return once;
}

static const GstMetaInfo *
get_info (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    const GstMetaInfo *info = gst_meta_get_info (META_NAME);

    if (!info)
      info = gst_meta_register (get_api (), META_NAME, sizeof (FrameMapMeta),
          meta_init, NULL, meta_transform);
    g_once_init_leave (&once, (gsize) info);
  }
  return (const GstMetaInfo *) once;
}

/**
 * gst_hip_frame_map_attach:
 * @map: a #GstHipFrameMap
 * @buffer: a frame, writable
 * @tensor_id: (nullable): which tensors of the frame @map is of; %NULL: of all
 *     that no other map names
 *
 * Attaches @map to a frame, as a meta that is copied with it and scaled with it
 * by elements that scale metas; other changes of its size lose it. Elements that
 * attach tensors attach the map with the tensors' id: `hiponnxinference` with
 * that of its first one.
 *
 * Blocking: never.
 * Threads: any, one at a time for a buffer.
 * Since: 1.30
 */
void
gst_hip_frame_map_attach (const GstHipFrameMap * map, GstBuffer * buffer,
    const gchar * tensor_id)
{
  g_return_if_fail (map != NULL);
  g_return_if_fail (GST_IS_BUFFER (buffer));
  g_return_if_fail (gst_buffer_is_writable (buffer));

  add (buffer, map, g_quark_from_string (tensor_id));
}

/**
 * gst_hip_frame_map_find:
 * @buffer: a frame
 * @tensor_id: (nullable): the tensors' id; %NULL: any
 * @map: (out caller-allocates): where the map goes
 *
 * Looks for the map of tensors that are attached to a frame: the last one
 * that was attached for @tensor_id, else one for any.
 *
 * Returns: whether there is one; if not, @map is left as it was
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_frame_map_find (GstBuffer * buffer, const gchar * tensor_id,
    GstHipFrameMap * map)
{
  GQuark wanted = g_quark_try_string (tensor_id);
  const FrameMapMeta *exact = NULL, *any = NULL;
  gpointer state = NULL;
  GstMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (map != NULL, FALSE);

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, get_api ()))) {
    const FrameMapMeta *found = (const FrameMapMeta *) meta;

    if (!tensor_id || (wanted && found->tensor_id == wanted))
      exact = found;
    else if (found->tensor_id == 0)
      any = found;
  }
  if (!exact)
    exact = any;
  if (!exact)
    return FALSE;
  *map = exact->map;
  return TRUE;
}
