/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What every fuzz target has. A target aborts where a law is broken (FUZZ_LAW)
 * and returns 0 otherwise; it must not remember anything from call to call
 * that changes results. */
#pragma once

#include <stdlib.h>

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

/* Stays on whatever the build type is; abort (), because a fuzzer does not see
 * g_error ()'s SIGTRAP */
#define FUZZ_LAW(condition) G_STMT_START { \
  if (!(condition)) { \
    g_printerr ("%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
    abort (); \
  } \
} G_STMT_END

/* Reads values off the front of the input; zeros once it is used up */
typedef struct
{
  const guint8 *data;
  gsize size;
} FuzzInput;

static inline guint64
fuzz_take (FuzzInput * input, guint n_bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes && input->size > 0; i++) {
    value |= (guint64) input->data[0] << (8 * i);
    input->data++;
    input->size--;
  }
  return value;
}
