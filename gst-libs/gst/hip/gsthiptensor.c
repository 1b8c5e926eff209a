/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which bytes does a tensor take, and is its description one at all?
 *
 * Pure arithmetic: must not know devices, memory or what is converted.
 *
 * Invariant: what a complete description says fits into gsize; elements are
 * where their size allows, and never overlap; numbers are finite.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "gsthiperror.h"
#include "hip-tensor.h"

/* *INDENT-OFF* */
G_DEFINE_BOXED_TYPE (GstHipTensorDesc, gst_hip_tensor_desc,
    gst_hip_tensor_desc_copy, gst_hip_tensor_desc_free);

static const guint element_sizes[] = {
  [GST_HIP_TENSOR_DATA_TYPE_FLOAT32] = 4,
  [GST_HIP_TENSOR_DATA_TYPE_FLOAT16] = 2,
  [GST_HIP_TENSOR_DATA_TYPE_BFLOAT16] = 2,
  [GST_HIP_TENSOR_DATA_TYPE_UINT8] = 1,
  [GST_HIP_TENSOR_DATA_TYPE_INT8] = 1,
};

/* By component, from 1; 0: there is none */
static const struct
{
  guint n;
  guint8 place[4];
} channels[] = {
  [GST_HIP_TENSOR_FORMAT_RGB] = {3, {1, 2, 3, 0}},
  [GST_HIP_TENSOR_FORMAT_BGR] = {3, {3, 2, 1, 0}},
  [GST_HIP_TENSOR_FORMAT_RGBA] = {4, {1, 2, 3, 4}},
  [GST_HIP_TENSOR_FORMAT_BGRA] = {4, {3, 2, 1, 4}},
  [GST_HIP_TENSOR_FORMAT_GRAY] = {1, {1, 0, 0, 0}},
};
/* *INDENT-ON* */

/* Largest value that is not infinite */
#define FLOAT16_MAX 65504.0

/**
 * gst_hip_tensor_desc_new:
 * @data_type: what an element is
 * @layout: the order of dimensions
 * @format: what the channels are
 * @width: elements of a row
 * @height: rows
 *
 * For languages that allocate no structs; in C, one on the stack will do. All
 * other fields are 0.
 *
 * Returns: (transfer full): a description
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipTensorDesc *
gst_hip_tensor_desc_new (GstHipTensorDataType data_type,
    GstHipTensorLayout layout, GstHipTensorFormat format, guint width,
    guint height)
{
  GstHipTensorDesc *desc = g_new0 (GstHipTensorDesc, 1);

  desc->data_type = data_type;
  desc->layout = layout;
  desc->format = format;
  desc->width = width;
  desc->height = height;
  return desc;
}

/**
 * gst_hip_tensor_desc_copy:
 * @desc: a description
 *
 * Returns: (transfer full): a copy of it
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipTensorDesc *
gst_hip_tensor_desc_copy (const GstHipTensorDesc * desc)
{
  g_return_val_if_fail (desc != NULL, NULL);

  return g_memdup2 (desc, sizeof (*desc));
}

/**
 * gst_hip_tensor_desc_free:
 * @desc: (nullable): a description that the heap has
 *
 * Frees @desc.
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
void
gst_hip_tensor_desc_free (GstHipTensorDesc * desc)
{
  g_free (desc);
}

/**
 * gst_hip_tensor_desc_get_n_channels:
 * @desc: a description
 *
 * Returns: how many channels @desc has: 1, 3 or 4; 0 where its format is none
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
guint
gst_hip_tensor_desc_get_n_channels (const GstHipTensorDesc * desc)
{
  g_return_val_if_fail (desc != NULL, 0);

  return (guint) desc->format < G_N_ELEMENTS (channels) ?
      channels[desc->format].n : 0;
}

guint
hip_tensor_get_element_size (const GstHipTensorDesc * desc)
{
  return element_sizes[desc->data_type];
}

gint
hip_tensor_get_channel (const GstHipTensorDesc * desc, guint component)
{
  return channels[desc->format].place[component] - 1;
}

gsize
hip_tensor_get_row_size (const GstHipTensorDesc * desc)
{
  guint together = desc->layout == GST_HIP_TENSOR_LAYOUT_NHWC ?
      channels[desc->format].n : 1;

  return (gsize) desc->width * together * hip_tensor_get_element_size (desc);
}

gsize
hip_tensor_get_picture_size (const GstHipTensorDesc * desc)
{
  guint apart = desc->layout == GST_HIP_TENSOR_LAYOUT_NCHW ?
      channels[desc->format].n : 1;

  return desc->channel_stride * (apart - 1) +
      desc->row_stride * (desc->height - 1) + hip_tensor_get_row_size (desc);
}

/* --- completing --- */

static gboolean
refuse (GError ** error, const gchar * why)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "No such tensor: %s", why);
  return FALSE;
}

/* n parts of bytes, stride apart: sets a stride that is 0 and the bytes of all */
static gboolean
complete_stride (gsize * stride, guint n, gsize bytes, guint element,
    const gchar * what, gsize * all, GError ** error)
{
  if (*stride == 0)
    *stride = bytes;
  if (*stride < bytes || *stride % element) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID, "No such "
        "tensor: %s of %" G_GSIZE_FORMAT " bytes cannot be %" G_GSIZE_FORMAT
        " bytes apart, with elements of %u", what, bytes, *stride, element);
    return FALSE;
  }
  if (!g_size_checked_mul (all, *stride, n - 1)
      || !g_size_checked_add (all, *all, bytes))
    return refuse (error, "it is larger than any memory");
  return TRUE;
}

