/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames, chains and comparison for the tests of hipconvert. */
#include "config.h"

#include "convert-common.h"

const RefModes convert_test_defaults = {
  GST_VIDEO_MATRIX_MODE_FULL, GST_VIDEO_PRIMARIES_MODE_NONE,
  GST_VIDEO_GAMMA_MODE_NONE, GST_VIDEO_CHROMA_MODE_FULL,
  GST_VIDEO_ALPHA_MODE_COPY, 1
};

/* What caps say of the chroma site counts, which GStreamer's own function does
 * not always know. */
static GstVideoInfo
parse_caps (GstCaps * caps)
{
  GstVideoInfo info;
  const gchar *site;

  fail_unless (caps && gst_video_info_from_caps (&info, caps));
  site = gst_structure_get_string (gst_caps_get_structure (caps, 0),
      "chroma-site");
  if (site)
    info.chroma_site = gst_video_chroma_site_from_string (site);
  return info;
}

GstVideoInfo
convert_test_info (const gchar * text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  return parse_caps (caps);
}

GstBuffer *
convert_test_frame (const GstVideoInfo * info, GRand * rand)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) g_rand_int (rand);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

GstHarness *
convert_test_harness (const gchar * properties, const gchar * caps,
    const gchar * out)
{
  const gchar *vendor = test_vendor ();
  g_autofree gchar *text = g_strdup_printf ("hipupload vendor=%s ! hipconvert "
      "name=convert vendor=%s %s ! capsfilter name=filter caps=\"" HIP_VIDEO
      "%s\" ! hipdownload vendor=%s", vendor, vendor, properties, out, vendor);
  GstHarness *h = gst_harness_new_parse (text);

  fail_unless (h != NULL, "%s", text);
  if (caps)
    gst_harness_set_src_caps_str (h, caps);
  return h;
}

GstElement *
convert_test_element (GstHarness * h, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (h->element), name);

  fail_unless (element != NULL, "no %s", name);
  return element;
}

void
convert_test_set_out (GstHarness * h, const gchar * out)
{
  g_autoptr (GstElement) filter = convert_test_element (h, "filter");
  g_autofree gchar *text = g_strconcat (HIP_VIDEO, out, NULL);

  gst_util_set_object_arg (G_OBJECT (filter), "caps", text);
}

GstVideoInfo
convert_test_out_info (GstHarness * h)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);

  return parse_caps (caps);
}

static void
map_frame (GstBuffer * buffer, const GstVideoInfo * info, GstMapInfo * map,
    RefFrame * frame)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  fail_unless (gst_buffer_map (buffer, map, GST_MAP_READ));
  memset (frame, 0, sizeof (*frame));
  frame->info = *info;
  frame->info.size = map->size;
  frame->data = map->data;
  for (guint i = 0; meta && i < meta->n_planes; i++) {
    frame->info.offset[i] = meta->offset[i];
    frame->info.stride[i] = meta->stride[i];
  }
}

void
convert_test_compare (GstBuffer * in, const GstVideoInfo * in_info,
    GstBuffer * out, const GstVideoInfo * out_info, const RefModes * modes,
    gboolean interlaced, const gchar * what)
{
  GstVideoInterlaceMode mode = interlaced ?
      GST_VIDEO_INTERLACE_MODE_INTERLEAVED :
      GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  g_autofree gchar *complaint = NULL;
  g_autofree gchar *text = NULL;
  RefFrame in_frame, out_frame;
  GstMapInfo in_map, out_map;
  Case c;

  map_frame (in, in_info, &in_map, &in_frame);
  map_frame (out, out_info, &out_map, &out_frame);
  in_frame.info.interlace_mode = out_frame.info.interlace_mode = mode;
  memset (&c, 0, sizeof (c));
  c.in = in_frame.info;
  c.out = out_frame.info;
  c.modes = *modes;
  c.dither = GST_VIDEO_DITHER_BAYER;    /* the default */
  if (!case_compare (&c, &in_frame, &out_frame, &complaint)) {
    text = case_describe (&c);
    fail ("%s: %s: %s", what, text, complaint);
  }
  gst_buffer_unmap (in, &in_map);
  gst_buffer_unmap (out, &out_map);
}

GstBuffer *
convert_test_through (GstHarness * h, GstBuffer * in, const gchar * what)
{
  GstFlowReturn ret = gst_harness_push (h, gst_buffer_ref (in));

  fail_unless (ret == GST_FLOW_OK, "%s: %s", what, gst_flow_get_name (ret));
  return gst_harness_pull (h);
}

void
convert_test_one (GstHarness * h, const GstVideoInfo * in_info,
    const RefModes * modes, GRand * rand, const gchar * what)
{
  g_autoptr (GstBuffer) in = convert_test_frame (in_info, rand);
  g_autoptr (GstBuffer) out = convert_test_through (h, in, what);
  GstVideoInfo out_info = convert_test_out_info (h);

  convert_test_compare (in, in_info, out, &out_info, modes,
      GST_VIDEO_INFO_INTERLACE_MODE (in_info) ==
      GST_VIDEO_INTERLACE_MODE_INTERLEAVED, what);
}
