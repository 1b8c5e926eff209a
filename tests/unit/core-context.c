/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do the elements of a pipeline find one device, and does each path leave
 * exactly one reference with the element? */
#include "core-common.h"

/* --- an element as a user of the library writes it --- */
typedef struct
{
  GstElement parent;

  GstHipVendor vendor;
  gint device_id;
  gboolean deaf;                /* its set_context knows nothing of HIP */
  GstHipDevice *device;
} User;

typedef struct
{
  GstElementClass parent_class;
} UserClass;

static GType user_get_type (void);
G_DEFINE_TYPE (User, user, GST_TYPE_ELEMENT);

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);

static void
user_set_context (GstElement * element, GstContext * context)
{
  User *self = (User *) element;

  if (!self->deaf)
    gst_hip_handle_set_context (element, context, self->vendor,
        self->device_id, &self->device);
  GST_ELEMENT_CLASS (user_parent_class)->set_context (element, context);
}

static gboolean
user_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  User *self = (User *) parent;

  return gst_hip_handle_context_query (GST_ELEMENT (self), query, self->device)
      || gst_pad_query_default (pad, parent, query);
}

static void
user_finalize (GObject * object)
{
  gst_clear_object (&((User *) object)->device);
  G_OBJECT_CLASS (user_parent_class)->finalize (object);
}

static void
user_class_init (UserClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = user_finalize;
  GST_ELEMENT_CLASS (klass)->set_context = user_set_context;
}

static void
user_init (User * self)
{
  GstPad *sink = gst_pad_new_from_static_template (&sink_template, "sink");
  GstPad *src = gst_pad_new_from_static_template (&src_template, "src");

  self->vendor = GST_HIP_VENDOR_HOST;
  self->device_id = -1;
  gst_pad_set_query_function (sink, user_query);
  gst_pad_set_query_function (src, user_query);
  gst_element_add_pad (GST_ELEMENT (self), sink);
  gst_element_add_pad (GST_ELEMENT (self), src);
}

static gboolean
ensure (User * self, GError ** error)
{
  return gst_hip_ensure_element_data_full (GST_ELEMENT (self), self->vendor,
      self->device_id, &self->device, error);
}

/* --- a pipeline of three, and an application --- */
typedef struct
{
  GstElement *pipeline;
  User *users[3];
  GstHipDevice *answer;         /* to need-context */
  gboolean loses;               /* what was opened fails at once */
  gint needs, haves;
} Fixture;

static void
lose_device_of (GstMessage * message)
{
  g_autoptr (GstContext) context = NULL;
  g_autoptr (GstHipDevice) device = NULL;

  gst_message_parse_have_context (message, &context);
  fail_unless (gst_structure_get (gst_context_get_structure (context), "device",
          GST_TYPE_HIP_DEVICE, &device, NULL));
  fail_device (device);
  fail_if (gst_hip_stream_new_full (device, 0, NULL));
}

static void
note_message (Fixture * fixture, GstMessage * message)
{
  const gchar *type = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_HAVE_CONTEXT) {
    fixture->haves++;
    if (fixture->loses)
      lose_device_of (message);
  }
  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_NEED_CONTEXT)
    return;

  gst_message_parse_context_type (message, &type);
  fail_unless_equals_string (type, GST_HIP_DEVICE_CONTEXT_TYPE);
  fixture->needs++;
  if (fixture->answer) {
    GstContext *context = gst_context_new_hip_device (fixture->answer);

    gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)), context);
    gst_context_unref (context);
  }
}

static GstBusSyncReply
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  note_message (data, message);
  gst_message_unref (message);

  return GST_BUS_DROP;
}

static void
set_up (Fixture * fixture)
{
  GstBus *bus;
  guint i;

  memset (fixture, 0, sizeof (*fixture));
  fixture->pipeline = gst_pipeline_new (NULL);
  for (i = 0; i < 3; i++) {
    fixture->users[i] = g_object_new (user_get_type (), NULL);
    gst_bin_add (GST_BIN (fixture->pipeline), GST_ELEMENT (fixture->users[i]));
    if (i > 0)
      fail_unless (gst_element_link (GST_ELEMENT (fixture->users[i - 1]),
              GST_ELEMENT (fixture->users[i])));
  }
  bus = gst_element_get_bus (fixture->pipeline);
  gst_bus_set_sync_handler (bus, on_message, fixture, NULL);
  gst_object_unref (bus);
}

static void
tear_down (Fixture * fixture)
{
  gst_element_set_state (fixture->pipeline, GST_STATE_NULL);
  gst_object_unref (fixture->pipeline);
}

