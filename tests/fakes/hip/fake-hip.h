/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* HIP and HIPRTC over the common simulated driver (its header lists the
 * environment; the prefix is FAKE_HIP). FAKE_HIP_MAJOR is the version whose
 * library it is: 5, with HIPRTC inside; 6; 7.
 *
 * Where HIP's headers are at hand (FAKE_HAVE_HIP_H), they are included, and a
 * function that does not match them does not compile. HIP 7 is by our own
 * declarations alone.
 *
 * Of the environment beside that:
 *   FAKE_HIP_ARCH=NAME     default gfx90a:sramecc+:xnack-
 *   FAKE_HIP_CONSUMES_FD=1 an import takes the file descriptor over
 *   FAKE_HIP_WAIT_VALUE=0  streams do not wait for values */
#pragma once

#include "fake.h"
#include "../../common/amd-code.h"

#ifdef FAKE_HAVE_HIP_H
/* After GLib's, which cannot have the macros that it defines */
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
/* Since 6 the plain names mean these; the library has both symbols. */
#undef hipDeviceProp_t
#undef hipGetDeviceProperties
#undef hipChooseDevice
#endif

#include "backends/amd/amd-symbols.h"

/* The prototypes, from our list: exported, and the same as HIP's */
#define FAKE_PROTOTYPE(need, name, params) FAKE_API AmdResult name params;
AMD_HIP_SYMBOLS (FAKE_PROTOTYPE)
AMD_HIPRTC_SYMBOLS (FAKE_PROTOTYPE)
#undef FAKE_PROTOTYPE
FAKE_API const char *hipGetErrorName (AmdResult result);
FAKE_API const char *hipGetErrorString (AmdResult result);
FAKE_API const char *hiprtcGetErrorString (HiprtcResult result);

/* Is it the address of a mapped external memory? Then hipFree () is this. */
gboolean fake_external_is_mapped (gpointer address);
AmdResult fake_external_free (gpointer address, const gchar * call);

/* The API's handles are ours. */
#define STREAM(handle) ((FakeStream *) (handle))
#define EVENT(handle) ((FakeEvent *) (handle))
#define MODULE(handle) ((FakeModule *) (handle))
#define FUNCTION(handle) ((FakeFunction *) (handle))

/* The API's number of a result */
#define RETURN(result) return fake_family.results[result]
