// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// The crate's front: what is where, and the few macros that all modules use.
// Modules follow the C library's objects; none knows a vendor. Invariant: safe
// code can at worst get an `Err`, never break memory, whatever order things are
// dropped in and whichever threads they are on.

//! Safe bindings to GstHip: one GPU layer
//! for GStreamer on AMD (HIP), NVIDIA (CUDA) and the CPU.
//!
//! A whole program: compile a kernel, allocate, upload, launch, read back.
//!
//! ```
//! use gstreamer_hip as gst_hip;
//!
//! const COUNT: u32 = 1000;
//! const BLOCK_SIZE: u32 = 256;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! gst_hip::gst::init()?;
//! // The first usable GPU, else the CPU
//! let device = gst_hip::HipDevice::new(gst_hip::HipVendor::Unknown, None)?;
//! let stream = gst_hip::HipStream::new(&device)?;
//! let values: Vec<f32> = (0..COUNT).map(|i| i as f32).collect();
//! let input = gst_hip::HipMemory::from_slice(&device, &values)?;
//! let output = gst_hip::HipMemory::alloc_linear(&device, input.size())?;
//!
//! let module = gst_hip::HipKernelModule::from_source(
//!     &device,
//!     r#"
//!     extern "C" __global__ void
//!     transform (const float *in, float *out, unsigned count)
//!     {
//!       unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
//!       if (i < count)
//!         out[i] = 2.0f * in[i] + 1.0f;
//!     }
//!     "#,
//!     &[],
//! )?;
//! let mut args = gst_hip::HipKernelArgs::new();
//! args.add_memory(&input, 0)?;
//! args.add_memory(&output, 0)?;
//! args.add(COUNT);
//! // SAFETY: the kernel stays inside the memories that it is given.
//! unsafe {
//!     module.launch(
//!         "transform",
//!         Some(&stream),
//!         [COUNT.div_ceil(BLOCK_SIZE), 1, 1],
//!         [BLOCK_SIZE, 1, 1],
//!         &args,
//!     )?;
//! }
//! // Waits for the kernel: the CPU asks for bytes that are not there yet.
//! assert_eq!(output.map_slice::<f32>()?[10], 21.0);
//! # Ok(())
//! # }
//! ```
//!
//! # What waits
//!
//! As in the C library nothing waits for the device but what says so under
//! "Blocking". Work on one [`HipMemory`] is put in order by the memory itself,
//! across streams, elements and threads.
//!
//! # Threads
//!
//! Every type can be sent to and shared between threads, except
//! [`HipKernelArgs`], which one thread uses at a time (`Send` and not `Sync`), and
//! the CPU's slices, which stay where they were mapped.
//!
//! # What is left out
//!
//! The C library's names find what there is for them here, in the search of this
//! documentation. Not here, on purpose:
//!
//! - Short forms of what has a long one: `gst_hip_device_new()`
//!   ([`HipDevice::new()`]), `gst_hip_stream_new()` ([`HipStream::new()`]),
//!   `gst_hip_stream_record_event()` ([`HipStream::record()`]),
//!   `gst_hip_ensure_element_data()` ([`ensure_element_device()`]),
//!   `gst_hip_fence_data_push_object()` and
//!   `gst_hip_fence_data_push_mini_object()` ([`HipFenceData::push()`]).
//! - What dropping and cloning do: `gst_clear_hip_event()`,
//!   `gst_clear_hip_stream()`, and `gst_hip_kernel_args_ref()`, since arguments have
//!   one owner.
//! - Why a map or a pool failed, said apart: `gst_hip_take_error()`. It is logged.
//! - Compiling without a module: `gst_hip_rtc_load_library()` and
//!   `gst_hip_rtc_compile()`; see [`HipKernelModule::binary()`].
//! - Textures, which CPUs and some GPUs do not have:
//!   `gst_hip_memory_get_texture()`, `gst_hip_memory_get_texture_object()`,
//!   `gst_hip_texture_address_get_type()`, `gst_hip_texture_filter_get_type()`.
//! - GLib's types of what has none here: `gst_hip_converter_get_type()`,
//!   `gst_hip_device_caps_get_type()`, `gst_hip_error_get_type()`,
//!   `gst_hip_kernel_args_get_type()`, `gst_hip_memory_get_type()`,
//!   `gst_hip_memory_transfer_get_type()`.
//! - `gst_hip_check_types()`: the elements' own business.
//! - What brings objects of other libraries that work in the driver together with
//!   these: `gst_hip_device_new_for_native_context_full()`,
//!   `gst_hip_memory_begin_native_access()`, `gst_hip_memory_end_native_access()`. The
//!   raw crate has them.
//! - Tensors, so far: `gst_hip_converter_new_to_tensor()`,
//!   `gst_hip_converter_new_from_tensor()`, `gst_hip_converter_convert_to_tensor()`,
//!   `gst_hip_converter_convert_from_tensor()`, `gst_hip_tensor_*()`,
//!   `gst_hip_converter_get_frame_map()`, `gst_hip_frame_map_*()`,
//!   `gst_hip_resize_mode_get_type()`, `gst_hip_pad_placement_get_type()`. The raw
//!   crate has them.
//! - Methods of scaling by type, `gst_hip_scale_method_get_type()`: a configuration
//!   takes their nicks.
//! - What has HIP's own types (the header `hip-gst.h`), since the other functions do
//!   the same without them: `Hip*()`, `_gst_hip_result()`,
//!   `gst_hip_device_get_attribute()`, `gst_hip_event_query()`,
//!   `gst_hip_event_record()`, `gst_hip_event_synchronize()`,
//!   `gst_hip_stream_get_handle()`.
//!
//! # Errors
//!
//! Functions that fail return a [`glib::Error`] of the domain
//! [`HipError`].

