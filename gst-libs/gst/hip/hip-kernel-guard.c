/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a kernel begin with conditions that hold for all threads before one for
 * which they hold?
 *
 *   int x = blockIdx.x * blockDim.x + threadIdx.x;
 *   if (x >= width || y >= height)
 *     return;
 *
 * Then the host looks at the last thread of a row only, and runs those that
 * pass without looking: what is left is a loop as in plain C, which compilers
 * vectorise. Recognised are names that are declared as above, compared with
 * what depends on parameters alone: nothing with a side effect, nothing that
 * another thread could change, and nothing that does not grow with x.
 *
 * Invariant: what is not understood is no guard.
 */
#include "hip-kernel-guard.h"

#define MAX_GUARDS 4

typedef struct
{
  const HipTokens *in;
  const HipScanKernel *kernel;
  GPtrArray *names;             /* of indices that were declared */
  GString *declarations, *condition;
} Guard;

static gboolean
is (Guard * g, gsize i, const gchar * word)
{
  return hip_token_is (g->in, i, word);
}

static gboolean
is_kind (Guard * g, gsize i, HipTokenKind kind)
{
  HipToken *t = hip_token_at (g->in, i);

  return t && t->kind == kind;
}

/* Tokens [begin, end) as they stand there, comments left out; NULL: a
 * directive is among them */
static gchar *
text_of (Guard * g, gsize begin, gsize end, const gchar * gap)
{
  GString *out = g_string_new (NULL);

  for (gsize i = begin; i < end; i++) {
    HipToken *t = hip_token_at (g->in, i);

    if (t->kind == HIP_TOKEN_DIRECTIVE) {
      g_string_free (out, TRUE);
      return NULL;
    }
    if (i > begin && t->begin != hip_token_at (g->in, i - 1)->end)
      g_string_append (out, gap);
    g_string_append_len (out, g->in->text + t->begin, t->end - t->begin);
  }
  return g_string_free (out, FALSE);
}

/* --- declarations of indices --- */

/* Not of what is narrower than an index */
static const gchar *const index_types[] = { "int", "unsigned", "long", "auto",
  "size_t", "uint", "int32_t", "uint32_t", "int64_t", "uint64_t", NULL
};

static gboolean
is_index (const gchar * text)
{
  static const gchar *const forms[] = {
    "blockIdx.%c*blockDim.%c+threadIdx.%c",
    "blockDim.%c*blockIdx.%c+threadIdx.%c",
    "threadIdx.%c+blockIdx.%c*blockDim.%c",
    "threadIdx.%c+blockDim.%c*blockIdx.%c",
  };
  static const gchar *const casts[] = { "(int)", "(unsigned)", "(long)", NULL };
  g_autofree gchar *inner = NULL;
  gsize n;

  for (guint i = 0; casts[i]; i++) {
    if (g_str_has_prefix (text, casts[i])) {
      text += strlen (casts[i]);
      break;
    }
  }
  n = strlen (text);
  if (n > 2 && text[0] == '(' && text[n - 1] == ')')
    text = inner = g_strndup (text + 1, n - 2);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    for (const gchar * d = "xyz"; *d; d++) {
      const gchar *form = forms[i], *at = text;

      for (; *form; form++, at++) {
        gboolean hole = *form == '%';

        if (*at != (hole ? *d : *form))
          break;
        form += hole;
      }
      if (!*form && !*at)
        return TRUE;
    }
  }
  return FALSE;
}

/* i: at a statement. The index after it, or i if it declares anything else. */
static gsize
take_declaration (Guard * g, gsize i)
{
  gsize begin = i, n_types = 0;
  g_autofree gchar *text = NULL;

  for (;; i++) {
    gboolean found = FALSE;

    for (guint j = 0; index_types[j] && !found; j++)
      found = is (g, i, index_types[j]);
    n_types += found;
    if (!found && !is (g, i, "const"))
      break;
  }
  if (n_types == 0)
    return begin;
  for (;; i++) {
    g_autofree gchar *value = NULL;
    gsize name = i, end;

    if (!is_kind (g, name, HIP_TOKEN_WORD) || !is (g, name + 1, "="))
      return begin;
    for (end = name + 2; end < name + 20 && !is (g, end, ",")
        && !is (g, end, ";") && hip_token_at (g->in, end); end++);
    value = text_of (g, MIN (name + 2, end), end, "");
    if (!value || !is_index (value))
      return begin;
    g_ptr_array_add (g->names, text_of (g, name, name + 1, ""));
    i = end;
    if (is (g, i, ";"))
      break;
    if (!is (g, i, ","))
      return begin;
  }
  text = text_of (g, begin, i + 1, " ");
  g_string_append_printf (g->declarations, "%s ", text);
  return i + 1;
}

/* --- conditions --- */

