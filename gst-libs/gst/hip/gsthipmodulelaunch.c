/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a kernel get onto a stream, in order with everything else?
 *
 * Arguments are compared with the signature, the stream is made to wait on the
 * device for what is pending on each memory (I2), the kernel is queued, one
 * event is recorded for the whole launch and noted on each memory, whose
 * allocation stays until it is done (I4), and on the module. Knows no vendor.
 *
 * Invariant: waits for nothing, allocates nothing in steady state; when it
 * fails, nothing is queued that was not before, or the device is lost.
 */
#include <string.h>

#include "gsthiperror.h"
#include "hip-kernel.h"
#include "hip-memory.h"
#include "hip-stream.h"

/* One memory of a launch, however often it is named */
typedef struct
{
  GstHipMemory *memory;
  GstMapFlags flags;
} Access;

/* --- checks --- */

/* The limits that all devices have in common, so that what runs on one runs on the others */
static gboolean
check_limits (const GstHipDeviceInfo * info, const guint grid[3],
    const guint block[3], gsize shared_bytes, GError ** error)
{
  static const guint grid_limits[3] = { G_MAXINT32, 65535, 65535 };
  static const guint block_limits[3] = { 1024, 1024, 64 };
  guint most = info->max_threads_per_block ? info->max_threads_per_block : 1024;
  guint64 threads = (guint64) block[0] * block[1] * block[2];

  for (guint i = 0; i < 3; i++) {
    if (grid[i] == 0 || grid[i] > grid_limits[i]) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_LAUNCH,
          "A grid of %ux%ux%u blocks: %c must be 1 to %u", grid[0], grid[1],
          grid[2], 'x' + i, grid_limits[i]);
      return FALSE;
    }
    if (block[i] == 0 || block[i] > block_limits[i]) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_LAUNCH,
          "A block of %ux%ux%u threads: %c must be 1 to %u", block[0],
          block[1], block[2], 'x' + i, block_limits[i]);
      return FALSE;
    }
  }
  if (threads > most) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_LAUNCH,
        "A block of %ux%ux%u threads has %" G_GUINT64_FORMAT ", %s takes at "
        "most %u", block[0], block[1], block[2], threads, info->name, most);
    return FALSE;
  }
  if (info->max_shared_bytes && shared_bytes > info->max_shared_bytes) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_LAUNCH,
        "%" G_GSIZE_FORMAT " bytes of dynamic shared memory, a block on %s "
        "has at most %u", shared_bytes, info->name, info->max_shared_bytes);
    return FALSE;
  }
  return TRUE;
}

static const gchar *
arg_kind_name (const HipKernelArg * arg)
{
  if (arg->memory)
    return "a memory";
  switch (arg->kind) {
    case GST_HIP_PARAMETER_KIND_FLOAT:
      return "a floating-point number";
    case GST_HIP_PARAMETER_KIND_STRUCT:
      return "a struct";
    default:
      return "an integer";
  }
}

static gboolean
arg_fits (const HipKernelArg * arg, const GstHipKernelParameter * param)
{
  gboolean is_float = param->kind == GST_HIP_PARAMETER_KIND_FLOAT;

  if (arg->size != param->size)
    return FALSE;
  if (arg->memory)
    return param->kind == GST_HIP_PARAMETER_KIND_POINTER;
  switch (arg->kind) {
    case GST_HIP_PARAMETER_KIND_FLOAT:
      return is_float;
    case GST_HIP_PARAMETER_KIND_INT:
    case GST_HIP_PARAMETER_KIND_UINT:  /* an address too, of native users */
      return !is_float && param->kind != GST_HIP_PARAMETER_KIND_STRUCT;
    default:
      return TRUE;
  }
}

static gboolean
check_args (GstHipKernelModule * module, const HipModuleEntry * entry,
    GstHipKernelArgs * args, GError ** error)
{
  g_autofree gchar *signature = NULL;
  guint n_args;
  const HipKernelArg *arg = hip_kernel_args_get (args, &n_args);

  if (n_args != entry->n_params) {
    signature = gst_hip_kernel_module_get_signature (module, entry->name);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "%u arguments for %s, which takes %u", n_args, signature,
        entry->n_params);
    return FALSE;
  }
  for (guint i = 0; i < n_args; i++) {
    const GstHipKernelParameter *param = &entry->params[i];

    if (arg_fits (&arg[i], param))
      continue;
    signature = gst_hip_kernel_module_get_signature (module, entry->name);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Argument %u is %s of %" G_GSIZE_FORMAT " bytes, the parameter%s%s "
        "has %" G_GSIZE_FORMAT " bytes: %s", i, arg_kind_name (&arg[i]),
        arg[i].size, *param->name ? " " : "", param->name, param->size,
        signature);
    return FALSE;
  }
  return TRUE;
}

