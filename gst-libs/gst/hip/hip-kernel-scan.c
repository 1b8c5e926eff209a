/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which kernels does a source define, with which parameters, and what in it
 * needs care on some device?
 *
 * A scan, not a compiler: it knows comments, literals, directives, brackets
 * and the few declarations it looks for. What it finds is only offsets and
 * names; what is true in the end (sizes, which branch of an #if was taken) the
 * compiled module tells. Anything it does not understand it passes over: the
 * compiler reports it with the user's own line.
 *
 * Invariant: any bytes at all are scanned in linear time without a read
 * outside [source, source + length).
 */
#include <string.h>

#include "hip-kernel-guard.h"
#include "hip-kernel-tokens.h"

typedef struct
{
  HipTokens in;
  HipKernelScan *scan;
  gsize line_offset;            /* how far lines were counted */
  guint line;
} Scanner;

/* Tokens that a declaration may have before what is looked for: keeps the time
 * linear for sources that are none. */
#define FAR 256

static HipToken *
token_at (Scanner * s, gsize i)
{
  return hip_token_at (&s->in, i);
}

static gboolean
token_is (Scanner * s, gsize i, const gchar * word)
{
  return hip_token_is (&s->in, i, word);
}

static gboolean
token_in (Scanner * s, gsize i, const gchar * const *words)
{
  for (; *words; words++) {
    if (token_is (s, i, *words))
      return TRUE;
  }
  return FALSE;
}

/* --- parameters --- */

static const gchar *const type_words[] = { "void", "bool", "char", "short",
  "int", "long", "float", "double", "signed", "unsigned", "auto", "const",
  "volatile", "__restrict__", "__restrict", "struct", "class", "enum", "union",
  "typename", NULL
};

/* Those that make no type by themselves */
static const gchar *const qualifier_words[] = { "const", "volatile", "struct",
  "class", "enum", "union", "typename", NULL
};

static const gchar *const dropped_words[] = { "__restrict__", "__restrict",
  "__grid_constant__", "register", NULL
};

/* Tokens [begin, end) as text with single spaces where they are needed */
static gchar *
join_tokens (Scanner * s, gsize begin, gsize end)
{
  GString *text = g_string_new (NULL);
  gboolean was_word = FALSE;

  for (gsize i = begin; i < end; i++) {
    HipToken *t = token_at (s, i);
    gboolean word = t->kind != HIP_TOKEN_PUNCT;

    if (t->kind == HIP_TOKEN_DIRECTIVE || token_in (s, i, dropped_words))
      continue;
    if (was_word && (word || s->in.text[t->begin] == '*' ||
            s->in.text[t->begin] == '&'))
      g_string_append_c (text, ' ');
    g_string_append_len (text, s->in.text + t->begin, t->end - t->begin);
    was_word = word || s->in.text[t->begin] == '>';
  }
  return g_string_free (text, FALSE);
}

/* Is what the last * points to const? */
static gboolean
pointee_is_const (Scanner * s, gsize begin, gsize star)
{
  for (gsize i = star; i > begin; i--) {
    if (token_is (s, i - 1, "*"))
      return FALSE;
    if (token_is (s, i - 1, "const"))
      return TRUE;
  }
  return FALSE;
}

static void
add_param (Scanner * s, GArray * params, gsize begin, gsize end)
{
  HipScanParam param = { NULL, };
  gsize stop = end, type_end, star = G_MAXSIZE;
  gboolean array = FALSE;

  /* a default value is no part of it */
  for (gsize i = begin; i < end; i++) {
    if (token_is (s, i, "=")) {
      stop = end = i;
      break;
    }
  }
  while (stop > begin && token_is (s, stop - 1, "]")) {
    gsize open = token_at (s, stop - 1)->partner;

    if (open < begin || open >= stop - 1)
      break;
    array = TRUE;
    stop = open;
  }
  if (stop == begin)
    return;

  type_end = stop;
  if (stop - begin > 1 && token_at (s, stop - 1)->kind == HIP_TOKEN_WORD &&
      !token_in (s, stop - 1, type_words) && !token_is (s, stop - 2, ":")) {
    gsize i = begin;

    while (i < stop - 1 && token_in (s, i, qualifier_words))
      i++;
    if (i < stop - 1)
      type_end = stop - 1;
  }
  for (gsize i = begin; i < type_end; i++) {
    if (token_is (s, i, "*"))
      star = i;
  }

  param.type_name = join_tokens (s, begin, type_end);
  param.name =
      type_end < stop ? join_tokens (s, type_end, stop) : g_strdup ("");
  param.is_pointer = array || star != G_MAXSIZE;
  if (array) {
    gchar *pointer = g_strconcat (param.type_name, " *", NULL);

    g_free (param.type_name);
    param.type_name = pointer;
    param.is_const = pointee_is_const (s, begin, type_end);
  } else if (param.is_pointer) {
    param.is_const = pointee_is_const (s, begin, star);
  }
  g_array_append_val (params, param);
}

/* Splits the tokens between ( and ) at commas outside brackets */
static void
add_params (Scanner * s, GArray * params, gsize open, gsize close)
{
  gsize begin = open + 1, angles = 0;

  if (close == open + 2 && token_is (s, begin, "void"))
    return;
  for (gsize i = begin; i <= close; i++) {
    HipToken *t = token_at (s, i);

    if (i == close || (angles == 0 && token_is (s, i, ","))) {
      if (i > begin)
        add_param (s, params, begin, i);
      begin = i + 1;
    } else if (token_is (s, i, "<")) {
      angles++;
    } else if (token_is (s, i, ">")) {
      angles -= angles > 0;
    } else if (t->partner > i && t->partner < close) {
      i = t->partner;
    }
  }
}

/* --- declarations --- */

static const gchar *const barrier_words[] = { "__syncthreads",
  "__syncthreads_count", "__syncthreads_and", "__syncthreads_or",
  "__builtin_amdgcn_s_barrier", NULL
};

static const gchar *const index_words[] = { "threadIdx", "blockIdx",
  "blockDim", "gridDim", NULL
};

static const gchar *const attribute_words[] = { "__launch_bounds__",
  "__attribute__", "__align__", "alignas", "__declspec", "noexcept",
  "__maxnreg__", "__cluster_dims__", NULL
};

static void
clear_param (HipScanParam * param)
{
  g_free (param->type_name);
  g_free (param->name);
}

static void
clear_kernel (HipScanKernel * kernel)
{
  g_free (kernel->name);
  g_free (kernel->inside);
  g_array_unref (kernel->params);
  g_array_unref (kernel->guards);
}

static void
clear_shared (HipScanShared * shared)
{
  g_free (shared->type_name);
  g_free (shared->name);
  g_free (shared->dimensions);
}

static guint
line_of (Scanner * s, gsize offset)
{
  for (; s->line_offset < offset; s->line_offset++)
    s->line += s->in.text[s->line_offset] == '\n';
  return s->line;
}

/* Index after attribute and its parentheses, or i */
static gsize
skip_attribute (Scanner * s, gsize i)
{
  if (token_in (s, i, attribute_words)) {
    if (token_is (s, i + 1, "(") && token_at (s, i + 1)->partner > i + 1)
      return token_at (s, i + 1)->partner + 1;
    return i + 1;
  }
  if (token_is (s, i, "[") && token_is (s, i + 1, "[") &&
      token_at (s, i)->partner > i)
    return token_at (s, i)->partner + 1;
  return i;
}

/* i: at __global__. Returns the index to go on from. */
static gsize
scan_kernel (Scanner * s, gsize i, gsize declaration, gboolean extern_c)
{
  HipScanKernel kernel = { NULL, };
  gsize open, close, next;

  kernel.is_entry = extern_c;
  for (gsize j = i > FAR ? MAX (declaration, i - FAR) : declaration; j < i; j++) {
    if (token_is (s, j, "template"))
      kernel.is_entry = FALSE;
    else if (token_is (s, j, "extern") && token_at (s, j + 1) &&
        token_at (s, j + 1)->kind == HIP_TOKEN_LITERAL)
      kernel.is_entry = TRUE;
  }
  for (open = i + 1;; open++) {
    HipToken *t = token_at (s, open);

    while ((next = skip_attribute (s, open)) != open)
      open = next;
    t = token_at (s, open);
    if (!t || open > i + FAR || token_is (s, open, ";")
        || token_is (s, open, "__global__") || token_is (s, open, "{")
        || token_is (s, open, "}"))
      return i + 1;
    if (token_is (s, open, "("))
      break;
  }
  close = token_at (s, open)->partner;
  if (close <= open || token_at (s, open - 1)->kind != HIP_TOKEN_WORD ||
      open - 1 == i || token_in (s, open - 1, dropped_words))
    return i + 1;

  kernel.name = join_tokens (s, open - 1, open);
  kernel.line = line_of (s, token_at (s, open - 1)->begin);
  kernel.params = g_array_new (FALSE, FALSE, sizeof (HipScanParam));
  g_array_set_clear_func (kernel.params, (GDestroyNotify) clear_param);
  kernel.guards = g_array_new (FALSE, FALSE, sizeof (HipScanGuard));
  add_params (s, kernel.params, open, close);
  kernel.params_begin = token_at (s, open)->end;
  kernel.params_end = token_at (s, close)->begin;

  next = close + 1;
  while (skip_attribute (s, next) != next)
    next = skip_attribute (s, next);
  if (token_is (s, next, "{") && token_at (s, next)->partner > next) {
    gsize end = token_at (s, next)->partner;

    kernel.has_body = TRUE;
    kernel.body_end = token_at (s, end)->end;
    for (gsize j = next; j < end; j++)
      kernel.has_barrier |= token_in (s, j, barrier_words);
    hip_kernel_guard_scan (&s->in, open, next, &kernel);
  }
  g_array_append_val (s->scan->kernels, kernel);
  return next;
}

/* i: at extern. Notes `extern __shared__ TYPE NAME[]...;` */
static void
scan_extern_shared (Scanner * s, gsize i, gboolean at_file_scope)
{
  HipScanShared shared = { 0, };
  g_autoptr (GString) type = NULL;
  gsize j = i + 1, bracket, next;
  gboolean found = FALSE;

  type = g_string_new (NULL);
  for (;; j++) {
    while ((next = skip_attribute (s, j)) != j)
      j = next;
    if (!token_at (s, j) || j > i + FAR
        || token_at (s, j)->kind == HIP_TOKEN_LITERAL || token_is (s, j, ";")
        || token_is (s, j, "extern")
        || token_is (s, j, "(") || token_is (s, j, "{")
        || token_is (s, j, "}") || token_is (s, j, ",")
        || token_is (s, j, "="))
      return;
    if (token_is (s, j, "__shared__")) {
      found = TRUE;
      continue;
    }
    if (token_is (s, j, "["))
      break;
    /* the last one before the bracket is the name */
    if (!token_is (s, j + 1, "[")) {
      g_autofree gchar *word = join_tokens (s, j, j + 1);

      g_string_append_printf (type, type->len ? " %s" : "%s", word);
    }
  }
  bracket = j;
  if (!found || !token_is (s, bracket + 1, "]") || !type->len)
    return;
  for (j = bracket + 2; token_is (s, j, "[") && token_at (s, j)->partner > j;)
    j = token_at (s, j)->partner + 1;
  if (!token_is (s, j, ";"))
    return;
  shared.begin = token_at (s, i)->begin;
  shared.end = token_at (s, j)->end;
  shared.name = join_tokens (s, bracket - 1, bracket);
  shared.dimensions = join_tokens (s, bracket + 2, j);
  shared.type_name = g_strdup (type->str);
  shared.at_file_scope = at_file_scope;
  g_array_append_val (s->scan->shared, shared);
}

static void
add_span (Scanner * s, HipScanSpanKind kind, gsize begin, gsize end)
{
  HipScanSpan span = { begin, end, kind };

  g_array_append_val (s->scan->spans, span);
}

/* --- directives --- */

static const gchar *const known_headers[] = { "hip/hip_runtime.h",
  "hip/hip_fp16.h", "hip/hip_vector_types.h", "cuda_runtime.h", "cuda.h",
  "cuda_fp16.h", "cuda_runtime_api.h", "device_launch_parameters.h",
  "vector_types.h", "stdint.h", "cstdint", "inttypes.h", "stddef.h", "cstddef",
  "stdbool.h", "math.h", "cmath", "math_constants.h", "limits.h", "float.h",
  "gst/hip/gsthip-kernel-abi.h", NULL
};

static void
scan_include (Scanner * s, HipToken * directive, gsize begin)
{
  const gchar *p = s->in.text + begin, *end = s->in.text + directive->end;
  g_autofree gchar *name = NULL;
  const gchar *stop;
  gchar close;

  while (p < end && g_ascii_isspace (*p))
    p++;
  close = p < end && *p == '<' ? '>' : '"';
  if (p < end && (*p == '<' || *p == '"')) {
    p++;
    stop = memchr (p, close, end - p);
    name = g_strndup (p, (stop ? stop : end) - p);
    if (g_strv_contains (known_headers, name)) {
      add_span (s, HIP_SCAN_SPAN_KNOWN_HEADER, directive->begin,
          directive->end);
      return;
    }
    if (strstr (name, "cooperative_groups")) {
      add_span (s, HIP_SCAN_SPAN_COOPERATIVE_GROUPS, directive->begin,
          directive->end);
      return;
    }
  }
  /* What stands in there is not seen from here */
  s->scan->includes = s->scan->uses_shared = TRUE;
  s->scan->barrier_elsewhere = s->scan->indices_elsewhere = TRUE;
}

static void
scan_directive (Scanner * s, HipToken * directive)
{
  Scanner inner = { {NULL,}, s->scan, 0, 1 };

  hip_tokens_read (&inner.in, s->in.text, directive->begin + 1, directive->end,
      TRUE);
  if (token_is (&inner, 0, "include") || token_is (&inner, 0, "include_next")) {
    scan_include (s, directive, token_at (&inner, 0)->end);
  } else {
    for (gsize i = 0; i < inner.in.array->len; i++) {
      s->scan->barrier_elsewhere |= token_in (&inner, i, barrier_words);
      s->scan->indices_elsewhere |= token_in (&inner, i, index_words);
      s->scan->uses_shared |= token_is (&inner, i, "__shared__");
    }
  }
  hip_tokens_clear (&inner.in);
}

/* --- the whole --- */

typedef enum
{
  SCOPE_NAMESPACE,
  SCOPE_EXTERN_C,
  SCOPE_OTHER,
} Scope;

static Scope
scope_of (Scanner * s, gsize declaration, gsize brace)
{
  for (gsize i = declaration; i < brace; i++) {
    if (token_is (s, i, "namespace"))
      return SCOPE_NAMESPACE;
  }
  if (brace >= declaration + 2 && token_is (s, brace - 2, "extern") &&
      token_at (s, brace - 1)->kind == HIP_TOKEN_LITERAL)
    return SCOPE_EXTERN_C;
  return SCOPE_OTHER;
}

/* `static` on either side of __constant__ (i), within its declaration */
static void
scan_constant (Scanner * s, gsize i, gsize declaration)
{
  for (gsize j = i > 4 ? MAX (declaration, i - 4) : declaration; j < i + 4; j++) {
    if (j > i && !token_in (s, j, type_words) && !token_is (s, j, "static"))
      break;
    if (token_is (s, j, "static"))
      add_span (s, HIP_SCAN_SPAN_CONSTANT_STATIC, token_at (s, j)->begin,
          token_at (s, j)->end);
  }
}

static gboolean
is_launch (Scanner * s, gsize i)
{
  return token_is (s, i, "<") && token_is (s, i + 1, "<") &&
      token_is (s, i + 2, "<") &&
      token_at (s, i + 2)->end - token_at (s, i)->begin == 3;
}

static void
scan_tokens (Scanner * s)
{
  g_autoptr (GByteArray) scopes = g_byte_array_new ();
  gsize declaration = 0, kernel_end = 0, others = 0, extern_cs = 0;

  for (gsize i = 0; i < s->in.array->len; i++) {
    HipToken *t = token_at (s, i);

    if (t->kind == HIP_TOKEN_DIRECTIVE) {
      scan_directive (s, t);
      /* one before a declaration is no part of it */
      if (declaration == i)
        declaration = i + 1;
      continue;
    }
    s->scan->uses_shared |= token_is (s, i, "__shared__");
    if (t->begin >= kernel_end) {
      s->scan->barrier_elsewhere |= token_in (s, i, barrier_words);
      s->scan->indices_elsewhere |= token_in (s, i, index_words);
    }
    if (token_is (s, i, "{")) {
      guint8 scope = scope_of (s, declaration, i);

      others += scope == SCOPE_OTHER;
      extern_cs += scope == SCOPE_EXTERN_C;
      g_byte_array_append (scopes, &scope, 1);
      declaration = i + 1;
    } else if (token_is (s, i, "}")) {
      if (scopes->len > 0) {
        others -= scopes->data[scopes->len - 1] == SCOPE_OTHER;
        extern_cs -= scopes->data[scopes->len - 1] == SCOPE_EXTERN_C;
        g_byte_array_set_size (scopes, scopes->len - 1);
      }
      declaration = i + 1;
    } else if (token_is (s, i, ";")) {
      declaration = i + 1;
    } else if (token_is (s, i, "__global__") && others == 0) {
      gsize next = scan_kernel (s, i, declaration, extern_cs > 0);

      if (next > i + 1) {
        HipScanKernel *kernel = &g_array_index (s->scan->kernels,
            HipScanKernel, s->scan->kernels->len - 1);

        kernel_end = kernel->body_end;
        i = next - 1;
      }
    } else if (token_is (s, i, "extern")) {
      scan_extern_shared (s, i, others == 0);
    } else if (token_is (s, i, "__constant__")) {
      scan_constant (s, i, declaration);
    } else if (is_launch (s, i)) {
      add_span (s, HIP_SCAN_SPAN_LAUNCH, t->begin, t->begin);
      i += 2;
    }
  }
}

HipKernelScan *
hip_kernel_scan (const gchar * source, gsize length)
{
  HipKernelScan *scan = g_new0 (HipKernelScan, 1);
  Scanner s = { {NULL,}, scan, 0, 1 };

  scan->kernels = g_array_new (FALSE, FALSE, sizeof (HipScanKernel));
  g_array_set_clear_func (scan->kernels, (GDestroyNotify) clear_kernel);
  scan->shared = g_array_new (FALSE, FALSE, sizeof (HipScanShared));
  g_array_set_clear_func (scan->shared, (GDestroyNotify) clear_shared);
  scan->spans = g_array_new (FALSE, FALSE, sizeof (HipScanSpan));

  hip_tokens_read (&s.in, source, 0, length, FALSE);
  scan_tokens (&s);
  hip_tokens_clear (&s.in);
  return scan;
}

void
hip_kernel_scan_free (HipKernelScan * scan)
{
  g_array_unref (scan->kernels);
  g_array_unref (scan->shared);
  g_array_unref (scan->spans);
  g_free (scan);
}
