/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Has the device come so far?
 *
 * Events of the runtime, waited for asleep. Only timed ones carry times, which
 * cost the device a little. ROCm 7.1 keeps memory for every event that is made,
 * recorded and waited for by another stream: the library above has few, and
 * records each again once it is done, so that their number stays what the most
 * work in flight ever needed.
 */
#include "amd-internal.h"

HipNativeEvent
amd_event_new (HipNativeContext context, gboolean timed, GError ** error)
{
  guint flags = AMD_FLAG_EVENT_BLOCKING;
  AmdHipEvent event = NULL;

  if (!timed)
    flags |= AMD_FLAG_EVENT_NO_TIMING;
  return AMD_CALL (error, hipEventCreateWithFlags, &event, flags) ? event :
      NULL;
}

void
amd_event_free (HipNativeContext context, HipNativeEvent event)
{
  AMD_CALL_NOTED (hipEventDestroy, event);
}

gboolean
amd_event_record (HipNativeContext context, HipNativeEvent event,
    HipNativeStream stream, GError ** error)
{
  return AMD_CALL (error, hipEventRecord, event,
      ((AmdStream *) stream)->handle);
}

GstHipEventState
amd_event_query (HipNativeContext context, HipNativeEvent event,
    GError ** error)
{
  return amd_state (amd_hip.hipEventQuery (event), "hipEventQuery", error);
}

gboolean
amd_event_synchronize (HipNativeContext context, HipNativeEvent event,
    GError ** error)
{
  return amd_check_wait (amd_hip.hipEventSynchronize (event),
      "hipEventSynchronize", error);
}

gboolean
amd_event_elapsed (HipNativeContext context, HipNativeEvent start,
    HipNativeEvent stop, gdouble * ns, GError ** error)
{
  gfloat ms = 0;

  if (!AMD_CALL (error, hipEventElapsedTime, &ms, start, stop))
    return FALSE;
  *ns = (gdouble) ms *1e6;
  return TRUE;
}
