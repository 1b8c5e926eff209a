/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which text, compiled with which options, is the kernel of a planned pass, and
 * how many threads does it take? Knows layouts' numbers, not what they mean.
 *
 * Invariant: passes of one kernel and one pair of layouts have one binary; what
 * is planned converts where the archive is, with a compiler or without.
 */
#include <stdio.h>
#include <string.h>

#include "gsthipdevice.h"
#include "gsthiperror.h"
#include "hip-convert-kernels.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_converter_debug, "hipconverter", "HIP converters")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_converter_debug ()

/* kernels/convert-*.hip, embedded by the build */
extern const gchar hip_convert_any_text[];
extern const gchar hip_convert_tile_text[];
extern const gchar hip_convert_scale_text[];
extern const gchar hip_convert_scale_tile_text[];

const gchar *
hip_convert_get_source (const HipConvertPass * pass)
{
  switch (pass->kernel) {
    case HIP_CONVERT_KERNEL_ANY:
      return hip_convert_any_text;
    case HIP_CONVERT_KERNEL_TILE:
      return hip_convert_tile_text;
    case HIP_CONVERT_KERNEL_SCALE_TILE:
      return hip_convert_scale_tile_text;
    default:
      return hip_convert_scale_text;
  }
}

/* Made for a pair of layouts */
static gboolean
is_tile (const HipConvertPass * pass)
{
  return pass->kernel == HIP_CONVERT_KERNEL_TILE
      || pass->kernel == HIP_CONVERT_KERNEL_SCALE_TILE;
}

/* What a thread of such a kernel makes, and how many make a block */
typedef struct
{
  guint width, count;           /* of a tile, in pixels; tiles below each other */
  guint block[2];
} Shape;

/* For measurements and tests: GST_HIP_CONVERT_SHAPE=WIDTH,COUNT,BLOCK,BLOCK takes
 * the kernel as GPUs run it, in that shape, on every device */
static gboolean
get_shape (const HipConvertPass * pass, gboolean host, Shape * shape)
{
  static const Shape gpu = {
    HIP_CONVERT_GPU_TILE_WIDTH, HIP_CONVERT_GPU_TILE_COUNT, {32, 4}
  };
  static const Shape gpu_scale = { HIP_SCALE_GPU_TILE_WIDTH, 1, {32, 4} };
  static const Shape cpu = {
    HIP_CONVERT_HOST_TILE_WIDTH, HIP_CONVERT_HOST_TILE_COUNT, {4, 4}
  };
  const gchar *wanted = g_getenv ("GST_HIP_CONVERT_SHAPE");
  gboolean scale = pass->kernel == HIP_CONVERT_KERNEL_SCALE_TILE;

  if (wanted && sscanf (wanted, "%u,%u,%u,%u", &shape->width, &shape->count,
          &shape->block[0], &shape->block[1]) == 4
      && shape->width && shape->count && shape->block[0] && shape->block[1]
      && (!scale || shape->width <= HIP_SCALE_MOST_TILE_WIDTH)) {
    if (scale)
      shape->count = 1;
    return TRUE;
  }
  *shape = host ? cpu : scale ? gpu_scale : gpu;
  return FALSE;
}

gchar **
hip_convert_get_options (const HipConvertPass * pass)
{
  GPtrArray *options = g_ptr_array_new ();
  Shape shape;

  if (is_tile (pass)) {
    g_ptr_array_add (options, g_strdup_printf ("-DHIP_IN=%d", pass->in_layout));
    g_ptr_array_add (options, g_strdup_printf ("-DHIP_OUT=%d",
            pass->out_layout));
    if (get_shape (pass, FALSE, &shape)) {
      g_ptr_array_add (options, g_strdup ("-DHIP_CONVERT_AS_GPU"));
      g_ptr_array_add (options,
          g_strdup_printf ("-DHIP_CONVERT_GPU_TILE_WIDTH=%u", shape.width));
      g_ptr_array_add (options,
          g_strdup_printf ("-DHIP_CONVERT_GPU_TILE_COUNT=%u", shape.count));
    }
  }
  g_ptr_array_add (options, NULL);
  return (gchar **) g_ptr_array_free (options, FALSE);
}

