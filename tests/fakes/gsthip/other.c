/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What another GstHip does to a process: it registers types with our names,
 * and with -DOTHER_FUNCTIONS it has functions with our names, too. Nothing in
 * it works. */
#include <glib-object.h>
#include <gmodule.h>

G_MODULE_EXPORT void other_register_object (const gchar * name);
G_MODULE_EXPORT void other_register_enum (const gchar * name);
G_MODULE_EXPORT void other_register_boxed (const gchar * name);

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
class_init (gpointer klass, gpointer data)
{
  ((GObjectClass *) klass)->get_property = get_property;
}

void
other_register_object (const gchar * name)
{
  GTypeInfo info = {
    .class_size = sizeof (GObjectClass),
    .class_init = class_init,
    .instance_size = sizeof (GObject),
  };

  g_type_register_static (G_TYPE_OBJECT, name, &info, 0);
}

void
other_register_enum (const gchar * name)
{
  static const GEnumValue values[] = { {0, "OTHER", "other"}, {0, NULL, NULL} };

  g_enum_register_static (name, values);
}

void
other_register_boxed (const gchar * name)
{
  g_boxed_type_register_static (name, (GBoxedCopyFunc) g_strdup,
      (GBoxedFreeFunc) g_free);
}

#ifdef OTHER_FUNCTIONS
G_MODULE_EXPORT gpointer gst_hip_device_new (gint vendor, guint device_id);

gpointer
gst_hip_device_new (gint vendor, guint device_id)
{
  return NULL;
}
#endif
