/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Fuzz target: the scanner of kernel sources and the text made from what it
 * finds. Laws: any bytes are scanned; every offset lies in the source and in
 * order; the complete text keeps the user's line numbers. */
#include <string.h>

#include "fuzz.h"
#include "hip-kernel.h"

#define NAME "the-source"

static guint
count_lines (const gchar * text, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

static void
check_kernel (const HipScanKernel * kernel, const gchar * source, gsize length)
{
  gsize name_length = strlen (kernel->name);

  FUZZ_LAW (name_length > 0);
  FUZZ_LAW (kernel->params_begin <= kernel->params_end);
  FUZZ_LAW (kernel->params_end <= length);
  FUZZ_LAW (kernel->params_begin >= name_length);
  if (kernel->has_body) {
    FUZZ_LAW (kernel->body_end > kernel->params_end);
    FUZZ_LAW (kernel->body_end <= length);
    FUZZ_LAW (source[kernel->body_end - 1] == '}');
  }
  FUZZ_LAW (kernel->line >= 1);
  FUZZ_LAW (kernel->line <= count_lines (source, kernel->params_begin) + 1);
  for (guint i = 0; i < kernel->params->len; i++) {
    HipScanParam *param = &g_array_index (kernel->params, HipScanParam, i);

    FUZZ_LAW (param->name != NULL && param->type_name != NULL);
    FUZZ_LAW (!param->is_const || param->is_pointer);
  }
}

static void
check_scan (const HipKernelScan * scan, const gchar * source, gsize length)
{
  gsize at = 0;

  for (guint i = 0; i < scan->kernels->len; i++) {
    HipScanKernel *kernel = &g_array_index (scan->kernels, HipScanKernel, i);

    check_kernel (kernel, source, length);
    FUZZ_LAW (kernel->params_begin >= at);
    at = kernel->params_begin;
  }
  for (guint i = 0; i < scan->shared->len; i++) {
    HipScanShared *shared = &g_array_index (scan->shared, HipScanShared, i);

    FUZZ_LAW (shared->begin < shared->end && shared->end <= length);
    FUZZ_LAW (source[shared->end - 1] == ';');
    FUZZ_LAW (shared->name != NULL && shared->type_name != NULL);
    FUZZ_LAW (shared->dimensions != NULL);
  }
  for (guint i = 0; i < scan->spans->len; i++) {
    HipScanSpan *span = &g_array_index (scan->spans, HipScanSpan, i);

    /* a launch is a place where something is put in */
    FUZZ_LAW (span->begin <= span->end && span->end <= length);
    FUZZ_LAW ((span->begin == span->end) == (span->kind ==
            HIP_SCAN_SPAN_LAUNCH));
  }
}

static void
check_text (const gchar * source, const HipKernelScan * scan, gboolean host)
{
  g_autofree gchar *text =
      hip_kernel_source_compose (source, NAME, NULL, scan, host);
  gsize prelude = strlen (hip_prelude_text);
  const gchar *begin, *end;

  FUZZ_LAW (strncmp (text, hip_prelude_text, prelude) == 0);
  begin = strstr (text + prelude, "# 1 \"" NAME "\"\n");
  FUZZ_LAW (begin != NULL);
  begin = strchr (begin, '\n') + 1;
  end = g_strrstr (begin, "\nGST_HIP_ENTRIES (\"");
  FUZZ_LAW (end != NULL);
  FUZZ_LAW (count_lines (begin, end - begin) ==
      count_lines (source, strlen (source)));
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  HipKernelScan *scan = hip_kernel_scan ((const gchar *) data, size);
  g_autofree gchar *source = g_strndup ((const gchar *) data, size);

  check_scan (scan, (const gchar *) data, size);
  hip_kernel_scan_free (scan);

  /* what is compiled ends at the first zero byte */
  scan = hip_kernel_scan (source, strlen (source));
  check_scan (scan, source, strlen (source));
  check_text (source, scan, TRUE);
  check_text (source, scan, FALSE);
  hip_kernel_scan_free (scan);
  return 0;
}
