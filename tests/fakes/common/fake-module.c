/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Modules and launches. What the simulated compiler makes is a shared object
 * for this machine that says it is for another one. */
#include <dlfcn.h>
#include <elf.h>
#include <string.h>

#include "backends/host/host-kernel.h"
#include "fake.h"

struct _FakeModule
{
  FakeContext *context;
  HipNativeModule host;
  GPtrArray *functions;
  GHashTable *pending;          /* FakeStream -> HipNativeEvent: its last launch */
  HipMutex lock;
};

struct _FakeFunction
{
  FakeModule *module;
  HipNativeFunction host;
  gint max_dynamic;
};

/* As drivers do: from what the image says about itself */
static gsize
image_size (const guint8 * image)
{
  Elf64_Ehdr head;
  Elf64_Shdr section;
  gsize size;

  memcpy (&head, image, sizeof (head));
  size = head.e_shoff + (gsize) head.e_shnum * head.e_shentsize;
  for (guint i = 0; i < head.e_shnum; i++) {
    memcpy (&section, image + head.e_shoff + (gsize) i * head.e_shentsize,
        sizeof (section));
    if (section.sh_type != SHT_NOBITS)
      size = MAX (size, section.sh_offset + section.sh_size);
  }
  return size;
}

FakeResult
fake_module_load (FakeModule ** module, gconstpointer image, guint16 machine,
    const gchar * call)
{
  FakeContext *context = fake_current (call);
  g_autoptr (GBytes) binary = NULL;
  g_autoptr (GError) error = NULL;
  HipNativeModule host;
  guint32 flags = 0;
  gsize size;
  guint8 *copy;

  if (memcmp (image, ELFMAG, SELFMAG) != 0)
    return FAKE_BAD_IMAGE;
  size = image_size (image);
  copy = g_memdup2 (image, size);
  if (!fake_elf_reveal (copy, size, machine, &flags) || (fake_family.runs
          && !fake_family.runs (flags))) {
    g_free (copy);
    return FAKE_OTHER_GPU;
  }
  binary = g_bytes_new_take (copy, size);
  host = host_module_load (context->host, binary, &error);
  if (!host)
    return FAKE_BAD_IMAGE;
  *module = g_new0 (FakeModule, 1);
  (*module)->context = context;
  (*module)->host = host;
  (*module)->functions = g_ptr_array_new_with_free_func (g_free);
  (*module)->pending = g_hash_table_new (NULL, NULL);
  hip_mutex_init (&(*module)->lock);
  fake_handle_add (*module, FAKE_MODULE);
  return FAKE_OK;
}

FakeResult
fake_module_unload (FakeModule * module, const gchar * call)
{
  GHashTableIter iter;
  gpointer event;

  fake_handle_check (module, FAKE_MODULE, call);
  fake_rule (module->context == fake_current (call),
      "a module is unloaded in its context", call);
  g_hash_table_iter_init (&iter, module->pending);
  while (g_hash_table_iter_next (&iter, NULL, &event)) {
    g_autoptr (GError) error = NULL;

    fake_rule (host_event_query (module->context->host, event, &error)
        != GST_HIP_EVENT_STATE_PENDING,
        "a module is unloaded when its kernels have ended", call);
    host_event_free (module->context->host, event);
  }
  for (guint i = 0; i < module->functions->len; i++)
    fake_handle_remove (g_ptr_array_index (module->functions, i));
  fake_handle_remove (module);
  host_module_unload (module->context->host, module->host);
  g_ptr_array_unref (module->functions);
  g_hash_table_unref (module->pending);
  hip_mutex_clear (&module->lock);
  g_free (module);
  return FAKE_OK;
}

FakeResult
fake_module_function (FakeModule * module, const gchar * name,
    FakeFunction ** function, const gchar * call)
{
  HipNativeFunction host;
  g_autoptr (GError) error = NULL;

  fake_handle_check (module, FAKE_MODULE, call);
  fake_current (call);
  host = host_module_get_function (module->context->host, module->host, name,
      &error);
  if (!host)
    return FAKE_NOT_FOUND;
  *function = g_new0 (FakeFunction, 1);
  (*function)->module = module;
  (*function)->host = host;
  (*function)->max_dynamic = fake_family.plain_shared;
  hip_mutex_lock (&module->lock);
  g_ptr_array_add (module->functions, *function);
  hip_mutex_unlock (&module->lock);
  fake_handle_add (*function, FAKE_FUNCTION);
  return FAKE_OK;
}

