/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a program written for GstHip 1.28 compile and link? Every name of its
 * vendor-free API, with the signature that its users call it by; a changed
 * signature is an error of the compiler here, a changed value fails at run
 * time. What takes HIP's own types is in another header and not asked here. */
#include <gst/hip/gsthip.h>

/* *INDENT-OFF* */
static const struct
{
  GstHipDevice *(*device_new) (GstHipVendor, guint);
  gboolean (*device_set_current) (GstHipDevice *);
  gboolean (*device_is_equal) (GstHipDevice *, GstHipDevice *);
  GstHipVendor (*device_get_vendor) (GstHipDevice *);
  guint (*device_get_device_id) (GstHipDevice *);
  GstHipStream *(*device_get_stream) (GstHipDevice *);
  GstHipStream *(*stream_new) (GstHipVendor, guint);
  GstHipVendor (*stream_get_vendor) (GstHipStream *);
  guint (*stream_get_device_id) (GstHipStream *);
  gboolean (*stream_record_event) (GstHipStream *, GstHipEvent **);
  GstHipStream *(*stream_ref) (GstHipStream *);
  void (*stream_unref) (GstHipStream *);
  void (*clear_stream) (GstHipStream **);
  GstHipEventPool *(*event_pool_new) (GstHipVendor, guint);
  gboolean (*event_pool_acquire) (GstHipEventPool *, GstHipEvent **);
  GstHipVendor (*event_get_vendor) (GstHipEvent *);
  guint (*event_get_device_id) (GstHipEvent *);
  GstHipEvent *(*event_ref) (GstHipEvent *);
  void (*event_unref) (GstHipEvent *);
  void (*clear_event) (GstHipEvent **);
  gboolean (*is_memory) (GstMemory *);
  GstHipStream *(*memory_get_stream) (GstHipMemory *);
  void (*memory_set_event) (GstHipMemory *, GstHipEvent *);
  void (*memory_sync) (GstHipMemory *);
  GstMemory *(*allocator_alloc) (GstHipAllocator *, GstHipDevice *, const GstVideoInfo *);
  gboolean (*allocator_set_active) (GstHipAllocator *, gboolean);
  GstHipPoolAllocator *(*pool_allocator_new) (GstHipDevice *, const GstVideoInfo *);
  GstFlowReturn (*pool_allocator_acquire) (GstHipPoolAllocator *, GstMemory **);
  GstBufferPool *(*buffer_pool_new) (GstHipDevice *);
  gboolean (*ensure_element_data) (GstElement *, GstHipVendor, gint, GstHipDevice **);
  gboolean (*handle_set_context) (GstElement *, GstContext *, GstHipVendor, gint, GstHipDevice **);
  gboolean (*handle_context_query) (GstElement *, GstQuery *, GstHipDevice *);
  GstContext *(*context_new) (GstHipDevice *);
  gboolean (*load_library) (GstHipVendor);
} names = {
  gst_hip_device_new, gst_hip_device_set_current, gst_hip_device_is_equal,
  gst_hip_device_get_vendor, gst_hip_device_get_device_id,
  gst_hip_device_get_stream, gst_hip_stream_new, gst_hip_stream_get_vendor,
  gst_hip_stream_get_device_id, gst_hip_stream_record_event,
  gst_hip_stream_ref, gst_hip_stream_unref, gst_clear_hip_stream,
  gst_hip_event_pool_new, gst_hip_event_pool_acquire,
  gst_hip_event_get_vendor, gst_hip_event_get_device_id, gst_hip_event_ref,
  gst_hip_event_unref, gst_clear_hip_event, gst_is_hip_memory,
  gst_hip_memory_get_stream, gst_hip_memory_set_event, gst_hip_memory_sync,
  gst_hip_allocator_alloc, gst_hip_allocator_set_active,
  gst_hip_pool_allocator_new, gst_hip_pool_allocator_acquire_memory,
  gst_hip_buffer_pool_new, gst_hip_ensure_element_data,
  gst_hip_handle_set_context, gst_hip_handle_context_query,
  gst_context_new_hip_device, gst_hip_load_library,
};
/* *INDENT-ON* */

