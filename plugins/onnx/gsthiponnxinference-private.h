/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the files of the element share: gsthiponnxinference.c (object, state,
 * device), -properties.c, -caps.c (caps and queries), -flow.c (frames and
 * events). Who may include this: those.
 *
 * Two threads: upstream's queues conversions and fills batches; the source
 * pad's task runs the model and pushes. What passes between them is in items,
 * under the lock.
 */
#pragma once

#include "gsthiponnxinference.h"
#include "onnx-frames.h"
#include "onnx-model.h"

G_BEGIN_DECLS

typedef enum
{
  HIP_ONNX_MEMORY_AUTO,
  HIP_ONNX_MEMORY_HIP,
  HIP_ONNX_MEMORY_SYSTEM,
} HipOnnxMemory;

typedef enum
{
  HIP_ONNX_REQUIRE_NONE,
  HIP_ONNX_REQUIRE_ALL,
} HipOnnxRequire;

typedef struct
{
  GstHipVendor vendor;
  gint device_id;
  gchar *model_file, *info_file, *library, *image_input;
  GraphOptimizationLevel optimization;
  HipOrtProvider provider;
  HipOnnxRequire require;
  GstStructure *provider_options, *extra_inputs;
  HipOnnxImageSettings image;
  GstHipScaleMethod method;
  GstHipResizeMode resize_mode;
  GstHipPadPlacement pad_placement;
  HipOnnxNumbers pad_value;
  HipOnnxMemory memory;
  guint async_depth, batch_size, threads;
  guint64 batch_timeout;        /* ns */
} HipOnnxSettings;

/* Frames of one run, or what goes between them */
typedef struct
{
  GstEvent *event;              /* or */
  GstQuery *query;              /* not owned: who has sent it waits for it; or */
  /* a batch, or where there are no frames a warm-up */
  GstMemory *tensor;
  GstHipFrameMap map;           /* from the tensor to each frame */
  gint64 dims[4];
  gsize size_bytes;
  guint capacity;
  GPtrArray *frames;
  gboolean is_filling;          /* the streaming thread is at it */
  gboolean is_closed;
  gint64 deadline;              /* monotonic, us */
} HipOnnxItem;

struct _GstHipOnnxInference
{
  GstElement parent;

  GstPad *sink_pad, *src_pad;
  HipOnnxSettings settings;     /* object lock */

  gint error_posted;            /* atomic */
  /* Recursive: an application's answer to need-context comes back into set_context () on the same thread. */
  GRecMutex context_lock;
  GstHipDevice *context_device;

  /* Written while nothing flows, or by the streaming thread when nothing is in flight; read under the object lock by
   * others */
  HipOnnxModel *model;
  GstHipStream *stream;         /* of the model's provider; outlives the model */
  HipOnnxFrames *frames;
  gchar *placement;             /* object lock */
  HipOrtProvider used_provider; /* object lock */

  /* streaming thread */
  GstVideoInfo info;
  gboolean has_info;
  guint batch;                  /* pictures of a tensor */
  gint64 warm_dims[4];          /* the shape that the model was last warmed up with */

  /* between the threads */
  GMutex lock;
  GCond cond;
  GQueue items;                 /* HipOnnxItem */
  HipOnnxItem *open;            /* the last of them, if it is a batch with room */
  guint n_in_flight;            /* frames that are neither pushed nor dropped */
  guint n_warm_ups;             /* that have not ended */
  guint limit;                  /* of those */
  GstFlowReturn flow;           /* of the last push; FLUSHING also while flushing or inactive */
  gboolean is_eos;              /* of upstream */
  gboolean has_enough;          /* downstream: it takes no frames before another segment */
  GstQuery *asked;              /* with the task, which is at it or has not begun */
  gboolean is_asking, query_ok;
  guint64 n_frames, n_runs;     /* since the start */
  guint peak;
  GstClockTime frame_duration;  /* NONE: unknown */
  gboolean results_in_hip;      /* downstream has said that it takes those */
  gboolean asked_downstream;
};

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_inference_debug);

/* --- gsthiponnxinference.c --- */
/* Opens device and model on it. FALSE: posted. */
gboolean hip_onnx_open (GstHipOnnxInference * self, GstHipDevice * device);
void hip_onnx_close (GstHipOnnxInference * self);
gboolean hip_onnx_is_explicit (GstHipOnnxInference * self);
/* Options for the converter, of the settings */
GstStructure * hip_onnx_make_config (GstHipOnnxInference * self);
/* error: (transfer full) */
void hip_onnx_post_error (GstHipOnnxInference * self, const gchar * what, GError * error);

/* --- gsthiponnxinference-properties.c --- */
void hip_onnx_install_properties (GObjectClass * klass);
void hip_onnx_settings_init (HipOnnxSettings * settings);
void hip_onnx_settings_clear (HipOnnxSettings * settings);
/* Appends to an array */
void hip_onnx_give_numbers (const HipOnnxNumbers * numbers, GValue * array);

/* --- gsthiponnxinference-caps.c --- */
GstCaps * hip_onnx_template_caps (void);
gboolean hip_onnx_sink_query (GstPad * pad, GstObject * parent, GstQuery * query);
gboolean hip_onnx_src_query (GstPad * pad, GstObject * parent, GstQuery * query);
/* New caps on the streaming thread; FALSE: refused, posted where nobody else would say why */
gboolean hip_onnx_set_caps (GstHipOnnxInference * self, GstCaps * caps);
/* What an allocation query that has come back from downstream says of tensors */
void hip_onnx_note_allocation (GstHipOnnxInference * self, GstQuery * query);
/* The answer to upstream, after downstream's */
gboolean hip_onnx_propose_allocation (GstHipOnnxInference * self, GstQuery * query);

/* --- gsthiponnxinference-flow.c --- */
GstFlowReturn hip_onnx_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer);
gboolean hip_onnx_sink_event (GstPad * pad, GstObject * parent, GstEvent * event);
gboolean hip_onnx_sink_activate (GstPad * pad, GstObject * parent, GstPadMode mode, gboolean active);
gboolean hip_onnx_src_activate (GstPad * pad, GstObject * parent, GstPadMode mode, gboolean active);
/* Hands a serialized query to the task and waits for it. */
gboolean hip_onnx_pass_query (GstHipOnnxInference * self, GstQuery * query);
/* On the streaming thread, when frames are known: has the task run the model once, where the first run with a shape takes
 * long. FALSE: posted. */
gboolean hip_onnx_queue_warm_up (GstHipOnnxInference * self);
/* Blocking: until nothing is in flight. FALSE: flushing. */
gboolean hip_onnx_drain (GstHipOnnxInference * self);

G_END_DECLS
