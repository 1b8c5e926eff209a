/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does the text that a compiler for GPUs is given run on this machine?
 *
 * Kernels that were compiled once may be kept in a folder (PREFIX_RTC_CACHE):
 * tests compile the same few again and again.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "fake.h"
#include "hip-kernel.h"

#define KERNEL_BEGIN " GST_HIP_KERNEL ("
#define KERNEL_END "\")"

FakeProgram *
fake_program_new (const gchar * text, const gchar * name)
{
  FakeProgram *program = g_new0 (FakeProgram, 1);

  program->text = g_strdup (text);
  program->name = g_strdup (name);
  fake_handle_add (program, FAKE_PROGRAM);
  return program;
}

void
fake_program_free (FakeProgram * program, const gchar * call)
{
  fake_handle_check (program, FAKE_PROGRAM, call);
  fake_handle_remove (program);
  g_free (program->text);
  g_free (program->name);
  g_free (program->log);
  g_clear_pointer (&program->binary, g_bytes_unref);
  g_free (program);
}

const gchar *
fake_program_log (FakeProgram * program)
{
  return program->log ? program->log : "";
}

/* What hip_kernel_source_compose () was given; NULL: that made no such text */
static gchar *
find_source (const gchar * text)
{
  const gchar *begin = g_strrstr (text, "#define GST_HIP_SYNC_CONTEXT");
  const gchar *end = g_strrstr (text, "\nGST_HIP_ENTRIES (\"");
  g_autofree gchar *source = NULL;
  gchar *kernel;

  for (guint line = 0; begin && line < 2; line++) {
    begin = strchr (begin, '\n');
    begin = begin ? begin + 1 : NULL;
  }
  if (!begin || !end || begin > end)
    return NULL;
  source = g_strndup (begin, end - begin);
  while ((kernel = strstr (source, KERNEL_BEGIN))) {
    gchar *after = strstr (kernel, KERNEL_END);

    if (!after)
      return NULL;
    after += strlen (KERNEL_END);
    memmove (kernel, after, strlen (after) + 1);
  }
  return g_steal_pointer (&source);
}

static GBytes *
compile (FakeProgram * program, const gchar * source,
    const gchar * const *options, GError ** error)
{
  g_auto (GStrv) translated = host_translate_options (NULL, options, error);
  HipKernelScan *scan = hip_kernel_scan (source, strlen (source));
  g_autofree gchar *text =
      hip_kernel_source_compose (source, program->name, NULL, scan, TRUE);
  HipCompileRequest request = { text, program->name,
    (const gchar * const *) translated
  };

  hip_kernel_scan_free (scan);
  return translated ? host_compile (NULL, &request, &program->log, error) :
      NULL;
}

/* NULL: nothing is kept */
static gchar *
kept_path (FakeProgram * program, const gchar * const *options)
{
  const gchar *folder = fake_variable ("RTC_CACHE");
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *compiler = host_compiler_id (NULL, &error);

  if (!folder || !compiler)
    return NULL;
  g_checksum_update (sum, (const guchar *) compiler, -1);
  g_checksum_update (sum, (const guchar *) program->text, -1);
  g_checksum_update (sum, (const guchar *) program->name, -1);
  for (; *options; options++) {
    g_checksum_update (sum, (const guchar *) "\n", 1);
    g_checksum_update (sum, (const guchar *) *options, -1);
  }
  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, g_checksum_get_string (sum), NULL);
}

/* With includes, what is compiled is not all in the text. */
static gboolean
may_be_kept (const gchar * source)
{
  return strstr (source, "#include") == NULL;
}

gboolean
fake_program_compile (FakeProgram * program, const gchar * const *options,
    guint16 machine, guint32 flags, const gchar * call)
{
  g_autofree gchar *source = find_source (program->text);
  g_autofree gchar *kept = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) binary = NULL;
  gchar *data = NULL;
  gsize size;

  fake_rule (source != NULL, "the text has its marks", call);
  if (may_be_kept (source))
    kept = kept_path (program, options);
  if (!kept || !g_file_get_contents (kept, &data, &size, NULL)) {
    binary = compile (program, source, options, &error);
    if (!binary) {
      if (!program->log)
        program->log = g_strdup (error->message);
      return FALSE;
    }
    data = g_bytes_unref_to_data (g_steal_pointer (&binary), &size);
    /* A log is worth compiling again for. */
    if (kept && !program->log)
      g_file_set_contents (kept, data, size, NULL);
  }
  fake_elf_disguise ((guint8 *) data, size, machine, flags);
  program->binary = g_bytes_new_take (data, size);
  return TRUE;
}
