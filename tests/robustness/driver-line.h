/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One pipeline: what fills its frames, what looks at them, what it says. */
#pragma once

#include "driver-run.h"

typedef struct
{
  Target *target;
  GstElement *pipeline;
  gboolean inverted, tensors;
  gboolean source_ended, failed_to_start;
  gboolean sought;
  GMutex lock;
  GCond cond;
  guint seen;                   /* since the last flush */
} Line;

/* The place of a frame, by its time stamp */
guint driver_line_frame_of (GstBuffer * buffer);

/* Makes the pipeline; what is named "source" fills frames, what is named "kernel" inverts them. */
void driver_line_init (Line * line, Target * target, const DriverRunTarget * what);
/* At a pad of the element so named, if there is one */
void driver_line_probe (Line * line, const gchar * element, const gchar * pad, GstPadProbeType type,
    GstPadProbeCallback callback, gpointer data);
void driver_line_start (Line * line);
/* Until so many have come since the last flush, or no more will. Only a hang waits longer, and that ends the process. */
void driver_line_wait (Line * line, guint frames);
/* FALSE where an element of ours has failed before */
gboolean driver_line_may_seek (Line * line);
/* Waits for the end, then goes to NULL */
void driver_line_finish (Line * line);
void driver_line_clear (Line * line);
