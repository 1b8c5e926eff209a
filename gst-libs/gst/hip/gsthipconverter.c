/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a frame in HIP memory become one of another format?
 *
 * What is to be done was decided by the plan; here kernels are compiled once
 * and each frame's addresses and strides are added. Everything goes through
 * kernel modules and arguments, as an application's own kernels would, so order
 * and lifetimes (I2, I4) are theirs to keep. Knows no format and no colour.
 *
 * Invariant: what does not lie in its memory is refused before anything is
 * queued; in steady state nothing is allocated.
 *
 * Tensors: gsthipconvertertensor.c.
 */
#include <string.h>

#include "gsthipallocator.h"
#include "gsthipdevice.h"
#include "gsthiperror.h"
#include "gsthipmemory.h"
#include "gsthipmodule.h"
#include "hip-converter.h"
#include "hip-layout.h"

struct _GstHipConverterClass
{
  GstObjectClass parent_class;
};

/* *INDENT-OFF* */
G_DEFINE_TYPE (GstHipConverter, gst_hip_converter, GST_TYPE_OBJECT)
/* *INDENT-ON* */

static void
gst_hip_converter_init (GstHipConverter * self)
{
  self->args = gst_hip_kernel_args_new ();
}

static void
gst_hip_converter_finalize (GObject * object)
{
  GstHipConverter *self = GST_HIP_CONVERTER (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->binaries); i++)
    g_clear_pointer (&self->binaries[i].module, gst_hip_kernel_module_unref);
  g_clear_pointer (&self->table, gst_memory_unref);
  g_clear_pointer (&self->between, gst_memory_unref);
  hip_convert_plan_clear (&self->plan);
  gst_hip_kernel_args_unref (self->args);
  gst_clear_object (&self->device);
  G_OBJECT_CLASS (gst_hip_converter_parent_class)->finalize (object);
}

static void
gst_hip_converter_class_init (GstHipConverterClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_hip_converter_finalize;
}

/**
 * gst_hip_converter_is_supported_format:
 * @format: a video format
 *
 * Returns: whether converters read and write frames of @format
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_converter_is_supported_format (GstVideoFormat format)
{
  return hip_format_get (format) != NULL;
}

GstHipConverter *
hip_converter_new (GstHipDevice * device, HipConverterKind kind)
{
  GstHipConverter *self = g_object_new (GST_TYPE_HIP_CONVERTER, NULL);

  gst_object_ref_sink (self);
  self->device = gst_object_ref (device);
  self->kind = kind;
  return self;
}

/* Device memory that all frames share: each use of it is ordered behind the last */
static gboolean
make_memories (GstHipConverter * self, GError ** error)
{
  const HipConvertScale *scale = self->plan.scale;
  gsize bytes = scale->n_table_words * sizeof (guint32);
  GstMapInfo map;

  self->table = gst_hip_allocator_alloc_linear (NULL, self->device, bytes,
      error);
  if (!self->table)
    return FALSE;
  if (!gst_memory_map (self->table, &map, GST_MAP_WRITE)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED, "Filters of %"
        G_GSIZE_FORMAT " bytes cannot be written to memory of the device",
        bytes);
    return FALSE;
  }
  memcpy (map.data, scale->table, bytes);
  gst_memory_unmap (self->table, &map);
  if (scale->between_bytes)
    self->between = gst_hip_allocator_alloc_linear (NULL, self->device,
        scale->between_bytes, error);
  return !scale->between_bytes || self->between;
}

gboolean
hip_converter_make_kernels (GstHipConverter * self, GError ** error)
{
  for (guint i = 0; i < self->plan.n_passes; i++) {
    if (!hip_convert_binary_get (self->device, &self->plan.passes[i],
            &self->binaries[i], error))
      return FALSE;
  }
  return !self->plan.scale || make_memories (self, error);
}

