/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a shared object's content become kernels in this process?
 *
 * The bytes go into a file without a name, which the loader maps. Modules are
 * counted: launches that are queued hold them through their functions.
 *
 * Invariant: nothing is loaded that is not for this kind of machine, and
 * nothing is called that needs instructions this CPU lacks.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* memfd_create, dladdr1 */
#endif
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host-kernel.h"
#include "../../gsthiperror.h"

#if __SIZEOF_POINTER__ == 8
#define OUR_CLASS ELFCLASS64
#else
#define OUR_CLASS ELFCLASS32
#endif
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define OUR_DATA ELFDATA2LSB
#else
#define OUR_DATA ELFDATA2MSB
#endif

#if defined (__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined (__aarch64__)
#define OUR_MACHINE EM_AARCH64
#endif

/* --- loading --- */

static gboolean
check_elf (GBytes * binary, GError ** error)
{
  ElfW (Ehdr) header;
  gsize size;
  gconstpointer data = g_bytes_get_data (binary, &size);

  if (size >= sizeof (header)) {
    memcpy (&header, data, sizeof (header));
    if (memcmp (header.e_ident, ELFMAG, SELFMAG) == 0
        && header.e_ident[EI_CLASS] == OUR_CLASS
        && header.e_ident[EI_DATA] == OUR_DATA && header.e_type == ET_DYN
#ifdef OUR_MACHINE
        && header.e_machine == OUR_MACHINE
#endif
        )
      return TRUE;
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "The binary of %" G_GSIZE_FORMAT " bytes is no module of the host device",
      size);
  return FALSE;
}

static gboolean
write_all (int fd, const gchar * data, gsize size)
{
  while (size > 0) {
    gssize n = write (fd, data, size);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    data += n;
    size -= n;
  }
  return TRUE;
}

/* The loader takes two files of one name for one: descriptors' numbers are used
 * again, so each load spells the path in its own way. Empty and "." parts mean
 * nothing in a path; they write down a number. */
static gchar *
unique_fd_path (int fd)
{
  static gint counter;
  guint number = (guint) g_atomic_int_add (&counter, 1);
  GString *path = g_string_new ("/proc/self/fd");

  for (; number > 0; number >>= 1)
    g_string_append (path, number & 1 ? "/." : "/");
  g_string_append_printf (path, "/%d", fd);
  return g_string_free (path, FALSE);
}

static gpointer
load_bytes (GBytes * binary, GError ** error)
{
  g_autofree gchar *path = NULL;
  gsize size;
  const gchar *data = g_bytes_get_data (binary, &size);
  gpointer handle = NULL;
  int fd = memfd_create ("gst-hip-kernel", MFD_CLOEXEC);

  if (fd < 0 || !write_all (fd, data, size)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "Cannot make a file in memory for a kernel module: %s",
        g_strerror (errno));
  } else {
    path = unique_fd_path (fd);
    handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "Cannot load a kernel module: %s", dlerror ());
  }
  if (fd >= 0)
    close (fd);
  return handle;
}

/* Words for instructions in needed that this CPU lacks, or NULL */
static const gchar *
missing_isa (guint needed)
{
#if defined (__x86_64__)
  const struct
  {
    guint bit;
    const gchar *name;
    gboolean have;
  } table[] = {
    {GST_HIP_ISA_SSE42, "SSE4.2", __builtin_cpu_supports ("sse4.2")},
    {GST_HIP_ISA_AVX, "AVX", __builtin_cpu_supports ("avx")},
    {GST_HIP_ISA_AVX2, "AVX2", __builtin_cpu_supports ("avx2")},
    {GST_HIP_ISA_FMA, "FMA", __builtin_cpu_supports ("fma")},
    {GST_HIP_ISA_BMI2, "BMI2", __builtin_cpu_supports ("bmi2")},
    {GST_HIP_ISA_AVX512F, "AVX-512", __builtin_cpu_supports ("avx512f")},
    {GST_HIP_ISA_AVX512BW, "AVX-512BW", __builtin_cpu_supports ("avx512bw")},
    {GST_HIP_ISA_AVX512VL, "AVX-512VL", __builtin_cpu_supports ("avx512vl")},
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    if ((needed & table[i].bit) && !table[i].have)
      return table[i].name;
  }
#endif
  return NULL;
}

HipNativeModule
host_module_load (HipNativeContext context, GBytes * binary, GError ** error)
{
  HostModule *module;
  const gchar *lacking;
  gpointer handle;
  guint *isa;

  if (!check_elf (binary, error))
    return NULL;
  handle = load_bytes (binary, error);
  if (!handle)
    return NULL;
  isa = dlsym (handle, "gst_hip_host_isa");
  lacking = isa ? missing_isa (*isa) : NULL;
  if (!isa || lacking) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        lacking ? "The module needs %s, which this CPU lacks" :
        "The binary is a shared object but no kernel module%.0s", lacking);
    dlclose (handle);
    return NULL;
  }
  module = g_new0 (HostModule, 1);
  g_atomic_ref_count_init (&module->ref_count);
  module->handle = handle;
  module->functions = g_ptr_array_new ();
  hip_mutex_init (&module->lock);
  return module;
}

void
host_module_ref (HostModule * module)
{
  g_atomic_ref_count_inc (&module->ref_count);
}

void
host_module_unref (HostModule * module)
{
  if (!g_atomic_ref_count_dec (&module->ref_count))
    return;
  for (guint i = 0; i < module->functions->len; i++)
    host_function_free (g_ptr_array_index (module->functions, i));
  g_ptr_array_unref (module->functions);
  hip_mutex_clear (&module->lock);
  dlclose (module->handle);
  g_free (module);
}

void
host_module_unload (HipNativeContext context, HipNativeModule module)
{
  host_module_unref (module);
}

/* --- symbols --- */

static gpointer
find_symbol (HostModule * module, const gchar * prefix, const gchar * name,
    gsize * size)
{
  g_autofree gchar *symbol = g_strconcat (prefix, name, NULL);
  gpointer address = dlsym (module->handle, symbol);
  Dl_info info;
  const ElfW (Sym) * entry = NULL;

  if (size)
    *size = 0;
  if (address && size
      && dladdr1 (address, &info, (void **) &entry, RTLD_DL_SYMENT) && entry
      && info.dli_saddr == address)
    *size = entry->st_size;
  return address;
}

HipNativeFunction
host_module_get_function (HipNativeContext context, HipNativeModule native,
    const gchar * name, GError ** error)
{
  HostModule *module = native;
  HostFunction *function = NULL;
  gsize meta_size;
  gpointer entry = find_symbol (module, "gst_hip_entry_", name, NULL);
  gpointer meta = find_symbol (module, "gst_hip_meta_", name, &meta_size);

  if (entry && meta)
    function = host_function_new (module, name, (GstHipHostEntry) entry, meta,
        meta_size);
  if (!function) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "The module has no kernel \"%s\"", name);
    return NULL;
  }
  hip_mutex_lock (&module->lock);
  g_ptr_array_add (module->functions, function);
  hip_mutex_unlock (&module->lock);
  return function;
}

gboolean
host_module_read_global (HipNativeContext context, HipNativeModule native,
    const gchar * name, gpointer data, gsize * size, GError ** error)
{
  gsize capacity = *size, have;
  gpointer address = find_symbol (native, "", name, &have);

  if (!address) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "The module has no symbol \"%s\"", name);
    return FALSE;
  }
  *size = have;
  if (data)
    memcpy (data, address, MIN (capacity, have));
  return TRUE;
}
