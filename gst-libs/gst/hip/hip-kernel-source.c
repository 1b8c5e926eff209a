/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What text does a compiler get for a user's source?
 *
 * The prelude, the source under its own name and line numbers, and a list of
 * its kernels. Behind each kernel, on the same line, stands a macro of the
 * prelude that describes it in the binary; it shares the kernel's fate under
 * #if. For the host, kernels get a hidden first parameter and dynamic shared
 * memory becomes a pointer.
 *
 * Invariant: no line moves, and columns move only on lines with a kernel's
 * parameters or guard, a dynamic shared array or a launch.
 */
#include "hip-kernel.h"
#include "gsthip-kernel-abi.h"

G_STATIC_ASSERT (sizeof (GstHipFrame) == GST_HIP_FRAME_SIZE);
G_STATIC_ASSERT (sizeof (GstHipFrameInfo) == GST_HIP_FRAME_INFO_SIZE);
G_STATIC_ASSERT (sizeof (GstHipMetaHead) == 16);
G_STATIC_ASSERT (sizeof (GstHipMetaParam) == 16);
/* The prelude cannot include GStreamer and repeats these */
G_STATIC_ASSERT (GST_HIP_PARAMETER_KIND_POINTER == 0);
G_STATIC_ASSERT (GST_HIP_PARAMETER_KIND_INT == 1);
G_STATIC_ASSERT (GST_HIP_PARAMETER_KIND_UINT == 2);
G_STATIC_ASSERT (GST_HIP_PARAMETER_KIND_FLOAT == 3);
G_STATIC_ASSERT (GST_HIP_PARAMETER_KIND_STRUCT == 4);

G_STATIC_ASSERT (GST_HIP_MATRIX_BT2020 == GST_VIDEO_COLOR_MATRIX_BT2020);
G_STATIC_ASSERT (GST_HIP_MATRIX_BT601 == GST_VIDEO_COLOR_MATRIX_BT601);
G_STATIC_ASSERT (GST_HIP_MATRIX_BT709 == GST_VIDEO_COLOR_MATRIX_BT709);
G_STATIC_ASSERT (GST_HIP_RANGE_FULL == GST_VIDEO_COLOR_RANGE_0_255);
G_STATIC_ASSERT (GST_HIP_RANGE_LIMITED == GST_VIDEO_COLOR_RANGE_16_235);

typedef struct
{
  gsize begin, end;             /* replaced; the line ends in there stay */
  gchar *text;
  guint order;                  /* of those at one place */
} Edit;

static void
clear_edit (Edit * edit)
{
  g_free (edit->text);
}

