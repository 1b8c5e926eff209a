/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the files of the base class share: gsthipbasefilter.c (frames, caps,
 * properties), gsthipbasefilter-device.c, gsthipbasefilter-import.c.
 * Who may include this: those.
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

typedef struct
{
  /* object lock */
  GstHipVendor vendor;
  gint device_id;
  guint max_in_flight;
  GstHipDevice *device;         /* written by the streaming thread only */

  /* Recursive: an application's answer to need-context comes back into
   * set_context () on the same thread. Never taken in a query handler, so that
   * two elements that ask each other do not lock each other out. */
  GRecMutex context_lock;
  GstHipDevice *context_device;

  /* streaming thread, or no streaming yet */
  GstHipStream *stream;
  gboolean is_open;
  GstVideoInfo in_info, out_info;
  gboolean hip_in, hip_out;

  gint error_posted;            /* atomic: upstream's thread posts, too */
  HipInFlight *in_flight;
  GstHipDevice *foreign;        /* streaming thread; of another native context */
  gboolean cuda_in;             /* streaming thread */
  GstBufferPool *shells;        /* streaming thread; buffers of imported frames */
  GstBufferPool *import_pool;   /* streaming thread; for frames that cannot stay where they are */
  GstObject *cuda_context;      /* object lock; what CUDA elements are given for device */
  GstHipFenceDataPool *fences;
} GstHipBaseFilterPrivate;

GstHipBaseFilterPrivate * gst_hip_base_filter_get_private (GstHipBaseFilter * filter);
#define PRIV(filter) gst_hip_base_filter_get_private (filter)

/* --- gsthipbasefilter-device.c --- */
/* What the user chose; FALSE: nothing. */
gboolean hip_filter_is_explicit (GstHipBaseFilter * filter, GstHipVendor * vendor, gint * id);
/* New reference, or NULL with *error set */
GstHipDevice * hip_filter_choose_device (GstHipBaseFilter * filter, GError ** error);
gboolean hip_filter_open_device (GstHipBaseFilter * filter, GstHipDevice * device, GError ** error);
void hip_filter_close_device (GstHipBaseFilter * filter);
/* The device, which is chosen now if it was not before; new reference, or NULL: not without waiting for another thread,
 * or there is none. For queries that come before the element starts. */
GstHipDevice *hip_filter_ref_device_early (GstHipBaseFilter * filter);
/* Lets go of a device that was chosen early, or when the element stops. */
void hip_filter_forget_device (GstHipBaseFilter * filter);
/* CUDA elements that are told of no context make one of their own: tells the bin of ours. */
void hip_filter_announce_cuda (GstHipBaseFilter * filter);
/* TRUE: a query for a CUDA context, which was answered */
gboolean hip_filter_answer_cuda_query (GstHipBaseFilter * filter, GstQuery * query);
/* Goes to the device of the input's memory, if it is another one. FALSE: it must not or cannot, and that is posted. */
gboolean hip_filter_follow_input (GstHipBaseFilter * filter, GstBuffer * buffer);

/* --- gsthipbasefilter-import.c --- */
/* A frame in CUDA memory becomes the same frame in HIP memory, metas included; others stay. FALSE: it cannot, and that is
 * posted; input is gone. */
gboolean hip_filter_import_input (GstHipBaseFilter * filter, GstBuffer ** input);
void hip_filter_drop_import_pool (GstHipBaseFilter * filter);

G_END_DECLS
