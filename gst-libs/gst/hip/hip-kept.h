/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is kept for good since a device that failed or does not end may still use
 * it (I6) is no leak: builds with the address sanitizer say so to its detector.
 * Who may include this: the library's own .c files. */
#pragma once

#ifdef __SANITIZE_ADDRESS__
/* Its header is not everywhere where its library is. */
extern void __lsan_ignore_object (const void *object);
#define HIP_KEPT_FOR_GOOD(object) __lsan_ignore_object ((const void *) (object))
#else
#define HIP_KEPT_FOR_GOOD(object) ((void) (object))
#endif
