/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which devices are there, and how long does the state of one live?
 *
 * The primary context of a device lives while it is retained. Of a device that
 * failed the next one is a new, healthy one.
 */
#include <string.h>

#include "fake.h"

static HipMutex lock;
static FakeContext *primaries[FAKE_MAX_DEVICES];

gint
fake_device_count (void)
{
  return CLAMP (fake_number ("DEVICES", 1), 0, FAKE_MAX_DEVICES);
}

gboolean
fake_device_is_broken (gint device)
{
  return device == fake_number ("BROKEN", -1);
}

FakeResult
fake_device_retain (gint device, FakeContext ** context)
{
  if (device < 0 || device >= fake_device_count ())
    return FAKE_BAD_DEVICE;
  hip_mutex_lock (&lock);
  if (!primaries[device]) {
    primaries[device] = fake_context_new (device);
    if (fake_device_is_broken (device))
      primaries[device]->lost = fake_family.results[FAKE_BROKEN_DEVICE];
  }
  primaries[device]->retains++;
  *context = primaries[device];
  hip_mutex_unlock (&lock);
  return FAKE_OK;
}

FakeContext *
fake_context_new (gint device)
{
  FakeContext *context = g_new0 (FakeContext, 1);

  context->device = device;
  context->host = host_context_new ();
  fake_handle_add (context, FAKE_CONTEXT);
  return context;
}

void
fake_context_free (FakeContext * context)
{
  fake_stream_free_default (context);
  fake_handle_remove (context);
  fake_handles_forget_context (context);
  host_context_unref (context->host);
  g_free (context);
}

void
fake_device_release (gint device, const gchar * call)
{
  FakeContext *context;

  hip_mutex_lock (&lock);
  context = primaries[device];
  fake_rule (context && context->retains > 0,
      "a primary context is released as often as it was retained", call);
  if (--context->retains == 0) {
    fake_context_free (context);
    primaries[device] = NULL;
  }
  hip_mutex_unlock (&lock);
}

gboolean
fake_device_is_active (gint device)
{
  gboolean active;

  hip_mutex_lock (&lock);
  active = primaries[device] != NULL;
  hip_mutex_unlock (&lock);
  return active;
}

void
fake_device_lose (gint device)
{
  hip_mutex_lock (&lock);
  if (primaries[device]) {
    g_atomic_int_set (&primaries[device]->lost,
        fake_family.results[FAKE_FAILED]);
    host_inject_failure (primaries[device]->host, HOST_FAULT_DEVICE, 0);
  }
  hip_mutex_unlock (&lock);
}

void
fake_device_uuid (gint device, gpointer uuid)
{
  gchar *bytes = uuid;

  memset (bytes, 0, 16);
  bytes[0] = 0x5a;
  bytes[15] = (gchar) device;
}

gsize
fake_device_memory (void)
{
  return (gsize) fake_number ("MEMORY_MB", 8192) << 20;
}

FakeContext *
fake_current (const gchar * call)
{
  FakeContext *context = fake_family.current ();

  fake_rule (context != NULL, "a context is current", call);
  fake_handle_check (context, FAKE_CONTEXT, call);
  return context;
}
