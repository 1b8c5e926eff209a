/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The umbrella header: everything that needs no vendor's SDK. */
#pragma once

#include <gst/hip/gsthip_fwd.h>
#include <gst/hip/gsthipenums.h>
#include <gst/hip/gsthip-enumtypes.h>
#include <gst/hip/gsthiperror.h>
#include <gst/hip/gsthipdevice.h>
#include <gst/hip/gsthipstream.h>
#include <gst/hip/gsthipevent.h>
#include <gst/hip/gsthipfence.h>
#include <gst/hip/gsthipmemory.h>
#include <gst/hip/gsthipallocator.h>
#include <gst/hip/gsthipbufferpool.h>
#include <gst/hip/gsthip-kernel-abi.h>
#include <gst/hip/gsthipmodule.h>
#include <gst/hip/gsthiptensor.h>
#include <gst/hip/gsthipconverter.h>
#include <gst/hip/gsthiprtc.h>
#include <gst/hip/gsthiputils.h>
