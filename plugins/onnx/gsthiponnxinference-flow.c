/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How do frames and what goes between them get through, in order, with the
 * model running beside the streaming thread? Upstream's thread queues a frame's
 * conversion and returns; the source pad's task runs the model on batches and
 * pushes. Must not know models and formats. Invariants: I1; nothing overtakes;
 * everything waits only until a flush.
 */
#include "config.h"

#include <string.h>

#include "gsthiponnxinference-private.h"

#define GST_CAT_DEFAULT gst_hip_onnx_inference_debug

static void
item_free (HipOnnxItem * item)
{
  if (item->event)
    gst_event_unref (item->event);
  if (item->tensor)
    gst_memory_unref (item->tensor);
  if (item->frames)
    g_ptr_array_unref (item->frames);
  g_free (item);
}

/* --- under the lock --- */

/* Sticky events that are dropped come back with the pad's own. */
static void
drop_items_locked (GstHipOnnxInference * self)
{
  HipOnnxItem *item;

  while ((item = g_queue_pop_head (&self->items))) {
    if (item->frames)
      self->n_in_flight -= item->frames->len;
    else if (item->tensor)
      self->n_warm_ups--;
    item_free (item);
  }
  self->open = NULL;
  if (self->asked && !self->is_asking)
    self->asked = NULL;
  g_cond_broadcast (&self->cond);
}

static void
close_batch_locked (GstHipOnnxInference * self)
{
  if (self->open)
    self->open->is_closed = TRUE;
  self->open = NULL;
}

static void
append_locked (GstHipOnnxInference * self, HipOnnxItem * item)
{
  g_queue_push_tail (&self->items, item);
  g_cond_broadcast (&self->cond);
}

static void
stop_locked (GstHipOnnxInference * self)
{
  self->flow = GST_FLOW_FLUSHING;
  g_cond_broadcast (&self->cond);
}

static void
reset_locked (GstHipOnnxInference * self)
{
  drop_items_locked (self);
  self->flow = GST_FLOW_OK;
  self->is_eos = self->has_enough = FALSE;
}

/* --- upstream's thread: frames --- */

static GstFlowReturn
wait_room (GstHipOnnxInference * self)
{
  GstFlowReturn flow;

  g_mutex_lock (&self->lock);
  while (self->flow == GST_FLOW_OK && !self->has_enough
      && self->n_in_flight >= self->limit)
    g_cond_wait (&self->cond, &self->lock);
  flow = self->flow;
  if (flow == GST_FLOW_OK && (self->is_eos || self->has_enough))
    flow = GST_FLOW_EOS;
  g_mutex_unlock (&self->lock);
  return flow;
}

gboolean
hip_onnx_drain (GstHipOnnxInference * self)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  close_batch_locked (self);
  g_cond_broadcast (&self->cond);
  while (self->flow == GST_FLOW_OK
      && (self->n_in_flight > 0 || self->n_warm_ups > 0))
    g_cond_wait (&self->cond, &self->lock);
  ok = self->flow == GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
  return ok;
}

static HipOnnxItem *
new_batch (GstHipOnnxInference * self, GError ** error)
{
  HipOnnxItem *item = g_new0 (HipOnnxItem, 1);
  guint64 timeout;

  item->tensor = hip_onnx_frames_acquire (self->frames, item->dims,
      &item->size_bytes, error);
  if (!item->tensor) {
    g_free (item);
    return NULL;
  }
  GST_OBJECT_LOCK (self);
  timeout = self->settings.batch_timeout;
  GST_OBJECT_UNLOCK (self);
  item->frames = g_ptr_array_new_full (self->batch,
      (GDestroyNotify) gst_buffer_unref);
  item->capacity = self->batch;
  hip_onnx_frames_get_map (self->frames, &item->map);
  item->deadline = g_get_monotonic_time () + (gint64) (timeout / 1000);
  return item;
}

/* The batch that has room; the task leaves it alone until end_filling (). */
static HipOnnxItem *
begin_filling (GstHipOnnxInference * self, gboolean * is_new, GError ** error)
{
  HipOnnxItem *item;

  g_mutex_lock (&self->lock);
  item = self->open;
  if (item)
    item->is_filling = TRUE;
  g_mutex_unlock (&self->lock);
  *is_new = item == NULL;
  return item ? item : new_batch (self, error);
}

