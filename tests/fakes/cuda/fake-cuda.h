/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The CUDA driver API and NVRTC over the common simulated driver (its header
 * lists the environment; the prefix is FAKE_CUDA). Where the toolkit is
 * installed, NVIDIA's headers are included, and a function that does not match
 * them does not compile. */
#pragma once

#ifdef FAKE_HAVE_CUDA_H
/* Its names without versions mean the newest: so they are not used here */
#include <cuda.h>
#include <nvrtc.h>
#undef cuEventElapsedTime
#undef cuDeviceGetUuid
#endif

#include "fake.h"
#include "backends/nvidia/nvidia-symbols.h"

/* The prototypes, from our list: exported, and the same as NVIDIA's */
#define FAKE_PROTOTYPE(need, name, params) FAKE_API CuResult name params;
NVIDIA_CUDA_SYMBOLS (FAKE_PROTOTYPE)
NVIDIA_NVRTC_SYMBOLS (FAKE_PROTOTYPE)
#undef FAKE_PROTOTYPE
FAKE_API const char *nvrtcGetErrorString (NvrtcResult result);

#define FAKE_EM_CUDA 190
#define FAKE_MAX_STACK 32

/* The API's handles are ours. */
#define CONTEXT(handle) ((FakeContext *) (handle))
#define STREAM(handle) ((FakeStream *) (handle))
#define EVENT(handle) ((FakeEvent *) (handle))
#define MODULE(handle) ((FakeModule *) (handle))
#define FUNCTION(handle) ((FakeFunction *) (handle))

/* After cuInit () only */
void fake_check_initialised (const gchar * call);

#define FAKE_CUDA_CALL()                        \
  G_STMT_START {                                \
    fake_check_initialised (G_STRFUNC);         \
    FAKE_CALL ();                               \
  } G_STMT_END

#define FAKE_CUDA_CALL_FREES(handle)            \
  G_STMT_START {                                \
    fake_check_initialised (G_STRFUNC);         \
    FAKE_CALL_FREES (handle);                   \
  } G_STMT_END

#define FAKE_CUDA_CALL_FREES_MEMORY(kind, address)      \
  G_STMT_START {                                        \
    fake_check_initialised (G_STRFUNC);                 \
    FAKE_CALL_FREES_MEMORY (kind, address);             \
  } G_STMT_END

/* The API's number of a result */
#define RETURN(result) return fake_family.results[result]
