/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which kernels, with which numbers, make one frame from another?
 *
 * Everything that depends on formats, colour, siting and size is decided here,
 * once; a frame adds addresses and strides. Knows no device: what is planned is
 * the same on all.
 *
 * Invariant: frames of equal size are converted by one pass.
 */
#include <math.h>
#include <string.h>

#include "gsthiperror.h"
#include "hip-convert-plan.h"
#include "hip-layout.h"

G_STATIC_ASSERT (sizeof (HipConvertParams) == HIP_CONVERT_PARAMS_SIZE);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_V210 == HIP_CONVERT_V210);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_PACKED_4 == HIP_CONVERT_PACKED_4);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_PLANAR_16 == HIP_CONVERT_PLANAR_16);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_FIELDS_16 == HIP_CONVERT_FIELDS_16);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_TENSOR_PACKED == HIP_CONVERT_TENSOR_PACKED);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_PLANAR_422 == HIP_CONVERT_PLANAR_422);
G_STATIC_ASSERT ((guint) HIP_LAYOUT_PLANAR_411 == HIP_CONVERT_PLANAR_411);

/* --- configuration --- */

static gint
get_enum (const GstStructure * structure, const gchar * name, GType type,
    gint fallback)
{
  gint value;

  return structure && gst_structure_get_enum (structure, name, type, &value) ?
      value : fallback;
}

void
hip_convert_config_parse (const GstStructure * structure,
    HipConvertConfig * config)
{
  HipColourModes *colour = &config->colour;

  memset (config, 0, sizeof (*config));
  colour->matrix_mode =
      get_enum (structure, GST_VIDEO_CONVERTER_OPT_MATRIX_MODE,
      GST_TYPE_VIDEO_MATRIX_MODE, GST_VIDEO_MATRIX_MODE_FULL);
  colour->gamma_mode =
      get_enum (structure, GST_VIDEO_CONVERTER_OPT_GAMMA_MODE,
      GST_TYPE_VIDEO_GAMMA_MODE, GST_VIDEO_GAMMA_MODE_NONE);
  colour->primaries_mode =
      get_enum (structure, GST_VIDEO_CONVERTER_OPT_PRIMARIES_MODE,
      GST_TYPE_VIDEO_PRIMARIES_MODE, GST_VIDEO_PRIMARIES_MODE_NONE);
  config->chroma_mode =
      get_enum (structure, GST_VIDEO_CONVERTER_OPT_CHROMA_MODE,
      GST_TYPE_VIDEO_CHROMA_MODE, GST_VIDEO_CHROMA_MODE_FULL);
  config->dither =
      get_enum (structure, GST_VIDEO_CONVERTER_OPT_DITHER_METHOD,
      GST_TYPE_VIDEO_DITHER_METHOD, GST_VIDEO_DITHER_NONE)
      != GST_VIDEO_DITHER_NONE;
  config->quantization = 1;
  if (config->dither && structure)
    gst_structure_get_uint (structure,
        GST_VIDEO_CONVERTER_OPT_DITHER_QUANTIZATION, &config->quantization);
  config->quantization = MAX (config->quantization, 1);
  switch (get_enum (structure, GST_VIDEO_CONVERTER_OPT_ALPHA_MODE,
          GST_TYPE_VIDEO_ALPHA_MODE, GST_VIDEO_ALPHA_MODE_COPY)) {
    case GST_VIDEO_ALPHA_MODE_SET:
      colour->alpha_mode = HIP_ALPHA_SET;
      break;
    case GST_VIDEO_ALPHA_MODE_MULT:
      colour->alpha_mode = HIP_ALPHA_MULT;
      break;
    default:
      colour->alpha_mode = HIP_ALPHA_COPY;
      break;
  }
  colour->alpha_value = 1;
  if (structure)
    gst_structure_get_double (structure, GST_VIDEO_CONVERTER_OPT_ALPHA_VALUE,
        &colour->alpha_value);
  colour->alpha_value = CLAMP (colour->alpha_value, 0, 1);
  hip_scale_config_parse (structure, &config->scale);
}

/* --- chroma --- */

