// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// What the tests have in common.

#![allow(dead_code)]

use gstreamer_hip::{HipDevice, HipError, HipVendor, gst};

pub const SOURCE: &str = r#"
extern "C" __global__ void
transform (const float *in, float *out, unsigned count)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = 2.0f * in[i] + 1.0f;
}
"#;

pub fn init() {
    gst::init().unwrap();
}

/// The device that the environment names, the CPU otherwise.
pub fn device() -> HipDevice {
    init();
    let vendor = match std::env::var_os("GST_HIP_VENDOR") {
        Some(_) => HipVendor::Unknown,
        None => HipVendor::Host,
    };
    HipDevice::new(vendor, None).unwrap()
}

/// What kind of error it is.
pub fn kind<T>(result: Result<T, gst::glib::Error>) -> HipError {
    let error = result.err().expect("an error");
    assert!(!error.message().is_empty());
    error.kind::<HipError>().expect("an error of this library")
}