/* frame: (transfer full) (nullable): NULL: it was not converted */
static void
end_filling (GstHipOnnxInference * self, HipOnnxItem * item, gboolean is_new,
    GstBuffer * frame)
{
  g_mutex_lock (&self->lock);
  item->is_filling = FALSE;
  if (frame) {
    g_ptr_array_add (item->frames, frame);
    self->n_in_flight++;
    self->peak = MAX (self->peak, self->n_in_flight);
    if (is_new) {
      self->open = item;
      append_locked (self, item);
    }
    if (item->frames->len == item->capacity)
      close_batch_locked (self);
  } else if (is_new) {
    item_free (item);
  }
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

/* The first run with a shape loads libraries and looks for the fastest kernels:
 * up to seconds on a GPU, and nothing on the CPU. */
gboolean
hip_onnx_queue_warm_up (GstHipOnnxInference * self)
{
  HipOnnxItem *item;
  GError *error = NULL;

  if (!self->model->binding)
    return TRUE;
  item = g_new0 (HipOnnxItem, 1);
  item->tensor = hip_onnx_frames_acquire (self->frames, item->dims,
      &item->size_bytes, &error);
  if (!item->tensor) {
    g_free (item);
    hip_onnx_post_error (self, "The model cannot be warmed up", error);
    return FALSE;
  }
  if (memcmp (item->dims, self->warm_dims, sizeof (item->dims)) == 0) {
    item_free (item);
    return TRUE;
  }
  memcpy (self->warm_dims, item->dims, sizeof (item->dims));
  g_mutex_lock (&self->lock);
  close_batch_locked (self);
  self->n_warm_ups++;
  append_locked (self, item);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
refuse_device (GstHipOnnxInference * self, GstHipDevice * device)
{
  const GstHipDeviceInfo *theirs = gst_hip_device_get_info (device);

  hip_onnx_post_error (self, "Frame of another device",
      g_error_new (GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "the input's memory is on %s (device %u), not on the device that "
          "vendor and device-id chose; leave them unset, or go through "
          "hipdownload", theirs->name, theirs->device_id));
  return FALSE;
}

/* The model goes to the device where frames are. */
static GstFlowReturn
follow_input (GstHipOnnxInference * self, GstBuffer * buffer)
{
  g_autoptr (GstStructure) config = NULL;
  g_autoptr (GstHipDevice) device = NULL;
  GError *error = NULL;
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) == 0)
    return GST_FLOW_OK;
  memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_hip_memory (memory) || gst_hip_device_is_equal
      (GST_HIP_MEMORY_CAST (memory)->device,
          hip_onnx_frames_get_device (self->frames)))
    return GST_FLOW_OK;
  device = gst_object_ref (GST_HIP_MEMORY_CAST (memory)->device);
  if (hip_onnx_is_explicit (self))
    return refuse_device (self, device) ? GST_FLOW_OK : GST_FLOW_ERROR;
  if (!hip_onnx_drain (self))
    return GST_FLOW_FLUSHING;
  GST_INFO_OBJECT (self, "following the input to its device");
  hip_onnx_close (self);
  if (!hip_onnx_open (self, device)) {
    self->has_info = FALSE;
    return GST_FLOW_ERROR;
  }
  config = hip_onnx_make_config (self);
  if (!hip_onnx_frames_set_info (self->frames, &self->info,
          &self->model->image, self->batch, config, &error)) {
    hip_onnx_post_error (self, "The input's device cannot be used", error);
    return GST_FLOW_ERROR;
  }
  return hip_onnx_queue_warm_up (self) ? GST_FLOW_OK : GST_FLOW_ERROR;
}

GstFlowReturn
hip_onnx_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (parent);
  GError *error = NULL;
  HipOnnxItem *item;
  GstFlowReturn flow;
  gboolean is_new;
  HipPath path;

  flow = self->has_info ? wait_room (self) : GST_FLOW_NOT_NEGOTIATED;
  if (flow == GST_FLOW_OK)
    flow = follow_input (self, buffer);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  item = begin_filling (self, &is_new, &error);
  if (item && hip_onnx_frames_convert (self->frames, buffer, item->tensor,
          item->frames->len, &path, &error)) {
    end_filling (self, item, is_new, buffer);
    return GST_FLOW_OK;
  }
  if (item)
    end_filling (self, item, is_new, NULL);
  gst_buffer_unref (buffer);
  hip_onnx_post_error (self, "Frame not converted", error);
  return GST_FLOW_ERROR;
}

