/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device's memory, which is the machine's, and how bytes move in it.
 *
 * Must not know about streams. Keeps: a copy reads and writes the row_bytes of
 * each row and nothing between rows; no size aborts the process.
 */
#include <stdlib.h>
#include <string.h>

#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

/* A cache line, and the widest vector load there is */
#define ALIGNMENT 64
/* A copy smaller than this ends before another CPU has woken up for it. */
#define SPREAD_BYTES (2 * 1024 * 1024)
/* What one CPU takes at a time: fits its second-level cache */
#define GRAIN_BYTES (256 * 1024)

gboolean
host_memory_alloc (HipNativeContext context, HipSpace space, gsize size,
    guintptr * address, GError ** error)
{
  gpointer data = NULL;

  if (!host_context_check (context, HOST_FAULT_MEMORY, error))
    return FALSE;

  if (size > G_MAXSSIZE - ALIGNMENT || posix_memalign (&data, ALIGNMENT, size)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "Host device: no %" G_GSIZE_FORMAT " bytes of %s memory left; use "
        "fewer or smaller buffers", size,
        space == HIP_SPACE_PINNED ? "pinned" : "device");
    return FALSE;
  }

  *address = (guintptr) data;
  return TRUE;
}

void
host_memory_free (HipNativeContext context, HipSpace space, guintptr address)
{
  free ((gpointer) address);
}

gboolean
host_memory_register (HipNativeContext context, gpointer data, gsize size,
    guintptr * device_address, GError ** error)
{
  if (host_context_is_lost (context))
    return host_context_lost_error (error);

  *device_address = (guintptr) data;
  return TRUE;
}

void
host_memory_unregister (HipNativeContext context, gpointer data)
{
}

gboolean
host_memory_device_address (HipNativeContext context, gpointer data,
    guintptr * device_address, GError ** error)
{
  return host_memory_register (context, data, 1, device_address, error);
}

static void
copy_rows (guint64 begin, guint64 end, gpointer data)
{
  const HipCopy2D *copy = data;
  guint8 *dst = (guint8 *) copy->dst + begin * copy->dst_stride;
  const guint8 *src = (const guint8 *) copy->src + begin * copy->src_stride;
  guint64 row;

  for (row = begin; row < end; row++) {
    memcpy (dst, src, copy->row_bytes);
    dst += copy->dst_stride;
    src += copy->src_stride;
  }
}

static void
copy_bytes (guint64 begin, guint64 end, gpointer data)
{
  const HipCopy2D *copy = data;

  memcpy ((guint8 *) copy->dst + begin, (const guint8 *) copy->src + begin,
      end - begin);
}

void
host_memory_copy_2d (const HipCopy2D * copy)
{
  gboolean plain = copy->rows == 1 || (copy->dst_stride == copy->row_bytes
      && copy->src_stride == copy->row_bytes);
  guint64 n = plain ? copy->row_bytes * copy->rows : copy->rows;
  guint64 grain = plain ? GRAIN_BYTES : GRAIN_BYTES / copy->row_bytes + 1;
  HostRangeFunc func = plain ? copy_bytes : copy_rows;

  if (copy->row_bytes * copy->rows < SPREAD_BYTES)
    func (0, n, (gpointer) copy);
  else
    host_workers_run (n, grain, func, (gpointer) copy);
}

typedef struct
{
  gpointer dst;
  guint unit_bytes;
  guint32 value;
} Fill;

static void
fill_units (guint64 begin, guint64 end, gpointer data)
{
  const Fill *fill = data;
  guint16 *dst_16 = fill->dst;
  guint32 *dst_32 = fill->dst;

  switch (fill->unit_bytes) {
    case 1:
      memset ((guint8 *) fill->dst + begin, fill->value, end - begin);
      break;
    case 2:
      for (; begin < end; begin++)
        dst_16[begin] = fill->value;
      break;
    default:
      for (; begin < end; begin++)
        dst_32[begin] = fill->value;
  }
}

void
host_memory_fill (gpointer dst, gsize count, guint unit_bytes, guint32 value)
{
  Fill fill = { dst, unit_bytes, value };

  if (count * unit_bytes < SPREAD_BYTES)
    fill_units (0, count, &fill);
  else
    host_workers_run (count, GRAIN_BYTES / unit_bytes, fill_units, &fill);
}
