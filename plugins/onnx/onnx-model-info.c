/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a model-info file say, and of which tensor of a model? Reads files,
 * knows no runtime. Invariant: what contradicts the model is an error, never
 * ignored.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "onnx-model-info.h"

#define GROUP "modelinfo"

static void
tensor_free (gpointer data)
{
  HipModelInfoTensor *tensor = data;

  g_free (tensor->name);
  g_free (tensor->id);
  g_free (tensor->type);
  g_free (tensor->dims);
  g_free (tensor->ranges);
  g_free (tensor);
}

void
hip_model_info_free (HipModelInfo * self)
{
  g_free (self->file);
  g_free (self->group_id);
  g_ptr_array_unref (self->tensors);
  g_free (self);
}

/* --- values --- */

static gboolean
refuse (GError ** error, const HipModelInfo * self, const gchar * group,
    const gchar * key, const gchar * value)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "%s: [%s] %s=%s is not understood", self->file, group, key,
      value ? value : "");
  return FALSE;
}

static gchar *
get_string (GKeyFile * file, const gchar * group, const gchar * key)
{
  gchar *value = g_key_file_get_string (file, group, key, NULL);

  return value ? g_strstrip (value) : NULL;
}

static gboolean
parse_dims (const gchar * text, HipModelInfoTensor * tensor)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  gsize n = g_strv_length (words);

  tensor->has_dims = TRUE;
  tensor->dims = g_new0 (gint64, n);
  tensor->n_dims = *text ? n : 0;
  for (gsize i = 0; i < tensor->n_dims; i++) {
    if (!g_ascii_string_to_signed (g_strstrip (words[i]), 10, G_MININT64,
            G_MAXINT64, &tensor->dims[i], NULL))
      return FALSE;
  }
  return TRUE;
}

static gboolean
parse_number (gchar * text, gdouble * number)
{
  gchar *end;

  g_strstrip (text);
  *number = g_ascii_strtod (text, &end);
  return end != text && !*end && isfinite (*number);
}

static gboolean
parse_ranges (const gchar * text, HipModelInfoTensor * tensor)
{
  g_auto (GStrv) pairs = g_strsplit (text, ";", -1);
  gsize n = g_strv_length (pairs);

  /* A list may end with its separator. */
  if (n > 0 && !*g_strstrip (pairs[n - 1]))
    n--;
  if (n == 0)
    return FALSE;
  tensor->ranges = g_new0 (gdouble, 2 * n);
  tensor->n_ranges = n;
  for (gsize i = 0; i < n; i++) {
    g_auto (GStrv) ends = g_strsplit (pairs[i], ",", -1);

    if (g_strv_length (ends) != 2
        || !parse_number (ends[0], &tensor->ranges[2 * i])
        || !parse_number (ends[1], &tensor->ranges[2 * i + 1])
        || tensor->ranges[2 * i] == tensor->ranges[2 * i + 1])
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_tensor (HipModelInfo * self, GKeyFile * file, const gchar * group,
    GError ** error)
{
  HipModelInfoTensor *tensor = g_new0 (HipModelInfoTensor, 1);
  g_autofree gchar *dir = get_string (file, group, "dir");
  g_autofree gchar *dims = get_string (file, group, "dims");
  g_autofree gchar *ranges = get_string (file, group, "ranges");
  g_autofree gchar *order = get_string (file, group, "dims-order");

  g_ptr_array_add (self->tensors, tensor);
  tensor->name = g_strdup (group);
  tensor->id = get_string (file, group, "id");
  tensor->type = get_string (file, group, "type");
  tensor->is_input = g_strcmp0 (dir, "input") == 0;
  if (!tensor->is_input && g_strcmp0 (dir, "output") != 0)
    return refuse (error, self, group, "dir", dir);
  if (dims && !parse_dims (dims, tensor))
    return refuse (error, self, group, "dims", dims);
  if (ranges && !parse_ranges (ranges, tensor))
    return refuse (error, self, group, "ranges", ranges);
  if (g_strcmp0 (order, "col-major") == 0)
    tensor->dims_order = GST_TENSOR_DIM_ORDER_COL_MAJOR;
  else if (order && strcmp (order, "row-major") != 0)
    return refuse (error, self, group, "dims-order", order);
  return TRUE;
}

/* --- files --- */

static gchar *
find_file (const gchar * model_file)
{
  g_autofree gchar *file = g_strconcat (model_file, ".modelinfo", NULL);
  const gchar *slash = strrchr (model_file, '/');
  const gchar *dot = strrchr (model_file, '.');
  g_autofree gchar *stem = NULL;

  if (g_file_test (file, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&file);
  if (!dot || (slash && dot < slash))
    return NULL;
  stem = g_strndup (model_file, dot - model_file);
  g_free (file);
  file = g_strconcat (stem, ".modelinfo", NULL);
  return g_file_test (file, G_FILE_TEST_EXISTS) ? g_steal_pointer (&file) :
      NULL;
}

static gboolean
read_file (HipModelInfo * self, GError ** error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) why = NULL;
  g_autofree gchar *version = NULL;
  g_auto (GStrv) groups = NULL;

  if (!g_key_file_load_from_file (file, self->file, G_KEY_FILE_NONE, &why)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "model-info \"%s\" cannot be read: %s", self->file, why->message);
    return FALSE;
  }
  version = get_string (file, GROUP, "version");
  if (!version || strtoull (version, NULL, 10) != 1)
    return refuse (error, self, GROUP, "version", version);
  self->group_id = get_string (file, GROUP, "group-id");
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i]; i++) {
    if (strcmp (groups[i], GROUP) != 0
        && !read_tensor (self, file, groups[i], error))
      return FALSE;
  }
  return TRUE;
}

