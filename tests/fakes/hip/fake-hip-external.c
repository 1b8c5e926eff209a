/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory of other drivers, as HIP has it: imported by a file descriptor, then
 * mapped. What was asked for stands in the log, so that tests can compare.
 *
 * Since 6 a mapped address has a reference, which hipFree () drops; 5 knows no
 * such address there, and takes no notice of a mapping's offset. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake-hip.h"

typedef struct
{
  gpointer data;
  gsize size;
  gpointer mapped;              /* the address that was given out, or NULL */
} External;

static HipMutex lock;
static GPtrArray *externals;

static void
note (const gchar * what, guint64 offset, guint64 size, guint flags)
{
  g_autofree gchar *line = g_strdup_printf ("  %s: offset %" G_GUINT64_FORMAT
      ", size %" G_GUINT64_FORMAT ", flags %u", what, offset, size, flags);

  fake_note (line);
}

static gboolean
is_zero (const unsigned int reserved[16])
{
  for (guint i = 0; i < 16; i++) {
    if (reserved[i])
      return FALSE;
  }
  return TRUE;
}

AmdResult
hipImportExternalMemory (AmdExternalMemory * memory,
    const struct hipExternalMemoryHandleDesc_st *native)
{
  const AmdExternalMemoryDesc *desc = (const AmdExternalMemoryDesc *) native;
  External *external;
  struct stat status;
  gpointer data;

  FAKE_CALL ();
  fake_current (G_STRFUNC);
  note ("import", 0, desc->size, desc->flags);
  fake_rule (desc->type == AMD_EXTERNAL_MEMORY_FD,
      "a descriptor is imported as one", G_STRFUNC);
  fake_rule (desc->flags == 0 && is_zero (desc->reserved),
      "flags and what is reserved are 0", G_STRFUNC);
  if (fstat (desc->handle.fd, &status) != 0
      || desc->size > (guint64) status.st_size)
    return AMD_INVALID_VALUE;
  data = mmap (NULL, desc->size, PROT_READ, MAP_SHARED, desc->handle.fd, 0);
  if (data == MAP_FAILED)
    return AMD_INVALID_VALUE;
  if (fake_number ("CONSUMES_FD", 0))
    close (desc->handle.fd);

  external = g_new0 (External, 1);
  external->data = data;
  external->size = desc->size;
  hip_mutex_lock (&lock);
  if (!externals)
    externals = g_ptr_array_new ();
  g_ptr_array_add (externals, external);
  hip_mutex_unlock (&lock);
  fake_handle_add (external, FAKE_EXTERNAL);
  *memory = external;
  return AMD_OK;
}

AmdResult
hipExternalMemoryGetMappedBuffer (void **address, AmdExternalMemory memory,
    const struct hipExternalMemoryBufferDesc_st *native)
{
  const AmdExternalBufferDesc *desc = (const AmdExternalBufferDesc *) native;
  External *external = memory;

  FAKE_CALL ();
  fake_handle_check (external, FAKE_EXTERNAL, G_STRFUNC);
  note ("map", desc->offset, desc->size, desc->flags);
  fake_rule (desc->flags == 0 && is_zero (desc->reserved),
      "flags and what is reserved are 0", G_STRFUNC);
  fake_rule (!external->mapped, "an external memory is mapped once", G_STRFUNC);
  if (desc->size == 0 || desc->offset > external->size
      || desc->size > external->size - desc->offset)
    return AMD_INVALID_VALUE;
  external->mapped = (guint8 *) external->data
      + (FAKE_HIP_MAJOR == 5 ? 0 : desc->offset);
  fake_memory_adopt (FAKE_EXTERNAL_MEMORY, (guintptr) external->mapped,
      desc->size, G_STRFUNC);
  *address = external->mapped;
  return AMD_OK;
}

static External *
find_mapped (gpointer address)
{
  External *found = NULL;

  hip_mutex_lock (&lock);
  for (guint i = 0; externals && i < externals->len && !found; i++) {
    External *external = g_ptr_array_index (externals, i);

    if (external->mapped && external->mapped == address)
      found = external;
  }
  hip_mutex_unlock (&lock);
  return found;
}

gboolean
fake_external_is_mapped (gpointer address)
{
  return find_mapped (address) != NULL;
}

AmdResult
fake_external_free (gpointer address, const gchar * call)
{
  External *external = find_mapped (address);
  gint failed = fake_enter (call);

  if (failed != 0) {
    fake_memory_give_up (FAKE_EXTERNAL_MEMORY, (guintptr) address, call);
    external->mapped = NULL;
    return failed;
  }
  if (FAKE_HIP_MAJOR == 5)
    return AMD_INVALID_VALUE;
  external->mapped = NULL;
  RETURN (fake_memory_free (FAKE_EXTERNAL_MEMORY, (guintptr) address, call));
}

AmdResult
hipDestroyExternalMemory (AmdExternalMemory memory)
{
  External *external = memory;

  FAKE_CALL_FREES (external);
  fake_handle_check (external, FAKE_EXTERNAL, G_STRFUNC);
  if (FAKE_HIP_MAJOR > 5)
    fake_rule (!external->mapped,
        "what is mapped is freed before its external memory", G_STRFUNC);
  else if (external->mapped)
    fake_memory_free (FAKE_EXTERNAL_MEMORY, (guintptr) external->mapped,
        G_STRFUNC);
  fake_handle_remove (external);
  hip_mutex_lock (&lock);
  g_ptr_array_remove_fast (externals, external);
  hip_mutex_unlock (&lock);
  munmap (external->data, external->size);
  g_free (external);
  return AMD_OK;
}
