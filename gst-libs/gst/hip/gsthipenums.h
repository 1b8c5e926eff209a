/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthip_fwd.h>

G_BEGIN_DECLS

/**
 * GstHipVendor:
 * @GST_HIP_VENDOR_UNKNOWN: not chosen; where a device is asked for: the first usable AMD GPU, NVIDIA GPU, then the host
 * @GST_HIP_VENDOR_AMD: AMD GPU through the HIP runtime
 * @GST_HIP_VENDOR_NVIDIA: NVIDIA GPU through the CUDA driver API
 * @GST_HIP_VENDOR_HOST: the CPU as a device
 *
 * Which backend a device belongs to.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_VENDOR_UNKNOWN = 0,
  GST_HIP_VENDOR_AMD = 1,
  GST_HIP_VENDOR_NVIDIA = 2,
  GST_HIP_VENDOR_HOST = 3,
} GstHipVendor;

/**
 * GstHipError:
 * @GST_HIP_ERROR_UNAVAILABLE: no such device, driver or library on this machine
 * @GST_HIP_ERROR_OUT_OF_MEMORY: the device or the machine has no memory left
 * @GST_HIP_ERROR_DEVICE_LOST: the device failed; every later call on it fails at once
 * @GST_HIP_ERROR_COMPILE: a kernel did not compile; the message carries the compiler's text
 * @GST_HIP_ERROR_LAUNCH: a kernel could not be started
 * @GST_HIP_ERROR_UNSUPPORTED: this device or this build cannot do it
 * @GST_HIP_ERROR_INVALID: what was asked for contradicts itself or its objects
 * @GST_HIP_ERROR_TIMEOUT: the device did not finish in time
 * @GST_HIP_ERROR_FAILED: any other failure of the driver
 *
 * Codes of the domain %GST_HIP_ERROR.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_ERROR_UNAVAILABLE,
  GST_HIP_ERROR_OUT_OF_MEMORY,
  GST_HIP_ERROR_DEVICE_LOST,
  GST_HIP_ERROR_COMPILE,
  GST_HIP_ERROR_LAUNCH,
  GST_HIP_ERROR_UNSUPPORTED,
  GST_HIP_ERROR_INVALID,
  GST_HIP_ERROR_TIMEOUT,
  GST_HIP_ERROR_FAILED,
} GstHipError;

/**
 * GstHipEventState:
 * @GST_HIP_EVENT_STATE_PENDING: the work before the event has not finished
 * @GST_HIP_EVENT_STATE_DONE: the work before the event has finished
 * @GST_HIP_EVENT_STATE_FAILED: the device failed; the work will never finish
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_EVENT_STATE_PENDING,
  GST_HIP_EVENT_STATE_DONE,
  GST_HIP_EVENT_STATE_FAILED,
} GstHipEventState;

/**
 * GstHipMemoryKind:
 * @GST_HIP_MEMORY_KIND_DEVICE: allocated on the device
 * @GST_HIP_MEMORY_KIND_PINNED: page-locked CPU memory that the device reads and writes directly
 * @GST_HIP_MEMORY_KIND_WRAPPED_HOST: the application's CPU memory (page-locked while wrapped where the device needs that)
 * @GST_HIP_MEMORY_KIND_WRAPPED_DEVICE: the application's device memory
 * @GST_HIP_MEMORY_KIND_DMABUF: another driver's memory, imported from a DMA-BUF, to be read
 * @GST_HIP_MEMORY_KIND_EXPORTED: allocated on the device, and there for other drivers and processes as a DMA-BUF
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_MEMORY_KIND_DEVICE,
  GST_HIP_MEMORY_KIND_PINNED,
  GST_HIP_MEMORY_KIND_WRAPPED_HOST,
  GST_HIP_MEMORY_KIND_WRAPPED_DEVICE,
  GST_HIP_MEMORY_KIND_DMABUF,
  GST_HIP_MEMORY_KIND_EXPORTED,
} GstHipMemoryKind;

/**
 * GstHipDeviceCaps:
 * @GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE: the CPU may read and write device memory through its device address, and the device any CPU memory
 * @GST_HIP_DEVICE_CAP_COMPILER: kernels can be compiled at run time on this machine
 * @GST_HIP_DEVICE_CAP_TEXTURE2D: the device has two-dimensional textures
 * @GST_HIP_DEVICE_CAP_DMABUF_IMPORT: foreign DMA-BUFs can be imported
 * @GST_HIP_DEVICE_CAP_DMABUF_EXPORT: device memory can be exported as a DMA-BUF
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE = 1 << 0,
  GST_HIP_DEVICE_CAP_COMPILER = 1 << 1,
  GST_HIP_DEVICE_CAP_TEXTURE2D = 1 << 2,
  GST_HIP_DEVICE_CAP_DMABUF_IMPORT = 1 << 3,
  GST_HIP_DEVICE_CAP_DMABUF_EXPORT = 1 << 4,
} GstHipDeviceCaps;

/**
 * GstHipMemoryTransfer:
 * @GST_HIP_MEMORY_TRANSFER_NEED_DOWNLOAD: the device's bytes are newer than the CPU's copy
 * @GST_HIP_MEMORY_TRANSFER_NEED_UPLOAD: the CPU's copy is newer than the device's bytes
 *
 * Memory flags of a #GstHipMemory.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_MEMORY_TRANSFER_NEED_DOWNLOAD = (GST_MEMORY_FLAG_LAST << 0),
  GST_HIP_MEMORY_TRANSFER_NEED_UPLOAD = (GST_MEMORY_FLAG_LAST << 1),
} GstHipMemoryTransfer;

/**
 * GstHipParameterKind:
 * @GST_HIP_PARAMETER_KIND_POINTER: a device address
 * @GST_HIP_PARAMETER_KIND_INT: a signed integer
 * @GST_HIP_PARAMETER_KIND_UINT: an unsigned integer (char-like types and bool included)
 * @GST_HIP_PARAMETER_KIND_FLOAT: float or double
 * @GST_HIP_PARAMETER_KIND_STRUCT: anything else, passed by value
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_PARAMETER_KIND_POINTER,
  GST_HIP_PARAMETER_KIND_INT,
  GST_HIP_PARAMETER_KIND_UINT,
  GST_HIP_PARAMETER_KIND_FLOAT,
  GST_HIP_PARAMETER_KIND_STRUCT,
} GstHipParameterKind;

/**
 * GstHipTextureFilter:
 * @GST_HIP_TEXTURE_FILTER_POINT: the nearest pixel
 * @GST_HIP_TEXTURE_FILTER_LINEAR: the four nearest, weighted
 *
 * What a texture gives between pixels. The numbers are HIP's.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_TEXTURE_FILTER_POINT = 0,
  GST_HIP_TEXTURE_FILTER_LINEAR = 1,
} GstHipTextureFilter;

/**
 * GstHipTextureAddress:
 * @GST_HIP_TEXTURE_ADDRESS_WRAP: the picture, repeated
 * @GST_HIP_TEXTURE_ADDRESS_CLAMP: the nearest pixel of the edge
 * @GST_HIP_TEXTURE_ADDRESS_MIRROR: the picture, repeated and mirrored
 * @GST_HIP_TEXTURE_ADDRESS_BORDER: zero
 *
 * What a texture gives outside of the picture. The numbers are HIP's.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_TEXTURE_ADDRESS_WRAP = 0,
  GST_HIP_TEXTURE_ADDRESS_CLAMP = 1,
  GST_HIP_TEXTURE_ADDRESS_MIRROR = 2,
  GST_HIP_TEXTURE_ADDRESS_BORDER = 3,
} GstHipTextureAddress;

/**
 * GstHipTensorDataType:
 * @GST_HIP_TENSOR_DATA_TYPE_FLOAT32: IEEE 754 single precision
 * @GST_HIP_TENSOR_DATA_TYPE_FLOAT16: IEEE 754 half precision
 * @GST_HIP_TENSOR_DATA_TYPE_BFLOAT16: the upper half of a single
 * @GST_HIP_TENSOR_DATA_TYPE_UINT8: 0 to 255
 * @GST_HIP_TENSOR_DATA_TYPE_INT8: -128 to 127
 *
 * What an element of a tensor is.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_TENSOR_DATA_TYPE_FLOAT32 = 0,
  GST_HIP_TENSOR_DATA_TYPE_FLOAT16 = 1,
  GST_HIP_TENSOR_DATA_TYPE_BFLOAT16 = 2,
  GST_HIP_TENSOR_DATA_TYPE_UINT8 = 3,
  GST_HIP_TENSOR_DATA_TYPE_INT8 = 4,
} GstHipTensorDataType;

/**
 * GstHipTensorLayout:
 * @GST_HIP_TENSOR_LAYOUT_NCHW: planar: all of a channel, then all of the next one
 * @GST_HIP_TENSOR_LAYOUT_NHWC: interleaved: all channels of a pixel, then those of the next one
 *
 * In which order a tensor has its dimensions, the slowest first: N pictures, C channels, H rows, W columns.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_TENSOR_LAYOUT_NCHW = 0,
  GST_HIP_TENSOR_LAYOUT_NHWC = 1,
} GstHipTensorLayout;

/**
 * GstHipTensorFormat:
 * @GST_HIP_TENSOR_FORMAT_RGB: red, green, blue
 * @GST_HIP_TENSOR_FORMAT_BGR: blue, green, red
 * @GST_HIP_TENSOR_FORMAT_RGBA: red, green, blue, alpha that is not multiplied in
 * @GST_HIP_TENSOR_FORMAT_BGRA: blue, green, red, alpha that is not multiplied in
 * @GST_HIP_TENSOR_FORMAT_GRAY: luma alone
 *
 * What the channels of a tensor are, in their order.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_TENSOR_FORMAT_RGB = 0,
  GST_HIP_TENSOR_FORMAT_BGR = 1,
  GST_HIP_TENSOR_FORMAT_RGBA = 2,
  GST_HIP_TENSOR_FORMAT_BGRA = 3,
  GST_HIP_TENSOR_FORMAT_GRAY = 4,
} GstHipTensorFormat;

/**
 * GstHipScaleMethod:
 * @GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR: the nearest sample; of two, the left or upper one
 * @GST_HIP_SCALE_METHOD_BILINEAR: a straight line between two samples, whatever lies between them when shrinking
 * @GST_HIP_SCALE_METHOD_4_TAP: a windowed sinc over 4 samples, likewise
 * @GST_HIP_SCALE_METHOD_LANCZOS: Lanczos' of 3 lobes
 * @GST_HIP_SCALE_METHOD_BILINEAR2: a triangle, as wide as an output pixel is apart from the next
 * @GST_HIP_SCALE_METHOD_SINC: sinc of 4 lobes with Hann's window
 * @GST_HIP_SCALE_METHOD_HERMITE: cubic with b = 0, c = 0
 * @GST_HIP_SCALE_METHOD_SPLINE: cubic with b = 1, c = 0, which blurs
 * @GST_HIP_SCALE_METHOD_CATROM: cubic with b = 0, c = 1/2: what is called bicubic
 * @GST_HIP_SCALE_METHOD_MITCHELL: cubic with b = 1/3, c = 1/3
 * @GST_HIP_SCALE_METHOD_AREA: the mean of what an output pixel covers
 * @GST_HIP_SCALE_METHOD_AUTO: area when shrinking, bilinear when growing, in each direction by itself
 *
 * How frames are scaled. Filters are as many times wider as the picture becomes smaller, but for the first three.
 * Nicks and numbers are those of `videoscale` where it has them.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR = 0,
  GST_HIP_SCALE_METHOD_BILINEAR = 1,
  GST_HIP_SCALE_METHOD_4_TAP = 2,
  GST_HIP_SCALE_METHOD_LANCZOS = 3,
  GST_HIP_SCALE_METHOD_BILINEAR2 = 4,
  GST_HIP_SCALE_METHOD_SINC = 5,
  GST_HIP_SCALE_METHOD_HERMITE = 6,
  GST_HIP_SCALE_METHOD_SPLINE = 7,
  GST_HIP_SCALE_METHOD_CATROM = 8,
  GST_HIP_SCALE_METHOD_MITCHELL = 9,
  GST_HIP_SCALE_METHOD_AREA = 10,
  GST_HIP_SCALE_METHOD_AUTO = 11,
} GstHipScaleMethod;

/**
 * GstHipResizeMode:
 * @GST_HIP_RESIZE_MODE_STRETCH: all of the frame becomes all of the tensor, whatever its shape
 * @GST_HIP_RESIZE_MODE_LETTERBOX: all of the frame in its own shape, the rest is padding
 * @GST_HIP_RESIZE_MODE_CROP: all of the tensor from the middle of the frame, which keeps its shape
 *
 * How a frame of one shape becomes a tensor of another.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_RESIZE_MODE_STRETCH = 0,
  GST_HIP_RESIZE_MODE_LETTERBOX = 1,
  GST_HIP_RESIZE_MODE_CROP = 2,
} GstHipResizeMode;

/**
 * GstHipPadPlacement:
 * @GST_HIP_PAD_PLACEMENT_CENTRE: half of the padding on each side, where it is odd, less of it left or above
 * @GST_HIP_PAD_PLACEMENT_TOP_LEFT: the picture is at the top left
 *
 * Where a letterboxed picture is in its tensor.
 *
 * Since: 1.30
 */
typedef enum
{
  GST_HIP_PAD_PLACEMENT_CENTRE = 0,
  GST_HIP_PAD_PLACEMENT_TOP_LEFT = 1,
} GstHipPadPlacement;

G_END_DECLS
