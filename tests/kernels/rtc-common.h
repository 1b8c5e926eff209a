/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What tests of real compilers for GPUs have in common: the kernels of the
 * source tree, a source that uses all of the subset, and what to look for in a
 * compiled module. */
#pragma once

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "hip-backend.h"
#include "hip-kernel.h"

/* --- the tree's kernels --- */

static GPtrArray *rtc_files;    /* of paths of .hip files, sorted */

static inline void
rtc_find_files (const gchar * folder, guint depth)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    if (g_str_has_suffix (name, ".hip"))
      g_ptr_array_add (rtc_files, g_steal_pointer (&path));
    else if (depth > 0 && name[0] != '.' && strcmp (name, "build") != 0
        && g_file_test (path, G_FILE_TEST_IS_DIR))
      rtc_find_files (path, depth - 1);
  }
}

static inline gint
rtc_compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar * const *) a, *(gchar * const *) b);
}

static inline void
rtc_list_files (void)
{
  const gchar *tree = g_getenv ("GST_HIP_SOURCE_DIR");

  rtc_files = g_ptr_array_new_with_free_func (g_free);
  rtc_find_files (tree ? tree : ".", 8);
  g_ptr_array_sort (rtc_files, rtc_compare_paths);
}

/* Options for each time that a file is compiled: kernels that are made for pairs of layouts (HIP_CONVERT_*) are so for
 * NV12 to RGBA, to and from tensors, and once for each way of reading and writing that is in no archive */
static const gchar *const rtc_pairs[][2] = { {"-DHIP_IN=1", "-DHIP_OUT=5"}, {"-DHIP_IN=1", "-DHIP_OUT=16"},
  {"-DHIP_IN=5", "-DHIP_OUT=17"}, {"-DHIP_IN=16", "-DHIP_OUT=1"}, {"-DHIP_IN=17", "-DHIP_OUT=6"},
  {"-DHIP_IN=11", "-DHIP_OUT=12"}, {"-DHIP_IN=13", "-DHIP_OUT=11"}, {"-DHIP_IN=18", "-DHIP_OUT=14"},
  {"-DHIP_IN=12", "-DHIP_OUT=19"}
};

/* The last ones have nothing that the others lack but bytes: one architecture is enough. */
#define RTC_N_PAIRS_EVERYWHERE 5

static inline guint
rtc_n_pairs (const gchar * path)
{
  if (g_str_has_suffix (path, "/convert-scale-tile.hip"))
    return 3;                   /* no tensor is scaled by it */
  return g_str_has_suffix (path, "/convert-tile.hip") ? G_N_ELEMENTS (rtc_pairs) : 1;
}

/* --- compiling --- */

/* The complete text; free with g_free () */
static inline gchar *
rtc_compose (const gchar * source, const gchar * name)
{
  HipKernelScan *scan = hip_kernel_scan (source, strlen (source));
  gchar *text = hip_kernel_source_compose (source, name, NULL, scan, FALSE);

  hip_kernel_scan_free (scan);
  return text;
}

static inline guint32
rtc_elf_flags (GBytes * module)
{
  Elf64_Ehdr head;

  fail_unless (g_bytes_get_size (module) > sizeof (head));
  memcpy (&head, g_bytes_get_data (module, NULL), sizeof (head));
  return head.e_flags;
}

/* The symbol of name in a module for machine: its size, or -1 */
static inline gssize
rtc_symbol_size (GBytes * module, guint machine, const gchar * name)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (module, &size);
  const Elf64_Ehdr *head = (const Elf64_Ehdr *) data;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (data + head->e_shoff);

  fail_unless (size > sizeof (*head));
  fail_unless (memcmp (head->e_ident, ELFMAG, SELFMAG) == 0);
  fail_unless_equals_int (head->e_machine, machine);
  for (guint i = 0; i < head->e_shnum; i++) {
    const Elf64_Sym *symbols;
    const gchar *strings;

    if (sections[i].sh_type != SHT_SYMTAB && sections[i].sh_type != SHT_DYNSYM)
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

/* --- the subset --- */

static const gchar rtc_subset[] =
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

/* What that leaves in a module */
static inline void
rtc_check_subset (GBytes * module, guint machine)
{
  fail_unless_equals_int (rtc_symbol_size (module, machine, "gst_hip_entries"),
      sizeof ("every\0frame\0nothing\0"));
  fail_unless_equals_int (rtc_symbol_size (module, machine,
          "gst_hip_meta_every"),
      sizeof (GstHipMetaHead) + 9 * sizeof (GstHipMetaParam));
  fail_unless_equals_int (rtc_symbol_size (module, machine,
          "gst_hip_meta_frame"),
      sizeof (GstHipMetaHead) + 3 * sizeof (GstHipMetaParam));
  fail_unless (rtc_symbol_size (module, machine, "gst_hip_text_every") > 0);
  fail_unless (rtc_symbol_size (module, machine, "every") > 0);
}
