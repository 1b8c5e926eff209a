/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a context has from a driver that takes things back only when its device
 * is idle. Who may include this: backends. */
#pragma once

#include "hip-backend.h"
#include "hip-slabs.h"

G_BEGIN_DECLS

/* What the driver does, with the context current */
typedef struct
{
  HipSlabAlloc alloc_pinned;
  void (*free_pinned) (guintptr address);
  HipSlabAlloc alloc_device;    /* NULL, with the next: device memory is not the heap's */
  void (*free_device) (guintptr address);
  gboolean (*stream_is_idle) (gpointer stream);
  void (*unload_module) (gpointer module);
} HipHeapDriver;

typedef struct _HipHeap HipHeap;

/* The one of the driver's context with that handle; each user releases it. */
HipHeap *hip_heap_acquire (const HipHeapDriver * driver, guintptr handle);
/* current: the context is; else it is gone, with all that was in it. */
void hip_heap_release (HipHeap * heap, gboolean current);

/* All streams of ours that may have work */
void hip_heap_add_stream (HipHeap * heap, gpointer stream);
void hip_heap_remove_stream (HipHeap * heap, gpointer stream);

gboolean hip_heap_alloc (HipHeap * heap, HipSpace space, gsize size, guintptr * address, GError ** error);
/* On a worker. Nothing uses it any more. */
void hip_heap_free (HipHeap * heap, HipSpace space, guintptr address);
/* On a worker. The driver unloads it at a better time. */
void hip_heap_retire_module (HipHeap * heap, gpointer module);

G_END_DECLS
