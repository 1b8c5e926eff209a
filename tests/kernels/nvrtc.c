/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does the real compiler of NVIDIA GPUs take what we give it?
 *
 * No GPU is needed: every .hip file of the source tree and the sources below
 * are compiled for some architectures, and what comes out is looked at. Skipped
 * where there is no NVRTC.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "backends/nvidia/nvidia-internal.h"
#include "hip-kernel.h"

static const guint archs[] = { 75, 80, 90 };

static GPtrArray *files;        /* of paths of .hip files, sorted */

static GBytes *
compile (guint arch, const gchar * source, const gchar * name,
    const gchar * const *options, gchar ** log, GError ** error)
{
  HipKernelScan *scan = hip_kernel_scan (source, strlen (source));
  g_autofree gchar *text = hip_kernel_source_compose (source, name, NULL, scan,
      FALSE);
  g_auto (GStrv) translated = nvidia_translate_options (NULL, options, error);
  HipCompileRequest request = { text, name,
    (const gchar * const *) translated
  };

  hip_kernel_scan_free (scan);
  return translated ? nvidia_compile_capability (arch, &request, log,
      error) : NULL;
}

/* The symbol of name: its size, or -1 */
static gssize
symbol_size (GBytes * cubin, const gchar * name)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (cubin, &size);
  const Elf64_Ehdr *head = (const Elf64_Ehdr *) data;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (data + head->e_shoff);

  fail_unless (size > sizeof (*head));
  fail_unless (memcmp (head->e_ident, ELFMAG, SELFMAG) == 0);
  fail_unless_equals_int (head->e_machine, 190);
  for (guint i = 0; i < head->e_shnum; i++) {
    const Elf64_Sym *symbols;
    const gchar *strings;

    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    symbols = (const Elf64_Sym *) (data + sections[i].sh_offset);
    strings = (const gchar *) data + sections[sections[i].sh_link].sh_offset;
    for (gsize j = 0; j < sections[i].sh_size / sizeof (*symbols); j++) {
      if (strcmp (strings + symbols[j].st_name, name) == 0)
        return symbols[j].st_size;
    }
  }
  return -1;
}

static GBytes *
compile_well (guint arch, const gchar * source, const gchar * name,
    const gchar * const *options)
{
  g_autofree gchar *log = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *cubin = compile (arch, source, name, options, &log, &error);

  fail_unless (cubin != NULL, "%s for sm_%u: %s", name, arch,
      error ? error->message : "no error either");
  fail_unless (log == NULL, "%s for sm_%u: %s", name, arch, log);
  return cubin;
}

/* --- the tree's kernels --- */

static void
find_files (const gchar * folder, guint depth)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    if (g_str_has_suffix (name, ".hip"))
      g_ptr_array_add (files, g_steal_pointer (&path));
    else if (depth > 0 && name[0] != '.' && strcmp (name, "build") != 0
        && g_file_test (path, G_FILE_TEST_IS_DIR))
      find_files (path, depth - 1);
  }
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar * const *) a, *(gchar * const *) b);
}

