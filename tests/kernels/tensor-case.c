/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is a tensor what its description says, and a frame what the tensor says?
 *
 * Elements are defined here, in double precision, by the formulas of
 * GstHipTensorDesc; colour by the reference for frames, to which a tensor is
 * one of R, G, B, A or gray with 8 bits that are not rounded.
 */
#include <math.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "tensor-case.h"

/* --- elements --- */

static guint
element_size (const GstHipTensorDesc * d)
{
  return d->data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT32 ? 4 :
      d->data_type >= GST_HIP_TENSOR_DATA_TYPE_UINT8 ? 1 : 2;
}

static guint
n_channels (const GstHipTensorDesc * d)
{
  return d->format == GST_HIP_TENSOR_FORMAT_GRAY ? 1 :
      d->format >= GST_HIP_TENSOR_FORMAT_RGBA ? 4 : 3;
}

static gboolean
is_integer (const GstHipTensorDesc * d)
{
  return element_size (d) == 1;
}

/* Bits of exponent and fraction, of 16 */
static gdouble
small_float_value (guint bits, guint exponent_bits, guint fraction_bits)
{
  gint bias = (1 << (exponent_bits - 1)) - 1;
  gint exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1);
  guint fraction = bits & ((1u << fraction_bits) - 1);
  gdouble value;

  if (exponent == 2 * bias + 1)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexp (fraction, 1 - bias - (gint) fraction_bits);
  else
    value = ldexp ((1u << fraction_bits) + fraction,
        exponent - bias - (gint) fraction_bits);
  return bits & 0x8000 ? -value : value;
}

static gdouble
read_element (const GstHipTensorDesc * d, const guint8 * at)
{
  guint16 half;
  gfloat single;

  switch (d->data_type) {
    case GST_HIP_TENSOR_DATA_TYPE_FLOAT32:
      memcpy (&single, at, 4);
      return single;
    case GST_HIP_TENSOR_DATA_TYPE_FLOAT16:
      memcpy (&half, at, 2);
      return small_float_value (half, 5, 10);
    case GST_HIP_TENSOR_DATA_TYPE_BFLOAT16:
      memcpy (&half, at, 2);
      return small_float_value (half, 8, 7);
    case GST_HIP_TENSOR_DATA_TYPE_UINT8:
      return *at;
    default:
      return *(const gint8 *) at;
  }
}

/* Between neighbours of value in the type */
static gdouble
get_unit (const GstHipTensorDesc * d, gdouble value)
{
  gint fraction = d->data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT16 ? 10 :
      d->data_type == GST_HIP_TENSOR_DATA_TYPE_BFLOAT16 ? 7 : 23;
  gint least = d->data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT16 ? -14 : -126;
  gint exponent;

  if (is_integer (d))
    return 1;
  frexp (value, &exponent);
  return ldexp (1, MAX (value == 0 ? least : exponent - 1, least) - fraction);
}

/* --- places --- */

typedef struct
{
  gsize row, channel, batch;    /* strides */
  gsize pixel, row_bytes, size;
} Places;

static void
get_places (const GstHipTensorDesc * d, Places * p)
{
  gboolean planar = d->layout == GST_HIP_TENSOR_LAYOUT_NCHW;
  guint n = n_channels (d), batch = MAX (d->batch, 1);

  p->pixel = (planar ? 1 : n) * element_size (d);
  p->row_bytes = d->width * p->pixel;
  p->row = d->row_stride ? d->row_stride : p->row_bytes;
  p->channel = !planar ? element_size (d) : d->channel_stride ?
      d->channel_stride : p->row * d->height;
  p->batch = d->batch_stride ? d->batch_stride : planar ? n * p->channel :
      p->row * d->height;
  p->size = (batch - 1) * p->batch + (planar ? (n - 1) * p->channel : 0) +
      (d->height - 1) * p->row + p->row_bytes;
}

