/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How many bytes and rows does a plane of a frame have, and where do planes lie
 * in one allocation? Pure arithmetic: must not know devices or memory.
 *
 * Invariants: subsampled sizes round up; planes never overlap; each plane has
 * a stride of its own; nothing overflows, whatever caps say. Formats that the
 * GStreamer at build time may not know are looked up by name.
 */
#include "gsthiperror.h"
#include "hip-layout.h"

/* Formats whose pixels are no whole number of bytes: "pixels" of a row share
 * "bytes". tail_bytes: what one lone pixel at the end needs, if less. */
typedef struct
{
  const gchar *name;
  guint pixels, bytes, tail_bytes;
} HipPacking;

static const HipPacking packings[] = {
  {"v210", 6, 16, 0},
  {"UYVP", 2, 5, 4},
  {"IYU1", 4, 6, 0},
  {"GRAY10_LE32", 3, 4, 0},
  {"NV12_10LE32", 3, 4, 0},
  {"NV16_10LE32", 3, 4, 0},
  {"NV12_10LE40", 4, 5, 0},
  {"NV16_10LE40", 4, 5, 0},
};

#define PALETTE_BYTES (256 * 4)

/* GST_VIDEO_INFO_FIELD_HEIGHT () overflows for the largest heights. */
static guint
get_field_height (const GstVideoInfo * info)
{
  guint height = GST_VIDEO_INFO_HEIGHT (info);

  return GST_VIDEO_INFO_INTERLACE_MODE (info) ==
      GST_VIDEO_INTERLACE_MODE_ALTERNATE ? height / 2 + height % 2 : height;
}

static const HipPacking *
find_packing (const GstVideoFormatInfo * finfo)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packings); i++) {
    if (g_str_equal (finfo->name, packings[i].name))
      return &packings[i];
  }
  return NULL;
}

static gboolean
is_palette (const GstVideoFormatInfo * finfo, guint plane)
{
  return GST_VIDEO_FORMAT_INFO_HAS_PALETTE (finfo)
      && plane == GST_VIDEO_COMP_PALETTE;
}

gboolean
hip_layout_is_supported (const GstVideoFormatInfo * finfo)
{
  guint i;

  if (GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo) == 0
      || GST_VIDEO_FORMAT_INFO_IS_TILED (finfo))
    return FALSE;
  for (i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo); i++) {
    if (GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, i) <= 0)
      return find_packing (finfo) != NULL;
  }
  return TRUE;
}

/* GStreamer's own rows may be too short for their last group of pixels (UYVP of
 * 3 pixels: 8 bytes, where 9 are needed); what is not there is not copied. */
static guint64
get_tail_bytes (const GstVideoFormatInfo * finfo, const HipPacking * packing,
    guint64 bytes, guint64 pixels)
{
  GstVideoInfo info;

  bytes += packing->tail_bytes;
  if (pixels <= G_MAXINT
      && gst_video_info_set_format (&info, finfo->format, pixels, 1))
    bytes = MIN (bytes, (guint64) info.stride[0]);
  return bytes;
}

/* Bytes that pixels of a row take in plane. whole: all of the last group of
 * pixels, not only those of it that are in the picture. */
static guint64
get_row_bytes (const GstVideoFormatInfo * finfo, guint plane, guint64 pixels,
    gboolean whole)
{
  const HipPacking *packing;
  guint64 bytes = 0;
  guint i;

  if (pixels == 0)
    return 0;
  if (is_palette (finfo, plane))
    return PALETTE_BYTES;

  packing = find_packing (finfo);
  if (packing) {
    /* A pair of chroma samples for each two pixels, begun ones too. The last
     * may have no place in GStreamer's own layout, so is not in the picture. */
    if (whole && plane > 0)
      pixels += pixels % 2;
    bytes = pixels / packing->pixels * packing->bytes;
    if (pixels % packing->pixels == 1 && packing->tail_bytes && !whole)
      bytes = get_tail_bytes (finfo, packing, bytes, pixels);
    else if (pixels % packing->pixels)
      bytes += packing->bytes;
    return bytes;
  }

  for (i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo); i++) {
    guint shift = GST_VIDEO_FORMAT_INFO_W_SUB (finfo, i);
    guint64 samples = (pixels + (1u << shift) - 1) >> shift;

    if (GST_VIDEO_FORMAT_INFO_PLANE (finfo, i) == plane)
      bytes = MAX (bytes, samples * GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, i));
  }
  return bytes;
}