/**
 * gst_hip_converter_new:
 * @device: a #GstHipDevice
 * @in_info: what frames to convert are like
 * @out_info: what frames to make are like: of any size, of the same interlace
 *     mode as @in_info
 * @config: (nullable): options under the names that #GstVideoConverter gives
 *     them: %GST_VIDEO_CONVERTER_OPT_MATRIX_MODE, `GAMMA_MODE`,
 *     `PRIMARIES_MODE`, `CHROMA_MODE`, `ALPHA_MODE`, `ALPHA_VALUE` and
 *     `DITHER_METHOD` (any but none means ordered dither, which is not the
 *     default here) with `DITHER_QUANTIZATION`; for scaling `RESAMPLER_METHOD` with `RESAMPLER_TAPS` (2
 *     for linear: no more than two samples) and the coefficients of cubics, or
 *     %GST_HIP_CONVERTER_OPT_METHOD; `SRC_X`, `SRC_Y`, `SRC_WIDTH` and
 *     `SRC_HEIGHT` (integers, or doubles for parts of pixels), `DEST_X` and its
 *     like, `FILL_BORDER` and `BORDER_ARGB`, and
 *     %GST_HIP_CONVERTER_OPT_DIRECTION; others are ignored
 * @error: return location for an error
 *
 * Plans a conversion and makes its kernels ready. Strides and offsets in the two
 * descriptions do not matter: each frame has its own.
 *
 * Colour is converted from @in_info's colorimetry and chroma site to those of
 * @out_info, on YUV to YUV, too; what one of them leaves unknown is taken to be
 * as in the other. Chroma is resampled by position; alpha is kept, or made
 * opaque.
 *
 * All of one frame becomes all of the other, or the source rectangle becomes the
 * destination rectangle. Pixels are squares: the rectangles' edges lie on each
 * other, and beyond its edge the source goes on with its last sample. Where
 * nothing becomes larger or smaller, no method does anything. What is
 * outside of the destination rectangle becomes the border's colour, black of the
 * format by default, or is not touched; a chroma sample belongs to the pixel in
 * which it stands. Fields of interlaced frames are scaled by themselves, each
 * row where it is in the frame.
 *
 * Returns: (transfer full): a new converter, or %NULL with
 *     %GST_HIP_ERROR_UNSUPPORTED if there is no such conversion,
 *     %GST_HIP_ERROR_INVALID if sizes are none or a rectangle is not inside of
 *     its frame, or an error of the compiler
 *
 * Blocking: until the kernels are compiled or loaded.
 * Threads: any.
 * Since: 1.30
 */
