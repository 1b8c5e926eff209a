/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is still going on with a memory, and what has to come after it?
 *
 * Keeps I2: a memory holds the event of its last writer and those of the
 * readers since, one per stream; whoever accesses it next makes its own stream
 * wait for them on the device. Parts of a memory (gst_memory_share ()) have
 * the pending work of the whole.
 *
 * The lock is held for pointers only: drivers are called and references are
 * dropped without it. Must not know: what an access does.
 */
#include "gsthiperror.h"
#include "hip-memory.h"
#include "hip-stream.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

/* --- sets of events --- */

static void
set_take (HipEventSet * set, GstHipEvent * event)
{
  if (set->n_events < G_N_ELEMENTS (set->events)) {
    set->events[set->n_events++] = event;
    return;
  }
  if (!set->more)
    set->more =
        g_ptr_array_new_with_free_func ((GDestroyNotify) gst_hip_event_unref);
  g_ptr_array_add (set->more, event);
}

void
hip_event_set_add (HipEventSet * set, GstHipEvent * event)
{
  set_take (set, gst_hip_event_ref (event));
}

void
hip_event_set_clear (HipEventSet * set)
{
  guint i;

  for (i = 0; i < set->n_events; i++)
    gst_hip_event_unref (set->events[i]);
  set->n_events = 0;
  g_clear_pointer (&set->more, g_ptr_array_unref);
}

guint
hip_event_set_length (const HipEventSet * set)
{
  return set->n_events + (set->more ? set->more->len : 0);
}

GstHipEvent *
hip_event_set_get (const HipEventSet * set, guint i)
{
  return i < set->n_events ? set->events[i]
      : g_ptr_array_index (set->more, i - set->n_events);
}

gboolean
hip_event_set_wait (HipEventSet * set, GError ** error)
{
  guint i;

  for (i = 0; i < hip_event_set_length (set); i++) {
    if (!gst_hip_event_wait (hip_event_set_get (set, i), error))
      return FALSE;
  }
  return TRUE;
}

/* --- the books; with the lock held --- */

static void
set_add_access (HipEventSet * set, const HipAccess * access,
    GstHipStream * stream)
{
  if (!access->event || hip_event_is_known_done (access->event))
    return;
  if (stream && access->serial == hip_stream_get_serial (stream))
    return;
  hip_event_set_add (set, access->event);
}

void
hip_memory_get_pending (GstHipMemoryPrivate * priv, GstHipStream * stream,
    GstMapFlags flags, HipEventSet * set)
{
  guint i;

  hip_mutex_lock (&priv->lock);
  set_add_access (set, &priv->writer, stream);
  if (flags & GST_MAP_WRITE) {
    for (i = 0; i < priv->n_readers; i++)
      set_add_access (set, &priv->readers[i], stream);
    for (i = 0; priv->more_readers && i < priv->more_readers->len; i++)
      set_add_access (set, &g_array_index (priv->more_readers, HipAccess, i),
          stream);
  }
  hip_mutex_unlock (&priv->lock);
}

static void
replace (HipAccess * slot, GstHipEvent * event, guint64 serial,
    HipEventSet * dropped)
{
  if (slot->event)
    set_take (dropped, slot->event);
  slot->event = gst_hip_event_ref (event);
  slot->serial = serial;
}

static void
drop_readers (GstHipMemoryPrivate * priv, HipEventSet * dropped)
{
  guint i;

  for (i = 0; i < priv->n_readers; i++)
    set_take (dropped, g_steal_pointer (&priv->readers[i].event));
  priv->n_readers = 0;
  for (i = 0; priv->more_readers && i < priv->more_readers->len; i++)
    set_take (dropped, g_array_index (priv->more_readers, HipAccess, i).event);
  if (priv->more_readers)
    g_array_set_size (priv->more_readers, 0);
}

static HipAccess *
find_reader (GstHipMemoryPrivate * priv, guint64 serial)
{
  guint i;

  for (i = 0; i < priv->n_readers; i++) {
    if (priv->readers[i].serial == serial)
      return &priv->readers[i];
  }
  for (i = 0; priv->more_readers && i < priv->more_readers->len; i++) {
    HipAccess *slot = &g_array_index (priv->more_readers, HipAccess, i);

    if (slot->serial == serial)
      return slot;
  }
  return NULL;
}

