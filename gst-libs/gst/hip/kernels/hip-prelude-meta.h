/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What each kernel tells about itself in the binary: sizes and kinds of its
 * parameters come from its type, names from the scan of the source. */
#pragma once

static_assert (sizeof (GstHipFrame) == GST_HIP_FRAME_SIZE, "GstHipFrame has another size for the library");
static_assert (sizeof (GstHipFrameInfo) == GST_HIP_FRAME_INFO_SIZE, "GstHipFrameInfo has another size for the library");

/* Values of GstHipParameterKind */
template <unsigned kind_, unsigned flags_> struct GstHipKind { static constexpr unsigned kind = kind_, flags = flags_; };

template <typename T> struct GstHipKindOf;
template <typename T, bool is_enum> struct GstHipKindOther : GstHipKind<4, 0> {};
template <typename T> struct GstHipKindOther<T, true> : GstHipKindOf<__underlying_type (T)> {};
template <typename T> struct GstHipKindOf : GstHipKindOther<T, __is_enum (T)> {};
template <typename T> struct GstHipKindOf<T *> : GstHipKind<0, 0> {};
template <typename T> struct GstHipKindOf<const T *> : GstHipKind<0, GST_HIP_META_CONST> {};
template <typename T> struct GstHipKindOf<const volatile T *> : GstHipKind<0, GST_HIP_META_CONST> {};
template <> struct GstHipKindOf<float> : GstHipKind<3, 0> {};
template <> struct GstHipKindOf<double> : GstHipKind<3, 0> {};
template <> struct GstHipKindOf<bool> : GstHipKind<2, 0> {};
template <> struct GstHipKindOf<char> : GstHipKind<((char) -1 < (char) 0 ? 1 : 2), 0> {};
template <> struct GstHipKindOf<signed char> : GstHipKind<1, 0> {};
template <> struct GstHipKindOf<unsigned char> : GstHipKind<2, 0> {};
template <> struct GstHipKindOf<short> : GstHipKind<1, 0> {};
template <> struct GstHipKindOf<unsigned short> : GstHipKind<2, 0> {};
template <> struct GstHipKindOf<int> : GstHipKind<1, 0> {};
template <> struct GstHipKindOf<unsigned int> : GstHipKind<2, 0> {};
template <> struct GstHipKindOf<long> : GstHipKind<1, 0> {};
template <> struct GstHipKindOf<unsigned long> : GstHipKind<2, 0> {};
template <> struct GstHipKindOf<long long> : GstHipKind<1, 0> {};
template <> struct GstHipKindOf<unsigned long long> : GstHipKind<2, 0> {};

template <typename T> struct GstHipIsReference { static constexpr bool value = false; };
template <typename T> struct GstHipIsReference<T &> { static constexpr bool value = true; };
template <typename T> struct GstHipIsReference<T &&> { static constexpr bool value = true; };

template <unsigned n> struct GstHipMeta
{
  GstHipMetaHead head;
  GstHipMetaParam params[n ? n : 1];
};

template <typename F> struct GstHipSignature;

#ifdef GST_HIP_HOST
template <typename... A> struct GstHipSignature<void (*) (GstHipContext, A...)>
#else
template <typename... A> struct GstHipSignature<void (*) (A...)>
#endif
{
  typedef GstHipMeta<sizeof... (A)> Meta;
#ifdef GST_HIP_HOST
  typedef bool (*Inside) (GstHipContext, A...);
#endif

  static constexpr bool
  by_value ()
  {
    bool reference[] = { false, GstHipIsReference<A>::value... };

    for (bool is : reference) {
      if (is)
        return false;
    }
    return true;
  }

  static constexpr Meta
  meta (bool barrier)
  {
    return { { GST_HIP_META_MAGIC, sizeof... (A), barrier, 0 }, { { sizeof (A), alignof (A), GstHipKindOf<A>::kind, GstHipKindOf<A>::flags }... } };
  }
};

#define GST_HIP_DESCRIBE(name, barrier, text) \
  static_assert (GstHipSignature<decltype (&name)>::by_value (), "kernel parameters are passed by value or as pointers"); \
  extern "C" { \
  extern GST_HIP_GLOBAL_DATA GstHipSignature<decltype (&name)>::Meta gst_hip_meta_##name; \
  GST_HIP_GLOBAL_DATA GstHipSignature<decltype (&name)>::Meta gst_hip_meta_##name = GstHipSignature<decltype (&name)>::meta (barrier); \
  extern GST_HIP_GLOBAL_DATA char gst_hip_text_##name[sizeof (text)]; \
  GST_HIP_GLOBAL_DATA char gst_hip_text_##name[sizeof (text)] = text; \
  }

/* One of these stands behind every kernel */
#define GST_HIP_KERNEL(name, barrier, text) \
  GST_HIP_DESCRIBE (name, barrier, text) \
  GST_HIP_ENTRY (name, barrier, nullptr)

#define GST_HIP_GUARDED_KERNEL(name, barrier, text) \
  GST_HIP_DESCRIBE (name, barrier, text) \
  GST_HIP_ENTRY (name, barrier, &gst_hip_inside_##name)

/* Stands at the end of every source */
#define GST_HIP_ENTRIES(names) \
  extern "C" { \
  extern GST_HIP_GLOBAL_DATA char gst_hip_entries[sizeof (names)]; \
  GST_HIP_GLOBAL_DATA char gst_hip_entries[sizeof (names)] = names; \
  }

#ifndef GST_HIP_HOST
#define GST_HIP_ENTRY(name, barrier, inside)
#endif
