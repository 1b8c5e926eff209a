/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do colours look right after hipconvert? For each conversion a row: the picture
 * before it became the input, what hipconvert makes of that, what exact
 * arithmetic makes of it, and how they differ, a code value being 100 of grey.
 * The reference is that of the tests, which shares nothing with the library;
 * inputs are made with it, too.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "../tests/kernels/convert-reference.h"
#include "demo.h"

#define WIDTH DEMO_PICTURE_WIDTH
#define HEIGHT 120

typedef struct
{
  const gchar *name, *in, *properties;
  guint dark;                   /* shown eight times as bright */
} Row;

static const Row rows[] = {
  {"NV12, BT.601", "NV12,colorimetry=bt601,chroma-site=mpeg2", "", 0},
  {"NV12, BT.709", "NV12,colorimetry=bt709,chroma-site=mpeg2", "", 0},
  {"NV12, BT.2020", "NV12,colorimetry=bt2020,chroma-site=mpeg2", "", 0},
  {"NV12, BT.709, full range", "NV12,colorimetry=1:3:5:1,chroma-site=mpeg2", "",
      0},
  {"I420, chroma between pixels", "I420,colorimetry=bt709,chroma-site=jpeg", "",
      0},
  {"I420, chroma on pixels", "I420,colorimetry=bt709,chroma-site=cosited", "",
      0},
  {"AYUV, alpha over a board", "AYUV,colorimetry=bt709", "", 0},
  {"10 bit, dark, as they are", "Y444_10LE,colorimetry=bt709", "dither=none",
      1},
  {"10 bit, dark, dithered", "Y444_10LE,colorimetry=bt709", "dither=bayer", 1},
};

/* --- pictures in double precision --- */

/* Red, green, blue and alpha of one pixel: bars that get darker, then thin
 * coloured lines and a grey ramp. Dark: a ramp of a few code values. */
static void
paint (guint x, guint y, gboolean dark, gdouble c[4])
{
  guint bar = x * 8 / WIDTH, line = x / 3 % 2;
  gdouble light = 1 - y / (gdouble) HEIGHT;

  c[3] = 1;
  if (dark) {
    c[0] = c[1] = c[2] = 0.02 + 0.06 * x / WIDTH + 0.0 * y;
  } else if (y < HEIGHT / 2) {
    for (guint i = 0; i < 3; i++)
      c[i] = (bar ^ 7) >> i & 1 ? light : 0;
    c[3] = 0.25 + 0.75 * x / WIDTH;
  } else if (y < HEIGHT * 3 / 4) {
    c[0] = line;
    c[1] = 0;
    c[2] = 1 - line;
  } else {
    c[0] = c[1] = c[2] = x / (WIDTH - 1.0);
  }
}

static GstVideoInfo
parse_info (const gchar * fields)
{
  g_autofree gchar *text = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
      "height=%d,framerate=30/1", fields, WIDTH, HEIGHT);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  GstVideoInfo info;
  const gchar *site;

  if (!gst_video_info_from_caps (&info, caps))
    g_error ("no caps: %s", text);
  site = gst_structure_get_string (gst_caps_get_structure (caps, 0),
      "chroma-site");
  if (site)
    info.chroma_site = gst_video_chroma_site_from_string (site);
  return info;
}

/* 16 bit, so that the input has all the accuracy that its format has */
static RefFrame
painting (gboolean dark)
{
  RefFrame frame = { parse_info ("ARGB64_LE,colorimetry=sRGB"), NULL };

  frame.data = g_malloc0 (frame.info.size);
  for (guint y = 0; y < HEIGHT; y++) {
    for (guint x = 0; x < WIDTH; x++) {
      guint16 *pixel = (guint16 *) (frame.data + frame.info.stride[0] * y) +
          4 * x;
      gdouble c[4];

      paint (x, y, dark, c);
      pixel[0] = GUINT16_TO_LE (lrint (c[3] * 65535));
      for (guint i = 0; i < 3; i++)
        pixel[1 + i] = GUINT16_TO_LE (lrint (c[i] * 65535));
    }
  }
  return frame;
}

