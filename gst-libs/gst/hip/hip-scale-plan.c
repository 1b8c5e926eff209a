/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which part of one frame becomes which part of another, by which filters?
 *
 * Follows the plan of colour and formats, which is the same at any size. Each
 * component of the input is resampled from its own grid straight to the grids
 * of the output: pixels, and chroma samples where they are fewer. Where sizes are
 * equal and the method is auto, that is what frames of equal size get.
 *
 * Invariant: filters are computed once; what a pass reads and writes lies inside
 * of what was asked for.
 */
#include <math.h>
#include <string.h>

#include "gsthip-enumtypes.h"
#include "gsthipconverter.h"
#include "gsthiperror.h"
#include "hip-convert-plan.h"
#include "hip-tensor.h"

G_STATIC_ASSERT (sizeof (HipScaleParams) == HIP_SCALE_PARAMS_SIZE);

/* Reads of the input for a sample from which on two passes take less than one, where kernels know any format and where
 * they are made for a pair of layouts */
#define MOST_TAPS 48
#define MOST_TILE_TAPS 256

/* --- configuration --- */

/* An integer, or a fraction of a pixel */
static gint64
get_units (const GstStructure * structure, const gchar * name)
{
  const GValue *value =
      structure ? gst_structure_get_value (structure, name) : NULL;

  if (value && G_VALUE_HOLDS_INT (value))
    return (gint64) HIP_SCALE_UNIT *MAX (g_value_get_int (value), 0);

  if (value && G_VALUE_HOLDS_DOUBLE (value))
    return llrint (CLAMP (g_value_get_double (value), 0, 1e6) * HIP_SCALE_UNIT);
  return -1;
}

static gint
get_pixels (const GstStructure * structure, const gchar * name)
{
  gint value;

  return structure && gst_structure_get_int (structure, name, &value) ?
      MAX (value, 0) : -1;
}

static void
parse_method (const GstStructure * structure, HipScaleConfig * config)
{
  HipScaleFilter *filter = &config->filter;
  guint taps = 0;
  gint method;

  if (gst_structure_get_enum (structure, GST_HIP_CONVERTER_OPT_METHOD,
          GST_TYPE_HIP_SCALE_METHOD, &method)) {
    filter->method = method;
    config->chosen = TRUE;
    return;
  }
  if (!gst_structure_get_enum (structure,
          GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD,
          GST_TYPE_VIDEO_RESAMPLER_METHOD, &method))
    return;
  config->chosen = TRUE;
  gst_structure_get_uint (structure, GST_VIDEO_CONVERTER_OPT_RESAMPLER_TAPS,
      &taps);
  switch ((GstVideoResamplerMethod) method) {
    case GST_VIDEO_RESAMPLER_METHOD_NEAREST:
      filter->method = GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR;
      break;
    case GST_VIDEO_RESAMPLER_METHOD_LINEAR:
      filter->method = taps == 2 ? GST_HIP_SCALE_METHOD_BILINEAR :
          GST_HIP_SCALE_METHOD_BILINEAR2;
      break;
    case GST_VIDEO_RESAMPLER_METHOD_SINC:
      filter->method = taps == 4 ? GST_HIP_SCALE_METHOD_4_TAP :
          GST_HIP_SCALE_METHOD_SINC;
      break;
    case GST_VIDEO_RESAMPLER_METHOD_LANCZOS:
      filter->method = GST_HIP_SCALE_METHOD_LANCZOS;
      break;
    default:
      filter->method = GST_HIP_SCALE_METHOD_MITCHELL;
      filter->b = filter->c = 1 / 3.0;
      gst_structure_get_double (structure, GST_VIDEO_RESAMPLER_OPT_CUBIC_B,
          &filter->b);
      gst_structure_get_double (structure, GST_VIDEO_RESAMPLER_OPT_CUBIC_C,
          &filter->c);
      filter->own_cubic = TRUE;
      break;
  }
}