/* --- upstream's thread: what goes between frames --- */

/* Upstream sends no frame any more that could bring this back to it. Of a
 * failure that is no mere answer its element has posted an error. */
static void
end_after_failure (GstHipOnnxInference * self, GstFlowReturn flow)
{
  if (flow == GST_FLOW_FLUSHING)
    return;
  if (flow != GST_FLOW_ERROR)
    GST_ELEMENT_FLOW_ERROR (self, flow);
  gst_pad_push_event (self->src_pad, gst_event_new_eos ());
}

static gboolean
queue_event (GstHipOnnxInference * self, GstEvent * event)
{
  gboolean is_eos = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
  GstFlowReturn flow;
  HipOnnxItem *item;

  g_mutex_lock (&self->lock);
  flow = self->flow;
  if (flow != GST_FLOW_OK) {
    g_mutex_unlock (&self->lock);
    gst_event_unref (event);
    /* The task failed before it could see this. */
    if (is_eos)
      end_after_failure (self, flow);
    return FALSE;
  }
  if (is_eos)
    self->is_eos = TRUE;
  else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    self->is_eos = FALSE;
  close_batch_locked (self);
  item = g_new0 (HipOnnxItem, 1);
  item->event = event;
  append_locked (self, item);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

gboolean
hip_onnx_pass_query (GstHipOnnxInference * self, GstQuery * query)
{
  HipOnnxItem *item;
  gboolean ok = FALSE;

  g_mutex_lock (&self->lock);
  if (self->flow == GST_FLOW_OK) {
    close_batch_locked (self);
    item = g_new0 (HipOnnxItem, 1);
    item->query = query;
    self->asked = query;
    self->query_ok = FALSE;
    append_locked (self, item);
    /* What the task has begun is waited for whatever happens: it is ours. */
    while (self->asked && (self->flow == GST_FLOW_OK || self->is_asking))
      g_cond_wait (&self->cond, &self->lock);
    if (self->asked)
      drop_items_locked (self);
    ok = self->query_ok;
  }
  g_mutex_unlock (&self->lock);
  return ok;
}

static void task (gpointer data);

gboolean
hip_onnx_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (parent);
  gboolean ok;
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      ok = gst_pad_push_event (self->src_pad, event);
      g_mutex_lock (&self->lock);
      stop_locked (self);
      g_mutex_unlock (&self->lock);
      gst_pad_pause_task (self->src_pad);
      return ok;
    case GST_EVENT_FLUSH_STOP:
      ok = gst_pad_push_event (self->src_pad, event);
      g_mutex_lock (&self->lock);
      reset_locked (self);
      g_mutex_unlock (&self->lock);
      gst_pad_start_task (self->src_pad, task, self, NULL);
      return ok;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      if (!hip_onnx_set_caps (self, caps)) {
        gst_event_unref (event);
        return FALSE;
      }
      return queue_event (self, event);
    default:
      if (GST_EVENT_IS_SERIALIZED (event))
        return queue_event (self, event);
      return gst_pad_push_event (self->src_pad, event);
  }
}

/* --- the task --- */

/* NULL: flushing, or downstream wants no more */
static HipOnnxItem *
wait_item (GstHipOnnxInference * self)
{
  HipOnnxItem *item;

  g_mutex_lock (&self->lock);
  for (;;) {
    item = self->flow == GST_FLOW_OK ? g_queue_peek_head (&self->items) : NULL;
    if (self->flow != GST_FLOW_OK || (item && (!item->frames
                || item->is_closed)))
      break;
    if (!item || item->is_filling)
      g_cond_wait (&self->cond, &self->lock);
    else if (!g_cond_wait_until (&self->cond, &self->lock, item->deadline)
        && item == self->open && !item->is_filling)
      close_batch_locked (self);
  }
  if (item)
    g_queue_pop_head (&self->items);
  if (item && item->query)
    self->is_asking = TRUE;
  g_mutex_unlock (&self->lock);
  return item;
}

