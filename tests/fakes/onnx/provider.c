/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A provider that needs a library that is not there. */
int fake_needed (void);
int fake_provider (void);

int
fake_provider (void)
{
  return fake_needed ();
}