static gint
compare_edits (gconstpointer a, gconstpointer b)
{
  const Edit *x = a, *y = b;

  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void
add_edit (GArray * edits, gsize begin, gsize end, gchar * text)
{
  Edit edit = { begin, end, text, edits->len };

  g_array_append_val (edits, edit);
}

/* As the inside of a string literal, ended by a zero byte of its own. Octal
 * escapes of three digits end by themselves. */
static void
append_literal (GString * out, const gchar * text)
{
  for (; *text; text++) {
    guchar c = *text;

    if (g_ascii_isalnum (c) || c == '_' || c == ' ')
      g_string_append_c (out, c);
    else
      g_string_append_printf (out, "\\%03o", c);
  }
  g_string_append (out, "\\000");
}

static gchar *
describe_kernel (const HipScanKernel * kernel, gboolean barrier,
    gboolean guarded)
{
  GString *text = g_string_new (NULL);

  if (guarded)
    g_string_append_printf (text, " GST_HIP_INLINE bool gst_hip_inside_%s %s",
        kernel->name, kernel->inside);
  g_string_append_printf (text, " GST_HIP_%sKERNEL (%s, %d, \"",
      guarded ? "GUARDED_" : "", kernel->name, barrier);
  for (guint i = 0; i < kernel->params->len; i++) {
    HipScanParam *param = &g_array_index (kernel->params, HipScanParam, i);

    append_literal (text, param->type_name);
    append_literal (text, param->name);
  }
  g_string_append (text, "\")");
  return g_string_free (text, FALSE);
}

/* The host knows for whole rows of threads how these end. */
static void
edit_guards (const HipScanKernel * kernel, GArray * edits)
{
  for (guint i = 0; i < kernel->guards->len; i++) {
    const HipScanGuard *guard =
        &g_array_index (kernel->guards, HipScanGuard, i);

    add_edit (edits, guard->begin, guard->begin, g_strdup (guard->leaves ?
            "GST_HIP_STAYS_OUT (" : "!GST_HIP_STAYS_OUT (!("));
    add_edit (edits, guard->end, guard->end, g_strdup (guard->leaves ?
            ")" : "))"));
  }
}

static void
edit_kernels (const HipKernelScan * scan, gboolean host, GArray * edits)
{
  for (guint i = 0; i < scan->kernels->len; i++) {
    const HipScanKernel *kernel =
        &g_array_index (scan->kernels, HipScanKernel, i);
    gboolean has_params = kernel->params->len > 0;
    gboolean barrier = kernel->has_barrier || scan->barrier_elsewhere;
    gboolean guarded = host && kernel->inside && !barrier;

    if (guarded)
      edit_guards (kernel, edits);

    /* `(void)` makes way for the parameter */
    if (host)
      add_edit (edits, kernel->params_begin,
          has_params ? kernel->params_begin : kernel->params_end,
          g_strdup (has_params ? "GST_HIP_CTX, " : "GST_HIP_CTX"));
    if (kernel->is_entry && kernel->has_body)
      add_edit (edits, kernel->body_end, kernel->body_end,
          describe_kernel (kernel, barrier, guarded));
  }
}

static void
edit_shared (const HipKernelScan * scan, GArray * edits)
{
  for (guint i = 0; i < scan->shared->len; i++) {
    const HipScanShared *shared =
        &g_array_index (scan->shared, HipScanShared, i);

    add_edit (edits, shared->begin, shared->end,
        g_strdup_printf ("%s (%s, %s, %s);", shared->at_file_scope ?
            "GST_HIP_DYNAMIC_SHARED_GLOBAL" : "GST_HIP_DYNAMIC_SHARED",
            shared->name, shared->dimensions, shared->type_name));
  }
}

static void
edit_spans (const HipKernelScan * scan, gboolean host, GArray * edits)
{
  for (guint i = 0; i < scan->spans->len; i++) {
    const HipScanSpan *span = &g_array_index (scan->spans, HipScanSpan, i);
    const gchar *text = "";

    switch (span->kind) {
      case HIP_SCAN_SPAN_KNOWN_HEADER:
        break;
      case HIP_SCAN_SPAN_COOPERATIVE_GROUPS:
        if (!host)
          continue;
        text = "#error cooperative groups are not available on the host device";
        break;
      case HIP_SCAN_SPAN_CONSTANT_STATIC:
        if (!host)
          continue;
        break;
      case HIP_SCAN_SPAN_LAUNCH:
        text = " launching_kernels_from_kernels_is_not_available ";
        break;
    }
    add_edit (edits, span->begin, span->end, g_strdup (text));
  }
}

static void
append_line_marker (GString * out, const gchar * name)
{
  g_string_append (out, "# 1 \"");
  for (; *name; name++) {
    if (*name == '\n' || *name == '\r')
      continue;
    if (*name == '"' || *name == '\\')
      g_string_append_c (out, '\\');
    g_string_append_c (out, *name);
  }
  g_string_append (out, "\"\n");
}

static void
append_edited (GString * out, const gchar * source, GArray * edits)
{
  gsize at = 0;

  g_array_sort (edits, compare_edits);
  for (guint i = 0; i < edits->len; i++) {
    Edit *edit = &g_array_index (edits, Edit, i);

    if (edit->begin < at)       /* inside another one */
      continue;
    g_string_append_len (out, source + at, edit->begin - at);
    g_string_append (out, edit->text);
    for (at = edit->begin; at < edit->end; at++) {
      if (source[at] == '\n')
        g_string_append_c (out, '\n');
    }
  }
  g_string_append (out, source + at);
}

/* "NAME", "NAME=VALUE" as the compiler's -D has it */
static void
append_definition (GString * out, const gchar * definition)
{
  const gchar *equals = strchr (definition, '=');
  gsize begin = out->len;

  if (equals)
    g_string_append_printf (out, "#define %.*s %s",
        (int) (equals - definition), definition, equals + 1);
  else
    g_string_append_printf (out, "#define %s 1", definition);
  for (; begin < out->len; begin++) {
    if (out->str[begin] == '\n' || out->str[begin] == '\r')
      out->str[begin] = ' ';
  }
  g_string_append_c (out, '\n');
}

gchar *
hip_kernel_source_take_definitions (gchar ** options)
{
  GString *out = g_string_new (NULL);
  gchar **kept = options;

  for (; *options; options++) {
    g_autofree gchar *option = *options, *next = NULL;
    gboolean define = g_str_has_prefix (option, "-D");
    const gchar *value = option + 2;

    /* A last -D without a name is the compiler's to refuse. */
    if ((!define && !g_str_has_prefix (option, "-U"))
        || (!*value && !options[1])) {
      *kept++ = g_steal_pointer (&option);
      continue;
    }
    if (!*value)
      value = next = *++options;
    if (define)
      append_definition (out, value);
    else
      g_string_append_printf (out, "#undef %s\n", value);
  }
  *kept = NULL;
  return g_string_free (out, FALSE);
}

gchar *
hip_kernel_source_compose (const gchar * source, const gchar * name,
    const gchar * definitions, const HipKernelScan * scan, gboolean host)
{
  GString *out = g_string_new (hip_prelude_text);
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (Edit));

  g_array_set_clear_func (edits, (GDestroyNotify) clear_edit);
  edit_kernels (scan, host, edits);
  edit_spans (scan, host, edits);
  if (host)
    edit_shared (scan, edits);
  g_string_append_printf (out, "#define GST_HIP_SYNC_CONTEXT %d\n",
      scan->indices_elsewhere);
  g_string_append_printf (out, "#define GST_HIP_USES_SHARED %d\n",
      scan->uses_shared);
  /* Only now: the prelude has names of its own, which the user's may be, too. */
  g_string_append (out, definitions ? definitions : "");
  append_line_marker (out, name);
  append_edited (out, source, edits);

  g_string_append (out, "\nGST_HIP_ENTRIES (\"");
  for (guint i = 0; i < scan->kernels->len; i++) {
    const HipScanKernel *kernel =
        &g_array_index (scan->kernels, HipScanKernel, i);

    if (kernel->is_entry && kernel->has_body)
      append_literal (out, kernel->name);
  }
  g_string_append (out, "\")\n");
  return g_string_free (out, FALSE);
}
