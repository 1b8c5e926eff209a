/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Fuzz target: from what caps and users say to the layout of a frame, any
 * format, size, padding and alignment. Laws, with 128-bit numbers that cannot
 * overflow: a layout that is made holds every plane, apart from each other; a
 * layout that is accepted lies inside its size; what is refused has an error
 * and changes nothing. */
#include <string.h>

#include "fuzz.h"
#include "gsthiperror.h"
#include "hip-layout.h"

__extension__ typedef unsigned __int128 Wide;

static const GstVideoFormat *formats;
static guint n_formats;

static GstVideoInfo
take_info (FuzzInput * input)
{
  GstVideoInfo info;

  gst_video_info_init (&info);
  info.finfo =
      gst_video_format_get_info (formats[fuzz_take (input, 1) % n_formats]);
  /* not through gst_video_info_set_format (), which refuses what is wanted here */
  info.width = (gint) fuzz_take (input, 4);
  info.height = (gint) fuzz_take (input, 4);
  info.interlace_mode = fuzz_take (input, 1) % 5;
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++) {
    info.stride[i] = (gint) fuzz_take (input, 4);
    info.offset[i] = fuzz_take (input, 8);
  }
  info.size = fuzz_take (input, 8);
  return info;
}

static void
check_error (gboolean ok, const GError * error)
{
  FUZZ_LAW (ok == (error == NULL));
  if (!ok) {
    FUZZ_LAW (error->domain == GST_HIP_ERROR);
    FUZZ_LAW (error->code == GST_HIP_ERROR_INVALID
        || error->code == GST_HIP_ERROR_UNSUPPORTED);
    FUZZ_LAW (g_utf8_validate (error->message, -1, NULL));
  }
}

/* One after the last byte of the picture in plane */
static Wide
plane_end (const GstVideoInfo * info, guint plane)
{
  gsize row_bytes;
  guint rows;

  FUZZ_LAW (gst_hip_video_info_get_plane_size (info, plane, &row_bytes, &rows));
  FUZZ_LAW (row_bytes > 0 && rows > 0);
  return (Wide) info->offset[plane] +
      (Wide) info->stride[plane] * (rows - 1) + row_bytes;
}

static void
check_accepted (const GstVideoInfo * info)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    FUZZ_LAW (info->stride[i] > 0);
    FUZZ_LAW (plane_end (info, i) <= info->size);
  }
}

static void
check_made (const GstVideoInfo * info, guint align)
{
  FUZZ_LAW (hip_layout_check (info, NULL));
  check_accepted (info);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gboolean palette = GST_VIDEO_FORMAT_INFO_HAS_PALETTE (info->finfo)
        && i == 1;

    if (!palette)
      FUZZ_LAW (info->stride[i] % MAX (align, 1) == 0);
    if (i > 0)
      FUZZ_LAW (plane_end (info, i - 1) <= info->offset[i]);
  }
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  FuzzInput input = { data, size };
  g_autoptr (GError) check_failure = NULL;
  g_autoptr (GError) set_failure = NULL;
  GstVideoAlignment padding = { 0, };
  GstVideoInfo info, before;
  guint align, shrink;
  gboolean ok;

  if (formats == NULL) {
    g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
    gst_init (NULL, NULL);
    formats = gst_video_formats_raw (&n_formats);
  }

  info = take_info (&input);
  ok = hip_layout_check (&info, &check_failure);
  check_error (ok, check_failure);
  if (ok)
    check_accepted (&info);

  /* small numbers too: most large ones end at the first test */
  shrink = fuzz_take (&input, 1) & 31;
  align = (guint) fuzz_take (&input, 4) >> shrink;
  padding.padding_left = (guint) fuzz_take (&input, 4) >> shrink;
  padding.padding_right = (guint) fuzz_take (&input, 4) >> shrink;
  padding.padding_top = (guint) fuzz_take (&input, 4) >> shrink;
  padding.padding_bottom = (guint) fuzz_take (&input, 4) >> shrink;
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    padding.stride_align[i] = (guint) fuzz_take (&input, 4) >> shrink;
  before = info;
  ok = hip_layout_set (&info, &padding, align, &set_failure);
  check_error (ok, set_failure);
  if (!ok) {
    FUZZ_LAW (memcmp (&info, &before, sizeof (info)) == 0);
    return 0;
  }
  /* with the larger of both a stride need only be a multiple of that */
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    align = padding.stride_align[i] >= align ? 1 : align;
  check_made (&info, align);
  return 0;
}