static const HipModuleEntry *
find_entry (GstHipKernelModule * module, const gchar * name, GError ** error)
{
  const HipModuleEntry *entry = hip_module_find_entry (module, name);
  g_autoptr (GString) list = NULL;

  if (entry)
    return entry;
  list = g_string_new (NULL);
  for (guint i = 0; i < module->entries->len; i++) {
    g_autofree gchar *signature = gst_hip_kernel_module_get_signature (module,
        g_array_index (module->entries, HipModuleEntry, i).name);

    g_string_append_printf (list, "\n  %s", signature);
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "The module has no kernel \"%s\"; it has:%s", name, list->str);
  return NULL;
}

/* --- memories --- */

/* Each memory once, with the sum of its uses. Returns how many, or -1. */
static gint
collect_accesses (GstHipKernelModule * module, const HipModuleEntry * entry,
    GstHipKernelArgs * args, Access * access, GError ** error)
{
  guint n_uses, n = 0;
  const HipKernelUse *use = hip_kernel_args_get_uses (args, &n_uses);

  for (guint i = 0; i < n_uses; i++) {
    GstHipMemory *memory = GST_HIP_MEMORY_CAST (use[i].memory);
    GstMapFlags flags = use[i].flags;
    guint j;

    if (hip_memory_get_context (memory) != module->context) {
      if (use[i].arg >= 0)
        g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
            "Argument %d: the memory belongs to another device than the "
            "module, which is for %s", use[i].arg, module->context->info.name);
      else
        g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
            "A dependency belongs to another device than the module, which is "
            "for %s", module->context->info.name);
      return -1;
    }
    if (!flags)
      flags = entry->params[use[i].arg].is_const ? GST_MAP_READ :
          GST_MAP_READWRITE;
    for (j = 0; j < n && access[j].memory != memory; j++);
    if (j == n) {
      access[n].memory = memory;
      access[n++].flags = flags;
    } else {
      access[j].flags |= flags;
    }
  }
  return n;
}

/* The code stays until event is done. One event for each stream is enough, and
 * those of streams that have come to rest go. */
static void
note_launch (GstHipKernelModule * module, GstHipStream * stream,
    GstHipEvent * event)
{
  HipModuleLaunch launch = { hip_stream_get_serial (stream), NULL };
  GstHipEvent *old = NULL;
  guint i;

  launch.event = gst_hip_event_ref (event);
  hip_mutex_lock (&module->lock);
  for (i = 0; i < module->launches->len; i++) {
    HipModuleLaunch *known =
        &g_array_index (module->launches, HipModuleLaunch, i);

    if (known->stream == launch.stream
        || hip_event_is_known_done (known->event)) {
      old = known->event;
      *known = launch;
      break;
    }
  }
  if (!old)
    g_array_append_val (module->launches, launch);
  hip_mutex_unlock (&module->lock);
  gst_clear_hip_event (&old);
}

/* --- launching --- */

static GstHipEvent *
queue (GstHipKernelModule * module, const HipModuleEntry * entry,
    GstHipStream * stream, HipLaunch * launch, GstHipKernelArgs * args,
    Access * access, guint n_accesses, GError ** error)
{
  HipContext *context = module->context;
  g_autoptr (GError) cause = NULL;
  guint n_args;
  const HipKernelArg *arg = hip_kernel_args_get (args, &n_args);
  guintptr *addresses = g_newa (guintptr, MAX (n_args, 1));
  void **params = g_newa (void *, MAX (n_args, 1));
  GstHipEvent *event;

  for (guint i = 0; i < n_accesses; i++) {
    if (!gst_hip_memory_begin_access (access[i].memory, stream,
            access[i].flags, error))
      return NULL;
  }
  for (guint i = 0; i < n_args; i++) {
    if (arg[i].memory) {
      addresses[i] =
          hip_memory_get_device_address (GST_HIP_MEMORY_CAST (arg[i].memory)) +
          arg[i].offset;
      params[i] = &addresses[i];
    } else {
      params[i] = hip_kernel_args_get_bytes (args, &arg[i]);
    }
  }
  launch->params = params;
  launch->n_params = n_args;
  if (!context->backend->launch (context->native,
          hip_stream_get_native (stream), entry->function, launch, &cause)) {
    g_prefix_error (&cause, "Kernel %s: ", entry->name);
    hip_context_failed_with (context, error, g_steal_pointer (&cause));
    return NULL;
  }
  event = gst_hip_stream_record (stream, FALSE, error);
  if (!event)
    return NULL;
  for (guint i = 0; i < n_accesses; i++)
    gst_hip_memory_end_access_with_event (access[i].memory, event,
        access[i].flags);
  note_launch (module, stream, event);
  return event;
}

