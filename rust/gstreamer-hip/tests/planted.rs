// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Mistakes made on purpose, each of which the sanitizer of the instrumented C
// library has to see (tests/rust/instrumented.py): if it does not, what the other
// programs do under it proves nothing. Ignored otherwise.

mod common;

use std::hint::black_box;

use gstreamer_hip::{HipKernelArgs, ffi};

#[test]
#[ignore = "a mistake made on purpose"]
fn use_after_free() {
    common::init();
    // SAFETY: none: the second call uses what the first one has freed.
    unsafe {
        let args = ffi::gst_hip_kernel_args_new();
        ffi::gst_hip_kernel_args_unref(args);
        black_box(ffi::gst_hip_kernel_args_get_n_args(black_box(args)));
    }
}

/// Of a value that Rust has allocated
#[test]
#[ignore = "a mistake made on purpose"]
fn heap_buffer_overflow() {
    common::init();
    let value = black_box(Box::new(1u32));
    // SAFETY: none: there are four bytes.
    unsafe {
        let args = ffi::gst_hip_kernel_args_new();
        let data = (&raw const *value).cast();
        let mut error = std::ptr::null_mut();
        ffi::gst_hip_kernel_args_add_bytes(args, data, 64, 4, &mut error);
        ffi::gst_hip_kernel_args_unref(args);
    }
}

#[test]
#[ignore = "a mistake made on purpose"]
fn leak() {
    common::init();
    std::mem::forget(black_box(HipKernelArgs::new()));
}

/// Of a closure that nobody drops
#[test]
#[ignore = "a mistake made on purpose"]
fn rust_leak() {
    std::mem::forget(black_box(vec![black_box(1u8); 100]));
}
