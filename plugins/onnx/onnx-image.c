/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is a model's input a picture? Shape and type come from the model, what a
 * shape cannot say from the settings, else from what is usual. Must not know
 * frames. Invariant: what could be meant in two ways is an error that names the
 * property.
 */
#include "config.h"

#include <math.h>

#include "onnx-image.h"

/* No picture is larger, and no product of two sizes overflows. */
#define MAX_SIZE (1 << 20)
/* Bytes of a tensor; beyond that a model is a mistake. */
#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 34)

static gboolean
refuse (const HipOrtTensor * tensor, GstHipError code, GError ** error,
    const gchar * format, ...)
{
  g_autofree gchar *what = hip_ort_describe_tensor (tensor), *why = NULL;
  va_list args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GST_HIP_ERROR, code, "the model's input \"%s\" (%s) %s",
      tensor->name, what, why);
  return FALSE;
}

/* --- dimensions --- */

static gboolean
is_channels (gint64 n)
{
  return n == 1 || n == 3 || n == 4;
}

/* Three channels are more usual than one, and one than four. */
static guint
likelihood (gint64 n)
{
  return n == 3 ? 3 : n == 1 ? 2 : n == 4 ? 1 : 0;
}

/* FALSE: nobody can know. A dimension of 4 that might as well be a small
 * picture's size is not taken for channels without being told. */
static gboolean
guess_planar (gint64 first, gint64 last, gboolean * planar)
{
  guint a = likelihood (first), b = likelihood (last);

  if (a == 0 && b == 0)
    return FALSE;
  *planar = a >= b;
  if (MAX (a, b) == 1) {
    gint64 other = *planar ? last : first;

    return other < 0 || other > 4;
  }
  return TRUE;
}

static gboolean
read_layout (HipOnnxImage * self, const HipOrtTensor * tensor,
    const HipOnnxImageSettings * settings, GError ** error)
{
  guint n = tensor->n_dims, from = n == 4;
  gboolean planar = settings->layout != HIP_ONNX_LAYOUT_NHWC;

  if (n < 2 || n > 4)
    return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
        "is no picture: it has %u dimensions, a picture has 2 (height, width), "
        "3 (channels before or behind them) or 4 (batch first)", n);
  self->batch_dim = n == 4 ? 0 : -1;
  if (n == 2) {
    self->channel_dim = -1;
    self->height_dim = 0;
    self->width_dim = 1;
    self->desc.layout = GST_HIP_TENSOR_LAYOUT_NCHW;
    return TRUE;
  }
  if (settings->layout == HIP_ONNX_LAYOUT_AUTO
      && !guess_planar (tensor->dims[from], tensor->dims[n - 1], &planar)) {
    if (tensor->dims[from] < 0 || tensor->dims[n - 1] < 0
        || is_channels (tensor->dims[from])
        || is_channels (tensor->dims[n - 1]))
      return refuse (tensor, GST_HIP_ERROR_INVALID, error,
          "does not say which dimension is the channels: set input-layout to "
          "nchw or nhwc");
    return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
        "is no picture: neither dimension %u nor the last one is 1, 3 or 4 "
        "channels", from);
  }
  self->channel_dim = planar ? (gint) from : (gint) n - 1;
  self->height_dim = planar ? (gint) from + 1 : (gint) from;
  self->width_dim = self->height_dim + 1;
  self->desc.layout = planar ? GST_HIP_TENSOR_LAYOUT_NCHW :
      GST_HIP_TENSOR_LAYOUT_NHWC;
  return TRUE;
}

/* --- channels --- */

static gboolean
read_format (HipOnnxImage * self, const HipOrtTensor * tensor,
    const HipOnnxImageSettings * settings, GError ** error)
{
  gint64 n = self->channel_dim < 0 ? 1 : tensor->dims[self->channel_dim];
  HipOnnxFormat format = settings->format;

  if (n >= 0 && !is_channels (n))
    return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
        "has %" G_GINT64_FORMAT " channels; a picture has 1, 3 or 4", n);
  if (format == HIP_ONNX_FORMAT_AUTO)
    format = n == 1 ? HIP_ONNX_FORMAT_GRAY : n == 4 ? HIP_ONNX_FORMAT_RGBA :
        HIP_ONNX_FORMAT_RGB;
  /* The enumerations have the same order. */
  self->desc.format = (GstHipTensorFormat) (format - HIP_ONNX_FORMAT_RGB);
  if (n >= 0 && gst_hip_tensor_desc_get_n_channels (&self->desc) != n)
    return refuse (tensor, GST_HIP_ERROR_INVALID, error,
        "has %" G_GINT64_FORMAT " channels, input-format has %u", n,
        gst_hip_tensor_desc_get_n_channels (&self->desc));
  return TRUE;
}

