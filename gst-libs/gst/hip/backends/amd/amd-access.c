/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Why does this process see no AMD GPU?
 *
 * The runtime says no more than that there is none. Mostly the reason is the
 * kernel's device file: not there, or not permitted. Must not know: HIP.
 */
#include <errno.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "amd-internal.h"

/* "group render", or "group 105" where it has no name */
static gchar *
group_of (const gchar * file)
{
  struct stat st;
  struct group group, *found = NULL;
  gchar buffer[4096];

  if (stat (file, &st) != 0)
    return g_strdup ("the group that owns it");
  if (getgrgid_r (st.st_gid, &group, buffer, sizeof (buffer), &found) != 0
      || !found)
    return g_strdup_printf ("group %u", (guint) st.st_gid);
  return g_strdup_printf ("group %s", found->gr_name);
}

static gchar *
explain_not_permitted (const gchar * file)
{
  g_autofree gchar *group = group_of (file);

  return
      g_strdup_printf ("%s: permission denied; let this user join %s (usermod "
      "-a -G, then log in anew), or give a container that group (--group-add)",
      file, group);
}

gchar *
amd_explain_no_device (const gchar * device_file)
{
  if (access (device_file, R_OK | W_OK) == 0)
    return g_strdup ("the runtime supports none of the GPUs here, or "
        "HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES hides them");
  if (errno == EACCES || errno == EPERM)
    return explain_not_permitted (device_file);
  return
      g_strdup_printf ("%s is not there: the kernel's driver (amdgpu) is not "
      "loaded, or this container was started without --device=/dev/kfd "
      "--device=/dev/dri", device_file);
}
