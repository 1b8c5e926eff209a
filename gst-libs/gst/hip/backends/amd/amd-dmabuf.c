/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does an AMD GPU read another driver's DMA-BUF, give memory of its own as
 * one, and how does a stream of its wait for what the CPU learns?
 *
 * By HIP's external memory, always the whole of it from offset 0: HIP 5 takes
 * no notice of the offset. A mapped address has a reference of its own in newer
 * runtimes, which hipFree () drops, before its memory is destroyed; where it has
 * none, hipFree () refuses and nothing is lost.
 *
 * Memory for others is an allocation for itself, past the heap, and given back by
 * a worker that may wait for the device: HIP 7's function, unlike HSA's,
 * does not say where in the DMA-BUF the memory begins. The runtime cuts small
 * allocations out of blocks of 2 MiB; whether one was, the DMA-BUF's size tells.
 *
 * A gate is a word in pinned memory at which the stream waits by itself, where
 * the device says that it can. Elsewhere a function in the stream sleeps on the
 * runtime's thread: that holds up other programs' functions in streams, while
 * nothing of ours has any. Not the first choice, but better than a streaming
 * thread that waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "hip-lock.h"

#include "amd-internal.h"

/* Does hipImportExternalMemory () take the descriptor over when it succeeds, as
 * CUDA documents for its own? HIP documents nothing; AMD's decoder library
 * closes the descriptor itself after the import (rocDecode, pull request 55),
 * and the runtime's import leaves it alone. */
gboolean amd_import_consumes_fd = FALSE;

typedef struct
{
  AmdExternalMemory memory;
  gpointer address;
} AmdDmabuf;

gboolean
amd_have_dmabuf (void)
{
  return amd_hip.hipImportExternalMemory
      && amd_hip.hipExternalMemoryGetMappedBuffer
      && amd_hip.hipDestroyExternalMemory
      && (amd_hip.hipStreamWaitValue32 || amd_hip.hipLaunchHostFunc);
}

static AmdExternalMemory
import (gint fd, gsize size, GError ** error)
{
  AmdExternalMemoryDesc desc;
  AmdExternalMemory memory = NULL;
  gint own = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  gboolean ok;

  if (own < 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "duplicating a DMA-BUF's descriptor: %s", g_strerror (errno));
    return NULL;
  }
  memset (&desc, 0, sizeof (desc));
  desc.type = AMD_EXTERNAL_MEMORY_FD;
  desc.handle.fd = own;
  desc.size = size;
  ok = amd_check_as (amd_hip.hipImportExternalMemory (&memory,
          (const struct hipExternalMemoryHandleDesc_st *) &desc),
      "hipImportExternalMemory", GST_HIP_ERROR_UNSUPPORTED,
      "this DMA-BUF cannot be imported: copy it", error);
  if (!ok || !amd_import_consumes_fd)
    close (own);
  return ok ? memory : NULL;
}

HipNativeDmabuf
amd_dmabuf_import (HipNativeContext context, gint fd, gsize size,
    guintptr * address, GError ** error)
{
  AmdExternalMemory memory = import (fd, size, error);
  AmdExternalBufferDesc desc;
  gpointer mapped = NULL;
  AmdDmabuf *dmabuf;

  if (!memory)
    return NULL;
  memset (&desc, 0, sizeof (desc));
  desc.size = size;
  if (!amd_check_as (amd_hip.hipExternalMemoryGetMappedBuffer (&mapped, memory,
              (const struct hipExternalMemoryBufferDesc_st *) &desc),
          "hipExternalMemoryGetMappedBuffer", GST_HIP_ERROR_UNSUPPORTED,
          "this DMA-BUF cannot be mapped: copy it", error)) {
    AMD_CALL_NOTED (hipDestroyExternalMemory, memory);
    return NULL;
  }
  dmabuf = g_new (AmdDmabuf, 1);
  dmabuf->memory = memory;
  dmabuf->address = mapped;
  *address = (guintptr) mapped;
  return dmabuf;
}

void
amd_dmabuf_release (HipNativeContext context, HipNativeDmabuf native)
{
  AmdDmabuf *dmabuf = native;

  AMD_CALL_NOTED (hipFree, dmabuf->address);
  AMD_CALL_NOTED (hipDestroyExternalMemory, dmabuf->memory);
  g_free (dmabuf);
}

/* --- for others --- */

/* What the runtime allocates for itself */
#define WHOLE_BYTES (2 * 1024 * 1024)

gboolean
amd_have_export (void)
{
  return amd_hip.hipMemGetHandleForAddressRange != NULL;
}

