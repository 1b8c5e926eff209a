/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does GstHip cost on this machine? Runs the groups, prints one table,
 * and with --check tells whether every limit of ours holds. Times are here
 * and not in tests, because they depend on what else the machine does. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

typedef struct
{
  const gchar *group;
  gchar *what;
  gchar *failure;               /* instead of a value */
  gdouble value, limit;
  gboolean least;               /* limit is from below */
  const gchar *unit;
} Row;

static const struct
{
  const gchar *name;
  void (*run) (Bench * bench);
  gboolean asked;               /* only where it is named */
} groups[] = {
  {"elements", bench_elements},
  {"copies", bench_copies},
  {"launches", bench_launches},
  {"starts", bench_starts},
  {"loops", bench_loops},
  {"pipelines", bench_pipelines},
  {"frames", bench_frames},
  {"peers", bench_peers},
  {"convert", bench_convert, TRUE},
  {"scale", bench_scale, TRUE},
  {"shapes", bench_shapes, TRUE},
};

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->what);
  g_free (row->failure);
  g_free (row);
}

static gboolean
row_is_bad (const Row * row)
{
  if (row->failure != NULL)
    return TRUE;
  if (isnan (row->limit))
    return FALSE;
  return row->least ? !(row->value >= row->limit) : !(row->value <= row->limit);
}

static void
print_row (const Row * row)
{
  gchar value[G_ASCII_DTOSTR_BUF_SIZE], limit[G_ASCII_DTOSTR_BUF_SIZE];

  if (row->failure != NULL) {
    printf ("%-10s%-44s FAILED: %s\n", row->group, row->what, row->failure);
  } else {
    g_ascii_formatd (value, sizeof (value), "%.3f", row->value);
    g_ascii_formatd (limit, sizeof (limit), "%.1f", row->limit);
    printf ("%-10s%-44s%12s %-9s%8s%s\n", row->group, row->what, value,
        row->unit, isnan (row->limit) ? "" : limit,
        !row_is_bad (row) ? "" : row->least ? "  BELOW" : "  ABOVE");
  }
  fflush (stdout);
}

static void
add (Bench * bench, const gchar * group, const gchar * what, gdouble value,
    const gchar * unit, gdouble limit, gboolean least)
{
  Row *row = g_new0 (Row, 1);

  row->group = group;
  row->what = g_strdup (what);
  row->value = value;
  row->unit = unit;
  row->limit = limit;
  row->least = least;
  g_ptr_array_add (bench->rows, row);
  print_row (row);
}

void
bench_add (Bench * bench, const gchar * group, const gchar * what,
    gdouble value, const gchar * unit, gdouble limit)
{
  add (bench, group, what, value, unit, limit, FALSE);
}

void
bench_add_least (Bench * bench, const gchar * group, const gchar * what,
    gdouble value, const gchar * unit, gdouble least)
{
  add (bench, group, what, value, unit, least, TRUE);
}

gdouble
bench_nvidia_limit (Bench * bench, gdouble limit)
{
  return gst_hip_device_get_vendor (bench->device) == GST_HIP_VENDOR_NVIDIA ?
      limit : BENCH_NO_LIMIT;
}

void
bench_fail (Bench * bench, const gchar * group, const gchar * what,
    GError * error)
{
  Row *row = g_new0 (Row, 1);

  row->group = group;
  row->what = g_strdup (what);
  row->failure = g_strdup (error != NULL ? error->message : "no reason given");
  row->limit = BENCH_NO_LIMIT;
  g_clear_error (&error);
  g_ptr_array_add (bench->rows, row);
  print_row (row);
}

static gint64
clock_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

gint64
bench_thread_cpu_ns (void)
{
  return clock_ns (CLOCK_THREAD_CPUTIME_ID);
}

gint64
bench_process_cpu_ns (void)
{
  return clock_ns (CLOCK_PROCESS_CPUTIME_ID);
}

static int
compare_doubles (const void *a, const void *b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

gdouble
bench_median (gdouble * values, guint n)
{
  qsort (values, n, sizeof (*values), compare_doubles);
  return values[n / 2];
}

static void
append_string (GString * text, const gchar * name, const gchar * value)
{
  g_string_append_printf (text, "\"%s\": \"", name);
  for (; *value; value++) {
    if (*value == '"' || *value == '\\')
      g_string_append_printf (text, "\\%c", *value);
    else if ((guchar) * value < 0x20)
      g_string_append_printf (text, "\\u%04x", *value);
    else
      g_string_append_c (text, *value);
  }
  g_string_append_c (text, '"');
}

static void
append_number (GString * text, const gchar * name, gdouble value)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, ", \"%s\": %s", name,
      g_ascii_dtostr (number, sizeof (number), value));
}