static void
parse_pad_value (const GstStructure * structure, HipScaleConfig * config)
{
  const GValue *value = gst_structure_get_value (structure,
      GST_HIP_CONVERTER_OPT_PAD_VALUE);

  for (guint i = 0; value && i < 4; i++) {
    const GValue *one = value;

    if (GST_VALUE_HOLDS_ARRAY (value)) {
      if (i >= gst_value_array_get_size (value))
        return;
      one = gst_value_array_get_value (value, i);
    }
    if (G_VALUE_HOLDS_DOUBLE (one))
      config->pad_value[i] = CLAMP (g_value_get_double (one), 0, 255);
  }
}

void
hip_scale_config_parse (const GstStructure * structure, HipScaleConfig * config)
{
  gint value;

  memset (config, 0, sizeof (*config));
  config->filter.method = GST_HIP_SCALE_METHOD_AUTO;
  config->fill = TRUE;
  config->border_argb = 0xff000000;
  for (guint i = 0; i < 4; i++)
    config->pad_value[i] = i < 3 ? 114 : 255;
  config->src[0] = get_units (structure, GST_VIDEO_CONVERTER_OPT_SRC_X);
  config->src[1] = get_units (structure, GST_VIDEO_CONVERTER_OPT_SRC_Y);
  config->src[2] = get_units (structure, GST_VIDEO_CONVERTER_OPT_SRC_WIDTH);
  config->src[3] = get_units (structure, GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT);
  config->dst[0] = get_pixels (structure, GST_VIDEO_CONVERTER_OPT_DEST_X);
  config->dst[1] = get_pixels (structure, GST_VIDEO_CONVERTER_OPT_DEST_Y);
  config->dst[2] = get_pixels (structure, GST_VIDEO_CONVERTER_OPT_DEST_WIDTH);
  config->dst[3] = get_pixels (structure, GST_VIDEO_CONVERTER_OPT_DEST_HEIGHT);
  if (!structure)
    return;
  parse_method (structure, config);
  parse_pad_value (structure, config);
  gst_structure_get_boolean (structure, GST_VIDEO_CONVERTER_OPT_FILL_BORDER,
      &config->fill);
  gst_structure_get_uint (structure, GST_VIDEO_CONVERTER_OPT_BORDER_ARGB,
      &config->border_argb);
  if (gst_structure_get_enum (structure, GST_HIP_CONVERTER_OPT_DIRECTION,
          GST_TYPE_VIDEO_ORIENTATION_METHOD, &value))
    config->direction = value;
  if (gst_structure_get_enum (structure, GST_HIP_CONVERTER_OPT_RESIZE_MODE,
          GST_TYPE_HIP_RESIZE_MODE, &value))
    config->resize_mode = value;
  if (gst_structure_get_enum (structure, GST_HIP_CONVERTER_OPT_PAD_PLACEMENT,
          GST_TYPE_HIP_PAD_PLACEMENT, &value))
    config->pad_placement = value;
}

/* --- rectangles and directions --- */

/* Indices are those of the source's x and y; dst's those of the output's */
typedef struct
{
  gboolean transpose, mirrored[2];
  gint64 src_begin[2], src_size[2];
  gint dst_begin[2], dst_size[2];
} Geometry;

static void
get_size (const GstVideoInfo * info, gint size[2])
{
  size[0] = GST_VIDEO_INFO_WIDTH (info);
  size[1] = GST_VIDEO_INFO_HEIGHT (info);
  /* A buffer has one of the fields */
  if (GST_VIDEO_INFO_INTERLACE_MODE (info) ==
      GST_VIDEO_INTERLACE_MODE_ALTERNATE)
    size[1] = size[1] / 2 + size[1] % 2;
}

static gboolean
get_direction (GstVideoOrientationMethod direction, Geometry * g)
{
  static const struct
  {
    gboolean transpose, x, y;
  } table[] = {
    [GST_VIDEO_ORIENTATION_IDENTITY] = {FALSE, FALSE, FALSE},
    [GST_VIDEO_ORIENTATION_90R] = {TRUE, FALSE, TRUE},
    [GST_VIDEO_ORIENTATION_180] = {FALSE, TRUE, TRUE},
    [GST_VIDEO_ORIENTATION_90L] = {TRUE, TRUE, FALSE},
    [GST_VIDEO_ORIENTATION_HORIZ] = {FALSE, TRUE, FALSE},
    [GST_VIDEO_ORIENTATION_VERT] = {FALSE, FALSE, TRUE},
    [GST_VIDEO_ORIENTATION_UL_LR] = {TRUE, FALSE, FALSE},
    [GST_VIDEO_ORIENTATION_UR_LL] = {TRUE, TRUE, TRUE},
  };

  if ((guint) direction >= G_N_ELEMENTS (table))
    return FALSE;
  g->transpose = table[direction].transpose;
  g->mirrored[0] = table[direction].x;
  g->mirrored[1] = table[direction].y;
  return TRUE;
}

