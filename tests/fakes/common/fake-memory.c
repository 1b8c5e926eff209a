/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does memory come from, and does queued work still use it? Device memory
 * of whole blocks of 2 MiB is a file, so that it can be exported. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

/* The last piece of work of a stream that uses a memory */
typedef struct
{
  FakeStream *stream;
  HipNativeEvent event;
} Use;

typedef struct
{
  FakeMemoryKind kind;
  FakeContext *context;
  guintptr address;
  gsize size;
  gint fd;                      /* what it is a map of, or -1 */
  GArray *uses;
} Memory;

#define FILE_BYTES (2 * 1024 * 1024)

static HipMutex lock;
static GPtrArray *memories;
static gsize allocated_bytes;

/* With the lock: what holds the byte at address */
static Memory *
find (guintptr address)
{
  for (guint i = 0; memories && i < memories->len; i++) {
    Memory *memory = g_ptr_array_index (memories, i);

    if (address >= memory->address && address - memory->address < memory->size)
      return memory;
  }
  return NULL;
}

static void
add (FakeMemoryKind kind, FakeContext * context, guintptr address, gsize size,
    gint fd)
{
  Memory *memory = g_new0 (Memory, 1);

  memory->kind = kind;
  memory->context = context;
  memory->address = address;
  memory->size = size;
  memory->fd = fd;
  memory->uses = g_array_new (FALSE, FALSE, sizeof (Use));
  hip_mutex_lock (&lock);
  if (!memories)
    memories = g_ptr_array_new ();
  g_ptr_array_add (memories, memory);
  if (kind == FAKE_DEVICE_MEMORY)
    allocated_bytes += size;
  hip_mutex_unlock (&lock);
  fake_handle_add (memory, FAKE_MEMORY);
}

static Memory *
take (FakeMemoryKind kind, guintptr address, const gchar * call)
{
  Memory *memory;

  hip_mutex_lock (&lock);
  memory = find (address);
  fake_rule (memory && memory->kind == kind && memory->address == address,
      "what is freed was allocated so", call);
  g_ptr_array_remove_fast (memories, memory);
  if (kind == FAKE_DEVICE_MEMORY)
    allocated_bytes -= memory->size;
  hip_mutex_unlock (&lock);
  fake_handle_remove (memory);
  return memory;
}

FakeResult
fake_memory_free (FakeMemoryKind kind, guintptr address, const gchar * call)
{
  Memory *memory = take (kind, address, call);

  fake_rule (kind != FAKE_DEVICE_MEMORY
      || memory->context == fake_current (call),
      "memory is freed in its context", call);
  for (guint i = 0; i < memory->uses->len; i++) {
    Use *use = &g_array_index (memory->uses, Use, i);
    g_autoptr (GError) error = NULL;

    /* Nobody can tell where the device has failed: other libraries free then. */
    if (kind == FAKE_EXTERNAL_MEMORY
        && g_atomic_int_get (&memory->context->lost))
      host_event_synchronize (memory->context->host, use->event, &error);
    g_clear_error (&error);
    fake_rule (host_event_query (memory->context->host, use->event, &error)
        != GST_HIP_EVENT_STATE_PENDING, "nothing is freed while in use", call);
    host_event_free (memory->context->host, use->event);
  }
  g_array_unref (memory->uses);
  if (memory->fd >= 0) {
    munmap ((gpointer) address, memory->size);
    close (memory->fd);
  } else if (kind == FAKE_DEVICE_MEMORY || kind == FAKE_PINNED_MEMORY) {
    host_memory_free (NULL, HIP_SPACE_DEVICE, address);
  }
  g_free (memory);
  return FAKE_OK;
}

/* Its call failed: it leaks. */
void
fake_memory_give_up (FakeMemoryKind kind, guintptr address, const gchar * call)
{
  take (kind, address, call);
}

/* With the lock: the stream's event for this memory */
static Use *
find_use (Memory * memory, FakeStream * stream)
{
  Use fresh = { stream, NULL };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < memory->uses->len; i++) {
    Use *use = &g_array_index (memory->uses, Use, i);

    if (use->stream == stream)
      return use;
  }
  fresh.event = host_event_new (memory->context->host, FALSE, &error);
  if (!fresh.event)
    return NULL;
  g_array_append_val (memory->uses, fresh);
  return &g_array_index (memory->uses, Use, memory->uses->len - 1);
}

void
fake_memory_check (FakeStream * stream, guintptr address, gsize size,
    const gchar * call)
{
  Memory *memory;

  hip_mutex_lock (&lock);
  memory = find (address);
  if (memory) {
    fake_rule (size <= memory->size - (address - memory->address),
        "work stays inside its memory", call);
    fake_rule (memory->kind != FAKE_DEVICE_MEMORY
        || memory->context == stream->context,
        "device memory is used in its context", call);
  }
  hip_mutex_unlock (&lock);
}

