/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory of the simulated driver, and whether queued work still uses it. */
#include <string.h>

#include "fake.h"

typedef enum
{
  DEVICE,
  PINNED,
  REGISTERED,
} Kind;

/* The last piece of work of a stream that uses a memory */
typedef struct
{
  CuStream stream;
  HipNativeEvent event;
} Use;

typedef struct
{
  Kind kind;
  CuContext context;
  guintptr address;
  gsize size;
  GArray *uses;
} Memory;

static HipMutex lock;
static GPtrArray *memories;

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
add (Kind kind, CuContext context, guintptr address, gsize size)
{
  Memory *memory = g_new0 (Memory, 1);

  memory->kind = kind;
  memory->context = context;
  memory->address = address;
  memory->size = size;
  memory->uses = g_array_new (FALSE, FALSE, sizeof (Use));
  hip_mutex_lock (&lock);
  if (!memories)
    memories = g_ptr_array_new ();
  g_ptr_array_add (memories, memory);
  hip_mutex_unlock (&lock);
}

static void
take_away (Kind kind, guintptr address, const gchar * call)
{
  Memory *memory;

  hip_mutex_lock (&lock);
  memory = find (address);
  fake_rule (memory && memory->kind == kind && memory->address == address,
      "what is freed was allocated so", call);
  g_ptr_array_remove_fast (memories, memory);
  hip_mutex_unlock (&lock);

  fake_rule (memory->context == fake_current (call) || kind != DEVICE,
      "memory is freed in its context", call);
  for (guint i = 0; i < memory->uses->len; i++) {
    Use *use = &g_array_index (memory->uses, Use, i);
    g_autoptr (GError) error = NULL;

    fake_rule (host_event_query (memory->context->host, use->event, &error)
        != GST_HIP_EVENT_STATE_PENDING, "nothing is freed while in use", call);
    host_event_free (memory->context->host, use->event);
  }
  g_array_unref (memory->uses);
  g_free (memory);
}

void
fake_memory_use (CuContext context, CuStream stream, guintptr address,
    gsize size, const gchar * call)
{
  g_autoptr (GError) error = NULL;
  Memory *memory;
  Use *use = NULL;

  hip_mutex_lock (&lock);
  memory = find (address);
  if (memory) {
    fake_rule (size <= memory->size - (address - memory->address),
        "work stays inside its memory", call);
    fake_rule (memory->kind != DEVICE || memory->context == context,
        "device memory is used in its context", call);
    for (guint i = 0; i < memory->uses->len && !use; i++) {
      use = &g_array_index (memory->uses, Use, i);
      if (use->stream != stream)
        use = NULL;
    }
    if (!use) {
      Use fresh = { stream, host_event_new (memory->context->host, FALSE,
            &error)
      };

      g_array_append_val (memory->uses, fresh);
      use = &g_array_index (memory->uses, Use, memory->uses->len - 1);
    }
    if (!host_stream_record (memory->context->host, use->event, stream->host,
            &error))
      g_error ("simulated driver: %s", error->message);
  }
  hip_mutex_unlock (&lock);
}

/* --- the API --- */

static CuResult
allocate (Kind kind, CuContext context, guintptr * address, gsize size)
{
  g_autoptr (GError) error = NULL;

  if (size == 0)
    return CU_INVALID_VALUE;
  if (size > (gsize) 1 << 40 || !host_memory_alloc (context->host,
          HIP_SPACE_DEVICE, size, address, &error))
    return CU_OUT_OF_MEMORY;
  /* Nobody may rely on zeros. */
  if (size <= 64 * 1024 * 1024)
    memset ((gpointer) * address, 0xa5, size);
  add (kind, context, *address, size);
  return CU_OK;
}

CuResult
cuMemAlloc_v2 (CuDevicePtr * address, size_t bytes)
{
  guintptr data = 0;
  CuResult result;

  FAKE_CALL (FALSE);
  result = allocate (DEVICE, fake_current (G_STRFUNC), &data, bytes);
  *address = data;
  return result;
}

CuResult
cuMemFree_v2 (CuDevicePtr address)
{
  FAKE_CALL (FALSE);
  take_away (DEVICE, address, G_STRFUNC);
  host_memory_free (NULL, HIP_SPACE_DEVICE, address);
  return CU_OK;
}

/* Pieces of memory of streams are not told apart: their only user waits. */
CuResult
cuMemAllocAsync (CuDevicePtr * address, size_t bytes, CuStream stream)
{
  guintptr data = 0;
  CuResult result;

  FAKE_CALL (FALSE);
  fake_handle_check (stream, FAKE_STREAM, G_STRFUNC);
  result = allocate (DEVICE, fake_current (G_STRFUNC), &data, bytes);
  *address = data;
  return result;
}

CuResult
cuMemFreeAsync (CuDevicePtr address, CuStream stream)
{
  FAKE_CALL (FALSE);
  fake_handle_check (stream, FAKE_STREAM, G_STRFUNC);
  take_away (DEVICE, address, G_STRFUNC);
  host_memory_free (NULL, HIP_SPACE_DEVICE, address);
  return CU_OK;
}

CuResult
cuMemHostAlloc (void **address, size_t bytes, unsigned int flags)
{
  guintptr data = 0;
  CuResult result;

  FAKE_CALL (FALSE);
  fake_rule (flags & CU_FLAG_HOST_PORTABLE, "pinned memory is portable",
      G_STRFUNC);
  result = allocate (PINNED, fake_current (G_STRFUNC), &data, bytes);
  *address = (gpointer) data;
  return result;
}

CuResult
cuMemFreeHost (void *address)
{
  FAKE_CALL (FALSE);
  take_away (PINNED, (guintptr) address, G_STRFUNC);
  host_memory_free (NULL, HIP_SPACE_PINNED, (guintptr) address);
  return CU_OK;
}

CuResult
cuMemHostRegister_v2 (void *address, size_t bytes, unsigned int flags)
{
  gboolean there = FALSE;
  guintptr begin = (guintptr) address;

  FAKE_CALL (FALSE);
  hip_mutex_lock (&lock);
  for (guint i = 0; memories && i < memories->len; i++) {
    Memory *memory = g_ptr_array_index (memories, i);

    there |= begin < memory->address + memory->size
        && memory->address < begin + bytes;
  }
  hip_mutex_unlock (&lock);
  if (there)
    return CU_HOST_MEMORY_ALREADY_REGISTERED;
  add (REGISTERED, fake_current (G_STRFUNC), begin, bytes);
  return CU_OK;
}

CuResult
cuMemHostUnregister (void *address)
{
  FAKE_CALL (FALSE);
  take_away (REGISTERED, (guintptr) address, G_STRFUNC);
  return CU_OK;
}

CuResult
cuMemHostGetDevicePointer_v2 (CuDevicePtr * address, void *host,
    unsigned int flags)
{
  Memory *memory;

  FAKE_CALL (FALSE);
  fake_current (G_STRFUNC);
  hip_mutex_lock (&lock);
  memory = find ((guintptr) host);
  hip_mutex_unlock (&lock);
  if (!memory || memory->kind == DEVICE)
    return CU_INVALID_VALUE;
  *address = (guintptr) host;
  return CU_OK;
}
