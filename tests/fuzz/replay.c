/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The main of a fuzz target in builds without a fuzzer: does the target hold
 * for every file of its corpus, and for variations of each? Prints TAP, one
 * case per file. The variations are the same in every run; GST_HIP_TEST_SEED
 * gives others, GST_HIP_TEST_FULL more. What breaks is left in a file. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define MAX_SEED_BYTES (1 << 20)

static guint8 *current;
static gsize current_size;
static gchar broken_name[512];

/* In a signal handler, of a process that is lost anyway. */
static void
keep_input (int number)
{
  FILE *file = fopen (broken_name, "wb");

  if (file != NULL) {
    fwrite (current, 1, current_size, file);
    fclose (file);
    fprintf (stderr, "the input that broke it is in %s\n", broken_name);
  }
  signal (number, SIG_DFL);
  raise (number);
}

/* A sanitizer's own handler says more than ours. */
static void
keep_input_on (int number)
{
  struct sigaction action;

  sigaction (number, NULL, &action);
  if (action.sa_handler == SIG_DFL)
    signal (number, keep_input);
}

static void
run_one (const guint8 * data, gsize size)
{
  /* exactly as long as it is, so that the address sanitizer sees the end */
  current = g_malloc (MAX (size, 1));
  current_size = size;
  if (size > 0)
    memcpy (current, data, size);
  LLVMFuzzerTestOneInput (current, size);
  g_free (current);
}

static void
vary (GRand * rand, GByteArray * bytes)
{
  guint n = g_rand_int_range (rand, 1, 5);

  while (n-- > 0) {
    guint at = bytes->len == 0 ? 0 : g_rand_int_range (rand, 0, bytes->len);
    guint8 value = g_rand_int_range (rand, 0, 256);

    switch (g_rand_int_range (rand, 0, 5)) {
      case 0:
        g_byte_array_set_size (bytes, at);
        break;
      case 1:
        g_byte_array_append (bytes, &value, 1);
        break;
      case 2:
        if (bytes->len > 0)
          g_byte_array_remove_index (bytes, at);
        break;
      case 3:
        if (bytes->len > 0)
          bytes->data[at] ^= 1 << (value & 7);
        break;
      default:
        if (bytes->len > 0)
          bytes->data[at] = value;
        break;
    }
  }
}

static void
run_file (const gchar * path, guint32 seed, guint n_variations)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *data = NULL;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, &error))
    g_error ("%s", error->message);
  if (size > MAX_SEED_BYTES)
    g_error ("%s is larger than a seed may be", path);
  run_one ((const guint8 *) data, size);
  for (guint i = 0; i < n_variations; i++) {
    g_autoptr (GByteArray) bytes = g_byte_array_new ();

    g_byte_array_append (bytes, (const guint8 *) data, size);
    vary (rand, bytes);
    run_one (bytes->data, bytes->len);
  }
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

static GPtrArray *
list_files (const gchar * folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  if (dir != NULL)
    g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  return names;
}

static guint32
get_seed (void)
{
  const gchar *text = g_getenv ("GST_HIP_TEST_SEED");

  return text == NULL ? 1 : (guint32) g_ascii_strtoull (text, NULL, 0);
}

/* FOLDER, or files of which each is run as it is */
int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) names = NULL;
  guint n_variations = g_getenv ("GST_HIP_TEST_FULL") != NULL ? 20000 : 500;
  guint32 seed = get_seed ();

  if (argc < 2) {
    fprintf (stderr, "usage: %s FOLDER | FILE...\n", argv[0]);
    return 2;
  }
  if (!g_file_test (argv[1], G_FILE_TEST_IS_DIR)) {
    for (gint i = 1; i < argc; i++)
      run_file (argv[i], 0, 0);
    return 0;
  }

  snprintf (broken_name, sizeof (broken_name), "%s-broken.bin", argv[0]);
  keep_input_on (SIGABRT);
  keep_input_on (SIGTRAP);
  keep_input_on (SIGSEGV);
  keep_input_on (SIGFPE);
  names = list_files (argv[1]);
  printf ("1..%u\n# seed %u, %u variations of each file\n", names->len, seed,
      n_variations);
  for (guint i = 0; i < names->len; i++) {
    const gchar *name = g_ptr_array_index (names, i);
    g_autofree gchar *path = g_build_filename (argv[1], name, NULL);

    run_file (path, seed, n_variations);
    printf ("ok %u - %s\n", i + 1, name);
    fflush (stdout);
  }
  return 0;
}