/* A place for another stream's reader */
static HipAccess *
add_reader_slot (GstHipMemoryPrivate * priv)
{
  static const HipAccess none = { 0 };
  guint i;

  for (i = 0; i < priv->n_readers; i++) {
    if (hip_event_is_known_done (priv->readers[i].event))
      return &priv->readers[i];
  }
  if (priv->n_readers < HIP_PENDING_READERS)
    return &priv->readers[priv->n_readers++];
  if (!priv->more_readers)
    priv->more_readers = g_array_new (FALSE, FALSE, sizeof (HipAccess));
  g_array_append_val (priv->more_readers, none);
  return &g_array_index (priv->more_readers, HipAccess,
      priv->more_readers->len - 1);
}

/* One reader per stream: a later event of it stands for the earlier ones. */
static void
add_reader (GstHipMemoryPrivate * priv, GstHipEvent * event, guint64 serial,
    HipEventSet * dropped)
{
  HipAccess *slot = find_reader (priv, serial);

  if (!slot)
    slot = add_reader_slot (priv);
  replace (slot, event, serial, dropped);
}

/* --- ordering --- */

void
hip_memory_note_access (GstHipMemoryPrivate * priv, GstHipEvent * event,
    GstMapFlags flags)
{
  HipEventSet dropped = { 0 };
  guint64 serial = hip_event_get_stream_serial (event);

  hip_mutex_lock (&priv->lock);
  if (flags & GST_MAP_WRITE) {
    /* It came after all of them. */
    replace (&priv->writer, event, serial, &dropped);
    drop_readers (priv, &dropped);
  } else {
    add_reader (priv, event, serial, &dropped);
  }
  hip_mutex_unlock (&priv->lock);
  hip_event_set_clear (&dropped);
}

gboolean
hip_memory_order (GstHipMemoryPrivate * priv, GstHipStream * stream,
    GstMapFlags flags, GError ** error)
{
  HipEventSet set = { 0 };
  gboolean ordered = TRUE;
  guint i;

  hip_memory_get_pending (priv, stream, flags, &set);
  for (i = 0; ordered && i < hip_event_set_length (&set); i++)
    ordered =
        gst_hip_stream_wait_event (stream, hip_event_set_get (&set, i), error);
  hip_event_set_clear (&set);
  return ordered;
}

GstHipStream *
hip_memory_ref_stream (GstHipMemoryPrivate * priv, GError ** error)
{
  GstHipStream *stream, *unused = NULL;

  hip_mutex_lock (&priv->lock);
  stream = priv->stream ? gst_hip_stream_ref (priv->stream) : NULL;
  hip_mutex_unlock (&priv->lock);
  if (stream)
    return stream;

  stream = hip_context_get_default_stream (priv->context, error);
  if (!stream)
    return NULL;
  hip_mutex_lock (&priv->lock);
  if (priv->stream) {
    unused = stream;
    stream = gst_hip_stream_ref (priv->stream);
  } else {
    priv->stream = gst_hip_stream_ref (stream);
  }
  hip_mutex_unlock (&priv->lock);
  gst_clear_hip_stream (&unused);
  return stream;
}

/**
 * gst_hip_memory_get_stream:
 * @mem: a #GstHipMemory
 *
 * The stream on which maps with %GST_MAP_HIP, transfers and copies of @mem are
 * ordered: its pool's, or the default stream of its device.
 *
 * Returns: (transfer none) (nullable): the stream, valid until
 *     gst_hip_memory_set_stream() or the end of @mem; %NULL if the device has
 *     failed
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipStream *
gst_hip_memory_get_stream (GstHipMemory * mem)
{
  g_autoptr (GError) error = NULL;
  GstHipStream *stream;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), NULL);

  stream = hip_memory_ref_stream (mem->priv, &error);
  if (!stream) {
    GST_WARNING ("no stream for %p: %s", mem, error->message);
    return NULL;
  }
  /* the memory holds it too */
  gst_hip_stream_unref (stream);
  return stream;
}

/**
 * gst_hip_memory_set_stream:
 * @mem: a #GstHipMemory
 * @stream: (nullable): a stream of its device, or %NULL for the device's
 *     default
 *
 * Changes the stream of gst_hip_memory_get_stream(). What is pending on the
 * old one stays known.
 *
 * Blocking: never.
 * Threads: any, while nobody uses the result of gst_hip_memory_get_stream().
 * Since: 1.30
 */