/* Pixels from the first pixel to the first sample */
static double
get_site (guint sub, gboolean centred)
{
  return centred ? (ldexp (1, sub) - 1) / 2 : 0;
}

static void
set_weight (HipConvertAxis * axis, guint phase, gint tap, double weight)
{
  if (weight <= 0)
    return;
  g_assert (tap >= -2 && tap + 2 < HIP_CONVERT_TAPS);
  axis->weight[phase][tap + 2] = weight;
  axis->first = MIN (axis->first, tap + 2);
  axis->last = MAX (axis->last, tap + 2);
}

void
hip_convert_axis (guint in_sub, gboolean in_centred, guint out_sub,
    gboolean out_centred, gboolean nearest, HipConvertAxis * axis)
{
  double in_step = ldexp (1, in_sub), out_step = ldexp (1, out_sub);
  double in_site = get_site (in_sub, in_centred);
  double out_site = get_site (out_sub, out_centred);

  memset (axis, 0, sizeof (*axis));
  axis->up = in_sub > out_sub ? in_sub - out_sub : 0;
  axis->down = out_sub > in_sub ? out_sub - in_sub : 0;
  axis->first = HIP_CONVERT_TAPS;
  axis->last = -1;
  for (gint phase = 0; phase < 1 << axis->up; phase++) {
    double position = out_step * phase + out_site;

    if (nearest) {
      set_weight (axis, phase, 0, 1);
    } else if (axis->down == 0) {       /* between two samples */
      double at = (position - in_site) / in_step;
      gint before = floor (at);

      set_weight (axis, phase, before, 1 - (at - before));
      set_weight (axis, phase, before + 1, at - before);
    } else {                    /* the mean of what a sample stands for */
      for (gint tap = -2; tap + 2 < HIP_CONVERT_TAPS; tap++) {
        double centre = in_step * tap + in_site;
        double begin = MAX (centre - in_step / 2, position - out_step / 2);
        double end = MIN (centre + in_step / 2, position + out_step / 2);

        set_weight (axis, phase, tap, (end - begin) / out_step);
      }
    }
  }
}

static void
get_grid (const HipFormat * format, GstVideoChromaSite site,
    HipChromaGrid * grid)
{
  gboolean yuv = format->model == HIP_MODEL_YUV;

  grid->sub[0] = yuv ? HIP_FORMAT_W_SUB (format) : 0;
  grid->sub[1] = yuv ? HIP_FORMAT_H_SUB (format) : 0;
  grid->centred[0] = !(site & GST_VIDEO_CHROMA_SITE_H_COSITED);
  grid->centred[1] = !(site & GST_VIDEO_CHROMA_SITE_V_COSITED);
}

/* A site that is unknown is that of the other side, if both are, MPEG-2's,
 * which GStreamer takes for video without a description. */
static void
get_sites (const GstVideoInfo * in, const GstVideoInfo * out,
    GstVideoChromaSite * in_site, GstVideoChromaSite * out_site)
{
  *in_site = in->chroma_site;
  *out_site = out->chroma_site;
  if (*in_site == GST_VIDEO_CHROMA_SITE_UNKNOWN)
    *in_site = *out_site;
  if (*in_site == GST_VIDEO_CHROMA_SITE_UNKNOWN)
    *in_site = GST_VIDEO_CHROMA_SITE_MPEG2;
  if (*out_site == GST_VIDEO_CHROMA_SITE_UNKNOWN)
    *out_site = *in_site;
}

void
hip_convert_get_grids (const GstVideoInfo * in, const GstVideoInfo * out,
    const HipFormat * in_format, const HipFormat * out_format,
    HipChromaGrid * in_grid, HipChromaGrid * out_grid)
{
  GstVideoChromaSite in_site, out_site;

  get_sites (in, out, &in_site, &out_site);
  get_grid (in_format, in_site, in_grid);
  get_grid (out_format, out_site, out_grid);
}