GstHipConverter *
gst_hip_converter_new (GstHipDevice * device, const GstVideoInfo * in_info,
    const GstVideoInfo * out_info, const GstStructure * config, GError ** error)
{
  g_autoptr (GstHipConverter) self = NULL;
  HipConvertConfig parsed;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (in_info != NULL && out_info != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = hip_converter_new (device, HIP_CONVERTER_FRAMES);
  self->in_info = *in_info;
  self->out_info = *out_info;
  hip_convert_config_parse (config, &parsed);
  if (!hip_convert_plan (in_info, out_info, &parsed, &self->plan, error)
      || !hip_converter_make_kernels (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* --- frames --- */

gboolean
hip_converter_check_kind (GstHipConverter * self, HipConverterKind kind,
    GError ** error)
{
  static const gchar *const what[] = { "frames to frames", "frames to tensors",
    "tensors to frames"
  };

  if (self->kind == kind)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID, "This converter is "
      "for %s, not for %s", what[self->kind], what[kind]);
  return FALSE;
}

static gboolean
check_frame (const HipConverterEnd * frame, const GstVideoInfo * info,
    const gchar * what, GError ** error)
{
  gint height = GST_VIDEO_INFO_HEIGHT (&frame->layout);

  /* Where a frame is one field, a meta has the field's height */
  if (GST_VIDEO_INFO_FORMAT (&frame->layout) == GST_VIDEO_INFO_FORMAT (info)
      && GST_VIDEO_INFO_WIDTH (&frame->layout) == GST_VIDEO_INFO_WIDTH (info)
      && (height == GST_VIDEO_INFO_HEIGHT (info)
          || height == GST_VIDEO_INFO_FIELD_HEIGHT (info)))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "The %s frame is %s of %dx%d, the converter is for %s of %dx%d", what,
      frame->layout.finfo->name, GST_VIDEO_INFO_WIDTH (&frame->layout),
      GST_VIDEO_INFO_HEIGHT (&frame->layout), info->finfo->name,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  return FALSE;
}

/* The layout by the buffer's meta, else by its memory, else by the description */
gboolean
hip_converter_get_frame (GstBuffer * buffer, const GstVideoInfo * info,
    const gchar * what, HipConverterEnd * frame, GError ** error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory;

  frame->buffer = buffer;
  frame->memory = NULL;
  frame->layout = *info;
  if (meta) {
    frame->layout.finfo = gst_video_format_get_info (meta->format);
    frame->layout.width = meta->width;
    frame->layout.height = meta->height;
    for (guint i = 0; i < meta->n_planes; i++) {
      frame->layout.offset[i] = meta->offset[i];
      frame->layout.stride[i] = meta->stride[i];
    }
  } else if (gst_buffer_n_memory (buffer) == 1) {
    memory = gst_buffer_peek_memory (buffer, 0);
    if (gst_is_hip_memory (memory))
      gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory),
          &frame->layout);
  }
  return check_frame (frame, info, what, error);
}

/* Adds the address of the plane of one component and gives its stride */
static gboolean
add_plane (GstHipKernelArgs * args, const HipConverterEnd * frame,
    const GstVideoInfo * info, guint plane, GstMapFlags flags, int *stride,
    GError ** error)
{
  gsize offset, size, row_bytes, end;
  guint index, length, rows;
  GstMemory *memory;

  if (!gst_buffer_find_memory (frame->buffer, frame->layout.offset[plane], 1,
          &index, &length, &offset)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Plane %u of a %s frame starts at %" G_GSIZE_FORMAT
        ", outside its buffer", plane, info->finfo->name,
        frame->layout.offset[plane]);
    return FALSE;
  }
  memory = gst_buffer_peek_memory (frame->buffer, index);
  size = gst_memory_get_sizes (memory, NULL, NULL);
  gst_hip_video_info_get_plane_size (info, plane, &row_bytes, &rows);
  *stride = frame->layout.stride[plane];
  if (*stride < 0 || (rows > 1 && (gsize) * stride < row_bytes)
      || !g_size_checked_mul (&end, *stride, rows - 1)
      || !g_size_checked_add (&end, end, row_bytes)
      || !g_size_checked_add (&end, end, offset) || end > size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Plane %u of a %s frame (%u rows of %" G_GSIZE_FORMAT " bytes, stride "
        "%d) does not lie in its memory of %" G_GSIZE_FORMAT " bytes at %"
        G_GSIZE_FORMAT, plane, info->finfo->name, rows, row_bytes, *stride,
        size, offset);
    return FALSE;
  }
  return gst_hip_kernel_args_add_memory_full (args, memory, offset, flags,
      error);
}