static void
get_rectangles (const GstVideoInfo * in, const GstVideoInfo * out,
    const HipScaleConfig * config, Geometry * g)
{
  gint in_size[2], out_size[2];

  get_size (in, in_size);
  get_size (out, out_size);
  for (guint d = 0; d < 2; d++) {
    g->src_begin[d] = MAX (config->src[d], 0);
    g->src_size[d] = config->src[d + 2] >= 0 ? config->src[d + 2] :
        (gint64) in_size[d] * HIP_SCALE_UNIT - g->src_begin[d];
    g->dst_begin[d] = MAX (config->dst[d], 0);
    g->dst_size[d] = config->dst[d + 2] >= 0 ? config->dst[d + 2] :
        out_size[d] - g->dst_begin[d];
  }
}

gboolean
hip_scale_is_needed (const GstVideoInfo * in, const GstVideoInfo * out,
    const HipScaleConfig * config)
{
  gint in_size[2], out_size[2];
  Geometry g;

  if (config->direction != GST_VIDEO_ORIENTATION_IDENTITY)
    return TRUE;
  get_rectangles (in, out, config, &g);
  get_size (in, in_size);
  get_size (out, out_size);
  for (guint d = 0; d < 2; d++) {
    if (in_size[d] != out_size[d] || g.dst_begin[d] || g.src_begin[d]
        || g.dst_size[d] != out_size[d]
        || g.src_size[d] != (gint64) in_size[d] * HIP_SCALE_UNIT)
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_rectangles (const GstVideoInfo * in, const GstVideoInfo * out,
    const Geometry * g, GError ** error)
{
  gint in_size[2], out_size[2];

  get_size (in, in_size);
  get_size (out, out_size);
  for (guint d = 0; d < 2; d++) {
    if (g->src_size[d] > 0 && g->src_begin[d] + g->src_size[d] <=
        (gint64) in_size[d] * HIP_SCALE_UNIT && g->dst_size[d] > 0
        && g->dst_begin[d] + (gint64) g->dst_size[d] <= out_size[d])
      continue;
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "%s %g to %g of %d cannot become %d to %d of %d: rectangles have to "
        "lie in their frames and to have an area", d ? "rows" : "columns",
        (double) g->src_begin[d] / HIP_SCALE_UNIT,
        (double) (g->src_begin[d] + g->src_size[d]) / HIP_SCALE_UNIT,
        in_size[d], g->dst_begin[d], g->dst_begin[d] + g->dst_size[d],
        out_size[d]);
    return FALSE;
  }
  return TRUE;
}

/* a is at least as wide, for its height, as b */
static gboolean
is_wider (const double a[2], const double b[2])
{
  return a[0] * b[1] >= b[0] * a[1];
}

/* Within the rectangles so far. Letterboxes are of whole pixels, crops not. */
static void
keep_shape (const HipScaleConfig * config, Geometry * g)
{
  double src[2], dst[2] = { g->dst_size[0], g->dst_size[1] };
  guint o;

  for (guint d = 0; d < 2; d++)
    src[d] = (double) g->src_size[g->transpose ? 1 - d : d] / HIP_SCALE_UNIT;
  o = is_wider (src, dst);      /* the output's direction in which there is too much */
  if (config->resize_mode == GST_HIP_RESIZE_MODE_LETTERBOX) {
    gint size = floor (src[o] * dst[1 - o] / src[1 - o] + 0.5);

    size = CLAMP (size, 1, g->dst_size[o]);
    if (config->pad_placement == GST_HIP_PAD_PLACEMENT_CENTRE)
      g->dst_begin[o] += (g->dst_size[o] - size) / 2;
    g->dst_size[o] = size;
  } else {
    guint d = g->transpose ? o : 1 - o; /* of the source, in the other one */
    gint64 size = llrint (src[o] * dst[1 - o] / dst[o] * HIP_SCALE_UNIT);

    size = CLAMP (size, 1, g->src_size[d]);
    g->src_begin[d] += (g->src_size[d] - size) / 2;
    g->src_size[d] = size;
  }
}

static gboolean
get_geometry (const HipConvertEnd * in, const HipConvertEnd * out,
    const HipScaleConfig * config, Geometry * g, GError ** error)
{
  GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (in->info);

  if (!get_direction (config->direction, g)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "direction %d is none of the eight", config->direction);
    return FALSE;
  }
  if (g->transpose && mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "%s frames cannot be turned: rows of fields would become columns",
        gst_video_interlace_mode_to_string (mode));
    return FALSE;
  }
  get_rectangles (in->info, out->info, config, g);
  if (!check_rectangles (in->info, out->info, g, error))
    return FALSE;
  if (out->tensor && config->resize_mode != GST_HIP_RESIZE_MODE_STRETCH)
    keep_shape (config, g);
  return TRUE;
}

