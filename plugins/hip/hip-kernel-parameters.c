/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which bytes does a kernel get for the values that a user gave by name? Knows
 * types and ranges, no device. Nothing is rounded or cut silently: a number
 * either is what the declared type can hold, or is refused. The one exception
 * is the rounding of a decimal number to float.
 */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "hip-kernel-parameters.h"

typedef struct
{
  gsize size, align;
  guint8 bytes[8];
} Value;

struct _HipKernelValues
{
  guint n_values;
  Value values[];
};

/* A number as it was given, before it has the kernel's type */
typedef struct
{
  enum
  { SIGNED, UNSIGNED, REAL } kind;
  gint64 i;
  guint64 u;
  gdouble d;
} Number;

static gboolean
G_GNUC_PRINTF (3, 4)
refuse (GError ** error, const gchar * signature, const gchar * format, ...)
{
  g_autofree gchar *text = NULL;
  va_list list;

  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "%s; the kernel is: %s", text, signature);
  return FALSE;
}

static gboolean
read_number (const GValue * value, Number * n)
{
  n->kind = SIGNED;
  if (G_VALUE_HOLDS_INT (value)) {
    n->i = g_value_get_int (value);
  } else if (G_VALUE_HOLDS_INT64 (value)) {
    n->i = g_value_get_int64 (value);
  } else if (G_VALUE_HOLDS_LONG (value)) {
    n->i = g_value_get_long (value);
  } else if (G_VALUE_HOLDS_BOOLEAN (value)) {
    n->i = g_value_get_boolean (value) ? 1 : 0;
  } else if (G_VALUE_HOLDS_CHAR (value)) {
    n->i = g_value_get_schar (value);
  } else if (G_VALUE_HOLDS_UCHAR (value)) {
    n->i = g_value_get_uchar (value);
  } else if (G_VALUE_HOLDS_UINT (value)) {
    n->i = g_value_get_uint (value);
  } else if (G_VALUE_HOLDS_UINT64 (value)) {
    n->kind = UNSIGNED;
    n->u = g_value_get_uint64 (value);
  } else if (G_VALUE_HOLDS_ULONG (value)) {
    n->kind = UNSIGNED;
    n->u = g_value_get_ulong (value);
  } else if (G_VALUE_HOLDS_DOUBLE (value)) {
    n->kind = REAL;
    n->d = g_value_get_double (value);
  } else if (G_VALUE_HOLDS_FLOAT (value)) {
    n->kind = REAL;
    n->d = (gdouble) g_value_get_float (value);
  } else if (GST_VALUE_HOLDS_FRACTION (value)) {
    n->kind = REAL;
    n->d = (gdouble) gst_value_get_fraction_numerator (value)
        / gst_value_get_fraction_denominator (value);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* The range of an integer type. "char" is signed on the devices we know. */
static void
get_range (const GstHipKernelParameter * parameter, gint64 * least,
    guint64 * most)
{
  guint bits = 8 * parameter->size;
  gboolean is_signed = parameter->kind == GST_HIP_PARAMETER_KIND_INT
      || (parameter->size == 1 && strstr (parameter->type_name, "char")
      && !strstr (parameter->type_name, "unsigned")
      && !strstr (parameter->type_name, "uchar"));

  if (strstr (parameter->type_name, "bool")) {
    *least = 0;
    *most = 1;
  } else if (is_signed) {
    *least = G_MININT64 >> (64 - bits);
    *most = G_MAXINT64 >> (64 - bits);
  } else {
    *least = 0;
    *most = G_MAXUINT64 >> (64 - bits);
  }
}

static gboolean
convert_integer (const Number * n, const GstHipKernelParameter * parameter,
    Value * value, GError ** error, const gchar * signature)
{
  gint64 least, i = n->i;
  guint64 most, u;
  gboolean fits;

  get_range (parameter, &least, &most);
  if (n->kind == REAL) {
    /* 2^63 and 2^64 themselves are out of range and exact as double. */
    if (n->d != floor (n->d))
      return refuse (error, signature, "parameter %s is %s: %g is not an "
          "integer", parameter->name, parameter->type_name, n->d);
    fits = n->d >= (gdouble) least && n->d < 18446744073709551616.0;
    i = fits && n->d < 9223372036854775808.0 ? (gint64) n->d : 0;
    u = fits && n->d >= 0 ? (guint64) n->d : 0;
    fits = fits && (n->d < 0 || u <= most);
  } else if (n->kind == UNSIGNED) {
    u = n->u;
    fits = u <= most;
  } else {
    u = i < 0 ? 0 : (guint64) i;
    fits = i >= least && u <= most;
  }
  if (!fits)
    return refuse (error, signature, "parameter %s is %s: the value is not in "
        "%" G_GINT64_FORMAT " to %" G_GUINT64_FORMAT, parameter->name,
        parameter->type_name, least, most);
  if (n->kind != UNSIGNED && (n->kind == REAL ? n->d < 0 : i < 0))
    u = (guint64) i;

  switch (parameter->size) {
    case 1:
      value->bytes[0] = (guint8) u;
      break;
    case 2:
    {
      guint16 v = (guint16) u;
      memcpy (value->bytes, &v, sizeof v);
      break;
    }
    case 4:
    {
      guint32 v = (guint32) u;
      memcpy (value->bytes, &v, sizeof v);
      break;
    }
    default:
      memcpy (value->bytes, &u, sizeof u);
      break;
  }
  return TRUE;
}

static gboolean
convert_real (const Number * n, const GstHipKernelParameter * parameter,
    Value * value, GError ** error, const gchar * signature)
{
  gdouble d = n->kind == REAL ? n->d :
      n->kind == UNSIGNED ? (gdouble) n->u : (gdouble) n->i;
  gfloat f = (gfloat) d;

  if (parameter->size == sizeof (gdouble)) {
    memcpy (value->bytes, &d, sizeof d);
    return TRUE;
  }
  if (isfinite (d) && !isfinite (f))
    return refuse (error, signature, "parameter %s is %s: %g is out of its "
        "range", parameter->name, parameter->type_name, d);
  memcpy (value->bytes, &f, sizeof f);
  return TRUE;
}

static gboolean
convert (const GValue * from, const GstHipKernelParameter * parameter,
    Value * value, GError ** error, const gchar * signature)
{
  Number n = { SIGNED, 0, 0, 0 };

  value->size = parameter->size;
  value->align = parameter->align;
  if (parameter->kind == GST_HIP_PARAMETER_KIND_POINTER
      || parameter->kind == GST_HIP_PARAMETER_KIND_STRUCT
      || parameter->size > sizeof value->bytes)
    return refuse (error, signature, "parameter %s is %s, which has no value "
        "in a structure: only numbers have", parameter->name,
        parameter->type_name);
  if (!read_number (from, &n))
    return refuse (error, signature, "parameter %s is %s: a %s is no number",
        parameter->name, parameter->type_name, G_VALUE_TYPE_NAME (from));
  if (parameter->kind == GST_HIP_PARAMETER_KIND_FLOAT)
    return convert_real (&n, parameter, value, error, signature);
  return convert_integer (&n, parameter, value, error, signature);
}

static gboolean
check_names (const GstHipKernelParameter * parameters, guint n_parameters,
    const GstStructure * given, const gchar * signature, GError ** error)
{
  for (gint i = 0; i < gst_structure_n_fields (given); i++) {
    const gchar *name = gst_structure_nth_field_name (given, i);
    guint j;

    for (j = 0; j < n_parameters; j++)
      if (g_str_equal (parameters[j].name, name))
        break;
    if (j == n_parameters)
      return refuse (error, signature, "the kernel has no parameter %s", name);
  }
  return TRUE;
}

HipKernelValues *
hip_kernel_values_new (const GstHipKernelParameter * parameters,
    guint n_parameters, const GstStructure * given,
    const GstStructure * defaults, const gchar * signature, GError ** error)
{
  g_autoptr (HipKernelValues) self = NULL;

  if (given && !check_names (parameters, n_parameters, given, signature, error))
    return NULL;
  self = g_malloc0 (sizeof *self + n_parameters * sizeof (Value));
  self->n_values = n_parameters;
  for (guint i = 0; i < n_parameters; i++) {
    const gchar *name = parameters[i].name;
    const GValue *value = given ? gst_structure_get_value (given, name) : NULL;

    if (!value && defaults)
      value = gst_structure_get_value (defaults, name);
    if (!value) {
      refuse (error, signature, "parameter %s has no value", name);
      return NULL;
    }
    if (!convert (value, &parameters[i], &self->values[i], error, signature))
      return NULL;
  }
  return g_steal_pointer (&self);
}

void
hip_kernel_values_free (HipKernelValues * self)
{
  g_free (self);
}

gboolean
hip_kernel_values_add (const HipKernelValues * self, GstHipKernelArgs * args,
    GError ** error)
{
  for (guint i = 0; i < self->n_values; i++) {
    const Value *value = &self->values[i];

    if (!gst_hip_kernel_args_add_bytes (args, value->bytes, value->size,
            value->align, error))
      return FALSE;
  }
  return TRUE;
}