static void
set_shape (const HipConvertPass * pass, gboolean host,
    HipConvertBinary * binary)
{
  static const guint cells[3] = { 16, 8, 1 };
  static const gchar *const entries[] = {
    [HIP_CONVERT_KERNEL_ANY] = "convert_any",
    [HIP_CONVERT_KERNEL_SCALE] = "convert_scale",
    [HIP_CONVERT_KERNEL_SCALE_ROWS] = "convert_scale_rows",
    [HIP_CONVERT_KERNEL_SCALE_COLUMNS] = "convert_scale_columns",
  };
  static const gchar *const tiles[2][2] = {
    {"convert_tile", "convert_tile_dither"},
    {"convert_scale_tile", "convert_scale_tile_dither"}
  };
  const HipConvertParams *p = &pass->params;
  gboolean scale = pass->kernel == HIP_CONVERT_KERNEL_SCALE_TILE;
  Shape shape;

  if (!is_tile (pass)) {
    binary->entry = entries[pass->kernel];
    memcpy (binary->block, cells, sizeof (cells));
    return;
  }
  get_shape (pass, host, &shape);
  /* What is compiled for the CPU asks when it runs */
  binary->entry = tiles[scale][p->flags & HIP_CONVERT_DITHER
      && gst_hip_kernel_module_has_entry (binary->module, tiles[scale][1])];
  binary->thread_width = shape.width;
  binary->thread_height = shape.count;
  if ((!scale && p->in[1].h_sub) || p->out[1].h_sub)
    binary->thread_height *= 2;
  /* Tiles that begin at row -1 */
  binary->rows_before = !scale && p->in[1].h_sub && !p->out[1].w_sub;
  binary->block[0] = shape.block[0];
  binary->block[1] = shape.block[1];
  binary->block[2] = 1;
}

static GstHipKernelModule *
get_module (GstHipDevice * device, const HipConvertPass * pass, GError ** error)
{
  g_auto (GStrv) options = hip_convert_get_options (pass);

  return gst_hip_kernel_module_new_from_source (device,
      hip_convert_get_source (pass), (const gchar * const *) options, error);
}

/* There is no compiler, or none for this device, and the archive lacks the pair:
 * it always has the kernel for any format, which does the same in more time */
static GstHipKernelModule *
get_slower_module (GstHipDevice * device, HipConvertPass * pass,
    const GError * cause)
{
  HipConvertPass other = *pass;
  GstHipKernelModule *module;

  if (!is_tile (pass)
      || (!g_error_matches (cause, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE)
          && !g_error_matches (cause, GST_HIP_ERROR,
              GST_HIP_ERROR_UNSUPPORTED)))
    return NULL;
  other.kernel = pass->kernel == HIP_CONVERT_KERNEL_TILE ?
      HIP_CONVERT_KERNEL_ANY : HIP_CONVERT_KERNEL_SCALE;
  module = get_module (device, &other, NULL);
  if (!module)
    return NULL;
  GST_WARNING_OBJECT (device, "no kernel was precompiled for layouts %d to %d, "
      "and none can be compiled (%s): the kernel for any format converts, some "
      "times slower", pass->in_layout, pass->out_layout, cause->message);
  pass->kernel = other.kernel;
  return module;
}

gboolean
hip_convert_binary_get (GstHipDevice * device, HipConvertPass * pass,
    HipConvertBinary * binary, GError ** error)
{
  gboolean host = gst_hip_device_get_vendor (device) == GST_HIP_VENDOR_HOST;
  GError *cause = NULL;

  memset (binary, 0, sizeof (*binary));
  binary->module = get_module (device, pass, &cause);
  if (!binary->module)
    binary->module = get_slower_module (device, pass, cause);
  if (!binary->module) {
    g_propagate_error (error, cause);
    return FALSE;
  }
  g_clear_error (&cause);
  set_shape (pass, host, binary);
  return TRUE;
}

static guint
divide_up (guint n, guint by)
{
  return n / by + (n % by != 0);
}

void
hip_convert_binary_get_grid (const HipConvertBinary * binary,
    const HipConvertPass * pass, const HipConvertScale * scale, guint grid[3])
{
  const HipConvertParams *p = &pass->params;
  guint width = p->cell_width, height = p->cell_height;

  if (pass->kernel == HIP_CONVERT_KERNEL_SCALE_ROWS) {  /* a thread makes a sample */
    grid[0] = divide_up (scale->params.between_stride[0], binary->block[0]);
    grid[1] = divide_up (p->in[0].rows, binary->block[1]);
    grid[2] = 1;
    return;
  }

  if (binary->thread_width) {
    width = binary->thread_width;
    height = binary->thread_height;
  }
  grid[0] = divide_up (divide_up (p->width, width), binary->block[0]);
  grid[1] = divide_up (divide_up (p->height + binary->rows_before, height),
      binary->block[1]);
  grid[2] = p->fields;
}