static gboolean
complete_strides (GstHipTensorDesc * d, gsize * size, GError ** error)
{
  guint element = hip_tensor_get_element_size (d), n = channels[d->format].n;
  gboolean planar = d->layout == GST_HIP_TENSOR_LAYOUT_NCHW;
  gsize bytes, after;

  if (d->width > G_MAXINT / (n * element) || d->height > G_MAXINT)
    return refuse (error, "its rows or columns are too many");
  if (!complete_stride (&d->row_stride, d->height, hip_tensor_get_row_size (d),
          element, "rows", &bytes, error))
    return FALSE;
  if (d->row_stride > G_MAXINT)
    return refuse (error, "its rows are more than 2 GB apart");
  /* Where they follow each other, padding of the last row is between, too */
  if (!g_size_checked_mul (&after, d->row_stride, d->height))
    return refuse (error, "it is larger than any memory");
  if (planar) {
    if (d->channel_stride == 0)
      d->channel_stride = after;
    if (!complete_stride (&d->channel_stride, n, bytes, element, "channels",
            &bytes, error))
      return FALSE;
    if (!g_size_checked_mul (&after, d->channel_stride, n))
      return refuse (error, "it is larger than any memory");
  } else if (d->channel_stride != 0 && d->channel_stride != element) {
    return refuse (error, "channels of NHWC lie side by side");
  } else {
    d->channel_stride = element;
  }
  if (d->batch_stride == 0)
    d->batch_stride = after;
  return complete_stride (&d->batch_stride, d->batch, bytes, element,
      "pictures", size, error);
}

static gboolean
complete_normalization (GstHipTensorDesc * d, GError ** error)
{
  gboolean is_integer = d->data_type == GST_HIP_TENSOR_DATA_TYPE_UINT8
      || d->data_type == GST_HIP_TENSOR_DATA_TYPE_INT8;
  double most = d->data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT16 ?
      FLOAT16_MAX : FLT_MAX;

  for (guint i = 0; i < 4; i++) {
    double at_0, at_255;

    if (d->scale[i] == 0)
      d->scale[i] = is_integer ? 1 : 1.0 / 255;
    if (d->std[i] == 0)
      d->std[i] = 1;
    at_0 = -d->mean[i] / d->std[i];
    at_255 = (255 * d->scale[i] - d->mean[i]) / d->std[i];
    /* Both ways in single precision; comparisons are false for what is no number */
    if (!(fabs (at_0) <= most && fabs (at_255) <= most
            && fabs (d->scale[i] / d->std[i]) >= FLT_MIN
            && fabs (d->std[i] / d->scale[i]) >= FLT_MIN
            && fabs (d->std[i] / d->scale[i]) <= FLT_MAX
            && fabs (d->mean[i] / d->scale[i]) <= FLT_MAX)) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID, "No such "
          "tensor: with scale %g, mean %g and std %g of channel %u, 0 to 255 "
          "become %g to %g, which its type does not hold", d->scale[i],
          d->mean[i], d->std[i], i, at_0, at_255);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
complete (const GstHipTensorDesc * desc, GstHipTensorDesc * d, gsize * size,
    GError ** error)
{
  *d = *desc;
  if ((guint) d->data_type >= G_N_ELEMENTS (element_sizes))
    return refuse (error, "its data type is none");
  if ((guint) d->layout > GST_HIP_TENSOR_LAYOUT_NHWC)
    return refuse (error, "its layout is none");
  if ((guint) d->format >= G_N_ELEMENTS (channels))
    return refuse (error, "its format is none");
  if (d->width == 0 || d->height == 0)
    return refuse (error, "it has no width or no height");
  if (d->batch == 0)
    d->batch = 1;
  return complete_strides (d, size, error)
      && complete_normalization (d, error);
}

/**
 * gst_hip_tensor_desc_complete:
 * @desc: a description
 * @complete: (out caller-allocates): the same, with defaults in place of 0
 * @error: return location for an error
 *
 * Checks a description and puts in what stands for 0: the strides, how many
 * pictures, scale and std. Converters do so themselves.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if there can be no such tensor:
 *     one without elements, one larger than memory can be, strides that make
 *     elements overlap or that are no multiples of an element, a scale, mean or
 *     std that leads out of the numbers of the type. @complete is of no use then.
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_tensor_desc_complete (const GstHipTensorDesc * desc,
    GstHipTensorDesc * complete_desc, GError ** error)
{
  GstHipTensorDesc d;
  gsize size;

  g_return_val_if_fail (desc != NULL && complete_desc != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!complete (desc, &d, &size, error))
    return FALSE;
  *complete_desc = d;
  return TRUE;
}

/**
 * gst_hip_tensor_desc_get_size:
 * @desc: a description
 * @size: (out): bytes from the first to the last element
 * @error: return location for an error
 *
 * How large a memory has to be.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID as
 *     gst_hip_tensor_desc_complete() does
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_tensor_desc_get_size (const GstHipTensorDesc * desc, gsize * size,
    GError ** error)
{
  GstHipTensorDesc d;

  g_return_val_if_fail (desc != NULL && size != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return complete (desc, &d, size, error);
}