/* --- filters --- */

typedef struct
{
  const HipConvertEnd *in, *out;
  const HipConvertConfig *config;
  HipScaleFilter filter;
  const HipConvertParams *p;
  HipChromaGrid grids[2];       /* input, output */
  gboolean has_chroma[2];
  Geometry g;
  GArray *table;
} Work;

/* Rows of one field */
static gint
get_field_count (gint rows, guint fields, guint field)
{
  return (rows + fields - 1 - field) / fields;
}

static void
get_grid (const HipConvertSamples * samples, const HipChromaGrid * chroma,
    gboolean sub, guint d, guint fields, guint field, HipScaleGrid * grid)
{
  const HipConvertSamples *s = &samples[sub ? 1 : 0];

  grid->step = sub ? 1 << chroma->sub[d] : 1;
  grid->twice_site = sub && chroma->centred[d] ? grid->step - 1 : 0;
  grid->count = d == 0 ? s->columns : get_field_count (s->rows, fields, field);
}

static void
get_map (const Geometry * g, guint d, guint fields, guint field,
    HipScaleMap * map)
{
  guint o = g->transpose ? 1 - d : d;

  map->src_begin = g->src_begin[d];
  map->src_size = g->src_size[d];
  map->dst_begin = g->dst_begin[o];
  map->dst_size = g->dst_size[o];
  map->mirrored = g->mirrored[d];
  map->fields = fields;
  map->field = field;
}

/* Chroma is not filtered where the mode says so */
static gboolean
is_chroma_nearest (const Work * work, guint d, gboolean from, gboolean to)
{
  GstVideoChromaMode mode = work->config->chroma_mode;
  guint i = from ? work->grids[0].sub[d] : 0;
  guint o = to ? work->grids[1].sub[work->g.transpose ? 1 - d : d] : 0;

  return (i > o && (mode == GST_VIDEO_CHROMA_MODE_NONE
          || mode == GST_VIDEO_CHROMA_MODE_DOWNSAMPLE_ONLY)) || (i < o
      && (mode == GST_VIDEO_CHROMA_MODE_NONE
          || mode == GST_VIDEO_CHROMA_MODE_UPSAMPLE_ONLY));
}

/* For kernels that read two neighbours in any case, with one load of both samples'
 * numbers: a single tap is one of two */
static void
add_pairs (Work * work, const HipScaleTaps * taps, gint in_count,
    gint out_count, HipScaleAxis * axis)
{
  static const guint32 nothing[4];

  axis->pairs = HIP_SCALE_NONE;
  if (taps->taps > 2 || in_count < 2)
    return;
  g_array_append_vals (work->table, nothing, -work->table->len & 3);
  axis->pairs = work->table->len;
  for (gint j = 0; j < out_count + HIP_SCALE_MOST_TILE_WIDTH; j++) {
    gint i = MIN (j, out_count - 1), first = MIN (taps->first[i], in_count - 2);
    float share = taps->taps == 2 ? taps->weight[out_count + i] : 0;

    if (first != taps->first[i])        /* the last sample alone */
      share = 1;
    g_array_append_val (work->table, first);
    g_array_append_val (work->table, share);
  }
}

