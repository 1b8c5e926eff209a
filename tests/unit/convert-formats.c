/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does the converter's table of formats say the truth? For each format that
 * this GStreamer knows, samples of random bytes are found by the table and by
 * GStreamer's own unpack function; the fields of GstVideoFormatInfo are compared
 * where they are complete, and those of them that are not are listed.
 */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "hip-convert-formats.h"
#include "hip-layout.h"

#define WIDTH 26
#define HEIGHT 6
#define N_FORMATS 62

/* Whose fields say something else than GStreamer's own unpack function reads
 * (1.22; newer ones may have mended some): bit fields, words with samples in
 * their upper bits, pairs of 16-bit chroma, a packed format with U and V swapped.
 * Any other difference is a fault of our table. */
static const gchar *const incomplete[] = { "VYUY", "P010_10LE", "P012_LE",
  "P016_LE", "Y210", "Y212_LE", "Y410", "Y412_LE", "RGB10A2_LE", "BGR10A2_LE",
  "BGR16", NULL
};

static guint
read_v210 (const guint8 * row, guint component, guint x)
{
  /* Of 12 samples in 4 words: U Y V Y U Y V Y U Y V Y */
  guint in_group = component == 0 ? 2 * (x % 6) + 1 : component == 1 ?
      4 * (x % 3) : 4 * (x % 3) + 2;
  guint word = in_group / 3;
  guint group = component == 0 ? x / 6 : x / 3;

  return GST_READ_UINT32_LE (row + 16 * group + 4 * word) >>
      (10 * (in_group % 3)) & 0x3ff;
}

static guint
read_sample (const HipFormat * format, const GstVideoInfo * info,
    const guint8 * data, guint component, guint x, guint y)
{
  const HipComponent *c = &format->comp[component];
  const guint8 *row = data + info->offset[c->plane] +
      (gsize) info->stride[c->plane] * (y >> c->h_sub);
  const guint8 *p = row + c->offset + (gsize) c->step * (x >> c->w_sub);
  guint word;

  if (format->layout == HIP_LAYOUT_V210)
    return read_v210 (row, component, x >> c->w_sub);
  word = format->word_bytes == 1 ? *p : format->word_bytes == 2 ?
      GST_READ_UINT16_LE (p) : GST_READ_UINT32_LE (p);
  return word >> c->shift & ((1u << c->depth) - 1);
}

static void
check_line (const HipFormat * format, const GstVideoInfo * info,
    const guint8 * data, gconstpointer unpacked, guint y)
{
  gboolean wide = GST_VIDEO_FORMAT_INFO_BITS (gst_video_format_get_info
      (info->finfo->unpack_format)) > 8;
  guint n = HIP_FORMAT_HAS_ALPHA (format) ? 4 :
      format->model == HIP_MODEL_GRAY ? 1 : 3;

  for (guint x = 0; x < WIDTH; x++) {
    for (guint i = 0; i < n; i++) {
      guint at = 4 * x + (i + 1) % 4;   /* alpha comes first */
      guint depth = format->comp[i].depth;
      guint expected = wide ?
          ((const guint16 *) unpacked)[at] >> (16 - depth) :
          ((const guint8 *) unpacked)[at] >> (8 - depth);
      guint found = read_sample (format, info, data, i, x, y);

      fail_unless (found == expected, "%s: component %u of pixel (%u, %u) is "
          "0x%x, GStreamer reads 0x%x", format->name, i, x, y, found, expected);
    }
  }
}

static void
check_samples (const HipFormat * format, GstVideoFormat video_format)
{
  g_autofree guint8 *data = NULL;
  guint16 unpacked[4 * WIDTH + 64];
  gpointer planes[GST_VIDEO_MAX_PLANES] = { NULL, };
  GstVideoInfo info;

  gst_video_info_set_format (&info, video_format, WIDTH, HEIGHT);
  data = g_malloc (info.size + 64);
  for (gsize i = 0; i < info.size + 64; i++)
    data[i] = g_random_int ();
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&info); i++)
    planes[i] = data + info.offset[i];
  for (guint y = 0; y < HEIGHT; y++) {
    info.finfo->unpack_func (info.finfo, GST_VIDEO_PACK_FLAG_TRUNCATE_RANGE,
        unpacked, planes, info.stride, 0, y, WIDTH);
    check_line (format, &info, data, unpacked, y);
  }
}