static void
plan_chroma (const GstVideoInfo * in, const GstVideoInfo * out,
    const HipFormat * in_format, const HipFormat * out_format,
    const HipConvertConfig * config, HipConvertParams * p)
{
  gboolean no_up = config->chroma_mode == GST_VIDEO_CHROMA_MODE_NONE ||
      config->chroma_mode == GST_VIDEO_CHROMA_MODE_DOWNSAMPLE_ONLY;
  gboolean no_down = config->chroma_mode == GST_VIDEO_CHROMA_MODE_NONE ||
      config->chroma_mode == GST_VIDEO_CHROMA_MODE_UPSAMPLE_ONLY;
  gboolean same = TRUE;
  HipChromaGrid i, o;

  hip_convert_get_grids (in, out, in_format, out_format, &i, &o);
  for (guint d = 0; d < 2; d++) {
    gboolean nearest = i.sub[d] > o.sub[d] ? no_up : no_down;

    hip_convert_axis (i.sub[d], i.centred[d], 0, FALSE, no_up,
        &p->to_pixels[d]);
    hip_convert_axis (0, FALSE, o.sub[d], o.centred[d], no_down,
        &p->from_pixels[d]);
    hip_convert_axis (i.sub[d], i.centred[d], o.sub[d], o.centred[d], nearest,
        &p->from_chroma[d]);
    same = same && i.sub[d] == o.sub[d]
        && (i.sub[d] == 0 || i.centred[d] == o.centred[d] || nearest);
  }
  if (same && in_format->model == HIP_MODEL_YUV
      && out_format->model == HIP_MODEL_YUV)
    p->flags |= HIP_CONVERT_CHROMA_AS_IS;
}

/* --- samples --- */

static gboolean
plan_samples (const GstVideoInfo * info, const HipFormat * format,
    HipConvertSamples samples[4], int row_bytes[4], guint8 planes[4],
    GError ** error)
{
  if (!hip_layout_check (info, error))
    return FALSE;
  for (guint i = 0; i < 4; i++) {
    const HipComponent *c = &format->comp[i];
    HipConvertSamples *s = &samples[i];
    gsize bytes;
    guint rows;

    planes[i] = c->depth ? c->plane : planes[0];
    if (!gst_hip_video_info_get_plane_size (info, planes[i], &bytes, &rows))
      return FALSE;
    row_bytes[i] = bytes;
    if (c->depth == 0)
      continue;
    s->offset = c->offset;
    s->step = c->step;
    s->shift = c->shift;
    s->max = (1 << c->depth) - 1;
    s->w_sub = c->w_sub;
    s->h_sub = c->h_sub;
    s->columns = (GST_VIDEO_INFO_WIDTH (info) + (1 << c->w_sub) - 1)
        >> c->w_sub;
    s->rows = rows;
    /* GStreamer's own rows may end before the last pixel's chroma */
    if (c->step)
      s->columns = MIN (s->columns,
          (row_bytes[i] - c->offset - format->word_bytes) / c->step + 1);
  }
  return TRUE;
}

/* --- colour --- */

static void
get_colour (const GstVideoInfo * info, const HipFormat * format,
    HipColour * colour)
{
  colour->format = format;
  colour->colorimetry = info->colorimetry;
  colour->premultiplied =
      (GST_VIDEO_INFO_FLAGS (info) & GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA) != 0;
}

static void
set_affine (const HipAffine * map, const double zero[4], float matrix[4][4],
    float offset[4])
{
  for (guint i = 0; i < 4; i++) {
    double sum = map->m[i][4];

    for (guint j = 0; j < 4; j++) {
      matrix[i][j] = map->m[i][j];
      sum += zero ? map->m[i][j] * zero[j] : 0;
    }
    offset[i] = sum;
  }
}

static void
set_curve (const HipCurve * curve, HipConvertCurve * out)
{
  out->kind = curve->kind;
  out->threshold = curve->threshold;
  out->slope = curve->slope;
  out->a = curve->a;
  out->gamma = curve->gamma;
}

static gboolean
is_chroma (const HipFormat * format, guint component)
{
  return format->model == HIP_MODEL_YUV && (component == 1 || component == 2)
      && (HIP_FORMAT_W_SUB (format) || HIP_FORMAT_H_SUB (format));
}

gboolean
hip_convert_has_chroma_grid (const HipFormat * format)
{
  return is_chroma (format, 1);
}

