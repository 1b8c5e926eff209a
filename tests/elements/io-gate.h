/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A device that stands still until the test says so: a kernel on a stream of
 * the test's own that runs until a word in pinned memory changes. What is said
 * to be written by that stream makes every later user wait on the device.
 */
#pragma once

#include "io-frames.h"

typedef struct
{
  GstHipDevice *device;
  GstHipStream *stream;
  GstHipKernelModule *module;
  GstMemory *flag;
  volatile gint *opened;        /* the CPU's address of flag */
  GPtrArray *sources;           /* what is copied once the gate is open */
} Gate;

static const gchar gate_source[] =
    "extern \"C\" __global__ void gate (volatile int *opened)\n"
    "{\n"
    "  while (*opened == 0);\n"
    "}\n";

G_GNUC_UNUSED static GstHipDevice *
test_device_new (void)
{
  const gchar *nick = test_vendor ();
  GEnumClass *klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  GEnumValue *value = g_enum_get_value_by_nick (klass, nick);
  GError *error = NULL;
  GstHipDevice *device;

  fail_unless (value != NULL, "no vendor %s", nick);
  device = gst_hip_device_new_full ((GstHipVendor) value->value, -1, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "no device");
  g_type_class_unref (klass);
  return device;
}

G_GNUC_UNUSED static Gate *
gate_new (void)
{
  static const guint one[3] = { 1, 1, 1 };
  Gate *gate = g_new0 (Gate, 1);
  GError *error = NULL;
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();
  GstMapInfo map;

  gate->device = test_device_new ();
  gate->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_memory_unref);
  gate->stream = gst_hip_stream_new_full (gate->device, 0, &error);
  fail_unless (gate->stream != NULL);
  gate->module = gst_hip_kernel_module_new_from_source (gate->device, gate_source, NULL, &error);
  fail_unless (gate->module != NULL, "%s", error ? error->message : "no module");
  gate->flag = gst_hip_allocator_alloc_pinned (NULL, gate->device, sizeof (gint), &error);
  fail_unless (gate->flag != NULL);
  fail_unless (gst_memory_map (gate->flag, &map, GST_MAP_WRITE));
  gate->opened = (volatile gint *) map.data;
  *gate->opened = 0;
  gst_memory_unmap (gate->flag, &map);

  fail_unless (gst_hip_kernel_args_add_memory (args, gate->flag, 0, &error));
  fail_unless (gst_hip_kernel_module_launch (gate->module, "gate", gate->stream, one, one, args, &error), "%s",
      error ? error->message : "not launched");
  gst_hip_kernel_args_unref (args);
  return gate;
}

/* New pinned memory that gets its bytes from the gate's stream, once that is open: whoever uses it has to wait for that on
 * the device, and sees other bytes if it does not. */
G_GNUC_UNUSED static GstMemory *
gate_new_memory (Gate * gate, GstBuffer * bytes)
{
  gsize size = gst_buffer_get_size (bytes);
  GstMemory *source = gst_hip_allocator_alloc_pinned (NULL, gate->device, size, NULL);
  GstMemory *memory = gst_hip_allocator_alloc_pinned (NULL, gate->device, size, NULL);
  GstHipCopyEnd from = { source, NULL, 0, size }, to = { memory, NULL, 0, size };
  GError *error = NULL;
  GstMapInfo map;

  fail_unless (source != NULL && memory != NULL);
  fail_unless (gst_memory_map (source, &map, GST_MAP_WRITE));
  gst_buffer_extract (bytes, 0, map.data, size);
  gst_memory_unmap (source, &map);
  g_ptr_array_add (gate->sources, source);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, GUARD_BYTE, size);
  gst_memory_unmap (memory, &map);

  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), gate->stream, GST_MAP_WRITE, &error));
  fail_unless (gst_hip_stream_copy_2d (gate->stream, &to, &from, size, 1, &error));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (memory), gate->stream, GST_MAP_WRITE, &error));
  return memory;
}

G_GNUC_UNUSED static void
gate_open (Gate * gate)
{
  g_atomic_int_set ((gint *) gate->opened, 1);
}

G_GNUC_UNUSED static void
gate_free (Gate * gate)
{
  gate_open (gate);
  fail_unless (gst_hip_stream_synchronize (gate->stream));
  g_ptr_array_unref (gate->sources);
  gst_memory_unref (gate->flag);
  gst_hip_kernel_module_unref (gate->module);
  gst_hip_stream_unref (gate->stream);
  gst_object_unref (gate->device);
  g_free (gate);
}
