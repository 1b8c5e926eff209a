/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are the types and functions of this library its own in this process?
 *
 * Names of types are one for the whole process, and so are names of functions
 * for whatever is loaded later than the program. Another library with these
 * names (GstHip of another GStreamer) must not be mixed with this one: what is
 * registered there has other sizes. Whoever is asked here says so, with both
 * files, before anything is registered.
 *
 * Must not know: what the types are. Invariant: a type is registered here only
 * if none of them is anybody else's.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dladdr, RTLD_DEFAULT */
#endif
#include <dlfcn.h>
#include <string.h>

#include "gsthip.h"

typedef struct
{
  const gchar *name;
    GType (*get_type) (void);
} Row;

/* The test "beside" of suite elements compares these with the exported symbols. */
static const Row rows[] = {
  {"GstHipAllocator", gst_hip_allocator_get_type},
  {"GstHipBufferPool", gst_hip_buffer_pool_get_type},
  {"GstHipConverter", gst_hip_converter_get_type},
  {"GstHipDevice", gst_hip_device_get_type},
  {"GstHipDeviceCaps", gst_hip_device_caps_get_type},
  {"GstHipDeviceInfo", gst_hip_device_info_get_type},
  {"GstHipError", gst_hip_error_get_type},
  {"GstHipEvent", gst_hip_event_get_type},
  {"GstHipEventPool", gst_hip_event_pool_get_type},
  {"GstHipEventState", gst_hip_event_state_get_type},
  {"GstHipFenceData", gst_hip_fence_data_get_type},
  {"GstHipFenceDataPool", gst_hip_fence_data_pool_get_type},
  {"GstHipFrameMap", gst_hip_frame_map_get_type},
  {"GstHipKernelArgs", gst_hip_kernel_args_get_type},
  {"GstHipKernelModule", gst_hip_kernel_module_get_type},
  {"GstHipMemory", gst_hip_memory_get_type},
  {"GstHipMemoryKind", gst_hip_memory_kind_get_type},
  {"GstHipMemoryTransfer", gst_hip_memory_transfer_get_type},
  {"GstHipPadPlacement", gst_hip_pad_placement_get_type},
  {"GstHipParameterKind", gst_hip_parameter_kind_get_type},
  {"GstHipPoolAllocator", gst_hip_pool_allocator_get_type},
  {"GstHipResizeMode", gst_hip_resize_mode_get_type},
  {"GstHipScaleMethod", gst_hip_scale_method_get_type},
  {"GstHipStream", gst_hip_stream_get_type},
  {"GstHipTensorDataType", gst_hip_tensor_data_type_get_type},
  {"GstHipTensorDesc", gst_hip_tensor_desc_get_type},
  {"GstHipTensorFormat", gst_hip_tensor_format_get_type},
  {"GstHipTensorLayout", gst_hip_tensor_layout_get_type},
  {"GstHipTextureAddress", gst_hip_texture_address_get_type},
  {"GstHipTextureFilter", gst_hip_texture_filter_get_type},
  {"GstHipVendor", gst_hip_vendor_get_type},
};

/* Registered before this library was there: of those that own no code, nothing
 * else tells whose they are. */
static gboolean was_there[G_N_ELEMENTS (rows)];

__attribute__((constructor))
     static void look_around (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    was_there[i] = g_type_from_name (rows[i].name) != 0;
}

static const gchar *
file_of (gconstpointer address)
{
  Dl_info info;

  return address && dladdr (address, &info) ? info.dli_fname : NULL;
}

static const gchar *
file_of_values (GType type)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);

  return file_of (G_TYPE_IS_ENUM (type) ?
      (gconstpointer) ((GEnumClass *) klass)->values :
      (gconstpointer) ((GFlagsClass *) klass)->values);
}

/* The first function of the class that is not its parent's is of the library
 * that made the type. */
static const gchar *
file_of_class (GType type)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  gpointer parent = g_type_class_peek_parent (klass);
  GTypeQuery query, parent_query;

  g_type_query (type, &query);
  g_type_query (g_type_parent (type), &parent_query);
  for (gsize at = sizeof (GTypeClass); at + sizeof (gpointer) <=
      query.class_size; at += sizeof (gpointer)) {
    gpointer *slot = (gpointer *) ((guint8 *) klass + at);
    const gchar *file;

    if (at + sizeof (gpointer) <= parent_query.class_size
        && *slot == *(gpointer *) ((guint8 *) parent + at))
      continue;
    file = file_of (*slot);
    if (file)
      return file;
  }
  return NULL;
}

/* NULL: nothing tells */
static const gchar *
owner_of (GType type)
{
  if (G_TYPE_IS_ENUM (type) || G_TYPE_IS_FLAGS (type))
    return file_of_values (type);
  if (G_TYPE_IS_OBJECT (type))
    return file_of_class (type);
  return NULL;
}

static gboolean
refuse (const gchar * what, const gchar * name, const gchar * owner,
    GError ** error)
{
  const gchar *ours = file_of (rows);

  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "the %s %s in this process is that of %s, not that of %s: only one of the "
      "two can be used in a process; link the program with the one whose plugin "
      "is loaded (GST_PLUGIN_PATH), or with neither", what, name,
      owner ? owner : "another library", ours ? ours : "this library");
  return FALSE;
}

static gboolean
check_type (const gchar * name, gboolean must_be_new, GError ** error)
{
  GType type = g_type_from_name (name);
  const gchar *owner;

  if (!type)
    return TRUE;
  owner = owner_of (type);
  if (must_be_new || (owner && g_strcmp0 (owner, file_of (rows)) != 0))
    return refuse ("type", name, owner, error);
  return TRUE;
}

/* Would a plugin that was linked with this library get its functions? */
static gboolean
check_functions (GError ** error)
{
  const gchar *const names[] = { "gst_hip_device_new",
    "gst_hip_device_get_type", "gst_hip_memory_get_stream"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const gchar *owner = file_of (dlsym (RTLD_DEFAULT, names[i]));

    if (owner && g_strcmp0 (owner, file_of (rows)) != 0)
      return refuse ("function", names[i], owner, error);
  }
  return TRUE;
}

/**
 * gst_hip_check_types:
 * @more: (nullable) (array zero-terminated=1): names of types that the caller
 *   is about to register, and has not registered yet
 * @error: return location for an error
 *
 * Makes sure that the types and functions with this library's names are this
 * library's, and registers its types. Another library that has them is GstHip
 * of another GStreamer; a plugin does not start beside it.
 *
 * Errors: UNAVAILABLE, with the files of both libraries.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether they are
 *
 * Since: 1.30
 */
gboolean
gst_hip_check_types (const gchar * const *more, GError ** error)
{
  if (!check_functions (error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (!check_type (rows[i].name, was_there[i], error))
      return FALSE;
  }
  for (guint i = 0; more && more[i]; i++) {
    if (!check_type (more[i], TRUE, error))
      return FALSE;
  }

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_type_ensure (rows[i].get_type ());
  return TRUE;
}
