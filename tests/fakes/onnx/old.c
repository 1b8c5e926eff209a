/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* An ONNX Runtime that is older than anything that we can use. */
#include <onnxruntime_c_api.h>

static const char *
get_version (void)
{
  return "1.3.0";
}

static const OrtApi *
get_api (uint32_t version)
{
  return NULL;
}

static const OrtApiBase base = { get_api, get_version };

ORT_EXPORT const OrtApiBase *ORT_API_CALL OrtGetApiBase (void);

ORT_EXPORT const OrtApiBase *ORT_API_CALL
OrtGetApiBase (void)
{
  return &base;
}
