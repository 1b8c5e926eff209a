/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Modules and launches of the simulated driver. A CUBIN of the simulated NVRTC
 * is a shared object for this machine that says it is for another one. */
#include <dlfcn.h>
#include <elf.h>
#include <string.h>

#include "backends/host/host-kernel.h"
#include "fake.h"
#include "fake-cubin.h"

struct CUmod_st
{
  CuContext context;
  HipNativeModule host;
  GPtrArray *functions;
  GHashTable *pending;          /* CuStream -> HipNativeEvent: its last launch */
  HipMutex lock;
};

struct CUfunc_st
{
  CuModule module;
  HipNativeFunction host;
  gint max_dynamic;
};

/* As the driver: from what the image says about itself */
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

CuResult
cuModuleLoadDataEx (CuModule * module, const void *image,
    unsigned int n_options, unsigned int *options, void **values)
{
  g_autoptr (GBytes) binary = NULL;
  g_autoptr (GError) error = NULL;
  CuContext context;
  HipNativeModule host;
  gsize size;
  guint8 *copy;

  FAKE_CALL (FALSE);
  context = fake_current (G_STRFUNC);
  if (memcmp (image, ELFMAG, SELFMAG) != 0)
    return CU_INVALID_PTX;
  size = image_size (image);
  copy = g_memdup2 (image, size);
  if (!fake_cubin_to_host (copy, size)) {
    g_free (copy);
    return CU_NO_BINARY_FOR_GPU;
  }
  binary = g_bytes_new_take (copy, size);
  host = host_module_load (context->host, binary, &error);
  if (!host)
    return CU_INVALID_IMAGE;
  *module = g_new0 (struct CUmod_st, 1);
  (*module)->context = context;
  (*module)->host = host;
  (*module)->functions = g_ptr_array_new_with_free_func (g_free);
  (*module)->pending = g_hash_table_new (NULL, NULL);
  hip_mutex_init (&(*module)->lock);
  fake_handle_add (*module, FAKE_MODULE);
  return CU_OK;
}

CuResult
cuModuleUnload (CuModule module)
{
  GHashTableIter iter;
  gpointer event;

  FAKE_CALL (FALSE);
  fake_handle_check (module, FAKE_MODULE, G_STRFUNC);
  fake_rule (module->context == fake_current (G_STRFUNC),
      "a module is unloaded in its context", G_STRFUNC);
  g_hash_table_iter_init (&iter, module->pending);
  while (g_hash_table_iter_next (&iter, NULL, &event)) {
    fake_rule (host_event_query (module->context->host, event, NULL)
        != GST_HIP_EVENT_STATE_PENDING,
        "a module is unloaded when its kernels have ended", G_STRFUNC);
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
  return CU_OK;
}

CuResult
cuModuleGetFunction (CuFunction * function, CuModule module, const char *name)
{
  HipNativeFunction host;
  g_autoptr (GError) error = NULL;

  FAKE_CALL (FALSE);
  fake_handle_check (module, FAKE_MODULE, G_STRFUNC);
  fake_current (G_STRFUNC);
  host = host_module_get_function (module->context->host, module->host, name,
      &error);
  if (!host)
    return CU_NOT_FOUND;
  *function = g_new0 (struct CUfunc_st, 1);
  (*function)->module = module;
  (*function)->host = host;
  (*function)->max_dynamic = FAKE_PLAIN_SHARED;
  hip_mutex_lock (&module->lock);
  g_ptr_array_add (module->functions, *function);
  hip_mutex_unlock (&module->lock);
  fake_handle_add (*function, FAKE_FUNCTION);
  return CU_OK;
}

CuResult
cuModuleGetGlobal_v2 (CuDevicePtr * address, size_t *bytes, CuModule module,
    const char *name)
{
  gpointer symbol;
  g_autoptr (GError) error = NULL;

  FAKE_CALL (FALSE);
  fake_handle_check (module, FAKE_MODULE, G_STRFUNC);
  fake_current (G_STRFUNC);
  *bytes = 0;
  symbol = dlsym (((HostModule *) module->host)->handle, name);
  if (!symbol || !host_module_read_global (module->context->host, module->host,
          name, NULL, bytes, &error))
    return CU_NOT_FOUND;
  *address = (guintptr) symbol;
  return CU_OK;
}

CuResult
cuFuncLoad (CuFunction function)
{
  FAKE_CALL (FALSE);
  fake_handle_check (function, FAKE_FUNCTION, G_STRFUNC);
  return CU_OK;
}

CuResult
cuFuncGetAttribute (int *value, unsigned int attribute, CuFunction function)
{
  FAKE_CALL (FALSE);
  fake_handle_check (function, FAKE_FUNCTION, G_STRFUNC);
  switch (attribute) {
    case CU_FUNCTION_SHARED_BYTES:
      *value = 0;
      return CU_OK;
    case CU_FUNCTION_MAX_DYNAMIC_SHARED:
      *value = function->max_dynamic;
      return CU_OK;
    default:
      return CU_INVALID_VALUE;
  }
}

CuResult
cuFuncSetAttribute (CuFunction function, unsigned int attribute, int value)
{
  FAKE_CALL (FALSE);
  fake_handle_check (function, FAKE_FUNCTION, G_STRFUNC);
  if (attribute != CU_FUNCTION_MAX_DYNAMIC_SHARED || value < 0
      || value > FAKE_MAX_SHARED)
    return CU_INVALID_VALUE;
  function->max_dynamic = value;
  return CU_OK;
}

/* --- launches --- */

/* Whatever among the parameters is an address of ours is used. */
static void
use_params (CuFunction function, CuStream stream, void **params)
{
  gsize size = host_function_params_size (function->host);
  g_autofree guint8 *packed = g_malloc0 (size + sizeof (guintptr));

  host_function_pack_params (function->host, params, packed);
  for (gsize at = 0; at + sizeof (guintptr) <= size; at += sizeof (guintptr)) {
    guintptr address;

    memcpy (&address, packed + at, sizeof (address));
    fake_memory_use (stream->context, stream, address, 1, "cuLaunchKernel");
  }
}

static gboolean
note_launch (CuModule module, CuStream stream, GError ** error)
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

CuResult
cuLaunchKernel (CuFunction function, unsigned int grid_x, unsigned int grid_y,
    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
    unsigned int block_z, unsigned int shared_bytes, CuStream stream,
    void **params, void **extra)
{
  HipLaunch launch = { {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
  shared_bytes, params, 0
  };
  g_autoptr (GError) error = NULL;

  FAKE_CALL (FALSE);
  fake_handle_check (function, FAKE_FUNCTION, G_STRFUNC);
  fake_stream_begin (stream, G_STRFUNC);
  fake_rule (function->module->context == stream->context,
      "kernel and stream are of one context", G_STRFUNC);
  fake_rule (extra == NULL, "parameters are given once", G_STRFUNC);
  if (!grid_x || !grid_y || !grid_z || !block_x || !block_y || !block_z
      || grid_x > G_MAXINT || grid_y > 65535 || grid_z > 65535
      || block_x > 1024 || block_y > 1024 || block_z > 64
      || block_x * block_y * block_z > 1024
      || shared_bytes > (guint) function->max_dynamic)
    return CU_INVALID_VALUE;
  if (!host_stream_launch (stream->context->host, stream->host, function->host,
          &launch, &error)
      || !note_launch (function->module, stream, &error))
    return CU_LAUNCH_FAILED;
  use_params (function, stream, params);
  return CU_OK;
}
