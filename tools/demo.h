/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the parts of gst-hip-demo give each other. */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* Some frames of a stream, evenly spread over it, as small RGB pictures. The
 * choice depends only on the number of frames, so that two streams of the same
 * length give the same frames. */
typedef struct
{
  GPtrArray *pictures;          /* of DemoPicture */
  guint64 seen;
  guint64 step;                 /* every step-th frame is kept */
} DemoFrames;

typedef struct
{
  guint width, height;
  guint8 *rgb;                  /* rows without gaps */
} DemoPicture;

#define DEMO_PICTURE_WIDTH 320

DemoFrames *demo_frames_new (void);
void demo_frames_free (DemoFrames * frames);
/* For the signal "handoff" of a fakesink that gets RGB. */
void demo_frames_add (DemoFrames * frames, GstBuffer * buffer, GstPad * pad);

/* Writes a PNG with one row of pictures for each of the n_rows streams. */
gboolean demo_sheet_write (DemoFrames * const *rows, guint n_rows, const gchar * filename, GError ** error);

/* An encoder and a muxer that work here, as a piece of a pipeline. */
const gchar *demo_encoder_find (const gchar ** extension);

/* Writes a PNG of conversions beside exact ones, and says how far apart they are. */
gboolean demo_colours (const gchar * filename, GError ** error);

/* Writes a PNG of methods of scaling. */
gboolean demo_scales (const gchar * filename, GError ** error);

/* Has a model read a clock off the video, on n_frames (0: all), says how often it was right; FALSE: not always. */
gboolean demo_clock (const gchar * video, guint n_frames, GError ** error);

/* The same with PP-OCR, on some frames, where its models are; writes a PNG of frames with what was read drawn on them, where
 * GStreamer's overlay is. */
gboolean demo_ocr (const gchar * video, const gchar * filename, GError ** error);

/* What is burnt into a frame, and into which pixels of its luma: that the caller has mapped. */
void demo_clock_text (guint frame, gchar * text);
void demo_clock_write (guint8 * luma, guint stride, const gchar * text);

/* Runs a pipeline to its end. */
gboolean demo_run (GstElement * pipeline, GError ** error);

G_END_DECLS