/**
 * gst_hip_kernel_module_launch_full:
 * @module: a #GstHipKernelModule
 * @entry: name of a kernel
 * @stream: (nullable): stream to queue it on, %NULL: the device's default
 * @grid: (array fixed-size=3): blocks in x, y and z
 * @block: (array fixed-size=3): threads of a block in x, y and z
 * @shared_bytes: dynamic shared memory of each block
 * @args: (nullable): the arguments, %NULL for none; may be changed at once
 * @event: (out) (optional) (transfer full): recorded behind the kernel
 * @error: return location for an error
 *
 * Queues a kernel. The stream first waits, on the device, for pending work on
 * the memories among @args; whatever uses these memories next waits for the
 * kernel. The module's code and the memories' allocations stay until it is done,
 * whoever lets go of them. The same memory may be passed more than once.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if there is no such kernel, an
 *   argument is not what it takes or belongs to another device,
 *   %GST_HIP_ERROR_LAUNCH if a limit is exceeded or the driver refuses
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 *
 * Threads: any; @args and order on @stream are the caller's business.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_module_launch_full (GstHipKernelModule * module,
    const gchar * entry, GstHipStream * stream, const guint grid[3],
    const guint block[3], gsize shared_bytes, GstHipKernelArgs * args,
    GstHipEvent ** event, GError ** error)
{
  g_autoptr (GstHipStream) own_stream = NULL;
  g_autoptr (GstHipKernelArgs) own_args = NULL;
  g_autoptr (GstHipEvent) done = NULL;
  const HipModuleEntry *found;
  HipLaunch launch = {.shared_bytes = shared_bytes };
  Access *access;
  guint n_uses;
  gint n;

  g_return_val_if_fail (module != NULL, FALSE);
  g_return_val_if_fail (entry != NULL, FALSE);
  g_return_val_if_fail (grid != NULL && block != NULL, FALSE);

  if (event)
    *event = NULL;
  if (!args)
    args = own_args = gst_hip_kernel_args_new ();
  if (!(found = find_entry (module, entry, error)) ||
      !check_limits (&module->context->info, grid, block, shared_bytes, error)
      || !check_args (module, found, args, error))
    return FALSE;
  if (stream && hip_stream_get_context (stream) != module->context) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "The stream belongs to another device than the module, which is for %s",
        module->context->info.name);
    return FALSE;
  }
  hip_kernel_args_get_uses (args, &n_uses);
  access = g_newa (Access, MAX (n_uses, 1));
  n = collect_accesses (module, found, args, access, error);
  if (n < 0 || !hip_context_enter (module->context, error))
    return FALSE;

  if (!stream)
    stream = own_stream =
        hip_context_get_default_stream (module->context, error);
  if (stream) {
    memcpy (launch.grid, grid, sizeof (launch.grid));
    memcpy (launch.block, block, sizeof (launch.block));
    done = queue (module, found, stream, &launch, args, access, n, error);
  }
  hip_context_leave (module->context);
  if (!done)
    return FALSE;
  if (event)
    *event = g_steal_pointer (&done);
  return TRUE;
}

/**
 * gst_hip_kernel_module_launch:
 * @module: a #GstHipKernelModule
 * @entry: name of a kernel
 * @stream: (nullable): stream to queue it on, %NULL: the device's default
 * @grid: (array fixed-size=3): blocks in x, y and z
 * @block: (array fixed-size=3): threads of a block in x, y and z
 * @args: (nullable): the arguments, %NULL for none
 * @error: return location for an error
 *
 * gst_hip_kernel_module_launch_full() without dynamic shared memory.
 *
 * Returns: %FALSE with @error set, nothing being queued
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 *
 * Threads: any; @args and order on @stream are the caller's business.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_module_launch (GstHipKernelModule * module, const gchar * entry,
    GstHipStream * stream, const guint grid[3], const guint block[3],
    GstHipKernelArgs * args, GError ** error)
{
  return gst_hip_kernel_module_launch_full (module, entry, stream, grid, block,
      0, args, NULL, error);
}