static void
store (RefFrame * frame, guint component, guint x, guint y, gdouble value)
{
  const GstVideoFormatInfo *finfo = frame->info.finfo;
  guint plane = GST_VIDEO_FORMAT_INFO_PLANE (finfo, component);
  guint max = (1u << GST_VIDEO_FORMAT_INFO_DEPTH (finfo, component)) - 1;
  guint code = lrint (CLAMP (value, 0, max));
  guint8 *at = frame->data + frame->info.offset[plane]
      + GST_VIDEO_FORMAT_INFO_POFFSET (finfo, component)
      + (gsize) frame->info.stride[plane] * y
      + (gsize) GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, component) * x;

  if (max > 255)
    GST_WRITE_UINT16_LE (at, code);
  else
    *at = code;
}

/* from in another format, rounded */
static RefFrame
make_input (const RefFrame * from, const Row * row)
{
  static const RefModes modes = {.alpha_value = 1 };
  RefFrame frame = { parse_info (row->in), NULL };
  gdouble *exact[4];

  frame.data = g_malloc0 (frame.info.size);
  ref_convert (from, &frame.info, &modes, exact);
  for (guint c = 0; c < 4; c++) {
    guint columns, lines;

    if (!exact[c])
      continue;
    ref_samples (&frame.info, c, &columns, &lines);
    for (guint i = 0; i < columns * lines; i++)
      store (&frame, c, i % columns, i / columns, exact[c][i]);
    g_free (exact[c]);
  }
  return frame;
}

/* --- the element --- */

static GstFlowReturn
keep_buffer (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_replace (g_object_get_data (G_OBJECT (pad), "out"), buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
link_pads (GstElement * bin, GstPad * src, GstPad * sink)
{
  g_autoptr (GstPad) in = gst_element_get_static_pad (bin, "sink");
  g_autoptr (GstPad) out = gst_element_get_static_pad (bin, "src");

  gst_pad_link (src, in);
  gst_pad_link (out, sink);
  gst_pad_set_active (sink, TRUE);
  gst_pad_set_active (src, TRUE);
}

static void
start_stream (GstPad * src, const gchar * fields)
{
  g_autofree gchar *text = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
      "height=%d,framerate=30/1", fields, WIDTH, HEIGHT);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_stream_start ("colours"));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_pad_push_event (src, gst_event_new_segment (&segment));
}

/* One frame through hipconvert, in system memory on both sides */
static GstBuffer *
convert (const RefFrame * in, const Row * row, GError ** error)
{
  g_autofree gchar *text = g_strdup_printf ("hipupload ! hipconvert %s ! "
      "video/x-raw(memory:HIPMemory),format=RGBA,colorimetry=sRGB ! "
      "hipdownload", row->properties);
  g_autoptr (GstElement) bin = gst_parse_bin_from_description (text, TRUE,
      error);
  g_autoptr (GstPad) src = gst_pad_new ("src", GST_PAD_SRC);
  g_autoptr (GstPad) sink = gst_pad_new ("sink", GST_PAD_SINK);
  GstBuffer *out = NULL;
  GstFlowReturn ret;

  if (!bin)
    return NULL;
  g_object_set_data (G_OBJECT (sink), "out", &out);
  gst_pad_set_chain_function (sink, keep_buffer);
  link_pads (bin, src, sink);
  gst_element_set_state (bin, GST_STATE_PLAYING);
  start_stream (src, row->in);
  ret = gst_pad_push (src, gst_buffer_new_memdup (in->data, in->info.size));
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_pad_set_active (src, FALSE);
  gst_pad_set_active (sink, FALSE);
  if (!out)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "%s was not converted: %s", row->name, gst_flow_get_name (ret));
  return out;
}

/* --- what is shown --- */

static DemoPicture *
picture_new (void)
{
  DemoPicture *picture = g_new (DemoPicture, 1);

  picture->width = WIDTH;
  picture->height = HEIGHT;
  picture->rgb = g_malloc0 (3 * WIDTH * HEIGHT);
  return picture;
}

