/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is between a kernel's source and its launch, for every vendor:
 * scanning the source for kernels and their parameters, making the complete
 * text that is compiled, and the metadata that every binary carries. Who may
 * include this: the library's own .c files and tests. Owned by the kernels part;
 * extend freely. */
#pragma once

#include "hip-backend.h"

G_BEGIN_DECLS

/* Kernel of the host backend, run block by block. Owned by backends/host/. */

G_END_DECLS