/* Component of a channel: R G B A, or gray */
static guint
get_component (const GstHipTensorDesc * d, guint channel)
{
  gboolean swap = d->format == GST_HIP_TENSOR_FORMAT_BGR
      || d->format == GST_HIP_TENSOR_FORMAT_BGRA;

  return swap && channel < 3 ? 2 - channel : channel;
}

static const guint8 *
get_element (const TensorCase * c, const Places * p, const guint8 * data,
    guint channel, guint x, guint y)
{
  return data + c->offset + c->index * p->batch + channel * p->channel +
      y * p->row + x * p->pixel;
}

/* --- the tensor as a frame --- */

static void
get_tensor_info (const TensorCase * c, GstVideoInfo * info)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_RGB,
    GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_RGBA,
    GST_VIDEO_FORMAT_GRAY8
  };

  gst_video_info_set_format (info, formats[c->desc.format], c->desc.width,
      c->desc.height);
  info->colorimetry = c->desc.colorimetry;
  info->colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255;
  info->chroma_site = GST_VIDEO_CHROMA_SITE_UNKNOWN;
}

static void
get_numbers (const GstHipTensorDesc * d, guint channel, gdouble * scale,
    gdouble * mean, gdouble * std)
{
  *scale = d->scale[channel] ? d->scale[channel] : is_integer (d) ? 1 :
      1 / 255.0;
  *mean = d->mean[channel];
  *std = d->std[channel] ? d->std[channel] : 1;
}

/* --- comparing --- */

/* Of codes that are not rounded */
static gdouble
get_code_tolerance (const TensorCase * c, const GstVideoInfo * tensor)
{
  const GstVideoInfo *in = c->from_tensor ? tensor : &c->frame;
  const GstVideoInfo *out = c->from_tensor ? &c->frame : tensor;

  if (c->modes.gamma_mode != GST_VIDEO_GAMMA_MODE_NONE
      || c->modes.primaries_mode != GST_VIDEO_PRIMARIES_MODE_NONE)
    return 1;
  if (!ref_is_linear (in, out, &c->modes))
    return 0.02;                /* divided by alpha */
  return 255 * 1e-6;
}

static gboolean
compare_element (const TensorCase * c, const guint8 * at, guint channel,
    gdouble code, gdouble tolerance, gdouble * worst, gdouble * got,
    gdouble * wanted)
{
  gboolean is_signed = c->desc.data_type == GST_HIP_TENSOR_DATA_TYPE_INT8;
  gdouble scale, mean, std, error;

  get_numbers (&c->desc, channel, &scale, &mean, &std);
  *wanted = (CLAMP (code, 0, 255) * scale - mean) / std;
  *got = read_element (&c->desc, at);
  tolerance *= fabs (scale / std);
  /* What is subtracted has its own rounding error */
  tolerance += fabs (mean / std) * 2e-7;
  if (is_integer (&c->desc)) {
    *wanted = CLAMP (*wanted, is_signed ? -128 : 0, is_signed ? 127 : 255);
    return fabs (*got - *wanted) <= 0.5 + tolerance;
  }
  error = fabs (*got - *wanted);
  if (c->desc.data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT32)
    *worst = MAX (*worst, error / fabs (255 * scale / std));
  return error <= 0.5 * get_unit (&c->desc, *wanted) + tolerance;
}