gboolean
hip_model_info_load (const gchar * file, const gchar * model_file,
    HipModelInfo ** info, GError ** error)
{
  g_autofree gchar *found = file ? g_strdup (file) : find_file (model_file);
  g_autoptr (HipModelInfo) self = NULL;

  *info = NULL;
  if (!found)
    return TRUE;
  self = g_new0 (HipModelInfo, 1);
  self->file = g_steal_pointer (&found);
  self->tensors = g_ptr_array_new_with_free_func (tensor_free);
  if (!read_file (self, error))
    return FALSE;
  *info = g_steal_pointer (&self);
  return TRUE;
}

/* --- which tensor --- */

static gboolean
fits (const HipModelInfoTensor * said, const HipOrtTensor * tensor)
{
  if (said->type
      && strcmp (said->type, hip_ort_type_get_name (tensor->type)) != 0)
    return FALSE;
  if (!said->has_dims)
    return TRUE;
  if (said->n_dims != tensor->n_dims)
    return FALSE;
  for (gsize i = 0; i < said->n_dims; i++) {
    if (said->dims[i] >= 0 && said->dims[i] != tensor->dims[i])
      return FALSE;
  }
  return TRUE;
}

static gchar *
describe (const HipModelInfoTensor * said)
{
  GString *text = g_string_new (said->type ? said->type : "any type");

  g_string_append_c (text, ' ');
  for (gsize i = 0; i < said->n_dims; i++) {
    if (i)
      g_string_append_c (text, 'x');
    if (said->dims[i] < 0)
      g_string_append_c (text, '?');
    else
      g_string_append_printf (text, "%" G_GINT64_FORMAT, said->dims[i]);
  }
  return g_string_free (text, FALSE);
}

static const HipModelInfoTensor *
contradicts (const HipModelInfo * self, const HipModelInfoTensor * said,
    const HipOrtTensor * tensor, gboolean is_input, GError ** error)
{
  g_autofree gchar *theirs = describe (said);
  g_autofree gchar *real = hip_ort_describe_tensor (tensor);

  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "%s contradicts the model: it says that [%s] is %s %s, but the model's "
      "%s \"%s\" is %s", self->file, said->name,
      said->is_input ? "an input" : "an output", theirs,
      is_input ? "input" : "output", tensor->name, real);
  return NULL;
}

const HipModelInfoTensor *
hip_model_info_find (const HipModelInfo * self, const HipOrtTensor * tensor,
    gboolean is_input, gsize index, GError ** error)
{
  const HipModelInfoTensor *at_index = NULL;
  gsize n = 0;

  for (guint i = 0; i < self->tensors->len; i++) {
    const HipModelInfoTensor *said = g_ptr_array_index (self->tensors, i);

    if (strcmp (said->name, tensor->name) == 0) {
      if (said->is_input != is_input || !fits (said, tensor))
        return contradicts (self, said, tensor, is_input, error);
      return said;
    }
    if (said->is_input == is_input && n++ == index)
      at_index = said;
  }
  if (at_index && fits (at_index, tensor))
    return at_index;
  for (guint i = 0; i < self->tensors->len; i++) {
    const HipModelInfoTensor *said = g_ptr_array_index (self->tensors, i);

    if (said->is_input == is_input && fits (said, tensor))
      return said;
  }
  return at_index ? contradicts (self, at_index, tensor, is_input, error) :
      NULL;
}