static guint64
get_rows (const GstVideoFormatInfo * finfo, guint plane, guint64 lines)
{
  guint64 rows = 0;
  guint i;

  if (is_palette (finfo, plane))
    return 1;
  for (i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo); i++) {
    guint shift = GST_VIDEO_FORMAT_INFO_H_SUB (finfo, i);

    if (GST_VIDEO_FORMAT_INFO_PLANE (finfo, i) == plane)
      rows = MAX (rows, (lines + (1u << shift) - 1) >> shift);
  }
  return rows;
}

/* Rows to allocate: in interlaced frames both fields have rows of their own. */
static guint64
get_allocated_rows (const GstVideoInfo * info, guint plane, guint64 lines)
{
  guint64 rows = get_rows (info->finfo, plane, lines);

  if (GST_VIDEO_INFO_IS_INTERLACED (info)
      && GST_VIDEO_INFO_INTERLACE_MODE (info)
      != GST_VIDEO_INTERLACE_MODE_ALTERNATE
      && rows < lines && !is_palette (info->finfo, plane))
    rows += rows % 2;
  return rows;
}

static gboolean
check_format (const GstVideoInfo * info, GError ** error)
{
  if (!info->finfo || !hip_layout_is_supported (info->finfo)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "frames of format %s do not lie in rows: convert them first",
        info->finfo ? info->finfo->name : "unknown");
    return FALSE;
  }
  if (GST_VIDEO_INFO_WIDTH (info) <= 0 || GST_VIDEO_INFO_HEIGHT (info) <= 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a frame of %dx%d has no bytes", GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
    return FALSE;
  }
  return TRUE;
}

static gboolean
fail_too_large (const GstVideoInfo * info, GError ** error)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "a %s frame of %dx%d with this padding is too large for any memory",
      info->finfo->name, GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info));
  return FALSE;
}

gboolean
hip_layout_set (GstVideoInfo * info, const GstVideoAlignment * padding,
    guint stride_align, GError ** error)
{
  static const GstVideoAlignment none = { 0, };
  const GstVideoFormatInfo *finfo = info->finfo;
  GstVideoInfo out = *info;
  gsize size = 0;
  guint plane;

  if (!check_format (info, error))
    return FALSE;
  if (!padding)
    padding = &none;
  stride_align = MAX (stride_align, 1);

  for (plane = 0; plane < GST_VIDEO_FORMAT_INFO_N_PLANES (finfo); plane++) {
    guint64 left, row, right, top, rows, bottom, stride, align, skip;
    gsize plane_size;

    left = get_row_bytes (finfo, plane, padding->padding_left, TRUE);
    row = get_row_bytes (finfo, plane, GST_VIDEO_INFO_WIDTH (info), TRUE);
    right = get_row_bytes (finfo, plane, padding->padding_right, TRUE);
    top = get_rows (finfo, plane, padding->padding_top);
    rows = get_allocated_rows (info, plane, get_field_height (info));
    bottom = get_rows (finfo, plane, padding->padding_bottom);
    /* a palette has no edges, and its stride is the size of an entry */
    if (is_palette (finfo, plane)) {
      left = right = top = bottom = 0;
      stride = row;
    } else {
      align = MAX (stride_align, (guint64) padding->stride_align[plane] + 1);
      stride = (left + row + right + align - 1) / align * align;
    }

    if (stride > G_MAXINT || top + rows + bottom > G_MAXUINT
        || !g_size_checked_mul (&plane_size, stride, top + rows + bottom))
      return fail_too_large (info, error);
    skip = top * stride + left;
    out.offset[plane] = size + skip;
    out.stride[plane] = is_palette (finfo, plane) ? 4 : stride;
    if (!g_size_checked_add (&size, size, plane_size) || size > G_MAXSSIZE)
      return fail_too_large (info, error);
  }
  out.size = size;
  *info = out;
  return TRUE;
}

