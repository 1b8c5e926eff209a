/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where do the words, literals, directives and brackets of a source lie?
 *
 * As much of C++ as is needed to not mistake text in a comment, a literal or a
 * raw string for code. What is not terminated ends with its line or the text.
 *
 * Invariant: any bytes at all are read in linear time, none outside the range.
 */
#include "hip-kernel-tokens.h"

static gboolean
is_word_byte (guchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || c >= 0x80;
}

/* Offset after the comment that begins at i, or i if none does */
static gsize
skip_comment (const gchar * text, gsize length, gsize i)
{
  if (i + 1 >= length || text[i] != '/')
    return i;
  if (text[i + 1] == '/') {
    for (i += 2; i < length && text[i] != '\n'; i++) {
      if (text[i] == '\\' && i + 1 < length)
        i++;                    /* a continued line continues the comment */
    }
    return MIN (i, length);
  }
  if (text[i + 1] == '*') {
    for (i += 2; i + 1 < length; i++) {
      if (text[i] == '*' && text[i + 1] == '/')
        return i + 2;
    }
    return length;
  }
  return i;
}

/* i: at the opening quote. Unterminated: to the end of the line. */
static gsize
skip_quoted (const gchar * text, gsize length, gsize i)
{
  gchar quote = text[i++];

  while (i < length && text[i] != quote && text[i] != '\n')
    i += text[i] == '\\' ? 2 : 1;
  if (i < length && text[i] == quote)
    i++;
  return MIN (i, length);
}

/* i: at the quote of R"delimiter( ... )delimiter" */
static gsize
skip_raw (const gchar * text, gsize length, gsize i)
{
  gsize begin = i + 1, n = 0;

  while (begin + n < length && n < 17 && text[begin + n] != '(' &&
      text[begin + n] != '\n')
    n++;
  if (begin + n >= length || n > 16 || text[begin + n] != '(')
    return skip_quoted (text, length, i);
  for (i = begin + n + 1; i + n + 1 < length; i++) {
    if (text[i] == ')' && text[i + n + 1] == '"' &&
        memcmp (text + i + 1, text + begin, n) == 0)
      return i + n + 2;
  }
  return length;
}

static gsize
skip_number (const gchar * text, gsize length, gsize i)
{
  while (i < length) {
    guchar c = text[i];

    if (strchr ("eEpP", c) && c && i + 1 < length &&
        (text[i + 1] == '+' || text[i + 1] == '-'))
      i += 2;
    else if (is_word_byte (c) || c == '.')
      i++;
    else if (c == '\'' && i + 1 < length && is_word_byte (text[i + 1]))
      i += 2;
    else
      break;
  }
  return i;
}

/* To the newline that ends the directive, which is not part of it */
static gsize
skip_directive (const gchar * text, gsize length, gsize i)
{
  while (i < length && text[i] != '\n') {
    gsize after = skip_comment (text, length, i);

    if (after != i)
      i = after;
    else if (text[i] == '\\' && i + 1 < length)
      i += text[i + 1] == '\r' && i + 2 < length ? 3 : 2;
    else if (text[i] == '"')
      i = skip_quoted (text, length, i);
    else
      i++;
  }
  return i;
}

static gboolean
is_raw_prefix (const gchar * text, gsize begin, gsize end)
{
  gsize n = end - begin;

  return n >= 1 && n <= 3 && text[end - 1] == 'R' && (n == 1 ||
      (n == 2 && strchr ("uUL", text[begin])) ||
      (n == 3 && text[begin] == 'u' && text[begin + 1] == '8'));
}

static void
add_token (GArray * tokens, HipTokenKind kind, gsize begin, gsize end)
{
  HipToken token = { kind, begin, end, tokens->len };

  g_array_append_val (tokens, token);
}

/* inside: the text of a directive, where # is punctuation */
static void
tokenize (const gchar * text, gsize begin, gsize length, gboolean inside,
    GArray * tokens)
{
  gboolean line_start = !inside;
  gsize i = begin;

  while (i < length) {
    guchar c = text[i];
    gsize end = skip_comment (text, length, i);

    if (end != i) {
      i = end;
      continue;
    }
    if (c == '\n') {
      line_start = !inside;
      i++;
      continue;
    }
    if (g_ascii_isspace (c) || c == '\\') {
      i++;
      continue;
    }
    if (c == '#' && line_start) {
      end = skip_directive (text, length, i);
      add_token (tokens, HIP_TOKEN_DIRECTIVE, i, end);
    } else if (c == '"' || c == '\'') {
      end = skip_quoted (text, length, i);
      add_token (tokens, HIP_TOKEN_LITERAL, i, end);
    } else if (g_ascii_isdigit (c) ||
        (c == '.' && i + 1 < length && g_ascii_isdigit (text[i + 1]))) {
      end = skip_number (text, length, i);
      add_token (tokens, HIP_TOKEN_NUMBER, i, end);
    } else if (is_word_byte (c)) {
      for (end = i; end < length && is_word_byte (text[end]); end++);
      if (end < length && text[end] == '"' && is_raw_prefix (text, i, end)) {
        end = skip_raw (text, length, end);
        add_token (tokens, HIP_TOKEN_LITERAL, i, end);
      } else {
        add_token (tokens, HIP_TOKEN_WORD, i, end);
      }
    } else {
      end = i + 1;
      add_token (tokens, HIP_TOKEN_PUNCT, i, end);
    }
    line_start = FALSE;
    i = end;
  }
}

static gchar
bracket_partner (gchar c)
{
  return c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : 0;
}

/* Each bracket learns its partner; one without keeps its own index. A closing
 * brace closes what is left open inside it, so that one missing parenthesis
 * does not swallow the rest. */
static void
match_brackets (HipTokens * tokens)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = 0; i < tokens->array->len; i++) {
    HipToken *t = hip_token_at (tokens, i);
    gchar c = t->kind == HIP_TOKEN_PUNCT ? tokens->text[t->begin] : 0;

    if (c == '(' || c == '[' || c == '{') {
      g_array_append_val (open, i);
      continue;
    }
    if (!bracket_partner (c))
      continue;
    while (open->len > 0) {
      gsize j = g_array_index (open, gsize, open->len - 1);
      gchar opener = tokens->text[hip_token_at (tokens, j)->begin];

      if (opener == bracket_partner (c)) {
        t->partner = j;
        hip_token_at (tokens, j)->partner = i;
        g_array_set_size (open, open->len - 1);
        break;
      }
      if (c != '}' || opener == '{')
        break;
      g_array_set_size (open, open->len - 1);
    }
  }
}

void
hip_tokens_read (HipTokens * tokens, const gchar * text, gsize begin,
    gsize end, gboolean directive)
{
  tokens->text = text;
  tokens->array = g_array_new (FALSE, FALSE, sizeof (HipToken));
  tokenize (text, begin, end, directive, tokens->array);
  if (!directive)
    match_brackets (tokens);
}

void
hip_tokens_clear (HipTokens * tokens)
{
  g_array_unref (tokens->array);
}
