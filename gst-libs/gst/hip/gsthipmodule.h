/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_KERNEL_MODULE (gst_hip_kernel_module_get_type ())
#define GST_TYPE_HIP_KERNEL_ARGS (gst_hip_kernel_args_get_type ())

/**
 * GstHipKernelParameter:
 * @name: the parameter's name, empty if the source gives none
 * @type_name: the declared type as the source spells it, or empty for a binary
 * @kind: what it is
 * @size: bytes
 * @align: bytes
 * @is_const: for pointers: the kernel only reads through it
 *
 * One parameter of a kernel.
 *
 * Since: 1.30
 */
struct _GstHipKernelParameter
{
  const gchar *name;
  const gchar *type_name;
  GstHipParameterKind kind;
  gsize size;
  gsize align;
  gboolean is_const;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

/* Modules */
GST_HIP_API
GType gst_hip_kernel_module_get_type (void);

GST_HIP_API
GstHipKernelModule * gst_hip_kernel_module_new_from_source (GstHipDevice * device, const gchar * source,
                                                            const gchar * const * options, GError ** error);

GST_HIP_API
GstHipKernelModule * gst_hip_kernel_module_new_from_file (GstHipDevice * device, const gchar * filename,
                                                          const gchar * const * options, GError ** error);

GST_HIP_API
GstHipKernelModule * gst_hip_kernel_module_new_from_binary (GstHipDevice * device, GBytes * binary, GError ** error);

GST_HIP_API
GBytes * gst_hip_kernel_module_get_binary (GstHipKernelModule * module);

GST_HIP_API
GstHipKernelModule * gst_hip_kernel_module_ref (GstHipKernelModule * module);

GST_HIP_API
void gst_hip_kernel_module_unref (GstHipKernelModule * module);

GST_HIP_API
gboolean gst_hip_kernel_module_has_entry (GstHipKernelModule * module, const gchar * entry);

GST_HIP_API
gchar ** gst_hip_kernel_module_list_entries (GstHipKernelModule * module);

GST_HIP_API
const GstHipKernelParameter * gst_hip_kernel_module_get_parameters (GstHipKernelModule * module, const gchar * entry,
                                                                    guint * n_parameters);

GST_HIP_API
gchar * gst_hip_kernel_module_get_signature (GstHipKernelModule * module, const gchar * entry);

GST_HIP_API
gboolean gst_hip_kernel_module_launch (GstHipKernelModule * module, const gchar * entry, GstHipStream * stream,
                                       const guint grid[3], const guint block[3], GstHipKernelArgs * args,
                                       GError ** error);

GST_HIP_API
gboolean gst_hip_kernel_module_launch_full (GstHipKernelModule * module, const gchar * entry, GstHipStream * stream,
                                            const guint grid[3], const guint block[3], gsize shared_bytes,
                                            GstHipKernelArgs * args, GstHipEvent ** event, GError ** error);

/* Arguments */
GST_HIP_API
GType gst_hip_kernel_args_get_type (void);

GST_HIP_API
GstHipKernelArgs * gst_hip_kernel_args_new (void);

GST_HIP_API
GstHipKernelArgs * gst_hip_kernel_args_ref (GstHipKernelArgs * args);

GST_HIP_API
void gst_hip_kernel_args_unref (GstHipKernelArgs * args);

GST_HIP_API
void gst_hip_kernel_args_clear (GstHipKernelArgs * args);

GST_HIP_API
guint gst_hip_kernel_args_get_n_args (GstHipKernelArgs * args);

GST_HIP_API
gboolean gst_hip_kernel_args_add_memory (GstHipKernelArgs * args, GstMemory * memory, gsize offset, GError ** error);

GST_HIP_API
gboolean gst_hip_kernel_args_add_memory_full (GstHipKernelArgs * args, GstMemory * memory, gsize offset,
                                              GstMapFlags flags, GError ** error);

GST_HIP_API
gboolean gst_hip_kernel_args_add_plane (GstHipKernelArgs * args, GstBuffer * buffer, guint plane, GstMapFlags flags,
                                        gboolean with_stride, GError ** error);

GST_HIP_API
gboolean gst_hip_kernel_args_add_dependency (GstHipKernelArgs * args, GstMemory * memory, GstMapFlags flags,
                                             GError ** error);

GST_HIP_API
void gst_hip_kernel_args_add_int8 (GstHipKernelArgs * args, gint8 value);

GST_HIP_API
void gst_hip_kernel_args_add_uint8 (GstHipKernelArgs * args, guint8 value);

GST_HIP_API
void gst_hip_kernel_args_add_int16 (GstHipKernelArgs * args, gint16 value);

GST_HIP_API
void gst_hip_kernel_args_add_uint16 (GstHipKernelArgs * args, guint16 value);

GST_HIP_API
void gst_hip_kernel_args_add_int32 (GstHipKernelArgs * args, gint32 value);

GST_HIP_API
void gst_hip_kernel_args_add_uint32 (GstHipKernelArgs * args, guint32 value);

GST_HIP_API
void gst_hip_kernel_args_add_int64 (GstHipKernelArgs * args, gint64 value);

GST_HIP_API
void gst_hip_kernel_args_add_uint64 (GstHipKernelArgs * args, guint64 value);

GST_HIP_API
void gst_hip_kernel_args_add_float (GstHipKernelArgs * args, gfloat value);

GST_HIP_API
void gst_hip_kernel_args_add_double (GstHipKernelArgs * args, gdouble value);

GST_HIP_API
gboolean gst_hip_kernel_args_add_bytes (GstHipKernelArgs * args, gconstpointer data, gsize size, gsize align,
                                        GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipKernelModule, gst_hip_kernel_module_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipKernelArgs, gst_hip_kernel_args_unref)

G_END_DECLS
