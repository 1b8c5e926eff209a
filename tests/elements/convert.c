/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are the pixels that come out of hipconvert those that the caps claim, whatever
 * the properties are, while they change, and in interlaced streams? And are
 * frames left alone where nothing is to be done?
 */
#include "convert-common.h"

#define HIP_ALTERNATE "video/x-raw(memory:HIPMemory,format:Interlaced)"

/* --- pixels --- */

typedef struct
{
  const gchar *in, *out;        /* fields behind video/x-raw */
} Conversion;

static const Conversion conversions[] = {
  {",format=NV12,colorimetry=bt601", ",format=RGBA"},
  {",format=NV12,colorimetry=bt709", ",format=RGBA"},
  {",format=NV12,colorimetry=bt2020", ",format=RGBA"},
  {",format=P010_10LE,colorimetry=bt2020", ",format=RGBA"},
  {",format=RGBA", ",format=I420,colorimetry=bt709"},
  {",format=RGBA,colorimetry=sRGB", ",format=NV12,colorimetry=bt601"},
  /* between two kinds of YUV: other matrix, other range, other siting */
  {",format=I420,colorimetry=bt601", ",format=NV12,colorimetry=bt709"},
  {",format=NV12,colorimetry=bt601", ",format=NV12,colorimetry=bt709"},
  {",format=NV12,colorimetry=2:4:0:0", ",format=NV12,colorimetry=1:4:0:0"},
  {",format=I420,chroma-site=jpeg", ",format=I420,chroma-site=mpeg2"},
  {",format=I420,chroma-site=mpeg2", ",format=NV12"},
  {",format=P010_10LE", ",format=NV12"},
  {",format=YUY2", ",format=I420"},
  {",format=v210", ",format=Y444_10LE"},
  /* alpha is kept, added, dropped */
  {",format=AYUV", ",format=RGBA"},
  {",format=RGB", ",format=A420"},
  {",format=BGRA", ",format=RGB"},
  {",format=GRAY8", ",format=RGBA"},
  {",format=RGB16", ",format=GBR_10LE"},
};

static const gchar *const sizes[] = {
  ",width=64,height=48", ",width=321,height=13", ",width=1,height=1"
};

static void
check_conversion (const Conversion * c, const gchar * size)
{
  g_autofree gchar *in = g_strconcat ("video/x-raw", c->in, size,
      ",framerate=30/1", NULL);
  g_autofree gchar *what = g_strconcat (in, " to ", c->out, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness ("", in, c->out);

  for (guint i = 0; i < 3; i++)
    convert_test_one (h, &info, &convert_test_defaults, rand, what);
  gst_harness_teardown (h);
}

GST_START_TEST (test_pixels)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    check_conversion (&conversions[__i__], sizes[i]);
}

GST_END_TEST;

/* --- properties --- */

static gint
draw_enum (GRand * rand, GType type)
{
  GEnumClass *klass = g_type_class_ref (type);
  gint value = klass->values[g_rand_int_range (rand, 0,
          klass->n_values)].value;

  g_type_class_unref (klass);
  return value;
}

