/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Private face of gsthiptensor.c. Who may include this: the library's own .c
 * files and tests linked statically. All take complete descriptions. */
#pragma once

#include <gst/hip/gsthiptensor.h>

G_BEGIN_DECLS

/* Bytes */
guint hip_tensor_get_element_size (const GstHipTensorDesc * desc);
/* From the first to the last byte of a picture, of a row of a channel's elements or of pixels */
gsize hip_tensor_get_picture_size (const GstHipTensorDesc * desc);
gsize hip_tensor_get_row_size (const GstHipTensorDesc * desc);
/* Where the channel of a component (R G B A, or luma) is among the tensor's; -1: there is none */
gint hip_tensor_get_channel (const GstHipTensorDesc * desc, guint component);

G_END_DECLS