static gsize
whole_size (gsize size)
{
  return (size + WHOLE_BYTES - 1) / WHOLE_BYTES * WHOLE_BYTES;
}

static gboolean
get_descriptor (guintptr address, gsize size, gint * fd, GError ** error)
{
  off_t real;

  *fd = -1;
  if (!amd_check_as (amd_hip.hipMemGetHandleForAddressRange (fd,
              (gpointer) address, size, AMD_RANGE_DMABUF_FD, 0),
          "hipMemGetHandleForAddressRange", GST_HIP_ERROR_UNSUPPORTED,
          "this memory cannot be exported: copy it", error))
    return FALSE;
  fcntl (*fd, F_SETFD, FD_CLOEXEC);
  real = lseek (*fd, 0, SEEK_END);
  lseek (*fd, 0, SEEK_SET);
  if (real == (off_t) size)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
      "AMD: %" G_GSIZE_FORMAT " bytes are a part of a DMA-BUF of %"
      G_GINT64_FORMAT ", and HIP does not say which", size, (gint64) real);
  close (*fd);
  return FALSE;
}

gboolean
amd_export_alloc (HipNativeContext context, gsize size, guintptr * address,
    gint * fd, GError ** error)
{
  gsize whole = whole_size (size);

  gpointer data = NULL;

  if (!AMD_CALL (error, hipMalloc, &data, whole))
    return FALSE;
  *address = (guintptr) data;
  if (get_descriptor (*address, whole, fd, error))
    return TRUE;
  AMD_CALL_NOTED (hipFree, data);
  return FALSE;
}

void
amd_export_free (HipNativeContext context, gsize size, guintptr address,
    gint fd)
{
  close (fd);
  AMD_CALL_NOTED (hipFree, (gpointer) address);
}

/* --- gates --- */

typedef struct
{
  guintptr word;                /* the CPU's address, or 0 */
  gpointer device_word;

  HipMutex lock;
  HipCond cond;
  gboolean is_open;
} AmdGate;

/* On a thread of the runtime */
static void
wait_for_gate (gpointer data)
{
  AmdGate *gate = data;

  hip_mutex_lock (&gate->lock);
  while (!gate->is_open)
    hip_cond_wait (&gate->cond, &gate->lock);
  hip_mutex_unlock (&gate->lock);
}

HipNativeGate
amd_gate_new (HipNativeContext native, GError ** error)
{
  AmdContext *context = native;
  guintptr word = 0, device_word = 0;
  AmdGate *gate;

  if (context->waits_for_values) {
    if (!amd_memory_alloc (native, HIP_SPACE_PINNED, sizeof (guint32), &word,
            error))
      return NULL;
    if (!amd_memory_device_address (native, (gpointer) word, &device_word,
            error)) {
      amd_memory_free (native, HIP_SPACE_PINNED, word);
      return NULL;
    }
    g_atomic_int_set ((gint *) word, 0);
  } else if (!amd_hip.hipLaunchHostFunc) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "this device's streams cannot wait for a DMA-BUF's producer");
    return NULL;
  }
  gate = g_new0 (AmdGate, 1);
  gate->word = word;
  gate->device_word = (gpointer) device_word;
  hip_mutex_init (&gate->lock);
  hip_cond_init (&gate->cond);
  return gate;
}

gboolean
amd_stream_wait_gate (HipNativeContext context, HipNativeStream stream,
    HipNativeGate native, GError ** error)
{
  AmdHipStream handle = ((AmdStream *) stream)->handle;
  AmdGate *gate = native;

  if (gate->word)
    return AMD_CALL (error, hipStreamWaitValue32, handle, gate->device_word, 1,
        AMD_WAIT_VALUE_GREATER_EQUAL, G_MAXUINT32);
  return AMD_CALL (error, hipLaunchHostFunc, handle, wait_for_gate, gate);
}

void
amd_gate_open (HipNativeGate native)
{
  AmdGate *gate = native;

  if (gate->word)
    g_atomic_int_set ((gint *) gate->word, 1);
  hip_mutex_lock (&gate->lock);
  gate->is_open = TRUE;
  hip_cond_signal (&gate->cond);
  hip_mutex_unlock (&gate->lock);
}

void
amd_gate_free (HipNativeContext context, HipNativeGate native)
{
  AmdGate *gate = native;

  if (gate->word)
    amd_memory_free (context, HIP_SPACE_PINNED, gate->word);
  hip_mutex_clear (&gate->lock);
  hip_cond_clear (&gate->cond);
  g_free (gate);
}