static gboolean
compare_tensor (const TensorCase * c, const RefFrame * in,
    const guint8 * data, gdouble * worst, gchar ** complaint)
{
  gdouble *exact[4], got, wanted, tolerance;
  GstVideoInfo info;
  gboolean ok = TRUE;
  Places p;

  get_tensor_info (c, &info);
  get_places (&c->desc, &p);
  tolerance = get_code_tolerance (c, &info);
  ref_convert (in, &info, &c->modes, exact);
  for (guint k = 0; k < n_channels (&c->desc); k++) {
    const gdouble *codes = exact[get_component (&c->desc, k)];

    for (guint i = 0; ok && i < c->desc.width * c->desc.height; i++) {
      guint x = i % c->desc.width, y = i / c->desc.width;

      ok = compare_element (c, get_element (c, &p, data, k, x, y), k, codes[i],
          tolerance, worst, &got, &wanted);
      if (!ok)
        *complaint = g_strdup_printf ("channel %u of pixel (%u, %u) is %.9g, "
            "exact is %.9g of code %.6f", k, x, y, got, wanted, codes[i]);
    }
  }
  for (guint i = 0; i < 4; i++)
    g_free (exact[i]);
  return ok;
}

/* The codes that a tensor stands for, by component */
static void
get_codes (const TensorCase * c, const guint8 * data, gdouble * codes[4])
{
  Places p;

  get_places (&c->desc, &p);
  for (guint k = 0; k < n_channels (&c->desc); k++) {
    gdouble *to = g_new (gdouble, c->desc.width * c->desc.height);
    gdouble scale, mean, std;

    get_numbers (&c->desc, k, &scale, &mean, &std);
    for (guint i = 0; i < c->desc.width * c->desc.height; i++) {
      gdouble y = read_element (&c->desc, get_element (c, &p, data, k,
              i % c->desc.width, i / c->desc.width));
      gdouble code = (y * std + mean) / scale;

      to[i] = isnan (code) ? 0 : CLAMP (code, 0, 255);
    }
    codes[get_component (&c->desc, k)] = to;
  }
}

static gboolean
compare_frame (const TensorCase * c, const guint8 * data, const RefFrame * got,
    gchar ** complaint)
{
  gdouble *codes[4] = { NULL, }, *exact[4], tolerance;
  RefFrame in = { {NULL}, };
  gboolean ok = TRUE;

  get_tensor_info (c, &in.info);
  get_codes (c, data, codes);
  for (guint i = 0; i < 4; i++)
    in.values[i] = codes[i];
  tolerance = get_code_tolerance (c, &in.info) > 0.01 ? 0.5 : 0.02;
  ref_convert (&in, &got->info, &c->modes, exact);
  for (guint i = 0; i < 4; i++) {
    guint depth = ref_depth (&got->info, i), columns, rows;

    ref_samples (&got->info, i, &columns, &rows);
    for (guint k = 0; ok && exact[i] && k < columns * rows; k++) {
      guint sample = ref_read (got, i, k % columns, k / columns);
      gdouble wanted = CLAMP (exact[i][k], 0, (1u << depth) - 1);
      gdouble more = depth <= 12 ? tolerance : tolerance > 0.1 ? 3.5 : 0.1;

      ok = fabs (sample - wanted) <= 0.5 + more;
      if (!ok)
        *complaint = g_strdup_printf ("component %u, sample (%u, %u) is %u, "
            "exact is %.4f", i, k % columns, k / columns, sample, wanted);
    }
    g_free (exact[i]);
    g_free (codes[i]);
  }
  return ok;
}

static gboolean
compare (const TensorCase * c, const RefFrame * frame, const guint8 * tensor,
    gdouble * worst, gchar ** complaint)
{
  return c->from_tensor ? compare_frame (c, tensor, frame, complaint) :
      compare_tensor (c, frame, tensor, worst, complaint);
}