/* Code values of a pixel on a board, or brightened */
static void
show (DemoPicture * picture, guint i, const gdouble c[4], gboolean dark)
{
  guint board = ((i % WIDTH / 8) ^ (i / WIDTH / 8)) & 1 ? 160 : 96;
  gdouble alpha = c[3] / 255;

  for (guint k = 0; k < 3; k++) {
    gdouble value = dark ? 8 * c[k] : c[k] * alpha + board * (1 - alpha);

    picture->rgb[3 * i + k] = lrint (CLAMP (value, 0, 255));
  }
}

static void
show_difference (DemoPicture * picture, guint i, const gdouble a[4],
    const gdouble b[4], gdouble * worst)
{
  for (guint k = 0; k < 4; k++) {
    gdouble difference = fabs (a[k] - CLAMP (b[k], 0, 255));

    *worst = MAX (*worst, difference);
    if (k < 3)
      picture->rgb[3 * i + k] = lrint (MIN (100 * difference, 255));
  }
}

static void
read_pixel (const guint8 * data, gsize stride, guint i, gdouble c[4])
{
  const guint8 *pixel = data + stride * (i / WIDTH) + 4 * (i % WIDTH);

  for (guint k = 0; k < 4; k++)
    c[k] = pixel[k];
}

static gboolean
fill_row (DemoFrames * frames, const Row * row, const RefFrame * in,
    GstBuffer * buffer, gdouble * worst)
{
  static const RefModes modes = {.alpha_value = 1 };
  GstVideoInfo info = parse_info ("RGBA,colorimetry=sRGB");
  DemoPicture *pictures[4];
  GstVideoFrame out;
  gdouble *exact[4];

  if (!gst_video_frame_map (&out, &info, buffer, GST_MAP_READ))
    return FALSE;
  ref_convert (in, &info, &modes, exact);
  for (guint k = 0; k < 4; k++)
    g_ptr_array_add (frames->pictures, pictures[k] = picture_new ());
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    gdouble before[4], is[4], should[4];

    paint (i % WIDTH, i / WIDTH, row->dark, before);
    for (guint k = 0; k < 4; k++) {
      /* what has no alpha became opaque */
      before[k] = k == 3 && !GST_VIDEO_INFO_HAS_ALPHA (&in->info) ? 255 :
          255 * before[k];
      should[k] = exact[k][i];
    }
    read_pixel (GST_VIDEO_FRAME_PLANE_DATA (&out, 0),
        GST_VIDEO_FRAME_PLANE_STRIDE (&out, 0), i, is);
    show (pictures[0], i, before, row->dark);
    show (pictures[1], i, is, row->dark);
    show (pictures[2], i, should, row->dark);
    show_difference (pictures[3], i, is, should, worst);
  }
  for (guint k = 0; k < 4; k++)
    g_free (exact[k]);
  gst_video_frame_unmap (&out);
  return TRUE;
}

static gboolean
do_row (DemoFrames * frames, const Row * row, GError ** error)
{
  RefFrame source = painting (row->dark);
  RefFrame in = make_input (&source, row);
  g_autoptr (GstBuffer) out = convert (&in, row, error);
  gdouble worst = 0;
  gboolean ok = out && fill_row (frames, row, &in, out, &worst);

  if (ok)
    g_print ("  %-30s at most %.2f of a code value from exact\n", row->name,
        worst);
  g_free (source.data);
  g_free (in.data);
  return ok;
}

gboolean
demo_colours (const gchar * filename, GError ** error)
{
  DemoFrames *frames[G_N_ELEMENTS (rows)];
  gboolean ok = TRUE;

  g_print ("colours to RGBA: the original, hipconvert's, exact, difference\n");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    frames[i] = demo_frames_new ();
    ok = ok && do_row (frames[i], &rows[i], error);
  }
  ok = ok && demo_sheet_write (frames, G_N_ELEMENTS (rows), filename, error);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    demo_frames_free (frames[i]);
  if (ok)
    g_print ("  to look at    %s\n", filename);
  return ok;
}