gboolean
hip_layout_check (const GstVideoInfo * info, GError ** error)
{
  guint plane;

  if (!check_format (info, error))
    return FALSE;
  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gsize row_bytes, end;
    guint rows;

    gst_hip_video_info_get_plane_size (info, plane, &row_bytes, &rows);
    if (info->stride[plane] <= 0
        || (rows > 1 && (gsize) info->stride[plane] < row_bytes)
        || !g_size_checked_mul (&end, info->stride[plane], rows - 1)
        || !g_size_checked_add (&end, end, row_bytes)
        || !g_size_checked_add (&end, end, info->offset[plane])
        || end > info->size || info->size > G_MAXSSIZE) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "plane %u of a %s frame of %dx%d (%u rows of %" G_GSIZE_FORMAT
          " bytes) does not lie in %" G_GSIZE_FORMAT " bytes at offset %"
          G_GSIZE_FORMAT " with stride %d", plane, info->finfo->name,
          GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), rows,
          row_bytes, info->size, info->offset[plane], info->stride[plane]);
      return FALSE;
    }
  }
  return TRUE;
}

/**
 * gst_hip_video_info_get_plane_size:
 * @info: format, size and interlace mode of a frame
 * @plane: index of a plane
 * @row_bytes: (out) (optional): bytes of a row that belong to the picture
 * @rows: (out) (optional): rows that belong to the picture
 *
 * Tells how much of a plane has to be copied to copy the picture. Subsampled
 * sizes are rounded up; bytes between rows are not counted. Pixels that share
 * bytes (v210, UYVP and the like) count with all bytes that they need. A
 * palette is one row.
 *
 * Returns: %FALSE if the frame has no such plane, no size, or a format that
 *     does not lie in rows (tiled and encoded ones)
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_video_info_get_plane_size (const GstVideoInfo * info, guint plane,
    gsize * row_bytes, guint * rows)
{
  g_return_val_if_fail (info != NULL, FALSE);

  if (!check_format (info, NULL) || plane >= GST_VIDEO_INFO_N_PLANES (info))
    return FALSE;
  if (row_bytes)
    *row_bytes = get_row_bytes (info->finfo, plane,
        GST_VIDEO_INFO_WIDTH (info), FALSE);
  if (rows)
    *rows = get_rows (info->finfo, plane, get_field_height (info));
  return TRUE;
}

/**
 * gst_hip_video_info_align:
 * @info: (inout): format, size and interlace mode of a frame; its strides,
 *     offsets and size are set
 * @stride_align: rows start at multiples of this many bytes, as
 *     #GstHipDeviceInfo.stride_align; 0 is taken as 1
 * @error: (out) (optional): return location for an error
 *
 * Lays out a frame in one allocation: each plane has the smallest stride that
 * fits, planes follow each other without a gap.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if the frame has no size or one
 *     too large for any memory, %GST_HIP_ERROR_UNSUPPORTED if its format does
 *     not lie in rows; @info is unchanged then
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_video_info_align (GstVideoInfo * info, guint stride_align,
    GError ** error)
{
  g_return_val_if_fail (info != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return hip_layout_set (info, NULL, stride_align, error);
}

/**
 * gst_hip_get_supported_formats_caps:
 * @feature: (nullable): a caps feature, as %GST_CAPS_FEATURE_MEMORY_HIP_MEMORY,
 *     or %NULL for system memory
 *
 * Makes caps with all formats of the running GStreamer that HIP memory can
 * hold, of any size and frame rate.
 *
 * Returns: (transfer full): the caps
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstCaps *
gst_hip_get_supported_formats_caps (const gchar * feature)
{
  const GstVideoFormat *formats;
  GstStructure *structure;
  GstCaps *caps;
  GValue list = G_VALUE_INIT;
  guint i, n_formats;

  g_value_init (&list, GST_TYPE_LIST);
  formats = gst_video_formats_raw (&n_formats);
  for (i = 0; i < n_formats; i++) {
    const GstVideoFormatInfo *finfo = gst_video_format_get_info (formats[i]);
    GValue value = G_VALUE_INIT;

    if (!hip_layout_is_supported (finfo))
      continue;
    g_value_init (&value, G_TYPE_STRING);
    g_value_set_string (&value, finfo->name);
    gst_value_list_append_and_take_value (&list, &value);
  }

  structure = gst_structure_new ("video/x-raw",
      "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "framerate", GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, NULL);
  gst_structure_take_value (structure, "format", &list);
  caps = gst_caps_new_full (structure, NULL);
  if (feature)
    gst_caps_set_features_simple (caps, gst_caps_features_new (feature, NULL));
  return caps;
}
