/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is one conversion what the reference says, and does it leave everything else
 * alone? A mismatch is described with all parameters; both pictures are written
 * to the folder that GST_HIP_TEST_OUT names. */
#include <math.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "convert-case.h"

/* --- frames --- */

/* Planes at odd offsets with odd strides, far enough apart that writing past a row or a plane is seen */
void
case_make_layout (GstVideoInfo * info, GRand * rand)
{
  gsize at = GUARD + g_rand_int_range (rand, 0, 16);

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gsize row_bytes;
    guint rows, padding = g_rand_int_range (rand, 0, 3);

    fail_unless (gst_hip_video_info_get_plane_size (info, i, &row_bytes,
            &rows));
    info->offset[i] = at;
    info->stride[i] = row_bytes + (padding == 0 ? 0 : padding == 1 ?
        (gsize) g_rand_int_range (rand, 0, 40) : (-row_bytes & 63));
    at += (gsize) info->stride[i] * rows + GUARD +
        (padding == 2 ? (-at & 63) : (guint) g_rand_int_range (rand, 0, 16));
  }
  info->size = at;
}

void
case_fill (guint8 * data, gsize size, CaseData kind, GRand * rand)
{
  for (gsize i = 0; i < size; i++) {
    guint8 noise = g_rand_int (rand);

    data[i] = kind == DATA_LOW ? noise & 3 : kind == DATA_HIGH ? noise | 0xfc :
        kind == DATA_SMOOTH ? i + (noise & 1) : noise;
  }
}

GstBuffer *
case_make_buffer (GstHipDevice * device, GstVideoInfo * info,
    const guint8 * data)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device,
      info->size, &error);
  GstBuffer *buffer = gst_buffer_new ();

  fail_unless (memory != NULL, "%s", error ? error->message : "");
  gst_buffer_append_memory (buffer, memory);
  gst_buffer_fill (buffer, 0, data, info->size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), info->width, info->height,
      GST_VIDEO_INFO_N_PLANES (info), info->offset, info->stride);
  return buffer;
}

/* --- comparing --- */

static gdouble
get_tolerance (const Case * c, guint component)
{
  guint depth = ref_depth (&c->out, component);

  if (c->modes.gamma_mode != GST_VIDEO_GAMMA_MODE_NONE
      || c->modes.primaries_mode != GST_VIDEO_PRIMARIES_MODE_NONE)
    return depth <= 10 ? 1 : 4;
  if (c->dither != GST_VIDEO_DITHER_NONE
      || !ref_is_linear (&c->in, &c->out, &c->modes))
    return 1;
  /* Half a code is rounding; the rest is what floats may be off */
  return depth <= 12 ? 0.5 + 0.02 : 0.5 + 0.1;
}