#![deny(missing_docs)]
// The macros of gstreamer-rs 0.23 are written for the edition before.
#![allow(unsafe_op_in_unsafe_fn)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use gst;
pub use gst_video;
pub use gstreamer_hip_sys as ffi;

pub(crate) use gst::glib;

macro_rules! assert_initialized_main_thread {
    () => {
        if !gst::INITIALIZED.load(std::sync::atomic::Ordering::SeqCst) {
            gst::assert_initialized();
        }
    };
}

macro_rules! skip_assert_initialized {
    () => {};
}

mod access;
mod allocator;
mod buffer_pool;
mod context;
mod converter;
mod device;
mod enums;
mod error;
mod event;
mod fence;
mod frame;
mod import;
mod kernel_args;
mod kernel_module;
mod layout;
mod map;
mod memory;
mod stream;

pub use access::{HipAccess, HipAccessGuard};
pub use allocator::{HipAllocator, HipPoolAllocator};
pub use buffer_pool::{BufferPoolConfigHipExt, HipBufferPool};
pub use context::{ensure_element_device, handle_context_query, handle_set_context};
pub use converter::{HipConverter, HipConverterBuilder};
pub use device::{HipDevice, HipDeviceInfo, backend_info, enumerate_devices, load_library};
pub use enums::{HipDeviceCaps, HipEventState, HipMemoryKind, HipParameterKind, HipVendor};
pub use error::HipError;
pub use event::{HipEvent, HipEventPool};
pub use fence::{HipFenceData, HipFenceDataPool};
pub use frame::HipFrame;
pub use kernel_args::{HipKernelArgs, HipScalar};
pub use kernel_module::{HipKernelModule, HipKernelParameter};
pub use layout::{align_video_info, plane_size, supported_formats_caps, video_info_from_caps};
pub use map::{HipDeviceMap, HipPod, HipSlice, HipSliceMut};
pub use memory::{CAPS_FEATURE_MEMORY_HIP_MEMORY, HIP_MEMORY_NAME, HipMemory, HipMemoryRef};
pub use stream::{HipPlane, HipStream};

/// Type of the [`Context`](gst::Context) that carries a [`HipDevice`].
pub const HIP_DEVICE_CONTEXT_TYPE: &str = match ffi::GST_HIP_DEVICE_CONTEXT_TYPE.to_str() {
    Ok(text) => text,
    Err(_) => unreachable!(),
};

mod misuse;
