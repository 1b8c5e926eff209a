/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a test ask that no real driver is asked? */
#include "fake.h"

static void
lose (gint device)
{
  if (fake_family.lose)
    fake_family.lose (device);
}

FAKE_API const FakeControl fake_control;
const FakeControl fake_control = {
  .live = fake_live,
  .failed = fake_n_failed,
  .lose = lose,
};
