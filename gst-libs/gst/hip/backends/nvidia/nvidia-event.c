/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Has the device come so far?
 *
 * Events of the driver, waited for asleep. Only timed ones carry times, which
 * cost the device a little.
 */
#include "nvidia-internal.h"

HipNativeEvent
nvidia_event_new (HipNativeContext context, gboolean timed, GError ** error)
{
  guint flags = CU_FLAG_EVENT_BLOCKING;
  CuEvent event = NULL;

  if (!timed)
    flags |= CU_FLAG_EVENT_NO_TIMING;
  return NVIDIA_CALL (error, cuEventCreate, &event, flags) ? event : NULL;
}

void
nvidia_event_free (HipNativeContext context, HipNativeEvent event)
{
  NVIDIA_CALL_NOTED (cuEventDestroy_v2, event);
}

gboolean
nvidia_event_record (HipNativeContext context, HipNativeEvent event,
    HipNativeStream stream, GError ** error)
{
  return NVIDIA_CALL (error, cuEventRecord, event,
      ((NvidiaStream *) stream)->handle);
}

GstHipEventState
nvidia_event_query (HipNativeContext context, HipNativeEvent event,
    GError ** error)
{
  return nvidia_state (nvidia_cuda.cuEventQuery (event), "cuEventQuery", error);
}

gboolean
nvidia_event_synchronize (HipNativeContext context, HipNativeEvent event,
    GError ** error)
{
  return NVIDIA_CALL (error, cuEventSynchronize, event);
}

gboolean
nvidia_event_elapsed (HipNativeContext context, HipNativeEvent start,
    HipNativeEvent stop, gdouble * ns, GError ** error)
{
  gfloat ms = 0;
  CuResult result = nvidia_cuda.cuEventElapsedTime_v2 ?
      nvidia_cuda.cuEventElapsedTime_v2 (&ms, start, stop) :
      nvidia_cuda.cuEventElapsedTime (&ms, start, stop);

  if (!nvidia_check (result, "cuEventElapsedTime", error))
    return FALSE;
  *ns = (gdouble) ms *1e6;
  return TRUE;
}