FakeResult
fake_module_global (FakeModule * module, const gchar * name,
    guintptr * address, gsize * size, const gchar * call)
{
  gpointer symbol;
  g_autoptr (GError) error = NULL;

  fake_handle_check (module, FAKE_MODULE, call);
  fake_current (call);
  *size = 0;
  symbol = dlsym (((HostModule *) module->host)->handle, name);
  if (!symbol || !host_module_read_global (module->context->host, module->host,
          name, NULL, size, &error))
    return FAKE_NOT_FOUND;
  *address = (guintptr) symbol;
  return FAKE_OK;
}

gint
fake_function_max_dynamic (FakeFunction * function, const gchar * call)
{
  fake_handle_check (function, FAKE_FUNCTION, call);
  return function->max_dynamic;
}

FakeResult
fake_function_set_max_dynamic (FakeFunction * function, gint bytes,
    const gchar * call)
{
  fake_handle_check (function, FAKE_FUNCTION, call);
  if (bytes < 0 || bytes > FAKE_MAX_SHARED)
    return FAKE_BAD_VALUE;
  function->max_dynamic = bytes;
  return FAKE_OK;
}

/* --- launches --- */

/* Whatever among the parameters is an address of ours is used: before the work
 * is queued (call, for the rules) or after (NULL). */
static void
use_params (FakeFunction * function, FakeStream * stream, void **params,
    const gchar * call)
{
  gsize size = host_function_params_size (function->host);
  g_autofree guint8 *packed = g_malloc0 (size + sizeof (guintptr));

  host_function_pack_params (function->host, params, packed);
  for (gsize at = 0; at + sizeof (guintptr) <= size; at += sizeof (guintptr)) {
    guintptr address;

    memcpy (&address, packed + at, sizeof (address));
    if (call)
      fake_memory_check (stream, address, 1, call);
    else
      fake_memory_use (stream, address);
  }
}

static gboolean
note_launch (FakeModule * module, FakeStream * stream, GError ** error)
{
  HipNativeEvent event;
  gboolean ok;

  hip_mutex_lock (&module->lock);
  event = g_hash_table_lookup (module->pending, stream);
  if (!event) {
    event = host_event_new (module->context->host, FALSE, error);
    if (event)
      g_hash_table_insert (module->pending, stream, event);
  }
  ok = event && host_stream_record (module->context->host, event, stream->host,
      error);
  hip_mutex_unlock (&module->lock);
  return ok;
}

static gboolean
launch_is_possible (FakeFunction * function, const HipLaunch * launch)
{
  const guint *grid = launch->grid, *block = launch->block;

  return grid[0] && grid[1] && grid[2] && block[0] && block[1] && block[2]
      && grid[0] <= G_MAXINT && grid[1] <= 65535 && grid[2] <= 65535
      && block[0] <= 1024 && block[1] <= 1024 && block[2] <= 64
      && block[0] * block[1] * block[2] <= 1024
      && launch->shared_bytes <= (gsize) function->max_dynamic;
}

FakeResult
fake_launch (FakeFunction * function, FakeStream * stream,
    const HipLaunch * launch, const gchar * call)
{
  g_autoptr (GError) error = NULL;

  fake_handle_check (function, FAKE_FUNCTION, call);
  fake_stream_begin (stream, call);
  fake_rule (function->module->context == stream->context,
      "kernel and stream are of one context", call);
  if (!launch_is_possible (function, launch))
    return FAKE_BAD_VALUE;
  use_params (function, stream, launch->params, call);
  if (!host_stream_launch (stream->context->host, stream->host, function->host,
          launch, &error)
      || !note_launch (function->module, stream, &error))
    return FAKE_FAILED;
  use_params (function, stream, launch->params, NULL);
  return FAKE_OK;
}