GST_START_TEST (test_neighbours_share)
{
  Fixture f;

  set_up (&f);
  fail_unless (ensure (f.users[1], NULL));
  fail_unless_equals_int (f.needs, 1);
  fail_unless_equals_int (f.haves, 1);
  /* Upstream and downstream of it, by query, without asking anybody else.
   * have-context made the bin hand it to all its children already: take it
   * away again, so that only the query is left. */
  gst_clear_object (&f.users[0]->device);
  gst_clear_object (&f.users[2]->device);
  fail_unless (ensure (f.users[0], NULL));
  fail_unless (ensure (f.users[2], NULL));
  fail_unless (f.users[0]->device == f.users[1]->device);
  fail_unless (f.users[2]->device == f.users[1]->device);
  fail_unless_equals_int (f.needs, 1);
  tear_down (&f);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_query_alone)
{
  /* No bin that could hand contexts on */
  User *up = g_object_new (user_get_type (), NULL);
  User *down = g_object_new (user_get_type (), NULL);

  gst_object_ref_sink (up);
  gst_object_ref_sink (down);
  fail_unless (gst_element_link (GST_ELEMENT (up), GST_ELEMENT (down)));
  fail_unless (ensure (down, NULL));
  up->deaf = TRUE;
  fail_unless (ensure (up, NULL));
  fail_unless (up->device == down->device);
  gst_object_unref (up);
  gst_object_unref (down);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_one_reference_on_every_path)
{
  GstHipDevice *device = open_host ();
  GstContext *context;
  Fixture f;
  guint round;
  gint deaf;

  /* Several pipelines after one another with a device of the application,
   * which answers from its sync handler, so re-entering the element */
  for (round = 0; round < 3; round++) {
    for (deaf = 0; deaf < 2; deaf++) {
      set_up (&f);
      f.answer = device;
      f.users[0]->deaf = deaf;
      fail_unless (ensure (f.users[0], NULL));
      fail_unless (f.users[0]->device == device);
      fail_unless_equals_int (f.haves, 0);
      /* Asked again it takes no other. */
      fail_unless (ensure (f.users[0], NULL));
      fail_unless (ensure (f.users[0], NULL));
      fail_unless_equals_int (f.needs, 1);
      tear_down (&f);
      ASSERT_OBJECT_REFCOUNT (device, "the application's", 1);
    }
  }

  /* Given before */
  set_up (&f);
  context = gst_context_new_hip_device (device);
  gst_element_set_context (f.pipeline, context);
  fail_unless (f.users[2]->device == device);
  gst_element_set_context (f.pipeline, context);
  gst_context_unref (context);
  fail_unless (ensure (f.users[2], NULL));
  fail_unless_equals_int (f.needs, 0);
  /* The element owns exactly one. */
  gst_clear_object (&f.users[2]->device);
  gst_clear_object (&f.users[1]->device);
  gst_clear_object (&f.users[0]->device);
  tear_down (&f);
  ASSERT_OBJECT_REFCOUNT (device, "the application's", 1);

  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_properties_bound_everything)
{
  GstHipDevice *device = open_host ();
  GError *error = NULL;
  Fixture f;

  set_up (&f);
  f.answer = device;
  f.users[0]->device_id = 1;
  fail_if (ensure (f.users[0], &error));
  fail_unless (f.users[0]->device == NULL);
  assert_error (error, GST_HIP_ERROR_UNAVAILABLE);
  fail_if (gst_hip_ensure_element_data (GST_ELEMENT (f.users[0]),
          GST_HIP_VENDOR_HOST, 1, &f.users[0]->device));

  /* A device that does not fit any more is dropped. */
  f.users[0]->device = gst_object_ref (device);
  fail_if (ensure (f.users[0], NULL));
  fail_unless (f.users[0]->device == NULL);
  f.users[0]->device_id = 0;
  fail_unless (ensure (f.users[0], NULL));
  fail_unless (f.users[0]->device == device);
  tear_down (&f);
  ASSERT_OBJECT_REFCOUNT (device, "the application's", 1);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_environment_comes_after_contexts)
{
  GstHipDevice *device = open_host ();
  GError *error = NULL;
  Fixture f;

  g_setenv ("GST_HIP_VENDOR", "nonsense", TRUE);
  set_up (&f);
  f.users[0]->vendor = GST_HIP_VENDOR_UNKNOWN;
  fail_if (ensure (f.users[0], &error));
  assert_error (error, GST_HIP_ERROR_UNAVAILABLE);
  f.answer = device;
  fail_unless (ensure (f.users[0], &error));
  fail_unless (f.users[0]->device == device);
  tear_down (&f);
  g_unsetenv ("GST_HIP_VENDOR");
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_lost_device_is_passed_over)
{
  GstHipDevice *lost = open_host ();
  Fixture f;

  set_up (&f);
  f.answer = lost;
  fail_unless (ensure (f.users[0], NULL));
  fail_device (lost);
  /* Known from the first call on */
  fail_if (gst_hip_stream_new_full (lost, 0, NULL));
  fail_unless (gst_hip_device_is_lost (lost));
  fail_unless (ensure (f.users[0], NULL));
  fail_unless (f.users[0]->device != lost);
  fail_if (gst_hip_device_is_lost (f.users[0]->device));
  tear_down (&f);
  gst_object_unref (lost);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_opened_device_fails_at_once)
{
  GError *error = NULL;
  Fixture f;

  set_up (&f);
  f.loses = TRUE;
  fail_if (ensure (f.users[0], &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_unless (f.users[0]->device == NULL);
  tear_down (&f);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_context_and_query)
{
  GstHipDevice *device = open_host (), *there = NULL, *slot = NULL;
  GstContext *context = gst_context_new_hip_device (device), *answer;
  GstContext *foreign = gst_context_new ("gst.something.else", TRUE);
  GstElement *element = gst_object_ref_sink (g_object_new (user_get_type (),
          NULL));
  const GstStructure *fields = gst_context_get_structure (context);
  GstHipVendor vendor = 0;
  guint device_id = 9;
  GstQuery *query;

  fail_unless (gst_context_is_persistent (context));
  fail_unless (gst_context_has_context_type (context, "gst.hip.device"));
  fail_unless (gst_structure_get (fields, "device", GST_TYPE_HIP_DEVICE,
          &there, "vendor", GST_TYPE_HIP_VENDOR, &vendor, "device-id",
          G_TYPE_UINT, &device_id, NULL));
  fail_unless (there == device);
  fail_unless_equals_int (vendor, GST_HIP_VENDOR_HOST);
  fail_unless_equals_int (device_id, 0);
  gst_object_unref (there);

  fail_if (gst_hip_handle_set_context (element, foreign,
          GST_HIP_VENDOR_UNKNOWN, -1, &slot));
  fail_if (gst_hip_handle_set_context (element, NULL,
          GST_HIP_VENDOR_UNKNOWN, -1, &slot));
  fail_if (gst_hip_handle_set_context (element, context,
          GST_HIP_VENDOR_NVIDIA, -1, &slot));
  fail_if (gst_hip_handle_set_context (element, context,
          GST_HIP_VENDOR_HOST, 3, &slot));
  fail_unless (slot == NULL);
  fail_unless (gst_hip_handle_set_context (element, context,
          GST_HIP_VENDOR_HOST, 0, &slot));
  fail_unless (slot == device);
  gst_clear_object (&slot);

  query = gst_query_new_context ("gst.something.else");
  fail_if (gst_hip_handle_context_query (element, query, device));
  gst_query_unref (query);
  query = gst_query_new_context (GST_HIP_DEVICE_CONTEXT_TYPE);
  fail_if (gst_hip_handle_context_query (element, query, NULL));
  fail_unless (gst_hip_handle_context_query (element, query, device));
  gst_query_parse_context (query, &answer);
  fail_unless (gst_hip_handle_set_context (element, answer,
          GST_HIP_VENDOR_UNKNOWN, -1, &slot));
  gst_query_unref (query);
  gst_clear_object (&slot);
  query = gst_query_new_latency ();
  fail_if (gst_hip_handle_context_query (element, query, device));
  gst_query_unref (query);

  gst_context_unref (context);
  gst_context_unref (foreign);
  gst_object_unref (element);
  ASSERT_OBJECT_REFCOUNT (device, "device", 1);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

static Suite *
core_context_suite (void)
{
  Suite *s = suite_create ("core-context");
  TCase *tc = tcase_create ("context");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_neighbours_share);
  tcase_add_test (tc, test_query_alone);
  tcase_add_test (tc, test_one_reference_on_every_path);
  tcase_add_test (tc, test_properties_bound_everything);
  tcase_add_test (tc, test_environment_comes_after_contexts);
  tcase_add_test (tc, test_lost_device_is_passed_over);
  tcase_add_test (tc, test_opened_device_fails_at_once);
  tcase_add_test (tc, test_context_and_query);

  return s;
}

GST_CHECK_MAIN (core_context);