/* By properties, or by a configuration that wins over properties */
static void
draw_modes (GRand * rand, GstElement * element, RefModes * modes)
{
  g_autoptr (GstStructure) config = NULL;
  gdouble overruled = g_rand_double (rand);

  modes->matrix_mode = draw_enum (rand, GST_TYPE_VIDEO_MATRIX_MODE);
  modes->chroma_mode = draw_enum (rand, GST_TYPE_VIDEO_CHROMA_MODE);
  modes->alpha_mode = draw_enum (rand, GST_TYPE_VIDEO_ALPHA_MODE);
  modes->alpha_value = g_rand_int_range (rand, 0, 5) / 4.0;
  modes->primaries_mode = draw_enum (rand, GST_TYPE_VIDEO_PRIMARIES_MODE);
  modes->gamma_mode = draw_enum (rand, GST_TYPE_VIDEO_GAMMA_MODE);
  g_object_set (element, "matrix-mode", modes->matrix_mode,
      "chroma-mode", modes->chroma_mode, "alpha-mode", modes->alpha_mode,
      "primaries-mode", modes->primaries_mode,
      "gamma-mode", modes->gamma_mode, "n-threads", g_rand_int (rand),
      "dither",
      draw_enum (rand, GST_TYPE_VIDEO_DITHER_METHOD), "chroma-resampler",
      GST_VIDEO_RESAMPLER_METHOD_LANCZOS, NULL);
  if (g_rand_boolean (rand)) {
    g_object_set (element, "alpha-value", modes->alpha_value,
        "converter-config", NULL, NULL);
    return;
  }
  config = gst_structure_new ("config", GST_VIDEO_CONVERTER_OPT_ALPHA_VALUE,
      G_TYPE_DOUBLE, modes->alpha_value, NULL);
  g_object_set (element, "alpha-value", overruled, "converter-config", config,
      NULL);
}

static const Conversion changing[] = {
  {",format=A420,colorimetry=bt601", ",format=RGBA,colorimetry=sRGB"},
  {",format=NV12,colorimetry=bt2020", ",format=NV12,colorimetry=bt709"},
  {",format=P010_10LE,colorimetry=bt2020", ",format=Y42B,colorimetry=bt709"},
  /* sometimes nothing is to be done */
  {",format=RGBA,colorimetry=sRGB", ",format=RGBA,colorimetry=sRGB"},
};

GST_START_TEST (test_properties_change_at_every_frame)
{
  const Conversion *c = &changing[__i__];
  g_autofree gchar *in = g_strconcat ("video/x-raw", c->in,
      ",width=34,height=21,framerate=30/1", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness ("", in, c->out);
  g_autoptr (GstElement) element = convert_test_element (h, "convert");

  for (guint i = 0; i < 100; i++) {
    g_autofree gchar *what = g_strdup_printf ("frame %u", i);
    RefModes modes = convert_test_defaults;

    draw_modes (rand, element, &modes);
    convert_test_one (h, &info, &modes, rand, what);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_nearest_chroma)
{
  const gchar *in = "video/x-raw,format=NV12,width=34,height=22,framerate=30/1";
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness ("chroma-resampler=nearest", in,
      ",format=RGBA");
  RefModes modes = convert_test_defaults;

  modes.chroma_mode = GST_VIDEO_CHROMA_MODE_NONE;
  convert_test_one (h, &info, &modes, rand, "nearest");
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Every sample is a multiple, and no farther than one from what it was. */
GST_START_TEST (test_dither_quantization)
{
  static const gchar *const properties[] = {
    "dither-quantization=16", "dither-quantization=16 dither=sierra-lite",
    "dither-quantization=0", "dither-quantization=16 dither=none"
  };
  const guint quantum = __i__ < 2 ? 16 : 1;
  const gchar *in = "video/x-raw,format=RGBA,width=37,height=21,framerate=30/1";
  GstHarness *h = convert_test_harness (properties[__i__], in, ",format=ABGR");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 37 * 21 * 4, NULL), *out;
  gsize n_between = 0;
  GstMapInfo map;

  fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = i * 7;
  gst_buffer_unmap (frame, &map);
  fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  fail_unless_equals_int (map.size, 37 * 21 * 4);
  for (gsize i = 0; i < map.size; i++) {
    gint was = (guint8) ((i - i % 4 + 3 - i % 4) * 7), is = map.data[i];

    fail_unless (is % quantum == 0 && ABS (is - was) < MAX (quantum, 1),
        "byte %" G_GSIZE_FORMAT ": %d became %d", i, was, is);
    n_between += is != was;
  }
  fail_unless ((n_between > 0) == (quantum > 1));
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- nothing to do --- */

typedef struct
{
  const gchar *properties, *in, *out;
  gboolean passes;
} Passing;

static const Passing passing[] = {
  {"", ",format=NV12", ",format=NV12", TRUE},
  {"", ",format=NV12,colorimetry=bt709,chroma-site=mpeg2", "", TRUE},
  {"", ",format=RGBA,colorimetry=sRGB", "", TRUE},
  {"", ",format=NV12,colorimetry=bt601", ",format=NV12,colorimetry=bt601",
      TRUE},
  /* what is not said is as it is */
  {"", ",format=NV12,colorimetry=2:0:0:0", ",format=NV12,colorimetry=2:4:0:0",
      TRUE},
  {"", ",format=NV12,colorimetry=bt601", ",format=NV12,colorimetry=bt709",
      FALSE},
  {"", ",format=I420,chroma-site=jpeg", ",format=I420,chroma-site=mpeg2",
      FALSE},
  {"", ",format=NV12", ",format=NV21", FALSE},
  {"", ",format=NV12,interlace-mode=interleaved", "", TRUE},
  /* asked for work that there is, and that there is not */
  {"alpha-mode=set", ",format=RGBA", ",format=RGBA", FALSE},
  {"alpha-mode=set", ",format=RGBx", ",format=RGBx", TRUE},
  {"alpha-mode=mult alpha-value=0.5", ",format=AYUV", ",format=AYUV", FALSE},
  {"alpha-mode=mult alpha-value=1", ",format=AYUV", ",format=AYUV", TRUE},
  {"converter-config=\"c,GstVideoConverter.alpha-mode=(GstVideoAlphaMode)set\"",
      ",format=RGBA", ",format=RGBA", FALSE},
  {"alpha-value=0.5 dither=none matrix-mode=none gamma-mode=remap",
      ",format=RGBA", ",format=RGBA", TRUE},
};

typedef struct
{
  GstMemory *in, *out;          /* of the last frame; never touched */
} Seen;

static GstPadProbeReturn
see_memory (GstPad * pad, GstPadProbeInfo * info, gpointer memory)
{
  *(GstMemory **) memory =
      gst_buffer_peek_memory (GST_PAD_PROBE_INFO_BUFFER (info), 0);
  return GST_PAD_PROBE_OK;
}

static void
watch_memories (GstElement * element, Seen * seen)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstPad) src = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, see_memory, &seen->in,
      NULL);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, see_memory, &seen->out,
      NULL);
}