/* Each field as a picture of its own, on both sides */
static gboolean
compare_fields (const TensorCase * c, const RefFrame * frame,
    const guint8 * tensor, gdouble * worst, gchar ** complaint)
{
  const RefScale *scale = c->modes.scale;
  RefScale of_field;
  gboolean ok = TRUE;
  Places p;

  if (c->frame.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
    return compare (c, frame, tensor, worst, complaint);
  get_places (&c->desc, &p);
  for (guint field = 0; ok && field < 2; field++) {
    TensorCase part = *c;
    RefFrame picture;

    case_get_field (frame, field, &picture);
    part.frame = picture.info;
    part.offset += field * p.row;
    part.desc.height = picture.info.height;
    part.desc.row_stride = 2 * p.row;
    part.desc.channel_stride = p.channel;
    part.desc.batch_stride = p.batch;
    if (scale) {
      of_field = *scale;
      of_field.fields = 2;
      of_field.field = field;
      part.modes.scale = &of_field;
      part.desc.height = (c->desc.height + 1 - field) / 2;
    }
    ok = compare (&part, &picture, tensor, worst, complaint);
  }
  return ok;
}

/* --- data --- */

/* Floats around what codes become, some past it, some no numbers; integers are any bytes */
static void
fill_tensor (const TensorCase * c, guint8 * data, gsize size, GRand * rand)
{
  guint n = element_size (&c->desc);

  case_fill (data, size, c->data, rand);
  for (gsize at = c->offset % n; !is_integer (&c->desc) && at + n <= size;
      at += n) {
    gdouble scale, mean, std, code = g_rand_double_range (rand, -20, 275);
    gfloat value;
    guint32 bits;

    if (c->data == DATA_ANY && g_rand_int_range (rand, 0, 8) == 0)
      continue;
    get_numbers (&c->desc, 0, &scale, &mean, &std);
    value = (code * scale - mean) / std;
    memcpy (&bits, &value, 4);
    /* Any half near it will do */
    if (c->desc.data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT16)
      bits = fabsf (value) < 1e-4 ? 0 : (bits >> 31) << 31 |
          ((bits & 0x7fffffff) - (112u << 23)) << 3;
    if (n == 2)
      bits >>= 16;
    memcpy (data + at, &bits, n);
  }
}

static gboolean
check_tensor_guards (const TensorCase * c, const guint8 * before,
    const guint8 * after, gsize size, gchar ** complaint)
{
  guint8 *inside = g_malloc0 (size);
  gboolean planar = c->desc.layout == GST_HIP_TENSOR_LAYOUT_NCHW, ok = TRUE;
  Places p;

  get_places (&c->desc, &p);
  for (guint k = 0; k < (planar ? n_channels (&c->desc) : 1); k++) {
    for (guint y = 0; y < c->desc.height; y++)
      memset (inside + (get_element (c, &p, after, k, 0, y) - after), 1,
          p.row_bytes);
  }
  for (gsize i = 0; ok && i < size; i++) {
    ok = inside[i] || before[i] == after[i];
    if (!ok)
      *complaint = g_strdup_printf ("byte %" G_GSIZE_FORMAT " outside of the "
          "picture was written", i);
  }
  g_free (inside);
  return ok;
}

/* --- running --- */

gchar *
tensor_case_describe (const TensorCase * c)
{
  static const gchar *const types[] = { "float32", "float16", "bfloat16",
    "uint8", "int8"
  };
  static const gchar *const formats[] = { "RGB", "BGR", "RGBA", "BGRA", "GRAY"
  };
  gchar *frame = gst_video_colorimetry_to_string (&c->frame.colorimetry);
  gchar *tensor = gst_video_colorimetry_to_string (&c->desc.colorimetry);
  gchar *text;

  text =
      g_strdup_printf
      ("%s %s of %dx%d, of %ux%u, %s %s %s, %s, colorimetry %s, "
      "tensor's %s, chroma site 0x%x, flags 0x%x, strides %" G_GSIZE_FORMAT " %"
      G_GSIZE_FORMAT " %" G_GSIZE_FORMAT ", offset %" G_GSIZE_FORMAT
      ", picture %u of %u, scale %g mean %g std %g, matrix-mode %d "
      "primaries-mode %d gamma-mode %d chroma-mode %d alpha-mode %d "
      "alpha-value %g, data %d, seed %u", c->frame.finfo->name,
      c->from_tensor ? "from a tensor" : "to a tensor", c->frame.width,
      c->frame.height, c->desc.width, c->desc.height, types[c->desc.data_type],
      c->desc.layout == GST_HIP_TENSOR_LAYOUT_NCHW ? "NCHW" : "NHWC",
      formats[c->desc.format],
      gst_video_interlace_mode_to_string (c->frame.interlace_mode), frame,
      tensor, c->frame.chroma_site, c->frame.flags, c->desc.row_stride,
      c->desc.channel_stride, c->desc.batch_stride, c->offset, c->index,
      c->desc.batch, c->desc.scale[0], c->desc.mean[0], c->desc.std[0],
      c->modes.matrix_mode, c->modes.primaries_mode, c->modes.gamma_mode,
      c->modes.chroma_mode, c->modes.alpha_mode, c->modes.alpha_value, c->data,
      c->seed);
  g_free (frame);
  g_free (tensor);
  return text;
}

static gboolean
convert (GstHipDevice * device, const TensorCase * c, GstBuffer * frame,
    GstMemory * tensor, GError ** error)
{
  GstStructure *config = case_make_config (&c->modes, GST_VIDEO_DITHER_NONE);
  GstHipConverter *converter = c->from_tensor ?
      gst_hip_converter_new_from_tensor (device, &c->desc, &c->frame, config,
      error) : gst_hip_converter_new_to_tensor (device, &c->frame, &c->desc,
      config, error);
  gboolean ok = converter != NULL;

  if (ok && c->from_tensor)
    ok = gst_hip_converter_convert_from_tensor (converter, NULL, tensor,
        c->offset, c->index, frame, NULL, error);
  else if (ok)
    ok = gst_hip_converter_convert_to_tensor (converter, NULL, frame, tensor,
        c->offset, c->index, NULL, error);
  gst_clear_object (&converter);
  gst_structure_free (config);
  return ok;
}

gboolean
tensor_case_run (GstHipDevice * device, const TensorCase * c, gdouble * worst,
    gchar ** complaint)
{
  GRand *rand = g_rand_new_with_seed (c->seed);
  RefFrame frame = { c->frame, NULL, };
  guint8 *frame_before, *before, *after;
  GstBuffer *buffer;
  GstMemory *memory;
  GError *error = NULL;
  gsize size;
  gboolean ok;
  Places p;

  *complaint = NULL;
  case_make_layout (&frame.info, rand);
  frame_before = g_malloc (frame.info.size);
  case_fill (frame_before, frame.info.size, c->data, rand);
  frame.data = g_malloc (frame.info.size);
  buffer = case_make_buffer (device, &frame.info, frame_before);

  get_places (&c->desc, &p);
  size = c->offset + p.size + GUARD;
  before = g_malloc (size);
  fill_tensor (c, before, size, rand);
  after = g_malloc (size);
  memory = gst_hip_allocator_alloc_linear (NULL, device, size, &error);
  fail_unless (memory != NULL, "%s", error ? error->message : "");
  {
    GstBuffer *all = gst_buffer_new ();

    gst_buffer_append_memory (all, gst_memory_ref (memory));
    gst_buffer_fill (all, 0, before, size);
    ok = convert (device, c, buffer, memory, &error);
    gst_buffer_extract (all, 0, after, size);
    gst_buffer_extract (buffer, 0, frame.data, frame.info.size);
    gst_buffer_unref (all);
  }
  if (!ok) {
    *complaint = g_strdup (error->message);
    g_clear_error (&error);
  } else {
    ok = (c->from_tensor ? case_check_guards (&frame.info, frame_before,
            frame.data, complaint) : check_tensor_guards (c, before, after,
            size, complaint))
        && compare_fields (c, &frame, c->from_tensor ? before : after, worst,
        complaint);
  }
  gst_buffer_unref (buffer);
  gst_memory_unref (memory);
  g_free (frame_before);
  g_free (frame.data);
  g_free (before);
  g_free (after);
  g_rand_free (rand);
  return ok;
}