/* Planes by component */
static gboolean
add_end (GstHipConverter * self, const HipConverterEnd * end,
    const GstVideoInfo * info, const guint8 planes[4], GstMapFlags flags,
    int strides[4], GError ** error)
{
  for (guint i = 0; i < 4; i++) {
    if (end->memory) {
      strides[i] = self->tensor.row_stride;
      if (!gst_hip_kernel_args_add_memory_full (self->args, end->memory,
              end->offset + planes[i] * self->tensor.channel_stride, flags,
              error))
        return FALSE;
    } else if (!add_plane (self->args, end, info, planes[i], flags,
            &strides[i], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* In the order of the kernel's parameters */
static gboolean
add_arguments (GstHipConverter * self, HipConvertPass * pass,
    const HipConverterEnd * in, const HipConverterEnd * out, GError ** error)
{
  HipConvertParams *p = &pass->params;
  GstHipKernelArgs *args = self->args;
  gboolean rows = pass->kernel == HIP_CONVERT_KERNEL_SCALE_ROWS;
  gboolean columns = pass->kernel == HIP_CONVERT_KERNEL_SCALE_COLUMNS;

  if (columns ? !gst_hip_kernel_args_add_memory_full (args, self->between, 0,
          GST_MAP_READ, error) : !add_end (self, in, &self->in_info,
          pass->in_planes, GST_MAP_READ, p->in_stride, error))
    return FALSE;
  if (rows ? !gst_hip_kernel_args_add_memory_full (args, self->between, 0,
          GST_MAP_WRITE, error) : !add_end (self, out, &self->out_info,
          pass->out_planes, GST_MAP_WRITE, p->out_stride, error))
    return FALSE;
  if (self->table && !gst_hip_kernel_args_add_memory_full (args, self->table, 0,
          GST_MAP_READ, error))
    return FALSE;
  return gst_hip_kernel_args_add_bytes (args, p, sizeof (*p), sizeof (gint),
      error) && (!self->plan.scale || gst_hip_kernel_args_add_bytes (args,
          &self->plan.scale->params, sizeof (HipScaleParams), sizeof (gint),
          error));
}

static gboolean
run_pass (GstHipConverter * self, guint index, GstHipStream * stream,
    const HipConverterEnd * in, const HipConverterEnd * out,
    GstHipEvent ** event, GError ** error)
{
  HipConvertPass *pass = &self->plan.passes[index];
  const HipConvertBinary *binary = &self->binaries[index];
  guint grid[3];

  gst_hip_kernel_args_clear (self->args);
  if (!add_arguments (self, pass, in, out, error))
    return FALSE;
  hip_convert_binary_get_grid (binary, pass, self->plan.scale, grid);
  return gst_hip_kernel_module_launch_full (binary->module, binary->entry,
      stream, grid, binary->block, 0, self->args, event, error);
}

gboolean
hip_converter_run (GstHipConverter * self, GstHipStream * stream,
    const HipConverterEnd * in, const HipConverterEnd * out,
    GstHipEvent ** event, GError ** error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < self->plan.n_passes; i++)
    ok = run_pass (self, i, stream, in, out,
        i + 1 == self->plan.n_passes ? event : NULL, error);
  /* References on frames go now, not with the next one */
  gst_hip_kernel_args_clear (self->args);
  return ok;
}

/**
 * gst_hip_converter_convert_buffer:
 * @converter: a #GstHipConverter
 * @stream: (nullable): stream to queue the work on, %NULL: the device's default
 * @src: the frame to convert, in HIP memory of the converter's device
 * @dst: (transfer none): the frame to write, likewise; not @src
 * @event: (out) (optional) (transfer full): recorded behind the work
 * @error: return location for an error
 *
 * Queues the conversion of a frame. Its layout is that of its #GstVideoMeta, or
 * without one that which its memory was allocated with, else the default one.
 * Any stride and offset will do. Bytes of @dst outside of the picture are not
 * touched. Metas are not copied.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if a frame is not what the
 *     converter was made for or does not lie in its memory, or as
 *     gst_hip_kernel_module_launch() does
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 * Threads: one at a time; order on @stream is the caller's business.
 * Since: 1.30
 */
gboolean
gst_hip_converter_convert_buffer (GstHipConverter * converter,
    GstHipStream * stream, GstBuffer * src, GstBuffer * dst,
    GstHipEvent ** event, GError ** error)
{
  HipConverterEnd in, out;

  g_return_val_if_fail (GST_IS_HIP_CONVERTER (converter), FALSE);
  g_return_val_if_fail (GST_IS_BUFFER (src) && GST_IS_BUFFER (dst), FALSE);
  g_return_val_if_fail (src != dst, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (event)
    *event = NULL;
  return hip_converter_check_kind (converter, HIP_CONVERTER_FRAMES, error)
      && hip_converter_get_frame (src, &converter->in_info, "source", &in,
      error)
      && hip_converter_get_frame (dst, &converter->out_info, "destination",
      &out, error)
      && hip_converter_run (converter, stream, &in, &out, event, error);
}

/**
 * gst_hip_converter_convert_frame:
 * @converter: a #GstHipConverter
 * @stream: (nullable): stream to queue the work on, %NULL: the device's default
 * @src_frame: the frame to convert, mapped from a buffer in HIP memory
 * @dst_frame: the frame to write, likewise
 * @error: return location for an error
 *
 * gst_hip_converter_convert_buffer() for frames that are mapped with
 * %GST_MAP_HIP: their buffers and layouts are used, not their addresses.
 *
 * Returns: %FALSE with @error set, nothing being queued
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 * Threads: one at a time; order on @stream is the caller's business.
 * Since: 1.30
 */
gboolean
gst_hip_converter_convert_frame (GstHipConverter * converter,
    GstHipStream * stream, const GstVideoFrame * src_frame,
    const GstVideoFrame * dst_frame, GError ** error)
{
  HipConverterEnd in, out;

  g_return_val_if_fail (GST_IS_HIP_CONVERTER (converter), FALSE);
  g_return_val_if_fail (src_frame != NULL && dst_frame != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  in.memory = out.memory = NULL;
  in.buffer = src_frame->buffer;
  in.layout = src_frame->info;
  out.buffer = dst_frame->buffer;
  out.layout = dst_frame->info;
  return hip_converter_check_kind (converter, HIP_CONVERTER_FRAMES, error)
      && check_frame (&in, &converter->in_info, "source", error)
      && check_frame (&out, &converter->out_info, "destination", error)
      && hip_converter_run (converter, stream, &in, &out, NULL, error);
}

/* source = scale * output + offset in one direction */
static void
get_line (const HipScaleMap * map, gdouble * scale, gdouble * offset)
{
  gdouble size = (gdouble) map->src_size / HIP_SCALE_UNIT;
  gdouble begin = (gdouble) map->src_begin / HIP_SCALE_UNIT;

  *scale = size / map->dst_size;
  *offset = begin - *scale * map->dst_begin;
  if (map->mirrored) {
    *scale = -*scale;
    *offset = begin + size - *scale * map->dst_begin;
  }
}

/**
 * gst_hip_converter_get_frame_map:
 * @converter: a #GstHipConverter that makes something of frames
 * @map: (out caller-allocates): where pixels of what it makes come from
 *
 * Also outside of what a letterbox or a rectangle leaves of the picture, where
 * points lie outside of the frame.
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
void
gst_hip_converter_get_frame_map (GstHipConverter * converter,
    GstHipFrameMap * map)
{
  const HipConvertScale *scale;

  g_return_if_fail (GST_IS_HIP_CONVERTER (converter));
  g_return_if_fail (map != NULL);

  memset (map, 0, sizeof (*map));
  map->xx = map->yy = 1;
  map->width = GST_VIDEO_INFO_WIDTH (&converter->in_info);
  map->height = GST_VIDEO_INFO_FIELD_HEIGHT (&converter->in_info);
  if (converter->kind == HIP_CONVERTER_FROM_TENSOR) {
    map->width = converter->tensor.width;
    map->height = converter->tensor.height;
  }
  scale = converter->plan.scale;
  if (scale && scale->params.transpose) {
    map->xx = map->yy = 0;
    get_line (&scale->map[0], &map->xy, &map->x0);
    get_line (&scale->map[1], &map->yx, &map->y0);
  } else if (scale) {
    get_line (&scale->map[0], &map->xx, &map->x0);
    get_line (&scale->map[1], &map->yy, &map->y0);
  }
}
