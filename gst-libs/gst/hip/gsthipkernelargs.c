/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is a kernel called with?
 *
 * A list of values in the order of the kernel's parameters, and the memories
 * among them, each with how it is accessed. References are held, no map locks:
 * a memory can be mapped by the CPU while arguments live. Knows no kernel; the
 * launch compares with the signature.
 */
#include <string.h>

#include "gsthiperror.h"
#include "gsthipmemory.h"
#include "hip-kernel.h"

struct _GstHipKernelArgs
{
  gatomicrefcount ref_count;
  GArray *args;                 /* of HipKernelArg */
  GArray *uses;                 /* of HipKernelUse */
  guint8 *bytes;                /* plain values, aligned as they want to be */
  gsize n_bytes, capacity;
};

/* *INDENT-OFF* */
G_DEFINE_BOXED_TYPE (GstHipKernelArgs, gst_hip_kernel_args,
    gst_hip_kernel_args_ref, gst_hip_kernel_args_unref);
/* *INDENT-ON* */

static void
clear_use (HipKernelUse * use)
{
  gst_memory_unref (use->memory);
}

/**
 * gst_hip_kernel_args_new:
 *
 * Creates an empty list of arguments. It can be filled, used for any number of
 * launches, cleared and filled again.
 *
 * Returns: (transfer full): new arguments
 *
 * Blocking: never.
 *
 * Threads: any; one list is for one thread at a time.
 *
 * Since: 1.30
 */
GstHipKernelArgs *
gst_hip_kernel_args_new (void)
{
  GstHipKernelArgs *args = g_new0 (GstHipKernelArgs, 1);

  g_atomic_ref_count_init (&args->ref_count);
  args->args = g_array_new (FALSE, FALSE, sizeof (HipKernelArg));
  args->uses = g_array_new (FALSE, FALSE, sizeof (HipKernelUse));
  g_array_set_clear_func (args->uses, (GDestroyNotify) clear_use);
  return args;
}

/**
 * gst_hip_kernel_args_ref:
 * @args: a #GstHipKernelArgs
 *
 * Returns: (transfer full): @args
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
GstHipKernelArgs *
gst_hip_kernel_args_ref (GstHipKernelArgs * args)
{
  g_return_val_if_fail (args != NULL, NULL);

  g_atomic_ref_count_inc (&args->ref_count);
  return args;
}

/**
 * gst_hip_kernel_args_unref:
 * @args: (transfer full): a #GstHipKernelArgs
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_kernel_args_unref (GstHipKernelArgs * args)
{
  g_return_if_fail (args != NULL);

  if (!g_atomic_ref_count_dec (&args->ref_count))
    return;
  g_array_unref (args->args);
  g_array_unref (args->uses);
  g_free (args->bytes);
  g_free (args);
}

/**
 * gst_hip_kernel_args_clear:
 * @args: a #GstHipKernelArgs
 *
 * Removes all arguments and dependencies and drops the references on their
 * memories; room stays allocated for the next ones.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
void
gst_hip_kernel_args_clear (GstHipKernelArgs * args)
{
  g_return_if_fail (args != NULL);

  g_array_set_size (args->args, 0);
  g_array_set_size (args->uses, 0);
  args->n_bytes = 0;
}

/**
 * gst_hip_kernel_args_get_n_args:
 * @args: a #GstHipKernelArgs
 *
 * Returns: how many arguments there are; dependencies are none
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
guint
gst_hip_kernel_args_get_n_args (GstHipKernelArgs * args)
{
  g_return_val_if_fail (args != NULL, 0);

  return args->args->len;
}

/* --- memories --- */

static void
add_use (GstHipKernelArgs * args, GstMemory * memory, GstMapFlags flags,
    gint arg)
{
  HipKernelUse use = { gst_memory_ref (memory), flags, arg };

  g_array_append_val (args->uses, use);
}