static void
assert_passed (GstElement * element, const Seen * seen, gboolean passes,
    const gchar * what)
{
  g_autofree gchar *path = NULL;

  g_object_get (element, "path", &path, NULL);
  fail_unless_equals_string (path, passes ? "zero-copy" : "device-copy");
  fail_unless (passes == (seen->in == seen->out), "%s", what);
}

GST_START_TEST (test_frames_pass_where_nothing_changes)
{
  const Passing *p = &passing[__i__];
  g_autofree gchar *in = g_strconcat ("video/x-raw", p->in,
      ",width=64,height=48,framerate=30/1", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness (p->properties, in, p->out);
  g_autoptr (GstElement) element = convert_test_element (h, "convert");
  Seen seen = { NULL, NULL };

  watch_memories (element, &seen);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (gst_harness_push (h, convert_test_frame (&info,
                rand)), GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
    assert_passed (element, &seen, p->passes, p->in);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* The very next frame is made with the new properties, each time. */
GST_START_TEST (test_passing_begins_and_ends_while_it_plays)
{
  const gchar *in = "video/x-raw,format=RGBA,width=34,height=21,framerate=30/1";
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness ("", in, ",format=RGBA");
  g_autoptr (GstElement) element = convert_test_element (h, "convert");
  Seen seen = { NULL, NULL };

  watch_memories (element, &seen);
  for (guint i = 0; i < 20; i++) {
    RefModes modes = convert_test_defaults;

    modes.alpha_mode = i % 4 < 2 ? GST_VIDEO_ALPHA_MODE_COPY :
        GST_VIDEO_ALPHA_MODE_SET;
    modes.alpha_value = 0.5;
    g_object_set (element, "alpha-mode", modes.alpha_mode, "alpha-value",
        modes.alpha_value, NULL);
    convert_test_one (h, &info, &modes, rand, "passing or not");
    assert_passed (element, &seen, i % 4 < 2, "passing or not");
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- fields --- */

/* In the same stream some are, some are not. */
GST_START_TEST (test_mixed_frames_say_it_themselves)
{
  const gchar *in = "video/x-raw,format=I420,width=34,height=24,framerate=30/1,"
      "interlace-mode=mixed";
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness ("", in, ",format=RGBA");

  for (guint i = 0; i < 20; i++) {
    g_autoptr (GstBuffer) buffer = convert_test_frame (&info, rand);
    g_autoptr (GstBuffer) out = NULL;
    gboolean interlaced = g_rand_boolean (rand);
    GstVideoInfo out_info;

    if (interlaced)
      GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    out = convert_test_through (h, buffer, "mixed");
    out_info = convert_test_out_info (h);
    fail_unless_equals_int (GST_BUFFER_FLAG_IS_SET (out,
            GST_VIDEO_BUFFER_FLAG_INTERLACED) != 0, interlaced);
    convert_test_compare (buffer, &info, out, &out_info, &convert_test_defaults,
        interlaced, interlaced ? "interlaced" : "progressive");
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_interleaved_frames_are_two_fields)
{
  const gchar *in = "video/x-raw,format=NV12,width=34,height=24,framerate=30/1,"
      "interlace-mode=interleaved,field-order=bottom-field-first";
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in);
  GstHarness *h = convert_test_harness ("", in, ",format=RGBA");

  for (guint i = 0; i < 5; i++)
    convert_test_one (h, &info, &convert_test_defaults, rand, "interleaved");
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A buffer is one field: a frame of half the rows. */
GST_START_TEST (test_alternate_buffers_are_one_field)
{
  const gchar *in = "video/x-raw(format:Interlaced),format=I420,width=34,"
      "height=21,framerate=30/1,interlace-mode=alternate";
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (in), field = info;
  GstHarness *h = convert_test_harness ("", in, ",format=RGBA;" HIP_ALTERNATE
      ",format=RGBA");

  field.height = GST_VIDEO_INFO_FIELD_HEIGHT (&info);
  fail_unless_equals_int (field.height, 11);
  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) buffer = convert_test_frame (&info, rand);
    g_autoptr (GstBuffer) out = NULL;
    GstVideoInfo out_info;

    GST_BUFFER_FLAG_SET (buffer, i % 2 ? GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD :
        GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
    out = convert_test_through (h, buffer, "field");
    out_info = convert_test_out_info (h);
    fail_unless_equals_int (GST_VIDEO_INFO_INTERLACE_MODE (&out_info),
        GST_VIDEO_INTERLACE_MODE_ALTERNATE);
    out_info.height = field.height;
    convert_test_compare (buffer, &field, out, &out_info,
        &convert_test_defaults, FALSE, "field");
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
convert_suite (void)
{
  Suite *s = suite_create ("convert");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_pixels, 0, G_N_ELEMENTS (conversions));
  tcase_add_loop_test (tc, test_properties_change_at_every_frame, 0,
      G_N_ELEMENTS (changing));
  tcase_add_test (tc, test_nearest_chroma);
  tcase_add_loop_test (tc, test_dither_quantization, 0, 4);
  tcase_add_loop_test (tc, test_frames_pass_where_nothing_changes, 0,
      G_N_ELEMENTS (passing));
  tcase_add_test (tc, test_passing_begins_and_ends_while_it_plays);
  tcase_add_test (tc, test_mixed_frames_say_it_themselves);
  tcase_add_test (tc, test_interleaved_frames_are_two_fields);
  tcase_add_test (tc, test_alternate_buffers_are_one_field);
  return s;
}

GST_CHECK_MAIN (convert);