static gboolean
compare_component (const Case * c, const RefFrame * got, guint component,
    const gdouble * exact, gchar ** complaint)
{
  guint columns, rows, max = (1u << ref_depth (&got->info, component)) - 1;
  gdouble tolerance = get_tolerance (c, component);

  ref_samples (&got->info, component, &columns, &rows);
  for (guint y = 0; y < rows; y++) {
    for (guint x = 0; x < columns; x++) {
      gdouble wanted = CLAMP (exact[y * columns + x], 0, max);
      guint value = ref_read (got, component, x, y);

      if (fabs (value - wanted) <= tolerance)
        continue;
      *complaint = g_strdup_printf ("component %u, sample (%u, %u) of %ux%u is "
          "%u, exact is %.4f", component, x, y, columns, rows, value, wanted);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
compare (const Case * c, const RefFrame * in, const RefFrame * got,
    gchar ** complaint)
{
  gdouble *exact[4];
  gboolean ok = TRUE;

  ref_convert (in, &got->info, &c->modes, exact);
  for (guint i = 0; i < 4; i++) {
    if (ok && exact[i])
      ok = compare_component (c, got, i, exact[i], complaint);
    g_free (exact[i]);
  }
  return ok;
}

void
case_get_field (const RefFrame * frame, guint field, RefFrame * out)
{
  *out = *frame;
  out->info.height = (frame->info.height + 1 - field) / 2;
  out->info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&frame->info); i++) {
    out->info.offset[i] += field * frame->info.stride[i];
    out->info.stride[i] *= 2;
  }
}

gboolean
case_compare (const Case * c, const RefFrame * in, const RefFrame * got,
    gchar ** complaint)
{
  if (c->in.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
    return compare (c, in, got, complaint);
  for (guint field = 0; field < 2; field++) {
    RefFrame in_field, got_field;

    case_get_field (in, field, &in_field);
    case_get_field (got, field, &got_field);
    if (got_field.info.height > 0
        && !compare (c, &in_field, &got_field, complaint)) {
      gchar *inner = *complaint;

      *complaint = g_strdup_printf ("field %u: %s", field, inner);
      g_free (inner);
      return FALSE;
    }
  }
  return TRUE;
}

/* Bytes that belong to no row of the picture are as they were */
gboolean
case_check_guards (const GstVideoInfo * info, const guint8 * before,
    const guint8 * after, gchar ** complaint)
{
  guint8 *inside = g_malloc0 (info->size);
  gboolean ok = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gsize row_bytes;
    guint rows;

    gst_hip_video_info_get_plane_size (info, i, &row_bytes, &rows);
    for (guint y = 0; y < rows; y++)
      memset (inside + info->offset[i] + (gsize) info->stride[i] * y, 1,
          row_bytes);
  }
  for (gsize i = 0; ok && i < info->size; i++) {
    if (inside[i] || before[i] == after[i])
      continue;
    *complaint = g_strdup_printf ("byte %" G_GSIZE_FORMAT " outside of the "
        "picture was written (planes at %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT
        " %" G_GSIZE_FORMAT ")", i, info->offset[0], info->offset[1],
        info->offset[2]);
    ok = FALSE;
  }
  g_free (inside);
  return ok;
}

/* --- running --- */

gchar *
case_describe (const Case * c)
{
  gchar *from = gst_video_colorimetry_to_string (&c->in.colorimetry);
  gchar *to = gst_video_colorimetry_to_string (&c->out.colorimetry);
  gchar *text;

  text = g_strdup_printf ("%s to %s, %dx%d, colorimetry %s to %s, chroma site "
      "0x%x to 0x%x, %s, flags 0x%x to 0x%x, matrix-mode %d primaries-mode %d "
      "gamma-mode %d chroma-mode %d alpha-mode %d alpha-value %g dither %d, "
      "data %d, seed %u", c->in.finfo->name, c->out.finfo->name, c->in.width,
      c->in.height, from, to, c->in.chroma_site, c->out.chroma_site,
      gst_video_interlace_mode_to_string (c->in.interlace_mode), c->in.flags,
      c->out.flags, c->modes.matrix_mode, c->modes.primaries_mode,
      c->modes.gamma_mode, c->modes.chroma_mode, c->modes.alpha_mode,
      c->modes.alpha_value, c->dither, c->data, c->seed);
  g_free (from);
  g_free (to);
  return text;
}

GstStructure *
case_make_config (const RefModes * modes, GstVideoDitherMethod dither)
{
  return gst_structure_new ("config",
      GST_VIDEO_CONVERTER_OPT_MATRIX_MODE, GST_TYPE_VIDEO_MATRIX_MODE,
      modes->matrix_mode,
      GST_VIDEO_CONVERTER_OPT_PRIMARIES_MODE, GST_TYPE_VIDEO_PRIMARIES_MODE,
      modes->primaries_mode,
      GST_VIDEO_CONVERTER_OPT_GAMMA_MODE, GST_TYPE_VIDEO_GAMMA_MODE,
      modes->gamma_mode,
      GST_VIDEO_CONVERTER_OPT_CHROMA_MODE, GST_TYPE_VIDEO_CHROMA_MODE,
      modes->chroma_mode,
      GST_VIDEO_CONVERTER_OPT_ALPHA_MODE, GST_TYPE_VIDEO_ALPHA_MODE,
      modes->alpha_mode,
      GST_VIDEO_CONVERTER_OPT_ALPHA_VALUE, G_TYPE_DOUBLE, modes->alpha_value,
      GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
      dither, NULL);
}

static void
write_picture (const RefFrame * frame, const gchar * name)
{
  const gchar *folder = g_getenv ("GST_HIP_TEST_OUT");
  gchar *path;

  if (!folder)
    return;
  g_mkdir_with_parents (folder, 0755);
  path = g_build_filename (folder, name, NULL);
  g_file_set_contents (path, (const gchar *) frame->data, frame->info.size,
      NULL);
  g_free (path);
}

gboolean
case_run (GstHipDevice * device, const Case * c, gchar ** complaint)
{
  GstStructure *config = case_make_config (&c->modes, c->dither);
  GRand *rand = g_rand_new_with_seed (c->seed);
  RefFrame in = { c->in, NULL, }, out = { c->out, NULL, };
  guint8 *before;
  GstBuffer *src, *dst;
  GstHipConverter *converter;
  GError *error = NULL;
  gboolean ok;

  *complaint = NULL;
  case_make_layout (&in.info, rand);
  case_make_layout (&out.info, rand);
  in.data = g_malloc (in.info.size);
  case_fill (in.data, in.info.size, c->data, rand);
  before = g_malloc (out.info.size);
  case_fill (before, out.info.size, DATA_ANY, rand);
  out.data = g_malloc (out.info.size);
  src = case_make_buffer (device, &in.info, in.data);
  dst = case_make_buffer (device, &out.info, before);

  converter = gst_hip_converter_new (device, &c->in, &c->out, config, &error);
  ok = converter && gst_hip_converter_convert_buffer (converter, NULL, src, dst,
      NULL, &error);
  if (!ok) {
    *complaint = g_strdup (error->message);
    g_clear_error (&error);
  } else {
    gst_buffer_extract (dst, 0, out.data, out.info.size);
    ok = case_check_guards (&out.info, before, out.data, complaint)
        && case_compare (c, &in, &out, complaint);
    if (!ok) {
      write_picture (&in, "convert-in.raw");
      write_picture (&out, "convert-out.raw");
    }
  }
  gst_clear_object (&converter);
  gst_buffer_unref (src);
  gst_buffer_unref (dst);
  g_free (before);
  g_free (in.data);
  g_free (out.data);
  g_rand_free (rand);
  gst_structure_free (config);
  return ok;
}