static void
make_axis (Work * work, guint d, gboolean from, gboolean to, guint field,
    HipScaleAxis * axis)
{
  guint fields = d == 1 ? work->p->fields : 1;
  guint o = work->g.transpose ? 1 - d : d;
  HipScaleFilter filter = work->filter;
  HipScaleGrid in, out;
  HipScaleMap map;
  HipScaleTaps taps;

  axis->pairs = HIP_SCALE_NONE;
  if ((from && !work->has_chroma[0]) || (to && !work->has_chroma[1]))
    return;
  get_grid (work->p->in, &work->grids[0], from, d, fields, field, &in);
  get_grid (work->p->out, &work->grids[1], to, o, fields, field, &out);
  get_map (&work->g, d, fields, field, &map);
  if (is_chroma_nearest (work, d, from, to))
    filter.method = GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR;
  hip_scale_taps_make (&in, &out, &map, &filter, &taps);
  axis->count = out.count;
  axis->taps = taps.taps;
  axis->first = work->table->len;
  g_array_append_vals (work->table, taps.first, out.count);
  axis->weight = work->table->len;
  g_array_append_vals (work->table, taps.weight, out.count * taps.taps);
  add_pairs (work, &taps, in.count, out.count, axis);
  hip_scale_taps_clear (&taps);
}

static void
make_axes (Work * work, HipScaleParams * s)
{
  for (guint i = 0; i < 4; i++) {
    make_axis (work, 0, i & 1, i >> 1, 0, &s->columns[i & 1][i >> 1]);
    for (guint field = 0; field < (guint) work->p->fields; field++)
      make_axis (work, 1, i & 1, i >> 1, field, &s->rows[field][i & 1][i >> 1]);
  }
}

/* --- borders --- */