GST_START_TEST (test_tree)
{
  const gchar *path = g_ptr_array_index (files, __i__);
  g_autofree gchar *folder = g_path_get_dirname (path);
  g_autofree gchar *include = g_strconcat ("-I", folder, NULL);
  /* Made for a pair of layouts each time; NV12 to RGBA here */
  gboolean pair = g_str_has_suffix (path, "/convert-tile.hip");
  const gchar *options[] = { include, pair ? "-DHIP_IN=1" : NULL,
    "-DHIP_OUT=5", NULL
  };
  g_autofree gchar *source = NULL;

  fail_unless (g_file_get_contents (path, &source, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (archs); i++) {
    g_autoptr (GBytes) cubin = compile_well (archs[i], source, path, options);

    fail_unless (symbol_size (cubin, "gst_hip_entries") > 1, "%s has no kernel",
        path);
  }
}

GST_END_TEST;

/* --- the subset --- */

static const gchar subset[] =
    "#include <cuda_fp16.h>\n"
    "#include <stdint.h>\n"
    "struct Params { float scale; int offset; unsigned char low; };\n"
    "enum Mode { MODE_A, MODE_B };\n"
    "__constant__ float table[4] = { 1.0f, 2.0f, 3.0f, 4.0f };\n"
    "template <typename T> __device__ T twice (T x) { return x + x; }\n"
    "float plain (float x) { return fminf (x, 1.0f); }\n"
    "extern \"C\" __global__ void\n"
    "every (const float *in, float *out, int n, Params p, Mode mode, double d,\n"
    "    unsigned long long *sum, uint8_t small, size_t size)\n"
    "{\n"
    "  __shared__ float tile[64];\n"
    "  extern __shared__ unsigned char dynamic[];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  tile[threadIdx.x & 63] = i < n ? in[i] : 0.0f;\n"
    "  dynamic[threadIdx.x] = small;\n"
    "  __syncthreads ();\n"
    "  if (i >= n) return;\n"
    "  float4 v = make_float4 (tile[0], sinf (p.scale), sqrt (d), plain (in[i]));\n"
    "  uchar4 c = make_uchar4 (1, 2, 3, dynamic[0]);\n"
    "  __half h = __float2half (v.x);\n"
    "  out[i] = twice (v.x + v.y + v.z + v.w) + table[i & 3] + c.w\n"
    "      + __half2float (h) + min (i, n) + max (p.offset, (int) mode)\n"
    "      + gst_hip_bf16_to_float (gst_hip_bf16_from_float (v.y));\n"
    "  atomicAdd (sum, (unsigned long long) size);\n"
    "  atomicAdd (&out[0], 1.0f);\n"
    "  atomicMin ((int *) sum, i); atomicMax ((unsigned *) sum, 1u);\n"
    "  atomicCAS ((int *) sum, 0, 1); atomicExch ((int *) sum, 2);\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "frame (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info)\n"
    "{\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (x < out.width && y < out.height && in.format == GST_HIP_FORMAT_GRAY8)\n"
    "    out.data[0][y * out.stride[0] + x] = in.data[0][y * in.stride[0] + x]\n"
    "        + (unsigned char) info.frame_number;\n"
    "}\n" "extern \"C\" __global__ void nothing (void) { }\n";

GST_START_TEST (test_subset)
{
  static const gchar *const standards[] = { NULL, "-std=gnu++17",
    "--std=c++14", "--std=c++20"
  };

  for (guint i = 0; i < G_N_ELEMENTS (archs); i++) {
    const gchar *options[] = { "-O2", standards[__i__], NULL };
    g_autoptr (GBytes) cubin = compile_well (archs[i], subset, "subset.hip",
        options);

    fail_unless_equals_int (symbol_size (cubin, "gst_hip_entries"),
        sizeof ("every\0frame\0nothing\0"));
    fail_unless_equals_int (symbol_size (cubin, "gst_hip_meta_every"),
        sizeof (GstHipMetaHead) + 9 * sizeof (GstHipMetaParam));
    fail_unless_equals_int (symbol_size (cubin, "gst_hip_meta_frame"),
        sizeof (GstHipMetaHead) + 3 * sizeof (GstHipMetaParam));
    fail_unless (symbol_size (cubin, "gst_hip_text_every") > 0);
    fail_unless (symbol_size (cubin, "every") > 0);
  }
}

GST_END_TEST;

GST_START_TEST (test_options)
{
  const gchar *options[] = { "-D", "ONE=1", "--define-macro=TWO=2", "-g", "-O3",
    "--gpu-architecture=sm_999", "-ffast-math", NULL
  };
  const gchar *lacking[] = { "-D", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) cubin = compile_well (80,
      "#if ONE + TWO != 3\n#error\n#endif\n"
      "extern \"C\" __global__ void f (float *p) { *p = sinf (*p); }\n",
      "options.hip", options);
  g_auto (GStrv) none = nvidia_translate_options (NULL, lacking, &error);

  fail_unless (none == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
}

GST_END_TEST;

GST_START_TEST (test_error_has_the_users_line)
{
  g_autofree gchar *log = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) cubin = compile (80,
      "\n\nextern \"C\" __global__ void f (int *p) { *p = missing; }\n",
      "dir/mine.hip", NULL, &log, &error);

  fail_unless (cubin == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE));
  fail_unless (strstr (error->message, "dir/mine.hip:3: error") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "missing") != NULL, "%s",
      error->message);
}

GST_END_TEST;

/* PTX for what NVRTC does not know yet, an error for what it knows no more */
GST_START_TEST (test_other_architectures)
{
  static const gchar source[] =
      "extern \"C\" __global__ void f (int *p) { *p = 1; }\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) ptx = compile_well (999, source, "new.hip", NULL);
  g_autoptr (GBytes) old = NULL;
  gsize size;
  const gchar *text = g_bytes_get_data (ptx, &size);

  fail_unless (size > 0 && text[size - 1] == '\0');
  fail_unless (strstr (text, ".version") != NULL);
  fail_unless (strstr (text, "gst_hip_meta_f") != NULL);

  old = compile (20, source, "old.hip", NULL, NULL, &error);
  fail_unless (old == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, "sm_20") != NULL, "%s", error->message);
}

GST_END_TEST;

static Suite *
nvrtc_suite (void)
{
  Suite *s = suite_create ("nvrtc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_tree, 0, files->len);
  tcase_add_loop_test (tc, test_subset, 0, 4);
  tcase_add_test (tc, test_options);
  tcase_add_test (tc, test_error_has_the_users_line);
  tcase_add_test (tc, test_other_architectures);
  return s;
}

int
main (int argc, char **argv)
{
  const gchar *tree = g_getenv ("GST_HIP_SOURCE_DIR");
  g_autoptr (GError) error = NULL;
  int status;

  gst_check_init (&argc, &argv);
  if (!nvidia_get_nvrtc (&error)) {
    g_printerr ("%s\n", error->message);
    return 77;
  }
  files = g_ptr_array_new_with_free_func (g_free);
  find_files (tree ? tree : ".", 8);
  g_ptr_array_sort (files, compare_paths);
  status = gst_check_run_suite (nvrtc_suite (), "nvrtc", __FILE__);
  g_ptr_array_unref (files);
  return status;
}
