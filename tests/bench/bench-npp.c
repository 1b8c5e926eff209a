/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does NVIDIA's NPP take for a conversion, on the frames and the stream
 * that ours had, by the same clock? Opened at run time where it is; the few
 * declarations are those of its documentation. It has other coefficients and
 * does not filter chroma: only its time is of interest. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "bench-convert.h"

typedef struct
{
  int width, height;
} NppSize;

/* NppStreamContext */
typedef struct
{
  void *stream;
  int device, n_multiprocessors, max_threads_per_multiprocessor;
  int max_threads_per_block;
  size_t shared_bytes_per_block;
  int major, minor;
  unsigned int stream_flags;
  int reserved;
} NppContext;

typedef struct
{
  const void *in[3];
  void *out[3];
  int in_stride[3], out_stride[3];
  NppSize size;
  NppContext context;
} Call;

typedef struct
{
  void *function;
  int (*call) (void *function, Call * call);
} Conversion;

/* --- one function for each form of argument list --- */

static int
planes3_to_packed (void *function, Call * c)
{
  int (*f) (const void *const in[3], int in_stride[3], void *out, int stride,
      NppSize size, NppContext context) = function;

  return f (c->in, c->in_stride, c->out[0], c->out_stride[0], c->size,
      c->context);
}

static int
planes2_to_packed (void *function, Call * c)
{
  int (*f) (const void *const in[2], int in_stride, void *out, int stride,
      NppSize size, NppContext context) = function;

  return f (c->in, c->in_stride[0], c->out[0], c->out_stride[0], c->size,
      c->context);
}

static int
packed_to_planes3 (void *function, Call * c)
{
  int (*f) (const void *in, int in_stride, void *out[3], int stride[3],
      NppSize size, NppContext context) = function;

  return f (c->in[0], c->in_stride[0], c->out, c->out_stride, c->size,
      c->context);
}

static int
planes3_to_planes2 (void *function, Call * c)
{
  int (*f) (const void *const in[3], int in_stride[3], void *luma,
      int luma_stride, void *chroma, int chroma_stride, NppSize size,
      NppContext context) = function;

  return f (c->in, c->in_stride, c->out[0], c->out_stride[0], c->out[1],
      c->out_stride[1], c->size, c->context);
}

static int
planes2_to_planes3 (void *function, Call * c)
{
  int (*f) (const void *luma, int luma_stride, const void *chroma,
      int chroma_stride, void *out[3], int stride[3], NppSize size,
      NppContext context) = function;

  return f (c->in[0], c->in_stride[0], c->in[1], c->in_stride[1], c->out,
      c->out_stride, c->size, c->context);
}

static int
swap_bytes (void *function, Call * c)
{
  static const int order[4] = { 2, 1, 0, 3 };
  int (*f) (const void *in, int in_stride, void *out, int stride, NppSize size,
      const int order[4], NppContext context) = function;

  return f (c->in[0], c->in_stride[0], c->out[0], c->out_stride[0], c->size,
      order, c->context);
}

static const struct
{
  const gchar *in, *out, *library, *function;
  int (*call) (void *function, Call * call);
} functions[] = {
  {"NV12", "RGB", "nppicc", "nppiNV12ToRGB_8u_P2C3R_Ctx", planes2_to_packed},
  {"I420", "RGB", "nppicc", "nppiYCbCr420ToRGB_8u_P3C3R_Ctx",
      planes3_to_packed},
  {"RGB", "I420", "nppicc", "nppiRGBToYCbCr420_8u_C3P3R_Ctx",
      packed_to_planes3},
  {"I420", "NV12", "nppicc", "nppiYCbCr420_8u_P3P2R_Ctx", planes3_to_planes2},
  {"NV12", "I420", "nppicc", "nppiYCbCr420_8u_P2P3R_Ctx", planes2_to_planes3},
  {"RGBA", "BGRA", "nppidei", "nppiSwapChannels_8u_C4R_Ctx", swap_bytes},
};

static void *
open_library (const gchar * name)
{
  static const gchar *const versions[] = { ".13", ".12", "" };
  void *library = NULL;

  for (guint i = 0; !library && i < G_N_ELEMENTS (versions); i++) {
    g_autofree gchar *file = g_strdup_printf ("lib%s.so%s", name, versions[i]);

    library = dlopen (file, RTLD_NOW | RTLD_LOCAL);
  }
  return library;               /* for as long as the process lives */
}

static gboolean
find_function (const BenchConvertJob * job, Conversion * conversion,
    const gchar ** name)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    void *library;

    if (strcmp (functions[i].in, job->in) != 0
        || strcmp (functions[i].out, job->out) != 0)
      continue;
    *name = functions[i].function;
    library = open_library (functions[i].library);
    conversion->function = library ? dlsym (library, *name) : NULL;
    conversion->call = functions[i].call;
    return TRUE;
  }
  return FALSE;
}