/* Of a frame: a colour of R'G'B' of full range, unless it is black in any case */
static gboolean
get_frame_border (const Work * work, const HipColour * colour,
    float border[4], GError ** error)
{
  guint32 argb = work->config->scale.border_argb;
  double v[4] = { argb >> 16 & 255, argb >> 8 & 255, argb & 255, argb >> 24 };
  HipColour from = { hip_format_get (GST_VIDEO_FORMAT_RGBA),
    {GST_VIDEO_COLOR_RANGE_0_255, GST_VIDEO_COLOR_MATRIX_RGB, 0, 0}, FALSE
  };
  HipColour to = *colour;
  HipColourModes modes =
      { GST_VIDEO_MATRIX_MODE_FULL, 0, 0, HIP_ALPHA_COPY, 1 };
  HipColourPlan plan;
  const HipAffine *maps[2];
  guint n = 0;

  if (to.format->model == HIP_MODEL_YUV
      && to.colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
    to.colorimetry.matrix = work->in->info->colorimetry.matrix;
  if (to.colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_RGB
      && to.format->model != HIP_MODEL_RGB)
    to.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_UNKNOWN;
  if (!hip_colour_plan (&from, &to, &modes, &plan, error))
    return FALSE;
  if (plan.linear) {
    maps[n++] = &plan.affine;
  } else {
    maps[n++] = &plan.to_rgb;
    maps[n++] = &plan.from_rgb;
  }
  for (guint k = 0; k < n; k++) {
    double in[4];

    memcpy (in, v, sizeof (in));
    for (guint i = 0; i < 3 && k == 1 && plan.multiply; i++)
      in[i] *= in[3];
    for (guint i = 0; i < 4; i++)
      v[i] = maps[k]->m[i][0] * in[0] + maps[k]->m[i][1] * in[1] +
          maps[k]->m[i][2] * in[2] + maps[k]->m[i][3] * in[3] +
          maps[k]->m[i][4];
  }
  for (guint i = 0; i < 4; i++)
    border[i] = v[i];
  return TRUE;
}

static gboolean
make_border (const Work * work, const HipColour * colour, HipScaleParams * s,
    GError ** error)
{
  const GstHipTensorDesc *tensor = work->out->tensor;

  s->fill = work->config->scale.fill;
  if (!tensor)
    return get_frame_border (work, colour, s->border, error);
  for (guint i = 0; i < 4; i++)
    s->border[i] = work->config->scale.pad_value[MAX (hip_tensor_get_channel
            (tensor, i), 0)];
  return TRUE;
}

static void
place_pixels (const Work * work, HipScaleParams * s)
{
  s->transpose = work->g.transpose;
  for (guint o = 0; o < 2; o++) {
    guint step = 1 << work->grids[1].sub[o];

    s->begin[o] = work->g.dst_begin[o];
    s->end[o] = work->g.dst_begin[o] + work->g.dst_size[o];
    s->site[o] = work->grids[1].centred[o] ? (step - 1) / 2 : 0;
  }
}

/* Most reads for one sample of the output */
static guint
count_taps (const HipScaleParams * s)
{
  guint most = 0;

  for (guint i = 0; i < 4; i++) {
    const HipScaleAxis *columns = &s->columns[i & 1][i >> 1];
    const HipScaleAxis *rows = &s->rows[0][i & 1][i >> 1];

    most = MAX (most, (guint) columns->taps * rows->taps);
  }
  return most;
}

static gboolean
is_between (const Work * work, guint component, gboolean to)
{
  const HipConvertParams *p = work->p;
  gboolean chroma = component == 1 || component == 2;

  if (p->in[component].max == 0)
    return FALSE;
  chroma = chroma && work->has_chroma[0];
  if (!to)
    return !chroma || (p->flags & HIP_CONVERT_LUMA_FROM_CHROMA);
  return work->has_chroma[1] && (p->matrix[1][component] != 0
      || p->matrix[2][component] != 0);
}

/* --- the kernel for a pair of layouts --- */

/* Which grids of the output are made from which of the input, where colour is an affine map */
static gboolean
is_taken (const Work * work, guint from, guint to)
{
  if (to == 0)
    return from == 0 || (work->has_chroma[0]
        && work->p->flags & HIP_CONVERT_LUMA_FROM_CHROMA);
  return work->has_chroma[1] && from == (guint) work->has_chroma[0];
}

static void
find_pairs (const Work * work, HipScaleParams * s)
{
  for (guint from = 0; from < 2; from++) {
    for (guint to = 0; to < 2; to++) {
      gboolean pairs = s->columns[from][to].pairs != HIP_SCALE_NONE;

      for (guint field = 0; field < (guint) work->p->fields; field++)
        pairs = pairs && s->rows[field][from][to].pairs != HIP_SCALE_NONE;
      s->pairs[from][to] = pairs;
    }
  }
}

static gboolean
is_whole (const Work * work)
{
  gint size[2];

  get_size (work->out->info, size);
  return work->g.dst_size[0] == size[0] && work->g.dst_size[1] == size[1];
}

/* Layouts that convert-scale-tile.hip knows */
static gboolean
is_known (HipLayout layout)
{
  switch (layout) {
    case HIP_LAYOUT_PLANAR_420:
    case HIP_LAYOUT_BIPLANAR_420:
    case HIP_LAYOUT_PLANAR:
    case HIP_LAYOUT_PACKED_422:
    case HIP_LAYOUT_PACKED_4:
    case HIP_LAYOUT_PACKED_3:
    case HIP_LAYOUT_BIPLANAR_420_16:
    case HIP_LAYOUT_PLANAR_420_16:
    case HIP_LAYOUT_PLANAR_16:
    case HIP_LAYOUT_TENSOR_PLANAR:
    case HIP_LAYOUT_TENSOR_PACKED:
      return TRUE;
    default:
      return FALSE;
  }
}

/* GST_HIP_CONVERT_GENERAL=1, for tests and measurements, keeps to the kernels that know any format */
static gboolean
has_tile (const Work * work, const HipConvertPlan * plan)
{
  const HipConvertPass *pass = &plan->passes[0];
  const HipScaleParams *s = &plan->scale->params;
  const gchar *general = g_getenv ("GST_HIP_CONVERT_GENERAL");

  if (pass->kernel != HIP_CONVERT_KERNEL_TILE || work->in->tensor
      || !is_known (pass->in_layout) || !is_known (pass->out_layout)
      || s->transpose || (!s->fill && !is_whole (work))
      || (general && *general == '1'))
    return FALSE;
  for (guint i = 0; i < 4; i++) {
    guint from = i & 1, to = i >> 1;
    gint columns = s->columns[from][to].taps;

    for (guint field = 0; field < (guint) pass->params.fields; field++) {
      if (is_taken (work, from, to) && (columns > HIP_SCALE_TILE_TAPS
              || columns * s->rows[field][from][to].taps > MOST_TILE_TAPS))
        return FALSE;
    }
  }
  return TRUE;
}

/* --- passes --- */

/* Components follow each other, rows are as long as the output's samples are many */
static gboolean
place_between (const Work * work, HipConvertScale * scale, GError ** error)
{
  gint64 words = 0;

  for (guint to = 0; to < 2; to++) {
    scale->params.between_stride[to] = scale->params.columns[0][to].count;
    for (guint c = 0; c < 4; c++) {
      scale->params.between_at[to][c] = HIP_SCALE_NONE;
      if (!is_between (work, c, to))
        continue;
      scale->params.between_at[to][c] = words;
      words += (gint64) scale->params.between_stride[to] * work->p->in[c].rows;
      if (words > G_MAXINT) {
        g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
            "frames of %d columns and %d rows are too large for this filter",
            work->p->in[0].columns, work->p->in[0].rows);
        return FALSE;
      }
    }
  }
  scale->between_bytes = words * sizeof (float);
  return TRUE;
}

