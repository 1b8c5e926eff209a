/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What PP-OCR's recognition model says, as text. The demo reads with it, too. */
#pragma once

#include <glib.h>

#define OCR_MODEL "ch_PP-OCRv4_rec_infer.onnx"
#define OCR_KEYS "ppocr_keys_v1.txt"

/* For each step from left to right how likely each character is, 0 for none: the
 * likeliest ones, and of the same one in a row one (CTC). A clock has no spaces,
 * though a point has much room around it. keys: characters, from class 1 on; the
 * last class is a space. */
static inline gchar *
ctc_decode (gchar ** keys, const gfloat * data, guint steps, guint classes)
{
  GString *text = g_string_new (NULL);
  guint n_keys = g_strv_length (keys), last = 0;

  for (guint step = 0; step < steps; step++, data += classes) {
    guint best = 0;

    for (guint i = 1; i < classes; i++) {
      if (data[i] > data[best])
        best = i;
    }
    if (best != last && best > 0)
      g_string_append (text, best <= n_keys ? keys[best - 1] : "");
    last = best;
  }
  g_string_replace (text, " ", "", 0);
  return g_string_free (text, FALSE);
}