/* Which of the two kinds of samples are needed for which */
static int
find_mixing (const HipFormat * in, const HipFormat * out, const HipAffine * map)
{
  int flags = 0;

  for (guint i = 0; i < 4; i++) {
    if (out->comp[i].depth == 0)
      continue;
    for (guint j = 0; j < 4; j++) {
      if (in->comp[j].depth == 0 || map->m[i][j] == 0)
        continue;
      if (is_chroma (in, j) && !is_chroma (out, i))
        flags |= HIP_CONVERT_LUMA_FROM_CHROMA;
      if (!is_chroma (in, j) && is_chroma (out, i))
        flags |= HIP_CONVERT_CHROMA_FROM_LUMA;
    }
  }
  return flags;
}

/* Its codes are no integers */
static gboolean
is_tensor (const HipFormat * format)
{
  return HIP_CONVERT_IS_TENSOR (format->layout);
}

/* Nothing but places changes */
static gboolean
keeps_codes (const HipFormat * in, const HipFormat * out, const HipAffine * map)
{
  for (guint i = 0; i < 4; i++) {
    gboolean kept = in->comp[i].depth == out->comp[i].depth
        && map->m[i][i] == 1 && map->m[i][4] == 0;

    if (out->comp[i].depth == 0)
      continue;
    for (guint j = 0; j < 4; j++) {
      if (j != i && map->m[i][j] != 0)
        return FALSE;
    }
    if (!kept && !(i == 3 && map->m[3][3] == 0
            && map->m[3][4] == rint (map->m[3][4])))
      return FALSE;
  }
  return TRUE;
}

static void
plan_colour (const HipFormat * in, const HipFormat * out,
    const HipColourPlan * colour, HipConvertParams * p)
{
  if (in->model == HIP_MODEL_YUV)
    p->flags |= HIP_CONVERT_IN_YUV;
  if (out->model == HIP_MODEL_YUV)
    p->flags |= HIP_CONVERT_OUT_YUV;
  for (guint i = 0; i < 4; i++)
    p->zero[i] = colour->zero[i];
  if (colour->linear) {
    set_affine (&colour->affine, colour->zero, p->matrix, p->offset);
    p->flags |= find_mixing (in, out, &colour->affine);
    if (!is_tensor (in) && !is_tensor (out)
        && keeps_codes (in, out, &colour->affine))
      p->flags |= HIP_CONVERT_CODES_AS_ARE;
    return;
  }
  set_affine (&colour->to_rgb, colour->zero, p->matrix, p->offset);
  set_affine (&colour->from_rgb, NULL, p->from_rgb, p->from_rgb_offset);
  p->flags |= HIP_CONVERT_LUMA_FROM_CHROMA | HIP_CONVERT_CHROMA_FROM_LUMA;
  if (colour->curves)
    p->flags |= HIP_CONVERT_CURVES;
  if (colour->divide)
    p->flags |= HIP_CONVERT_DIVIDE;
  if (colour->multiply)
    p->flags |= HIP_CONVERT_MULTIPLY;
  p->alpha_scale = colour->alpha_scale;
  p->alpha_offset = colour->alpha_offset;
  set_curve (&colour->decode, &p->decode);
  set_curve (&colour->encode, &p->encode);
  for (guint i = 0; i < 3; i++) {
    for (guint j = 0; j < 3; j++)
      p->primaries[i][j] = colour->primaries[i][j];
  }
}

/* Alpha that is made is one number: there is nothing to dither */
static gboolean
loses_bits (const HipFormat * in, const HipFormat * out, guint component,
    guint quantum)
{
  guint in_depth = is_tensor (in) ? 32 :
      in->comp[in->comp[component].depth ? component : 0].depth;

  return (out->comp[component].depth < in_depth || quantum > 1)
      && !(component == 3 && in->comp[3].depth == 0);
}

