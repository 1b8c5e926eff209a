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

  if (c->quantization > 1 && c->dither != GST_VIDEO_DITHER_NONE)
    return c->quantization + 1;
  if (c->modes.gamma_mode != GST_VIDEO_GAMMA_MODE_NONE
      || c->modes.primaries_mode != GST_VIDEO_PRIMARIES_MODE_NONE)
    return depth <= 10 ? 1 : 4;
  if (c->dither != GST_VIDEO_DITHER_NONE
      || !ref_is_linear (&c->in, &c->out, &c->modes))
    return 1;
  /* Half a code is rounding; the rest is what floats may be off */
  return depth <= 12 ? 0.5 + 0.02 : 0.5 + 0.1;
}

/* before: what got was, where nothing may be written */
static gboolean
compare_component (const Case * c, const RefFrame * got,
    const RefFrame * before, guint component, const gdouble * exact,
    gchar ** complaint)
{
  guint columns, rows, max = (1u << ref_depth (&got->info, component)) - 1;
  gdouble tolerance = get_tolerance (c, component);

  ref_samples (&got->info, component, &columns, &rows);
  for (guint y = 0; y < rows; y++) {
    for (guint x = 0; x < columns; x++) {
      gdouble wanted = CLAMP (exact[y * columns + x], 0, max);
      guint value = ref_read (got, component, x, y);

      if (isnan (exact[y * columns + x]))
        wanted = ref_read (before, component, x, y);
      if (fabs (value - wanted) <= tolerance && (c->quantization < 2
              || c->dither == GST_VIDEO_DITHER_NONE
              || value % c->quantization == 0))
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
    const RefFrame * before, gchar ** complaint)
{
  gdouble *exact[4];
  gboolean ok = TRUE;

  ref_convert (in, &got->info, &c->modes, exact);
  for (guint i = 0; i < 4; i++) {
    if (ok && exact[i])
      ok = compare_component (c, got, before, i, exact[i], complaint);
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

static gboolean
compare_fields (const Case * c, const RefFrame * in, const RefFrame * got,
    const RefFrame * before, gchar ** complaint)
{
  if (c->in.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
    return compare (c, in, got, before, complaint);
  for (guint field = 0; field < 2; field++) {
    RefFrame in_field, got_field, before_field;
    RefScale scale;
    Case one = *c;

    if (c->modes.scale) {
      scale = *c->modes.scale;
      scale.fields = 2;
      scale.field = field;
      one.modes.scale = &scale;
    }
    case_get_field (in, field, &in_field);
    case_get_field (got, field, &got_field);
    case_get_field (before, field, &before_field);
    if (got_field.info.height > 0
        && !compare (&one, &in_field, &got_field, &before_field, complaint)) {
      gchar *inner = *complaint;

      *complaint = g_strdup_printf ("field %u: %s", field, inner);
      g_free (inner);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
case_compare (const Case * c, const RefFrame * in, const RefFrame * got,
    gchar ** complaint)
{
  return compare_fields (c, in, got, got, complaint);
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

static gchar *
describe_scale (const Case * c)
{
  const RefScale *s = c->modes.scale;

  return !s ? g_strdup ("") : g_strdup_printf (", to %dx%d: method %d, "
      "(%g,%g) %gx%g to (%d,%d) %dx%d%s%s%s%s", c->out.width, c->out.height,
      s->method, s->src[0], s->src[1], s->src_size[0], s->src_size[1],
      s->dst[0], s->dst[1], s->dst_size[0], s->dst_size[1],
      s->transpose ? " transposed" : "", s->mirrored[0] ? " x mirrored" : "",
      s->mirrored[1] ? " y mirrored" : "", s->fill ? "" : " without borders");
}

gchar *
case_describe (const Case * c)
{
  gchar *scale = describe_scale (c);
  gchar *from = gst_video_colorimetry_to_string (&c->in.colorimetry);
  gchar *to = gst_video_colorimetry_to_string (&c->out.colorimetry);
  gchar *text;

  text = g_strdup_printf ("%s to %s, %dx%d, colorimetry %s to %s, chroma site "
      "0x%x to 0x%x, %s, flags 0x%x to 0x%x, matrix-mode %d primaries-mode %d "
      "gamma-mode %d chroma-mode %d alpha-mode %d alpha-value %g dither %d/%u, "
      "data %d, seed %u%s", c->in.finfo->name, c->out.finfo->name, c->in.width,
      c->in.height, from, to, c->in.chroma_site, c->out.chroma_site,
      gst_video_interlace_mode_to_string (c->in.interlace_mode), c->in.flags,
      c->out.flags, c->modes.matrix_mode, c->modes.primaries_mode,
      c->modes.gamma_mode, c->modes.chroma_mode, c->modes.alpha_mode,
      c->modes.alpha_value, c->dither, c->quantization, c->data, c->seed,
      scale);
  g_free (scale);
  g_free (from);
  g_free (to);
  return text;
}

static GstVideoOrientationMethod
get_direction (const RefScale * scale)
{
  static const GstVideoOrientationMethod directions[2][2][2] = {
    {{GST_VIDEO_ORIENTATION_IDENTITY, GST_VIDEO_ORIENTATION_VERT},
        {GST_VIDEO_ORIENTATION_HORIZ, GST_VIDEO_ORIENTATION_180}},
    {{GST_VIDEO_ORIENTATION_UL_LR, GST_VIDEO_ORIENTATION_90R},
        {GST_VIDEO_ORIENTATION_90L, GST_VIDEO_ORIENTATION_UR_LL}}
  };

  return directions[scale->transpose != 0][scale->mirrored[0] !=
      0][scale->mirrored[1] != 0];
}

static gboolean
add_field (GQuark name, const GValue * value, gpointer config)
{
  gst_structure_id_set_value (config, name, value);
  return TRUE;
}

static void
add_scale (GstStructure * config, const RefScale * scale)
{
  if (!scale->unsaid)
    gst_structure_set (config, GST_HIP_CONVERTER_OPT_METHOD,
        GST_TYPE_HIP_SCALE_METHOD, scale->method, NULL);
  gst_structure_set (config,
      GST_HIP_CONVERTER_OPT_DIRECTION, GST_TYPE_VIDEO_ORIENTATION_METHOD,
      get_direction (scale), NULL);
  if (scale->resize) {
    GstStructure *fields = gst_structure_from_string (scale->resize, NULL);

    fail_unless (fields != NULL, "%s", scale->resize);
    gst_structure_foreach (fields, add_field, config);
    gst_structure_free (fields);
    return;
  }
  gst_structure_set (config,
      GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_DOUBLE, scale->src[0],
      GST_VIDEO_CONVERTER_OPT_SRC_Y, G_TYPE_DOUBLE, scale->src[1],
      GST_VIDEO_CONVERTER_OPT_SRC_WIDTH, G_TYPE_DOUBLE, scale->src_size[0],
      GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT, G_TYPE_DOUBLE, scale->src_size[1],
      GST_VIDEO_CONVERTER_OPT_DEST_X, G_TYPE_INT, scale->dst[0],
      GST_VIDEO_CONVERTER_OPT_DEST_Y, G_TYPE_INT, scale->dst[1],
      GST_VIDEO_CONVERTER_OPT_DEST_WIDTH, G_TYPE_INT, scale->dst_size[0],
      GST_VIDEO_CONVERTER_OPT_DEST_HEIGHT, G_TYPE_INT, scale->dst_size[1],
      GST_VIDEO_CONVERTER_OPT_FILL_BORDER, G_TYPE_BOOLEAN, scale->fill,
      GST_VIDEO_CONVERTER_OPT_BORDER_ARGB, G_TYPE_UINT, scale->border_argb,
      NULL);
}

GstStructure *
case_make_config (const RefModes * modes, GstVideoDitherMethod dither)
{
  GstStructure *config = gst_structure_new ("config",
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

  if (modes->scale)
    add_scale (config, modes->scale);
  return config;
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
  RefFrame in = { c->in, NULL, }, out = { c->out, NULL, }, old = { {0}, };
  guint8 *before;
  GstBuffer *src, *dst;
  GstHipConverter *converter;
  GError *error = NULL;
  gboolean ok;

  *complaint = NULL;
  if (c->quantization > 0)
    gst_structure_set (config, GST_VIDEO_CONVERTER_OPT_DITHER_QUANTIZATION,
        G_TYPE_UINT, c->quantization, NULL);
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
    old.info = out.info;
    old.data = before;
    ok = case_check_guards (&out.info, before, out.data, complaint)
        && compare_fields (c, &in, &out, &old, complaint);
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