G_STATIC_ASSERT ((gint) GST_HIP_TENSOR_FORMAT_RGB == 0);
G_STATIC_ASSERT ((gint) GST_HIP_TENSOR_FORMAT_GRAY ==
    HIP_ONNX_FORMAT_GRAY - HIP_ONNX_FORMAT_RGB);

static gboolean
read_type (HipOnnxImage * self, const HipOrtTensor * tensor, GError ** error)
{
  switch (tensor->type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      self->desc.data_type = GST_HIP_TENSOR_DATA_TYPE_FLOAT32;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
      self->desc.data_type = GST_HIP_TENSOR_DATA_TYPE_FLOAT16;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
      self->desc.data_type = GST_HIP_TENSOR_DATA_TYPE_BFLOAT16;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      self->desc.data_type = GST_HIP_TENSOR_DATA_TYPE_UINT8;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
      self->desc.data_type = GST_HIP_TENSOR_DATA_TYPE_INT8;
      return TRUE;
    default:
      return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
          "has elements that no picture is made of: float32, float16, "
          "bfloat16, uint8 and int8 are possible");
  }
}

/* --- numbers --- */

static gboolean
spread (const HipOnnxNumbers * numbers, const gchar * property, guint n,
    gdouble * to, const HipOrtTensor * tensor, GError ** error)
{
  if (numbers->n > 1 && numbers->n != n)
    return refuse (tensor, GST_HIP_ERROR_INVALID, error,
        "has %u channels, %s has %u numbers: one for all or one for each",
        n, property, numbers->n);
  for (guint i = 0; i < n && numbers->n; i++)
    to[i] = numbers->values[numbers->n > 1 ? i : 0];
  return TRUE;
}

static gboolean
read_ranges (HipOnnxImage * self, const HipOrtTensor * tensor,
    const HipModelInfoTensor * said, GError ** error)
{
  guint n = gst_hip_tensor_desc_get_n_channels (&self->desc);

  if (said->n_ranges > 1 && said->n_ranges != n)
    return refuse (tensor, GST_HIP_ERROR_INVALID, error,
        "has %u channels, the model-info has %" G_GSIZE_FORMAT " ranges", n,
        said->n_ranges);
  for (guint i = 0; i < n; i++) {
    const gdouble *range = &said->ranges[said->n_ranges > 1 ? 2 * i : 0];

    self->desc.scale[i] = (range[1] - range[0]) / 255;
    self->desc.mean[i] = -range[0];
  }
  return TRUE;
}

static gboolean
are_possible (const HipOnnxImage * self, const HipOrtTensor * tensor, guint n,
    GError ** error)
{
  for (guint i = 0; i < n; i++) {
    const GstHipTensorDesc *desc = &self->desc;

    if (!isfinite (desc->scale[i]) || !isfinite (desc->mean[i])
        || !isfinite (desc->std[i]) || desc->scale[i] == 0 || desc->std[i] == 0)
      return refuse (tensor, GST_HIP_ERROR_INVALID, error,
          "cannot be made with scale %g, mean %g, std %g: scale and std have "
          "to be other than 0", desc->scale[i], desc->mean[i], desc->std[i]);
  }
  return TRUE;
}