static gboolean
check_memory (GstHipKernelArgs * args, GstMemory * memory, const gchar * what,
    GError ** error)
{
  if (gst_is_hip_memory (memory))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "%s %u: the memory is of type \"%s\", not HIP memory", what,
      args->args->len, memory->allocator ?
      GST_STR_NULL (memory->allocator->mem_type) : "unknown");
  return FALSE;
}

static gboolean
check_flags (GstHipKernelArgs * args, GstMapFlags flags, GError ** error)
{
  if (!(flags & ~(GST_MAP_READWRITE | GST_MAP_HIP)))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "Argument %u: access flags 0x%x are neither GST_MAP_READ nor "
      "GST_MAP_WRITE", args->args->len, (guint) flags);
  return FALSE;
}

/**
 * gst_hip_kernel_args_add_memory:
 * @args: a #GstHipKernelArgs
 * @memory: HIP memory
 * @offset: bytes from the start of @memory
 * @error: return location for an error
 *
 * Adds a pointer argument: the device address of @memory plus @offset. The
 * kernel is taken to read it if its parameter is a pointer to const, else to
 * read and write it; gst_hip_kernel_args_add_memory_full() says so explicitly.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if @memory is no HIP memory or
 *   @offset is not inside it
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_args_add_memory (GstHipKernelArgs * args, GstMemory * memory,
    gsize offset, GError ** error)
{
  return gst_hip_kernel_args_add_memory_full (args, memory, offset, 0, error);
}

/**
 * gst_hip_kernel_args_add_memory_full:
 * @args: a #GstHipKernelArgs
 * @memory: HIP memory
 * @offset: bytes from the start of @memory
 * @flags: %GST_MAP_READ, %GST_MAP_WRITE or both: what the kernel does with it;
 *   0: as gst_hip_kernel_args_add_memory() takes it
 * @error: return location for an error
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if @memory is no HIP memory,
 *   @offset is not inside it or @flags are others
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_args_add_memory_full (GstHipKernelArgs * args,
    GstMemory * memory, gsize offset, GstMapFlags flags, GError ** error)
{
  HipKernelArg arg = { memory, offset, sizeof (gpointer), sizeof (gpointer),
    GST_HIP_PARAMETER_KIND_POINTER
  };
  gsize size;

  g_return_val_if_fail (args != NULL, FALSE);
  g_return_val_if_fail (memory != NULL, FALSE);

  if (!check_memory (args, memory, "Argument", error) ||
      !check_flags (args, flags, error))
    return FALSE;
  size = gst_memory_get_sizes (memory, NULL, NULL);
  if (offset >= size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Argument %u: offset %" G_GSIZE_FORMAT " is not inside the memory of %"
        G_GSIZE_FORMAT " bytes", args->args->len, offset, size);
    return FALSE;
  }
  add_use (args, memory, flags & GST_MAP_READWRITE, args->args->len);
  g_array_append_val (args->args, arg);
  return TRUE;
}

/* Where a plane starts in its memory, and its stride */
static gboolean
find_plane (GstHipKernelArgs * args, GstBuffer * buffer, guint plane,
    GstMemory ** memory, gsize * offset, gint * stride, GError ** error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  guint index, length;

  if (!meta) {
    GstVideoInfo info;

    *memory = gst_buffer_n_memory (buffer) == 1 ?
        gst_buffer_peek_memory (buffer, 0) : NULL;
    if (!*memory || !gst_is_hip_memory (*memory) ||
        !gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (*memory), &info)) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "Argument %u: the buffer has no video meta, and not one memory that "
          "is a video frame", args->args->len);
      return FALSE;
    }
    if (plane < GST_VIDEO_INFO_N_PLANES (&info)) {
      *offset = GST_VIDEO_INFO_PLANE_OFFSET (&info, plane);
      *stride = GST_VIDEO_INFO_PLANE_STRIDE (&info, plane);
      return TRUE;
    }
  } else if (plane < meta->n_planes) {
    *stride = meta->stride[plane];
    if (gst_buffer_find_memory (buffer, meta->offset[plane], 1, &index, &length,
            offset)) {
      *memory = gst_buffer_peek_memory (buffer, index);
      return TRUE;
    }
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Argument %u: plane %u starts at %" G_GSIZE_FORMAT ", outside the "
        "buffer", args->args->len, plane, meta->offset[plane]);
    return FALSE;
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "Argument %u: the frame has no plane %u", args->args->len, plane);
  return FALSE;
}