void
fake_memory_use (FakeStream * stream, guintptr address)
{
  Memory *memory;

  hip_mutex_lock (&lock);
  memory = find (address);
  if (memory) {
    Use *use = find_use (memory, stream);

    /* Where the device failed no work is queued, and none uses it. */
    if (use)
      host_stream_record (memory->context->host, use->event, stream->host,
          NULL);
  }
  hip_mutex_unlock (&lock);
}

gboolean
fake_memory_is_host (guintptr address)
{
  Memory *memory;
  gboolean host;

  hip_mutex_lock (&lock);
  memory = find (address);
  host = !memory || memory->kind == FAKE_PINNED_MEMORY
      || memory->kind == FAKE_REGISTERED_MEMORY;
  hip_mutex_unlock (&lock);
  return host;
}

static gboolean
map_file (gsize size, guintptr * address, gint * fd)
{
  gpointer data = MAP_FAILED;

  *fd = memfd_create ("device", MFD_CLOEXEC);
  if (*fd >= 0 && ftruncate (*fd, (off_t) size) == 0)
    data = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  *address = (guintptr) data;
  return data != MAP_FAILED;
}

FakeResult
fake_memory_export (guintptr address, gsize size, gint * fd, const gchar * call)
{
  FakeResult result = FAKE_BAD_VALUE;
  Memory *memory;

  hip_mutex_lock (&lock);
  memory = find (address);
  if (memory && memory->kind == FAKE_DEVICE_MEMORY && memory->fd >= 0
      && memory->address == address && memory->size == size) {
    fake_rule (memory->context == fake_current (call),
        "memory is exported in its context", call);
    *fd = dup (memory->fd);
    result = FAKE_OK;
  }
  hip_mutex_unlock (&lock);
  return result;
}

FakeResult
fake_memory_alloc (FakeMemoryKind kind, gsize size, guintptr * address,
    const gchar * call)
{
  FakeContext *context = fake_current (call);
  g_autoptr (GError) error = NULL;
  gboolean full, made;
  gint fd = -1;

  if (size == 0)
    return FAKE_BAD_VALUE;
  hip_mutex_lock (&lock);
  full = size > fake_device_memory ()
      || allocated_bytes > fake_device_memory () - size;
  hip_mutex_unlock (&lock);
  if (full)
    return FAKE_NO_MEMORY;
  if (kind == FAKE_DEVICE_MEMORY && size % FILE_BYTES == 0
      && host_context_check (context->host, HOST_FAULT_MEMORY, &error))
    made = map_file (size, address, &fd);
  else
    made = !error && host_memory_alloc (context->host, HIP_SPACE_DEVICE, size,
        address, &error);
  if (!made)
    return FAKE_NO_MEMORY;
  /* Nobody may rely on zeros. */
  if (size <= 64 * 1024 * 1024)
    memset ((gpointer) * address, 0xa5, size);
  add (kind, context, *address, size, fd);
  return FAKE_OK;
}

void
fake_memory_adopt (FakeMemoryKind kind, guintptr address, gsize size,
    const gchar * call)
{
  add (kind, fake_current (call), address, size, -1);
}

void
fake_memory_lend (FakeStream * stream, guintptr address, gsize size)
{
  fake_handle_check (stream, FAKE_STREAM, G_STRFUNC);
  add (FAKE_EXTERNAL_MEMORY, stream->context, address, size, -1);
}

FakeResult
fake_memory_register (gpointer data, gsize size, const gchar * call)
{
  FakeContext *context = fake_current (call);
  guintptr begin = (guintptr) data;
  gboolean there = FALSE;

  if (!data || !size)
    return FAKE_BAD_VALUE;
  hip_mutex_lock (&lock);
  for (guint i = 0; memories && i < memories->len; i++) {
    Memory *memory = g_ptr_array_index (memories, i);

    there |= begin < memory->address + memory->size
        && memory->address < begin + size;
  }
  hip_mutex_unlock (&lock);
  if (there)
    return FAKE_LOCKED_ALREADY;
  add (FAKE_REGISTERED_MEMORY, context, begin, size, -1);
  return FAKE_OK;
}

FakeResult
fake_memory_host_address (gconstpointer host, guintptr * address,
    const gchar * call)
{
  Memory *memory;

  fake_current (call);
  hip_mutex_lock (&lock);
  memory = find ((guintptr) host);
  hip_mutex_unlock (&lock);
  if (!memory || memory->kind == FAKE_DEVICE_MEMORY)
    return FAKE_BAD_VALUE;
  *address = (guintptr) host;
  return FAKE_OK;
}