static void
plan_dither (const HipFormat * in, const HipFormat * out,
    const HipConvertConfig * config, HipConvertParams * p)
{
  for (guint i = 0; i < 4; i++) {
    p->quantum[i] = is_tensor (out) ? 1 : config->quantization;
    p->most_quanta[i] = p->out[i].max / (guint) p->quantum[i];
    if (config->dither && !is_tensor (out) && out->comp[i].depth
        && loses_bits (in, out, i, p->quantum[i]))
      p->dither_mask |= 1 << i;
  }
  if (p->dither_mask || p->quantum[0] > 1) {
    p->flags |= HIP_CONVERT_DITHER;
    p->flags &= ~HIP_CONVERT_CODES_AS_ARE;
  }
}

/* --- the plan --- */

void
hip_convert_plan_clear (HipConvertPlan * plan)
{
  if (plan->scale)
    g_free (plan->scale->table);
  g_clear_pointer (&plan->scale, g_free);
}

const HipFormat *
hip_convert_find_format (const GstVideoInfo * info, GError ** error)
{
  const HipFormat *format = info->finfo ?
      hip_format_get (GST_VIDEO_INFO_FORMAT (info)) : NULL;

  if (!format)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "frames of format %s cannot be converted",
        info->finfo ? info->finfo->name : "unknown");
  return format;
}

static gboolean
check_pair (const GstVideoInfo * in, const GstVideoInfo * out, GError ** error)
{
  if (GST_VIDEO_INFO_INTERLACE_MODE (in) != GST_VIDEO_INFO_INTERLACE_MODE (out)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "frames cannot become %s from %s: interlace modes have to be equal",
        gst_video_interlace_mode_to_string (GST_VIDEO_INFO_INTERLACE_MODE
            (out)),
        gst_video_interlace_mode_to_string (GST_VIDEO_INFO_INTERLACE_MODE
            (in)));
    return FALSE;
  }
  return TRUE;
}

/* Rows of one field lie between those of the other where chroma is halved in y;
 * of two rows, both have the only row of chroma. */
static void
plan_fields (const GstVideoInfo * in, const GstVideoInfo * out, gboolean scale,
    HipConvertParams * p)
{
  GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (in);

  p->width = GST_VIDEO_INFO_WIDTH (out);
  p->height = GST_VIDEO_INFO_HEIGHT (out);
  p->fields = 1;
  if (mode == GST_VIDEO_INTERLACE_MODE_ALTERNATE) {
    p->height = p->height / 2 + p->height % 2;
  } else if (mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
      && p->height > 2 && GST_VIDEO_INFO_HEIGHT (in) > 2
      && (scale || p->in[1].h_sub || p->out[1].h_sub)) {
    p->fields = 2;
    p->odd_row = p->height % 2;
    p->height = p->height / 2 + p->height % 2;
  }
}

static void
plan_cells (const HipFormat * in, const HipFormat * out, HipConvertParams * p)
{
  p->in_layout = in->layout;
  p->out_layout = out->layout;
  p->in_word = in->word_bytes;
  p->out_word = out->word_bytes;
  p->cell_width = out->layout == HIP_LAYOUT_V210 ? 6 : 1 << out->comp[1].w_sub;
  p->cell_height = 1 << out->comp[1].h_sub;
}

/* How many pairs with a layout have a kernel of their own: convert-tile.hip
 * could be compiled for nearly all, but these are binaries that a package has,
 * or that somebody waits for. */
typedef enum
{
  PAIRS_NONE,                   /* convert-tile.hip does not know it */
  PAIRS_WITH_SOME,
  PAIRS_WITH_MANY,
  PAIRS_WITH_ALL,               /* what decoders, displays and models have */
} Pairs;

static Pairs
pairs_of (HipLayout layout)
{
  switch (layout) {
    case HIP_LAYOUT_V210:
    case HIP_LAYOUT_PLANAR_411:
      return PAIRS_NONE;
    case HIP_LAYOUT_PLANAR_420:
    case HIP_LAYOUT_BIPLANAR_420:
    case HIP_LAYOUT_PLANAR:
    case HIP_LAYOUT_PACKED_4:
    case HIP_LAYOUT_BIPLANAR_420_16:
      return PAIRS_WITH_ALL;
    case HIP_LAYOUT_PACKED_422:
    case HIP_LAYOUT_PACKED_3:
    case HIP_LAYOUT_PLANAR_420_16:
    case HIP_LAYOUT_PLANAR_16:
      return PAIRS_WITH_MANY;
    default:
      return PAIRS_WITH_SOME;
  }
}