void
gst_hip_memory_set_stream (GstHipMemory * mem, GstHipStream * stream)
{
  GstHipMemoryPrivate *priv;
  GstHipStream *old;

  g_return_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)));
  g_return_if_fail (stream == NULL
      || hip_stream_get_context (stream) == mem->priv->context);

  priv = mem->priv;
  if (stream)
    gst_hip_stream_ref (stream);
  hip_mutex_lock (&priv->lock);
  old = priv->stream;
  priv->stream = stream;
  hip_mutex_unlock (&priv->lock);
  gst_clear_hip_stream (&old);
}

gboolean
hip_memory_is_peer (GstHipMemory * mem, HipContext * context)
{
  HipContext *own = mem->priv->context;

  return own != context && own->backend == context->backend
      && own->backend->stream_copy_peer && mem->priv->space == HIP_SPACE_DEVICE;
}

gboolean
hip_memory_upload_on_own_stream (GstHipMemory * mem, GError ** error)
{
  g_autoptr (GstHipStream) stream = NULL;

  if (!mem->priv->is_staged)
    return TRUE;
  stream = hip_memory_ref_stream (mem->priv, error);
  return stream && hip_memory_upload (hip_memory_get_root (mem), stream, error);
}

static gboolean
begin_peer_read (GstHipMemory * mem, GstHipStream * stream, GError ** error)
{
  return hip_memory_upload_on_own_stream (mem, error)
      && hip_memory_order (mem->priv, stream, GST_MAP_READ, error);
}

