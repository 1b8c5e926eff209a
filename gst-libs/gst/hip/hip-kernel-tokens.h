/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Words, literals and brackets of a kernel's source. Who may include this:
 * hip-kernel-scan.c, hip-kernel-tokens.c and their tests. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

typedef enum
{
  HIP_TOKEN_WORD,
  HIP_TOKEN_NUMBER,
  HIP_TOKEN_LITERAL,
  HIP_TOKEN_DIRECTIVE,          /* from # to the end of the logical line */
  HIP_TOKEN_PUNCT,              /* one byte */
} HipTokenKind;

typedef struct
{
  HipTokenKind kind;
  gsize begin, end;             /* bytes of the text */
  gsize partner;                /* of a bracket: index of the other one, or own index */
} HipToken;

typedef struct
{
  const gchar *text;
  GArray *array;                /* of HipToken */
} HipTokens;

/* Reads the bytes [begin, end) of text. directive: they are the inside of a directive, where # is punctuation and
 * brackets stay alone. */
void hip_tokens_read (HipTokens * tokens, const gchar * text, gsize begin, gsize end, gboolean directive);
void hip_tokens_clear (HipTokens * tokens);

static inline HipToken *
hip_token_at (const HipTokens * tokens, gsize i)
{
  return i < tokens->array->len ? &g_array_index (tokens->array, HipToken, i) : NULL;
}

/* Literals are no word. FALSE beyond the end */
static inline gboolean
hip_token_is (const HipTokens * tokens, gsize i, const gchar * word)
{
  HipToken *t = hip_token_at (tokens, i);
  gsize n = strlen (word);

  return t && t->end - t->begin == n && t->kind != HIP_TOKEN_LITERAL
      && memcmp (tokens->text + t->begin, word, n) == 0;
}

G_END_DECLS
