/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Conditions at a kernel's beginning that keep out the threads past an end.
 * Who may include this: hip-kernel-scan.c, hip-kernel-guard.c. */
#pragma once

#include "hip-kernel.h"
#include "hip-kernel-tokens.h"

G_BEGIN_DECLS

/* kernel: has params, params_begin and params_end. open_params, open_body: indices of the ( and the { of its
 * definition. Sets guards and inside. */
void hip_kernel_guard_scan (const HipTokens * in, gsize open_params, gsize open_body, HipScanKernel * kernel);

G_END_DECLS