/* --- its surroundings --- */

/* NPP works in the context that is current; queried are attributes by the
 * numbers of the driver's interface */
static gboolean
fill_context (Bench * bench, GstHipStream * stream, NppContext * context)
{
  static const struct
  {
    int attribute;
    gsize offset;
  } attributes[] = {
    {16, G_STRUCT_OFFSET (NppContext, n_multiprocessors)},
    {39, G_STRUCT_OFFSET (NppContext, max_threads_per_multiprocessor)},
    {1, G_STRUCT_OFFSET (NppContext, max_threads_per_block)},
    {75, G_STRUCT_OFFSET (NppContext, major)},
    {76, G_STRUCT_OFFSET (NppContext, minor)},
  };
  void *cuda = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*set_current) (guintptr) = NULL;
  int (*get_attribute) (int *, int, int) = NULL;
  int shared = 0;

  memset (context, 0, sizeof (*context));
  if (cuda) {
    *(void **) &set_current = dlsym (cuda, "cuCtxSetCurrent");
    *(void **) &get_attribute = dlsym (cuda, "cuDeviceGetAttribute");
  }
  if (!set_current || !get_attribute
      || set_current (gst_hip_device_get_native_context (bench->device)) != 0)
    return FALSE;
  context->stream = (void *) gst_hip_stream_get_native_handle (stream);
  context->device = gst_hip_stream_get_device_id (stream);
  context->stream_flags = 1;    /* it does not wait for the default stream */
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++) {
    if (get_attribute (G_STRUCT_MEMBER_P (context, attributes[i].offset),
            attributes[i].attribute, context->device) != 0)
      return FALSE;
  }
  get_attribute (&shared, 8, context->device);
  context->shared_bytes_per_block = shared;
  return TRUE;
}

typedef struct
{
  Conversion conversion;
  NppContext context;
  guint8 **in, **out;           /* device addresses of the frames */
} State;

static gboolean
call_npp (const BenchConvertFrames * frames, guint i, gpointer data,
    GError ** error)
{
  State *state = data;
  Call call;
  int status;

  memset (&call, 0, sizeof (call));
  for (guint k = 0; k < 3; k++) {
    call.in[k] = state->in[i] + GST_VIDEO_INFO_PLANE_OFFSET (&frames->in_info,
        k);
    call.out[k] = state->out[i] +
        GST_VIDEO_INFO_PLANE_OFFSET (&frames->out_info, k);
    call.in_stride[k] = GST_VIDEO_INFO_PLANE_STRIDE (&frames->in_info, k);
    call.out_stride[k] = GST_VIDEO_INFO_PLANE_STRIDE (&frames->out_info, k);
  }
  call.size.width = GST_VIDEO_INFO_WIDTH (&frames->in_info);
  call.size.height = GST_VIDEO_INFO_HEIGHT (&frames->in_info);
  call.context = state->context;
  status = state->conversion.call (state->conversion.function, &call);
  if (status == 0)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
      "NPP's status is %d", status);
  return FALSE;
}

/* The frames' memory is as large as GStreamer's default layout wants, which is
 * the one that is used here */
static guint8 *
get_address (GstBuffer * buffer, GstMapFlags flags)
{
  guint8 *address = NULL;
  GstMapInfo map;

  if (gst_buffer_map (buffer, &map, flags)) {
    address = map.data;
    gst_buffer_unmap (buffer, &map);
  }
  return address;
}

void
bench_npp (Bench * bench, const BenchConvertJob * job,
    const BenchConvertFrames * frames)
{
  g_autofree gchar *label = bench_convert_label (job, "NPP");
  g_autofree guint8 **in = g_new0 (guint8 *, frames->n);
  g_autofree guint8 **out = g_new0 (guint8 *, frames->n);
  State state = { {NULL, NULL}, };
  const gchar *name;
  GError *error = NULL;
  gdouble us;

  if (gst_hip_device_get_vendor (bench->device) != GST_HIP_VENDOR_NVIDIA
      || !find_function (job, &state.conversion, &name))
    return;
  if (!state.conversion.function
      || !fill_context (bench, frames->stream, &state.context)) {
    printf ("%-10s%-44s not there: %s\n", "convert", label, name);
    return;
  }
  state.in = in;
  state.out = out;
  for (guint i = 0; i < frames->n; i++) {
    in[i] = get_address (frames->in[i], GST_MAP_READ_HIP);
    out[i] = get_address (frames->out[i], GST_MAP_WRITE_HIP);
    if (!in[i] || !out[i])
      return;
  }
  if (bench_convert_time (bench, frames, call_npp, &state, &us, &error))
    bench_add (bench, "convert", label, us, "us", BENCH_NO_LIMIT);
  else
    bench_fail (bench, "convert", label, error);
}