/* ... and a tensor */
static gboolean
has_tensor_tiles (HipLayout layout)
{
  return pairs_of (layout) == PAIRS_WITH_ALL || layout == HIP_LAYOUT_PACKED_422
      || layout == HIP_LAYOUT_PACKED_3;
}

static gboolean
has_pair (const HipFormat * in, const HipFormat * out)
{
  Pairs a, b;

  if (is_tensor (in) || is_tensor (out))
    return has_tensor_tiles (is_tensor (in) ? out->layout : in->layout);
  a = pairs_of (in->layout);
  b = pairs_of (out->layout);
  return MIN (a, b) != PAIRS_NONE && (MAX (a, b) == PAIRS_WITH_ALL
      || MIN (a, b) == PAIRS_WITH_MANY);
}

/* A kernel of its own for a pair of layouts, where colour is an affine map and
 * chroma of one grid is made of chroma, not of luma */
static HipConvertKernel
choose_kernel (const HipFormat * in, const HipFormat * out,
    const HipConvertParams * p)
{
  gboolean both = is_chroma (in, 1) && is_chroma (out, 1);

  if (!has_pair (in, out)
      || p->flags & (HIP_CONVERT_CURVES | HIP_CONVERT_DIVIDE |
          HIP_CONVERT_MULTIPLY)
      || (both && p->flags & HIP_CONVERT_CHROMA_FROM_LUMA))
    return HIP_CONVERT_KERNEL_ANY;
  return HIP_CONVERT_KERNEL_TILE;
}

static gboolean
plan_end (const HipConvertEnd * end, HipConvertSamples samples[4],
    int row_bytes[4], guint8 planes[4], GError ** error)
{
  if (!end->tensor)
    return plan_samples (end->info, end->format, samples, row_bytes, planes,
        error);
  hip_convert_tensor_samples (end->tensor, samples, row_bytes, planes);
  return TRUE;
}

gboolean
hip_convert_plan_ends (const HipConvertEnd * in, const HipConvertEnd * out,
    const HipConvertConfig * config, HipConvertPlan * plan, GError ** error)
{
  HipConvertPass *pass = &plan->passes[0];
  HipConvertParams *p = &pass->params;
  HipColour in_colour, out_colour;
  HipColourPlan colour;
  gboolean scale = hip_scale_is_needed (in->info, out->info, &config->scale);

  memset (plan, 0, sizeof (*plan));
  if (!check_pair (in->info, out->info, error))
    return FALSE;
  get_colour (in->info, in->format, &in_colour);
  get_colour (out->info, out->format, &out_colour);
  if (!hip_colour_plan (&in_colour, &out_colour, &config->colour, &colour,
          error))
    return FALSE;
  if (!plan_end (in, p->in, p->in_row_bytes, pass->in_planes, error)
      || !plan_end (out, p->out, p->out_row_bytes, pass->out_planes, error))
    return FALSE;
  plan_fields (in->info, out->info, scale, p);
  plan_cells (in->format, out->format, p);
  plan_colour (in->format, out->format, &colour, p);
  plan_chroma (in->info, out->info, in->format, out->format, config, p);
  plan_dither (in->format, out->format, config, p);
  if (in->tensor || out->tensor)
    hip_convert_tensor_numbers (in->tensor ? in->tensor : out->tensor,
        out->tensor != NULL, &p->tensor);
  pass->in_layout = in->format->layout;
  pass->out_layout = out->format->layout;
  pass->kernel = choose_kernel (in->format, out->format, p);
  plan->n_passes = 1;
  return !scale || hip_scale_plan (in, out, config, &out_colour, plan, error);
}

gboolean
hip_convert_plan (const GstVideoInfo * in, const GstVideoInfo * out,
    const HipConvertConfig * config, HipConvertPlan * plan, GError ** error)
{
  HipConvertEnd from = { in, hip_convert_find_format (in, error), NULL };
  HipConvertEnd to = { out, NULL, NULL };

  return from.format && (to.format = hip_convert_find_format (out, error))
      && hip_convert_plan_ends (&from, &to, config, plan, error);
}
