// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// What does the C library declare? Nothing but that: no logic, no wrapper. All
// of it is written by generate.py from the library's GIR; a test compares.

//! FFI bindings to `libgsthip-1.0`. The safe crate is `gstreamer-hip`; the
//! C library's API reference documents what is here.

#![allow(non_camel_case_types, non_upper_case_globals)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use glib_sys as glib;
pub use gobject_sys as gobject;
pub use gstreamer_sys as gst;
pub use gstreamer_video_sys as gst_video;

// The generator's lines are as long as their declarations.
#[rustfmt::skip]
mod generated;

pub use generated::*;