static gboolean
read_numbers (HipOnnxImage * self, const HipOrtTensor * tensor,
    gboolean has_info, const HipModelInfoTensor * said,
    const HipOnnxImageSettings * settings, GError ** error)
{
  guint n = gst_hip_tensor_desc_get_n_channels (&self->desc);
  gboolean is_integer =
      self->desc.data_type == GST_HIP_TENSOR_DATA_TYPE_UINT8
      || self->desc.data_type == GST_HIP_TENSOR_DATA_TYPE_INT8;
  gboolean set = settings->scale.n || settings->mean.n || settings->std.n;
  gboolean ranged = said && said->n_ranges > 0;

  for (guint i = 0; i < 4; i++) {
    self->desc.scale[i] = is_integer || has_info ? 1. : 1. / 255;
    self->desc.mean[i] = 0;
    self->desc.std[i] = 1;
  }
  if (ranged && !set)
    return read_ranges (self, tensor, said, error);
  if (ranged)
    self->warning = g_strdup ("scale, mean and std take the place of the "
        "ranges in the model-info");
  return spread (&settings->scale, "scale", n, self->desc.scale, tensor, error)
      && spread (&settings->mean, "mean", n, self->desc.mean, tensor, error)
      && spread (&settings->std, "std", n, self->desc.std, tensor, error)
      && are_possible (self, tensor, n, error);
}

/* --- all of it --- */

/* What the model alone makes too large */
static gboolean
check_bytes (HipOnnxImage * self, const HipOrtTensor * tensor, GError ** error)
{
  guint64 width = MAX (self->width, 1), height = MAX (self->height, 1);
  guint64 pictures = MAX (self->batch, 1);

  /* Both sizes are at most 2^20, there are at most 2^12 pictures and 16 bytes
   * of a pixel. */
  if (width * height * pictures * 16 > MAX_BYTES)
    return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
        "is too large to be made");
  return TRUE;
}

gboolean
hip_onnx_image_plan (HipOnnxImage * self, const HipOrtTensor * tensor,
    gboolean has_info, const HipModelInfoTensor * said,
    const HipOnnxImageSettings * settings, GError ** error)
{
  gint dims[2];

  *self = (HipOnnxImage) {
  0,};
  self->n_dims = tensor->n_dims;
  if (!read_type (self, tensor, error)
      || !read_layout (self, tensor, settings, error)
      || !read_format (self, tensor, settings, error)
      || !read_numbers (self, tensor, has_info, said, settings, error))
    return FALSE;

  dims[0] = self->height_dim;
  dims[1] = self->width_dim;
  for (guint i = 0; i < 2; i++) {
    if (tensor->dims[dims[i]] == 0 || tensor->dims[dims[i]] > MAX_SIZE)
      return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
          "is no picture: nothing is %" G_GINT64_FORMAT " pixels %s",
          tensor->dims[dims[i]], i ? "wide" : "high");
  }
  self->height = tensor->dims[self->height_dim];
  self->width = tensor->dims[self->width_dim];
  self->batch = self->batch_dim < 0 ? 1 : tensor->dims[0];
  if (self->batch == 0 || self->batch > 4096)
    return refuse (tensor, GST_HIP_ERROR_UNSUPPORTED, error,
        "is for %" G_GINT64_FORMAT " pictures at once, 1 to 4096 are possible",
        self->batch);
  return check_bytes (self, tensor, error);
}

void
hip_onnx_image_clear (HipOnnxImage * self)
{
  g_clear_pointer (&self->warning, g_free);
}

gboolean
hip_onnx_image_size (const HipOnnxImage * self, guint frame_width,
    guint frame_height, guint batch, GstHipTensorDesc * desc, gint64 * dims,
    gsize * size_bytes, GError ** error)
{
  *desc = self->desc;
  desc->batch = self->batch > 0 ? (guint) self->batch : batch;
  desc->width = self->width > 0 ? (guint) self->width : frame_width;
  desc->height = self->height > 0 ? (guint) self->height : frame_height;
  if (!gst_hip_tensor_desc_get_size (desc, size_bytes, error))
    return FALSE;
  if (*size_bytes > MAX_BYTES) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "the model's input would be %" G_GSIZE_FORMAT " bytes for frames of "
        "%ux%u", *size_bytes, frame_width, frame_height);
    return FALSE;
  }
  if (self->batch_dim >= 0)
    dims[self->batch_dim] = desc->batch;
  if (self->channel_dim >= 0)
    dims[self->channel_dim] = gst_hip_tensor_desc_get_n_channels (desc);
  dims[self->height_dim] = desc->height;
  dims[self->width_dim] = desc->width;
  return TRUE;
}