/**
 * gst_hip_memory_begin_access:
 * @mem: a #GstHipMemory
 * @stream: the stream on which @mem is going to be used, one of its device, or
 *     for %GST_MAP_READ one that gst_hip_stream_copy_2d() copies @mem on
 * @flags: %GST_MAP_READ, %GST_MAP_WRITE or both: what is going to be done
 * @error: (out) (optional): return location for an error
 *
 * Orders @stream after the work that is pending on @mem: it will wait on the
 * device for the last writer, and if writing for all readers since. Nothing is
 * queued where that work was on @stream itself or has ended. If the CPU wrote
 * to @mem since, its bytes are transferred on @stream.
 *
 * Queue the work, then call gst_hip_memory_end_access(). @mem need not be kept
 * alive until the work is done: its allocation is. Between the two @mem may be
 * used by others as GStreamer allows it: many readers or one writer.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if @stream is another device's
 *     or @mem is read-only, %GST_HIP_ERROR_DEVICE_LOST, or what the driver
 *     reported; there is nothing to end then
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_memory_begin_access (GstHipMemory * mem, GstHipStream * stream,
    GstMapFlags flags, GError ** error)
{
  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), FALSE);
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!(flags & GST_MAP_WRITE)
      && hip_memory_is_peer (mem, hip_stream_get_context (stream)))
    return begin_peer_read (mem, stream, error);
  if (hip_stream_get_context (stream) != mem->priv->context) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a stream of %s device %u cannot use memory of %s device %u: copy it "
        "there first", hip_stream_get_context (stream)->backend->name,
        gst_hip_stream_get_device_id (stream),
        mem->priv->context->backend->name,
        gst_hip_device_get_device_id (mem->device));
    return FALSE;
  }
  if ((flags & GST_MAP_WRITE) && GST_MEMORY_IS_READONLY (mem)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a read-only memory cannot be written to: copy it");
    return FALSE;
  }
  return hip_memory_upload (hip_memory_get_root (mem), stream, error)
      && hip_memory_order (mem->priv, stream, flags, error);
}

/**
 * gst_hip_memory_end_access:
 * @mem: a #GstHipMemory
 * @stream: as given to gst_hip_memory_begin_access()
 * @flags: as given to gst_hip_memory_begin_access()
 * @error: (out) (optional): return location for an error
 *
 * Remembers that the work queued on @stream until now uses @mem. For several
 * memories of one piece of work record one event and call
 * gst_hip_memory_end_access_with_event() for each.
 *
 * Returns: %FALSE if no event could be recorded: the work was waited for
 *     instead, as far as the device still answers
 *
 * Blocking: only where no event can be recorded, until the work is done.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_memory_end_access (GstHipMemory * mem, GstHipStream * stream,
    GstMapFlags flags, GError ** error)
{
  g_autoptr (GstHipEvent) event = NULL;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), FALSE);
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  event = gst_hip_stream_record (stream, FALSE, error);
  if (!event)
    return FALSE;
  gst_hip_memory_end_access_with_event (mem, event, flags);
  return TRUE;
}

/**
 * gst_hip_memory_end_access_with_event:
 * @mem: a #GstHipMemory
 * @event: recorded behind the work, on the stream that was given to
 *     gst_hip_memory_begin_access()
 * @flags: as given to gst_hip_memory_begin_access()
 *
 * gst_hip_memory_end_access() with an event that stands for more than this
 * memory.
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
void
gst_hip_memory_end_access_with_event (GstHipMemory * mem, GstHipEvent * event,
    GstMapFlags flags)
{
  g_return_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)));
  g_return_if_fail (GST_IS_HIP_EVENT (event));
  g_return_if_fail (flags & GST_MAP_READWRITE);

  hip_memory_note_access (mem->priv, event, flags);
  if (flags & GST_MAP_WRITE)
    hip_memory_device_wrote (hip_memory_get_root (mem));
}

/**
 * gst_hip_memory_set_event:
 * @mem: a #GstHipMemory
 * @event: (nullable): an event recorded behind work that wrote to @mem
 *
 * As gst_hip_memory_end_access_with_event() for writing, but readers stay
 * known, since nothing tells whether the work was ordered after them. %NULL
 * does nothing: work is forgotten when it has ended.
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
void
gst_hip_memory_set_event (GstHipMemory * mem, GstHipEvent * event)
{
  HipEventSet dropped = { 0 };
  GstHipMemoryPrivate *priv;
  guint64 serial;

  g_return_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)));

  if (!event)
    return;
  priv = mem->priv;
  serial = hip_event_get_stream_serial (event);
  hip_mutex_lock (&priv->lock);
  /* The old writer may not be before it either: keep it as one of those that
   * the next writer waits for. */
  if (priv->writer.event && priv->writer.serial != serial
      && !hip_event_is_known_done (priv->writer.event)
      && !find_reader (priv, priv->writer.serial))
    add_reader (priv, priv->writer.event, priv->writer.serial, &dropped);
  replace (&priv->writer, event, serial, &dropped);
  hip_mutex_unlock (&priv->lock);
  hip_event_set_clear (&dropped);
  hip_memory_device_wrote (hip_memory_get_root (mem));
}

/**
 * gst_hip_memory_is_idle:
 * @mem: a #GstHipMemory
 * @flags: %GST_MAP_READ, %GST_MAP_WRITE or both
 *
 * Tells whether an access now would find nothing to come after: no unfinished
 * writer, and for %GST_MAP_WRITE no unfinished reader. Work that failed is not
 * going on any more.
 *
 * Returns: %TRUE if @mem is idle
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_memory_is_idle (GstHipMemory * mem, GstMapFlags flags)
{
  HipEventSet set = { 0 };
  gboolean idle = TRUE;
  guint i;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), FALSE);

  hip_memory_get_pending (mem->priv, NULL, flags, &set);
  for (i = 0; idle && i < hip_event_set_length (&set); i++)
    idle = gst_hip_event_query_state (hip_event_set_get (&set, i))
        != GST_HIP_EVENT_STATE_PENDING;
  hip_event_set_clear (&set);
  return idle;
}

/**
 * gst_hip_memory_sync:
 * @mem: a #GstHipMemory
 *
 * Waits until no work is pending on @mem. A failure is logged.
 *
 * Blocking: waits for the device.
 * Threads: any.
 * Since: 1.30
 */
void
gst_hip_memory_sync (GstHipMemory * mem)
{
  g_autoptr (GError) error = NULL;
  HipEventSet set = { 0 };

  g_return_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)));

  hip_memory_get_pending (mem->priv, NULL, GST_MAP_READWRITE, &set);
  if (!hip_event_set_wait (&set, &error))
    GST_WARNING ("waiting for %p: %s", mem, error->message);
  hip_event_set_clear (&set);
}
