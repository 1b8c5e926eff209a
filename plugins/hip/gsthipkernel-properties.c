/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which properties does hipkernel have? Stores what is set, under the object
 * lock; gsthipkernel.c takes it when it starts or between frames.
 */
#include "config.h"

#include "gsthipkernel-private.h"

enum
{
  PROP_0,
  PROP_LOCATION,
  PROP_SOURCE,
  PROP_ENTRY,
  PROP_OPTIONS,
  PROP_PARAMETERS,
  PROP_BLOCK_SIZE,
  PROP_AUTO_RELOAD,
  PROP_MEASURE,
  PROP_TIMES,
};

static void
replace_string (gchar ** string, const GValue * value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
}

static void
gst_hip_kernel_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstHipKernel *self = GST_HIP_KERNEL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_LOCATION:
      replace_string (&self->settings.location, value);
      break;
    case PROP_SOURCE:
      replace_string (&self->settings.source, value);
      break;
    case PROP_ENTRY:
      replace_string (&self->settings.entry, value);
      break;
    case PROP_OPTIONS:
      replace_string (&self->settings.options, value);
      break;
    case PROP_PARAMETERS:
      g_clear_pointer (&self->parameters, gst_structure_free);
      self->parameters = g_value_dup_boxed (value);
      self->parameters_serial++;
      break;
    case PROP_BLOCK_SIZE:
      replace_string (&self->block_size, value);
      break;
    case PROP_AUTO_RELOAD:
      self->auto_reload = g_value_get_boolean (value);
      break;
    case PROP_MEASURE:
      g_atomic_int_set (&self->measure, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_hip_kernel_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstHipKernel *self = GST_HIP_KERNEL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_LOCATION:
      g_value_set_string (value, self->settings.location);
      break;
    case PROP_SOURCE:
      g_value_set_string (value, self->settings.source);
      break;
    case PROP_ENTRY:
      g_value_set_string (value, self->settings.entry);
      break;
    case PROP_OPTIONS:
      g_value_set_string (value, self->settings.options);
      break;
    case PROP_PARAMETERS:
      g_value_set_boxed (value, self->parameters);
      break;
    case PROP_BLOCK_SIZE:
      g_value_set_string (value, self->block_size);
      break;
    case PROP_AUTO_RELOAD:
      g_value_set_boolean (value, self->auto_reload);
      break;
    case PROP_MEASURE:
      g_value_set_boolean (value, g_atomic_int_get (&self->measure));
      break;
    case PROP_TIMES:
      g_value_take_boxed (value, hip_kernel_timing_get (self->timing));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_string (GObjectClass * klass, guint id, const gchar * name,
    const gchar * nick, const gchar * blurb, const gchar * value)
{
  g_object_class_install_property (klass, id, g_param_spec_string (name, nick,
          blurb, value, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
}

void
gst_hip_kernel_install_properties (GObjectClass * klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  klass->set_property = gst_hip_kernel_set_property;
  klass->get_property = gst_hip_kernel_get_property;

  install_string (klass, PROP_LOCATION, "location", "Location",
      "File with the kernel's source", NULL);
  install_string (klass, PROP_SOURCE, "source", "Source",
      "The kernel's source itself, instead of a file", NULL);
  install_string (klass, PROP_ENTRY, "entry", "Entry",
      "Name of the kernel (unset: the only one of the source)", NULL);
  install_string (klass, PROP_OPTIONS, "options", "Options",
      "Compiler options, split as a shell does: -D, -I, -O, --std, -g mean the "
      "same on every device", NULL);
  install_string (klass, PROP_BLOCK_SIZE, "block-size", "Block size",
      "Threads of a block, as WIDTHxHEIGHT", GST_HIP_KERNEL_DEFAULT_BLOCK_SIZE);
  g_object_class_install_property (klass, PROP_PARAMETERS,
      g_param_spec_boxed ("parameters", "Parameters",
          "Values of the kernel's own parameters by their names",
          GST_TYPE_STRUCTURE, flags | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_AUTO_RELOAD,
      g_param_spec_boolean ("auto-reload", "Auto reload",
          "Compile the file again when it changes; the old kernel runs until "
          "the new one is ready", FALSE, flags | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_MEASURE,
      g_param_spec_boolean ("measure", "Measure",
          "Measure how long the kernel takes on the device, for times", FALSE,
          flags | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_TIMES,
      g_param_spec_boxed ("times", "Times",
          "Measured frames and their mean, least and most time on the device",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