static gboolean
write_json (Bench * bench, const gchar * file, GError ** error)
{
  const GstHipDeviceInfo *info = gst_hip_device_get_info (bench->device);
  g_autoptr (GString) text = g_string_new ("{");

  append_string (text, "version", PACKAGE_VERSION);
  g_string_append (text, ", ");
  append_string (text, "device", info->name);
  g_string_append (text, ", ");
  append_string (text, "arch", info->arch);
  g_string_append (text, ", \"rows\": [");
  for (guint i = 0; i < bench->rows->len; i++) {
    const Row *row = g_ptr_array_index (bench->rows, i);

    g_string_append (text, i > 0 ? ",\n  {" : "\n  {");
    append_string (text, "group", row->group);
    g_string_append (text, ", ");
    append_string (text, "what", row->what);
    if (row->failure != NULL) {
      g_string_append (text, ", ");
      append_string (text, "failure", row->failure);
    } else {
      append_number (text, "value", row->value);
      g_string_append (text, ", ");
      append_string (text, "unit", row->unit);
      if (!isnan (row->limit))
        append_number (text, row->least ? "least" : "limit", row->limit);
    }
    g_string_append_c (text, '}');
  }
  g_string_append (text, "\n]}\n");
  return g_file_set_contents (file, text->str, text->len, error);
}

/* What starts this program again. In a bundle (tools/dev/bundle.py) the
 * process's own file is the dynamic linker, and the environment says it. */
static gchar *
find_self (void)
{
  const gchar *self = g_getenv ("GST_HIP_TEST_SELF");

  return self ? g_strdup (self) : g_file_read_link ("/proc/self/exe", NULL);
}

/* GLib before 2.76 has an allocator of its own, whose blocks malloc () does not
 * see, unless this is set when the process starts. */
static void
make_slices_visible (const gchar * self, char **argv)
{
  if (g_getenv ("G_SLICE") == NULL) {
    g_setenv ("G_SLICE", "always-malloc", TRUE);
    execv (self, argv);
  }
}

static gboolean
is_wanted (gchar ** only, guint i)
{
  return only == NULL ? !groups[i].asked :
      g_strv_contains ((const gchar * const *) only, groups[i].name);
}

static void
run (Bench * bench, gchar ** only)
{
  const GstHipDeviceInfo *info = gst_hip_device_get_info (bench->device);

  printf ("%s (%s)%s\n\n%-10s%-44s%12s %-9s%8s\n", info->name, info->arch,
      bench->quick ? ", quick: these numbers mean nothing" : "", "group",
      "what", "value", "unit", "limit");
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++) {
    if (is_wanted (only, i))
      groups[i].run (bench);
  }
}

static int
finish (Bench * bench, gboolean check)
{
  guint n_bad = 0, n_failed = 0;

  for (guint i = 0; i < bench->rows->len; i++) {
    const Row *row = g_ptr_array_index (bench->rows, i);

    n_bad += row_is_bad (row);
    n_failed += row->failure != NULL;
  }
  printf ("\n%u lines, %u not measured, %u beyond their limit\n",
      bench->rows->len, n_failed, n_bad - n_failed);
  /* what could not be measured is wrong whether limits count or not */
  return bench->rows->len == 0 || n_failed > 0 || (check && n_bad > 0);
}

int
main (int argc, char **argv)
{
  gboolean check = FALSE, child = FALSE;
  gboolean frame_child = FALSE;
  g_autofree gchar *json = NULL;
  g_autofree gchar *self = NULL;
  g_auto (GStrv) only = NULL;
  Bench bench = { NULL, };
  GOptionEntry options[] = {
    {"check", 0, 0, G_OPTION_ARG_NONE, &check,
        "Fail where a value is above its limit", NULL},
    {"json", 0, 0, G_OPTION_ARG_FILENAME, &json, "Write the table there too",
        "FILE"},
    {"quick", 0, 0, G_OPTION_ARG_NONE, &bench.quick,
        "A few rounds only: does it run?", NULL},
    {"start-child", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &child, NULL,
        NULL},
    {"frame-child", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &frame_child,
        NULL, NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &only, NULL,
        "[elements|copies|launches|starts|loops|pipelines|frames|peers|convert|"
          "shapes...]"},
    {NULL}
  };
  g_autoptr (GOptionContext) context = NULL;
  GError *error = NULL;
  int result;

  self = find_self ();
  make_slices_visible (self, argv);
  context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (frame_child)
    return bench_frame_child ();
  bench.self = self;
  bench.rows = g_ptr_array_new_with_free_func (row_free);
  /* GST_HIP_VENDOR and GST_HIP_DEVICE choose */
  bench.device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, &error);
  if (bench.device == NULL) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (child) {
    result = bench_start_child (&bench);
  } else {
    run (&bench, only);
    result = finish (&bench, check);
    if (json != NULL && !write_json (&bench, json, &error)) {
      g_printerr ("%s\n", error->message);
      result = 2;
    }
  }
  g_ptr_array_unref (bench.rows);
  gst_object_unref (bench.device);
  return result;
}