static gboolean
is_declared (Guard * g, gsize i)
{
  for (guint j = 0; j < g->names->len; j++) {
    if (is (g, i, g_ptr_array_index (g->names, j)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_value_param (Guard * g, gsize i)
{
  for (guint j = 0; j < g->kernel->params->len; j++) {
    HipScanParam *param = &g_array_index (g->kernel->params, HipScanParam, j);

    if (!param->is_pointer && *param->name && is (g, i, param->name))
      return TRUE;
  }
  return FALSE;
}

/* Tokens [begin, end): arithmetic of numbers and of parameters and their
 * members. A * behind no value would follow a pointer. */
static gboolean
is_uniform (Guard * g, gsize begin, gsize end)
{
  gboolean value = FALSE;       /* the token before is the end of one */

  for (gsize i = begin; i < end; i++) {
    if (is_kind (g, i, HIP_TOKEN_WORD)) {
      gboolean member = i > begin && is (g, i - 1, ".");

      if (!member && !is_value_param (g, i))
        return FALSE;
      value = TRUE;
    } else if (is_kind (g, i, HIP_TOKEN_NUMBER)) {
      value = TRUE;
    } else if (is (g, i, ")")) {
      value = TRUE;
    } else if (is (g, i, "*") || is (g, i, "/") || is (g, i, ".")
        || is (g, i, "+") || is (g, i, "-")) {
      if (!value)
        return FALSE;
      value = FALSE;
    } else if (!is (g, i, "(") || value) {
      return FALSE;
    }
  }
  return value;
}

/* Tokens [begin, end) between the parentheses of an if. */
static gboolean
is_condition (Guard * g, gsize begin, gsize end, gboolean * leaves)
{
  *leaves = is (g, begin + 1, ">");
  while (begin < end) {
    gsize value = begin + 2, stop;

    if (!is_declared (g, begin) || !is (g, begin + 1, *leaves ? ">" : "<"))
      return FALSE;
    value += is (g, value, "=");
    for (stop = value; stop < end && !is (g, stop, "|") && !is (g, stop, "&");
        stop++);
    if (stop == value || !is_uniform (g, value, stop))
      return FALSE;
    if (stop == end)
      return TRUE;
    if (!is (g, stop, *leaves ? "|" : "&")
        || !is (g, stop + 1, *leaves ? "|" : "&"))
      return FALSE;
    begin = stop + 2;
  }
  return FALSE;
}

/* After `return;`, braces or not; i if that is not what stands there */
static gsize
skip_return (Guard * g, gsize i)
{
  if (is (g, i, "return") && is (g, i + 1, ";"))
    return i + 2;
  if (is (g, i, "{") && is (g, i + 1, "return") && is (g, i + 2, ";")
      && is (g, i + 3, "}"))
    return i + 4;
  return i;
}

/* i: at a statement. The index after it, or i if it is none or the last one. */
static gsize
take_guard (Guard * g, gsize i, GArray * guards)
{
  HipScanGuard guard = { 0, };
  g_autofree gchar *text = NULL;
  gsize close;

  if (!is (g, i, "if") || !is (g, i + 1, "("))
    return i;
  close = hip_token_at (g->in, i + 1)->partner;
  if (close <= i + 2 || close > i + 64
      || !is_condition (g, i + 2, close, &guard.leaves))
    return i;
  guard.begin = hip_token_at (g->in, i + 2)->begin;
  guard.end = hip_token_at (g->in, close - 1)->end;
  text = text_of (g, i + 2, close, " ");
  g_string_append_printf (g->condition, "%s%s(%s)",
      g->condition->len ? " && " : "", guard.leaves ? "!" : "", text);
  g_array_append_val (guards, guard);
  /* Another may follow where all that were kept out have left */
  if (guard.leaves && guards->len < MAX_GUARDS
      && skip_return (g, close + 1) != close + 1)
    return skip_return (g, close + 1);
  return i;
}

void
hip_kernel_guard_scan (const HipTokens * in, gsize open_params,
    gsize open_body, HipScanKernel * kernel)
{
  Guard g = { in, kernel, g_ptr_array_new_with_free_func (g_free),
    g_string_new (NULL), g_string_new (NULL)
  };
  gsize i = open_body + 1, before;
  g_autofree gchar *params = text_of (&g, open_params + 1,
      hip_token_at (in, open_params)->partner, " ");

  do {
    before = i;
    i = take_declaration (&g, i);
    if (i == before)
      i = take_guard (&g, i, kernel->guards);
  } while (i != before);
  if (!params)
    g_array_set_size (kernel->guards, 0);
  if (kernel->guards->len > 0)
    kernel->inside = g_strdup_printf ("(GST_HIP_CTX, %s) { %sreturn %s; }",
        params, g.declarations->str, g.condition->str);
  g_ptr_array_unref (g.names);
  g_string_free (g.declarations, TRUE);
  g_string_free (g.condition, TRUE);
}