/* Downstream takes no more. At its end no frames, until another segment; events
 * go on, upstream's end among them. */
static void
end_flow (GstHipOnnxInference * self, GstFlowReturn flow)
{
  gboolean is_eos;

  g_mutex_lock (&self->lock);
  if (flow == GST_FLOW_EOS) {
    self->has_enough = TRUE;
    g_cond_broadcast (&self->cond);
    g_mutex_unlock (&self->lock);
    return;
  }
  /* A flush that came meanwhile is the reason. */
  if (self->flow == GST_FLOW_OK)
    self->flow = flow;
  is_eos = self->is_eos;
  drop_items_locked (self);
  g_mutex_unlock (&self->lock);
  gst_pad_pause_task (self->src_pad);
  if (is_eos)
    end_after_failure (self, flow);
}

static void
finish_frames (GstHipOnnxInference * self, guint n)
{
  g_mutex_lock (&self->lock);
  self->n_in_flight -= n;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

static HipOnnxResult
choose_result (GstHipOnnxInference * self)
{
  g_autoptr (GstQuery) query = NULL;
  g_autoptr (GstCaps) caps = NULL;
  gboolean asked, hip;
  HipOnnxMemory memory;

  GST_OBJECT_LOCK (self);
  memory = self->settings.memory;
  GST_OBJECT_UNLOCK (self);
  if (memory != HIP_ONNX_MEMORY_AUTO)
    return memory == HIP_ONNX_MEMORY_HIP ? HIP_ONNX_RESULT_HIP :
        HIP_ONNX_RESULT_SYSTEM;
  g_mutex_lock (&self->lock);
  asked = self->asked_downstream;
  g_mutex_unlock (&self->lock);
  if (!asked && (caps = gst_pad_get_current_caps (self->src_pad))) {
    query = gst_query_new_allocation (caps, FALSE);
    gst_pad_peer_query (self->src_pad, query);
    hip_onnx_note_allocation (self, query);
  }
  g_mutex_lock (&self->lock);
  hip = self->results_in_hip;
  g_mutex_unlock (&self->lock);
  return hip ? HIP_ONNX_RESULT_HIP : HIP_ONNX_RESULT_SYSTEM;
}

static gboolean
run_model (GstHipOnnxInference * self, HipOnnxItem * item,
    GstTensor *** results)
{
  HipOnnxModel *model = self->model;
  guint n = item->frames->len;
  gsize size = item->size_bytes;
  GError *error = NULL;

  /* A model that takes any number is given as many as there are, by the CPU; a
   * GPU's provider would plan anew for each number. */
  if (!model->binding && model->image.batch < 0 && n < item->capacity) {
    size = size / item->capacity * n;
    item->dims[model->image.batch_dim] = n;
  }
  if (hip_onnx_model_run (model, item->tensor, 0, size, item->dims, n,
          choose_result (self), hip_onnx_frames_get_device (self->frames),
          results, &error)) {
    g_mutex_lock (&self->lock);
    self->n_runs++;
    self->n_frames += n;
    g_mutex_unlock (&self->lock);
    return TRUE;
  }
  hip_onnx_post_error (self, "Inference failed", error);
  return FALSE;
}

static GstBuffer *
attach (GstHipOnnxInference * self, GstBuffer * frame, GstTensor ** tensors,
    const GstHipFrameMap * map)
{
  GQuark id = self->model->outputs[0].id;
  GstTensorMeta *meta;

  frame = gst_buffer_make_writable (frame);
  meta = gst_buffer_add_tensor_meta (frame);
  gst_tensor_meta_set (meta, (guint) self->model->session->n_outputs, tensors);
  gst_hip_frame_map_attach (map, frame, g_quark_to_string (id));
  return frame;
}

static gboolean
has_enough (GstHipOnnxInference * self)
{
  gboolean has;

  g_mutex_lock (&self->lock);
  has = self->has_enough;
  g_mutex_unlock (&self->lock);
  return has;
}

static void
pass_batch (GstHipOnnxInference * self, HipOnnxItem * item)
{
  guint n = item->frames->len, i;
  g_autofree GstTensor ***results = g_new0 (GstTensor **, n);
  gsize n_outputs = self->model->session->n_outputs;
  GstFlowReturn flow = GST_FLOW_ERROR;
  g_autoptr (GPtrArray) frames = NULL;
  GstHipFrameMap map = item->map;

  if (has_enough (self))
    flow = GST_FLOW_EOS;
  else if (run_model (self, item, results))
    flow = GST_FLOW_OK;
  frames = g_steal_pointer (&item->frames);
  item_free (item);             /* the tensor is free for other frames */
  g_ptr_array_set_free_func (frames, NULL);
  for (i = 0; i < n; i++) {
    GstBuffer *frame = g_ptr_array_index (frames, i);

    if (flow == GST_FLOW_OK) {
      frame = attach (self, frame, g_steal_pointer (&results[i]), &map);
      flow = gst_pad_push (self->src_pad, frame);
    } else {
      gst_buffer_unref (frame);
    }
    finish_frames (self, 1);
  }
  hip_onnx_results_free (results, n, n_outputs);
  if (flow != GST_FLOW_OK)
    end_flow (self, flow);
}

static void
post_progress (GstHipOnnxInference * self, GstProgressType type,
    const gchar * text)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_progress (GST_OBJECT (self), type, "warm-up", text));
}

