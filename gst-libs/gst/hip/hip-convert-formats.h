/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does a format keep its samples? The one description that the
 * converter plans with. Who may include this: the library's own .c files and
 * tests. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* What components 0 to 2 are. Component 3 is alpha, whatever the model. */
typedef enum
{
  HIP_MODEL_RGB,                /* R, G, B */
  HIP_MODEL_YUV,                /* Y, U (Cb), V (Cr) */
  HIP_MODEL_GRAY,               /* Y alone */
} HipModel;

/* How bytes are grouped: what code that reads or writes them has to know when
 * it is compiled. Component order, bit depth and shift are known later. */
typedef enum
{
  HIP_LAYOUT_PLANAR_420,        /* 8 bit, planes of their own, chroma half in both directions */
  HIP_LAYOUT_BIPLANAR_420,      /* 8 bit, chroma in pairs */
  HIP_LAYOUT_PLANAR_422,        /* 8 bit, planes of their own, chroma half in x */
  HIP_LAYOUT_PLANAR,            /* 8 bit, planes of one size; one plane: gray */
  HIP_LAYOUT_PACKED_422,        /* 8 bit, two pixels in 4 bytes */
  HIP_LAYOUT_PACKED_4,          /* 8 bit, 4 bytes a pixel */
  HIP_LAYOUT_PACKED_3,          /* 8 bit, 3 bytes a pixel */
  HIP_LAYOUT_BIPLANAR_420_16,   /* the same in words of 16 bit */
  HIP_LAYOUT_PLANAR_420_16,
  HIP_LAYOUT_PLANAR_422_16,
  HIP_LAYOUT_PLANAR_16,
  HIP_LAYOUT_PACKED_422_16,
  HIP_LAYOUT_PACKED_4_16,
  HIP_LAYOUT_FIELDS_32,         /* a pixel is bit fields of one word of 32 bit */
  HIP_LAYOUT_FIELDS_16,         /* ... of 16 bit */
  HIP_LAYOUT_V210,              /* 6 pixels in 4 words of 32 bit, 3 samples each */
  HIP_LAYOUT_TENSOR_PLANAR,     /* elements of a GstHipTensorDesc by channel, or of its only channel */
  HIP_LAYOUT_TENSOR_PACKED,     /* ... by pixel */
  HIP_LAYOUT_BIPLANAR_422,      /* 8 bit, chroma in pairs, half in x */
  HIP_LAYOUT_BIPLANAR_444,      /* ... in pairs of the picture's size */
  HIP_LAYOUT_PLANAR_411,        /* ... in planes, a quarter in x */
  HIP_N_LAYOUTS
} HipLayout;

typedef struct
{
  guint8 plane;
  guint8 offset;                /* bytes from the start of a row to the first sample's word */
  guint8 step;                  /* bytes from one sample's word to the next; 0: v210 */
  guint8 shift;                 /* of the sample in its little-endian word */
  guint8 depth;                 /* bits; 0: the format has no such component */
  guint8 w_sub, h_sub;          /* log2 of pixels to a sample in x and y */
} HipComponent;

typedef struct
{
  const gchar *name;            /* GStreamer's */
  HipModel model;
  HipLayout layout;
  guint8 word_bytes;            /* of a sample's word: 1, 2 or 4 */
  HipComponent comp[4];         /* R G B A or Y U V A */
} HipFormat;

/* NULL: the converter does not know this format */
const HipFormat *hip_format_get (GstVideoFormat format);
/* All that are known, in the table's order, also those that this GStreamer lacks */
const HipFormat *hip_format_list (guint * n_formats);
/* GST_VIDEO_FORMAT_UNKNOWN where this GStreamer lacks it */
GstVideoFormat hip_format_get_video_format (const HipFormat * format);

#define HIP_FORMAT_HAS_ALPHA(f) ((f)->comp[3].depth > 0)
#define HIP_FORMAT_HAS_CHROMA(f) ((f)->model == HIP_MODEL_YUV)
#define HIP_FORMAT_W_SUB(f) ((f)->comp[1].w_sub)
#define HIP_FORMAT_H_SUB(f) ((f)->comp[1].h_sub)

G_END_DECLS
