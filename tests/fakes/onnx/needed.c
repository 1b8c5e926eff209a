/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A library that is there when a provider is linked, and not when it is loaded. */
int fake_needed (void);

int
fake_needed (void)
{
  return 7;
}