G_STATIC_ASSERT (GST_HIP_VENDOR_UNKNOWN == 0);
G_STATIC_ASSERT (GST_HIP_VENDOR_AMD == 1);
G_STATIC_ASSERT (GST_HIP_VENDOR_NVIDIA == 2);
G_STATIC_ASSERT (GST_MAP_HIP == 131072);
G_STATIC_ASSERT (GST_MAP_READ_HIP == (131072 | GST_MAP_READ));
G_STATIC_ASSERT (GST_MAP_WRITE_HIP == (131072 | GST_MAP_WRITE));
G_STATIC_ASSERT ((guint) GST_HIP_MEMORY_TRANSFER_NEED_DOWNLOAD ==
    (guint) GST_MEMORY_FLAG_LAST);
G_STATIC_ASSERT ((guint) GST_HIP_MEMORY_TRANSFER_NEED_UPLOAD ==
    (guint) GST_MEMORY_FLAG_LAST << 1);
/* The public fields that stay */
G_STATIC_ASSERT (G_STRUCT_OFFSET (GstHipMemory, mem) == 0);
G_STATIC_ASSERT (sizeof (((GstHipMemory *) 0)->device) == sizeof (gpointer));
G_STATIC_ASSERT (sizeof (((GstHipBufferPool *) 0)->device) ==
    sizeof (gpointer));

static void
use_macros (void)
{
  g_autoptr (GstHipDevice) device = names.device_new (GST_HIP_VENDOR_HOST, 0);
  g_autoptr (GstBufferPool) pool = NULL;

  g_assert_true (GST_IS_HIP_DEVICE (device));
  g_assert_true (GST_HIP_DEVICE (device) == GST_HIP_DEVICE_CAST (device));
  pool = names.buffer_pool_new (device);
  g_assert_true (GST_IS_HIP_BUFFER_POOL (pool));
  g_assert_true (GST_HIP_BUFFER_POOL (pool)->device == device);
}

static void
compare_strings (void)
{
  g_autoptr (GEnumClass) vendors = g_type_class_ref (GST_TYPE_HIP_VENDOR);

  g_assert_cmpstr (GST_HIP_DEVICE_CONTEXT_TYPE, ==, "gst.hip.device");
  g_assert_cmpstr (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, ==, "memory:HIPMemory");
  g_assert_cmpstr (GST_HIP_MEMORY_NAME, ==, "HIPMemory");
  g_assert_cmpstr (g_enum_get_value (vendors, 1)->value_nick, ==, "amd");
  g_assert_cmpstr (g_enum_get_value (vendors, 2)->value_nick, ==, "nvidia");
}

static void
ask_context (void)
{
  g_autoptr (GstHipDevice) device = names.device_new (GST_HIP_VENDOR_HOST, 0);
  g_autoptr (GstContext) context = names.context_new (device);
  const GstStructure *s = gst_context_get_structure (context);
  g_autoptr (GstHipDevice) other = NULL;
  GstHipVendor vendor;
  guint id;

  g_assert_true (gst_context_has_context_type (context, "gst.hip.device"));
  g_assert_true (gst_context_is_persistent (context));
  g_assert_true (gst_structure_get (s, "device", GST_TYPE_HIP_DEVICE, &other,
          "vendor", GST_TYPE_HIP_VENDOR, &vendor, "device-id", G_TYPE_UINT, &id,
          NULL));
  g_assert_true (other == device);
  g_assert_cmpint (vendor, ==, GST_HIP_VENDOR_HOST);
  g_assert_cmpuint (id, ==, 0);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names-1-28/macros", use_macros);
  g_test_add_func ("/names-1-28/strings", compare_strings);
  g_test_add_func ("/names-1-28/context", ask_context);
  return g_test_run ();
}