/**
 * gst_hip_kernel_args_add_plane:
 * @args: a #GstHipKernelArgs
 * @buffer: a video frame in HIP memory
 * @plane: index of the plane
 * @flags: as in gst_hip_kernel_args_add_memory_full()
 * @with_stride: also add the plane's stride in bytes as an int32 after it
 * @error: return location for an error
 *
 * Adds the address of the first byte of a plane, from @buffer's #GstVideoMeta,
 * or without one from the layout that its memory was allocated with. For a
 * GstMemory alone, put it into a buffer.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if there is no such plane or it
 *   is not in HIP memory
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_args_add_plane (GstHipKernelArgs * args, GstBuffer * buffer,
    guint plane, GstMapFlags flags, gboolean with_stride, GError ** error)
{
  GstMemory *memory;
  gsize offset;
  gint stride;

  g_return_val_if_fail (args != NULL, FALSE);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);

  if (!find_plane (args, buffer, plane, &memory, &offset, &stride, error) ||
      !gst_hip_kernel_args_add_memory_full (args, memory, offset, flags, error))
    return FALSE;
  if (with_stride)
    gst_hip_kernel_args_add_int32 (args, stride);
  return TRUE;
}

/**
 * gst_hip_kernel_args_add_dependency:
 * @args: a #GstHipKernelArgs
 * @memory: HIP memory
 * @flags: %GST_MAP_READ, %GST_MAP_WRITE or both; 0 means both
 * @error: return location for an error
 *
 * Names a memory that the kernel reaches by an address inside a struct. It is
 * no argument, but is ordered and kept alive like one.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if @memory is no HIP memory
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_args_add_dependency (GstHipKernelArgs * args,
    GstMemory * memory, GstMapFlags flags, GError ** error)
{
  g_return_val_if_fail (args != NULL, FALSE);
  g_return_val_if_fail (memory != NULL, FALSE);

  if (!check_memory (args, memory, "Dependency before argument", error) ||
      !check_flags (args, flags, error))
    return FALSE;
  flags &= GST_MAP_READWRITE;
  add_use (args, memory, flags ? flags : GST_MAP_READWRITE, -1);
  return TRUE;
}

/* --- for gsthipkernelvalues.c --- */

void
hip_kernel_args_add_value (GstHipKernelArgs * args, gconstpointer value,
    gsize size, gsize align, GstHipParameterKind kind)
{
  HipKernelArg arg = { NULL, 0, size, align, kind };

  arg.offset = (args->n_bytes + align - 1) / align * align;
  if (arg.offset + size > args->capacity) {
    args->capacity = MAX (2 * args->capacity, arg.offset + size + 64);
    args->bytes = g_realloc (args->bytes, args->capacity);
  }
  memcpy (args->bytes + arg.offset, value, size);
  args->n_bytes = arg.offset + size;
  g_array_append_val (args->args, arg);
}

/* --- for the launch --- */

const HipKernelArg *
hip_kernel_args_get (GstHipKernelArgs * args, guint * n_args)
{
  *n_args = args->args->len;
  return (const HipKernelArg *) args->args->data;
}

const HipKernelUse *
hip_kernel_args_get_uses (GstHipKernelArgs * args, guint * n_uses)
{
  *n_uses = args->uses->len;
  return (const HipKernelUse *) args->uses->data;
}

gpointer
hip_kernel_args_get_bytes (GstHipKernelArgs * args, const HipKernelArg * arg)
{
  return args->bytes + arg->offset;
}