GST_START_TEST (test_samples)
{
  guint n;
  const HipFormat *format = hip_format_list (&n);

  fail_unless_equals_int (n, N_FORMATS);
  for (guint i = 0; i < n; i++) {
    GstVideoFormat video_format = hip_format_get_video_format (&format[i]);

    if (video_format == GST_VIDEO_FORMAT_UNKNOWN) {
      g_print ("%s is unknown to this GStreamer\n", format[i].name);
      continue;
    }
    fail_unless (hip_format_get (video_format) == &format[i]);
    for (guint round = 0; round < 8; round++)
      check_samples (&format[i], video_format);
  }
  fail_unless (hip_format_get (GST_VIDEO_FORMAT_UNKNOWN) == NULL);
  fail_unless (hip_format_get (GST_VIDEO_FORMAT_ENCODED) == NULL);
}

GST_END_TEST;

/* What of GstVideoFormatInfo says something else than the table, or NULL */
static gchar *
compare_info (const HipFormat * format, const GstVideoFormatInfo * finfo)
{
  guint n = HIP_FORMAT_HAS_ALPHA (format) ? 4 :
      format->model == HIP_MODEL_GRAY ? 1 : 3;

  if (GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo) != n)
    return g_strdup_printf ("%u components",
        GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo));
  for (guint i = 0; i < n; i++) {
    const HipComponent *c = &format->comp[i];
    /* GStreamer counts shifts from its own idea of a sample's first byte */
    gint offset = GST_VIDEO_FORMAT_INFO_POFFSET (finfo, i);
    gint shift = GST_VIDEO_FORMAT_INFO_SHIFT (finfo, i);

    if (GST_VIDEO_FORMAT_INFO_PLANE (finfo, i) != c->plane
        || offset != c->offset || shift != c->shift
        || GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, i) != c->step
        || GST_VIDEO_FORMAT_INFO_DEPTH (finfo, i) != c->depth
        || GST_VIDEO_FORMAT_INFO_W_SUB (finfo, i) != c->w_sub
        || GST_VIDEO_FORMAT_INFO_H_SUB (finfo, i) != c->h_sub)
      return g_strdup_printf ("component %u: plane %d offset %d step %d "
          "shift %d depth %d sub %d %d", i,
          GST_VIDEO_FORMAT_INFO_PLANE (finfo, i), offset,
          GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, i), shift,
          GST_VIDEO_FORMAT_INFO_DEPTH (finfo, i),
          GST_VIDEO_FORMAT_INFO_W_SUB (finfo, i),
          GST_VIDEO_FORMAT_INFO_H_SUB (finfo, i));
  }
  return NULL;
}

GST_START_TEST (test_info)
{
  guint n;
  const HipFormat *format = hip_format_list (&n);

  for (guint i = 0; i < n; i++) {
    GstVideoFormat video_format = hip_format_get_video_format (&format[i]);
    g_autofree gchar *other = NULL;
    gboolean listed = g_strv_contains (incomplete, format[i].name);

    if (video_format == GST_VIDEO_FORMAT_UNKNOWN)
      continue;
    other = compare_info (&format[i], gst_video_format_get_info (video_format));
    fail_unless (!other || listed, "%s: GstVideoFormatInfo says %s",
        format[i].name, other);
    if (other)
      g_print ("GstVideoFormatInfo of %s: %s\n", format[i].name, other);
  }
}

GST_END_TEST;

static Suite *
convert_formats_suite (void)
{
  Suite *s = suite_create ("convert-formats");
  TCase *tc = tcase_create ("table");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_samples);
  tcase_add_test (tc, test_info);
  return s;
}

GST_CHECK_MAIN (convert_formats);