/* Frames that came meanwhile wait in the queue, their senders do not. */
static void
pass_warm_up (GstHipOnnxInference * self, HipOnnxItem * item)
{
  GError *error = NULL;
  gboolean ok;

  post_progress (self, GST_PROGRESS_TYPE_START, "Running the model once");
  ok = hip_onnx_model_run (self->model, item->tensor, 0, item->size_bytes,
      item->dims, 0, HIP_ONNX_RESULT_HIP,
      hip_onnx_frames_get_device (self->frames), NULL, &error);
  post_progress (self, ok ? GST_PROGRESS_TYPE_COMPLETE :
      GST_PROGRESS_TYPE_ERROR, ok ? "The model has run once" :
      "The model does not run");
  item_free (item);
  g_mutex_lock (&self->lock);
  self->n_warm_ups--;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (!ok) {
    hip_onnx_post_error (self, "The model does not run", error);
    end_flow (self, GST_FLOW_ERROR);
  }
}

static void
pass_query (GstHipOnnxInference * self, HipOnnxItem * item)
{
  gboolean ok = gst_pad_peer_query (self->src_pad, item->query);

  if (GST_QUERY_TYPE (item->query) == GST_QUERY_ALLOCATION)
    hip_onnx_note_allocation (self, item->query);
  g_mutex_lock (&self->lock);
  self->query_ok = ok;
  self->is_asking = FALSE;
  self->asked = NULL;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  item_free (item);
}

static void
pass_event (GstHipOnnxInference * self, HipOnnxItem * item)
{
  GstEvent *event = g_steal_pointer (&item->event);

  item_free (item);
  g_mutex_lock (&self->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    self->asked_downstream = FALSE;
  else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START
      || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    self->has_enough = FALSE;
  g_mutex_unlock (&self->lock);
  gst_pad_push_event (self->src_pad, event);
}

static void
task (gpointer data)
{
  GstHipOnnxInference *self = data;
  HipOnnxItem *item = wait_item (self);

  if (!item)
    gst_pad_pause_task (self->src_pad);
  else if (item->query)
    pass_query (self, item);
  else if (item->event)
    pass_event (self, item);
  else if (item->frames)
    pass_batch (self, item);
  else
    pass_warm_up (self, item);
}

/* --- activation --- */

gboolean
hip_onnx_sink_activate (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  if (active)
    reset_locked (self);
  else
    stop_locked (self);
  g_mutex_unlock (&self->lock);
  if (!active) {
    /* Once upstream's thread has left */
    GST_PAD_STREAM_LOCK (pad);
    g_mutex_lock (&self->lock);
    drop_items_locked (self);
    g_mutex_unlock (&self->lock);
    GST_PAD_STREAM_UNLOCK (pad);
  }
  return TRUE;
}

gboolean
hip_onnx_src_activate (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  if (active)
    self->flow = GST_FLOW_OK;
  else
    stop_locked (self);
  g_mutex_unlock (&self->lock);
  return active ? gst_pad_start_task (pad, task, self, NULL) :
      gst_pad_stop_task (pad);
}