static gboolean
make_passes (Work * work, HipConvertPlan * plan, GError ** error)
{
  HipConvertScale *scale = plan->scale;

  find_pairs (work, &scale->params);
  if (has_tile (work, plan)) {
    plan->passes[0].kernel = HIP_CONVERT_KERNEL_SCALE_TILE;
    return TRUE;
  }
  plan->passes[0].kernel = HIP_CONVERT_KERNEL_SCALE;
  if (count_taps (&scale->params) <= MOST_TAPS)
    return TRUE;
  if (!place_between (work, scale, error))
    return FALSE;
  plan->passes[1] = plan->passes[0];
  plan->passes[0].kernel = HIP_CONVERT_KERNEL_SCALE_ROWS;
  plan->passes[1].kernel = HIP_CONVERT_KERNEL_SCALE_COLUMNS;
  plan->n_passes = 2;
  return TRUE;
}

/* Models are trained with straight lines, mostly */
static void
choose_filter (Work * work)
{
  const HipScaleConfig *config = &work->config->scale;

  work->filter = config->filter;
  if (work->out->tensor && !config->chosen)
    work->filter.method = GST_HIP_SCALE_METHOD_BILINEAR;
}

gboolean
hip_scale_plan (const HipConvertEnd * in, const HipConvertEnd * out,
    const HipConvertConfig * config, const HipColour * out_colour,
    HipConvertPlan * plan, GError ** error)
{
  Work work = { in, out, config, };
  HipConvertScale *scale;
  gboolean ok;

  work.p = &plan->passes[0].params;
  if (!get_geometry (in, out, &config->scale, &work.g, error))
    return FALSE;
  plan->scale = scale = g_new0 (HipConvertScale, 1);
  choose_filter (&work);
  hip_convert_get_grids (in->info, out->info, in->format, out->format,
      &work.grids[0], &work.grids[1]);
  work.has_chroma[0] = hip_convert_has_chroma_grid (in->format);
  work.has_chroma[1] = hip_convert_has_chroma_grid (out->format);
  work.table = g_array_new (FALSE, FALSE, sizeof (guint32));

  place_pixels (&work, &scale->params);
  make_axes (&work, &scale->params);
  for (guint d = 0; d < 2; d++)
    get_map (&work.g, d, 1, 0, &scale->map[d]);
  scale->n_table_words = work.table->len;
  scale->table = (guint32 *) g_array_free (work.table, FALSE);
  ok = make_border (&work, out_colour, &scale->params, error)
      && make_passes (&work, plan, error);
  if (!ok)
    hip_convert_plan_clear (plan);
  return ok;
}
