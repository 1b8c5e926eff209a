// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// What is a kernel called with?

use std::fmt;
use std::mem::{align_of, size_of};
use std::ptr::NonNull;

use crate::error::check;
use crate::{HipAccess, HipMemory, ffi, glib};
use glib::translate::*;

/// Arguments of a kernel, in the order of its parameters. They can be used for
/// any number of launches, by one thread at a time.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipKernelArgs, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let memory = HipMemory::alloc_linear(&device, 64).unwrap();
/// let mut args = HipKernelArgs::new();
/// args.add_memory(&memory, 16).unwrap(); // a pointer, 16 bytes into the memory
/// args.add(3u32);
/// args.add(0.5f32);
/// assert_eq!(args.len(), 3);
/// ```
#[doc(alias = "GstHipKernelArgs")]
pub struct HipKernelArgs(NonNull<ffi::GstHipKernelArgs>);

// SAFETY: references on memories and bytes, which can be sent. Not `Sync`, and not
// `Clone` by reference: the C library wants one thread at a time.
unsafe impl Send for HipKernelArgs {}

mod sealed {
    pub trait Sealed {}
}

/// Numbers that kernels take: `i8` to `u64`, `isize`, `usize`, `f32`, `f64`, `bool`.
///
/// ```
/// use gstreamer_hip::{gst, HipKernelArgs, HipScalar};
/// fn add_all<T: HipScalar>(args: &mut HipKernelArgs, values: &[T]) {
///     values.iter().for_each(|value| args.add(*value));
/// }
/// gst::init().unwrap();
/// let mut args = HipKernelArgs::new();
/// add_all(&mut args, &[1.0f32, 2.0]);
/// add_all(&mut args, &[true]);
/// assert_eq!(args.len(), 3);
/// ```
pub trait HipScalar: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn add_to(self, args: &mut HipKernelArgs);
}

macro_rules! scalar {
    ($($name:ty as $other:ty: $add:ident),+ $(,)?) => {$(
        impl sealed::Sealed for $name {}
        impl HipScalar for $name {
            fn add_to(self, args: &mut HipKernelArgs) {
                // SAFETY: live arguments that are borrowed alone.
                unsafe { ffi::$add(args.0.as_ptr(), self as $other) }
            }
        }
    )+};
}
scalar! {
    bool as u8: gst_hip_kernel_args_add_uint8,
    i8 as i8: gst_hip_kernel_args_add_int8,
    u8 as u8: gst_hip_kernel_args_add_uint8,
    i16 as i16: gst_hip_kernel_args_add_int16,
    u16 as u16: gst_hip_kernel_args_add_uint16,
    i32 as i32: gst_hip_kernel_args_add_int32,
    u32 as u32: gst_hip_kernel_args_add_uint32,
    i64 as i64: gst_hip_kernel_args_add_int64,
    u64 as u64: gst_hip_kernel_args_add_uint64,
    f32 as f32: gst_hip_kernel_args_add_float,
    f64 as f64: gst_hip_kernel_args_add_double,
}
#[cfg(target_pointer_width = "64")]
scalar! {
    isize as i64: gst_hip_kernel_args_add_int64,
    usize as u64: gst_hip_kernel_args_add_uint64,
}

impl HipKernelArgs {
    /// Makes an empty list of arguments.
    #[doc(alias = "gst_hip_kernel_args_new")]
    pub fn new() -> Self {
        assert_initialized_main_thread!();
        // SAFETY: never null.
        Self(unsafe { NonNull::new_unchecked(ffi::gst_hip_kernel_args_new()) })
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::GstHipKernelArgs {
        self.0.as_ptr()
    }

    /// How many arguments there are.
    #[doc(alias = "gst_hip_kernel_args_get_n_args")]
    pub fn len(&self) -> usize {
        unsafe { ffi::gst_hip_kernel_args_get_n_args(self.as_ptr()) as usize }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all arguments and lets go of their memories.
    #[doc(alias = "gst_hip_kernel_args_clear")]
    pub fn clear(&mut self) {
        unsafe { ffi::gst_hip_kernel_args_clear(self.as_ptr()) }
    }

    /// Adds a number.
    #[doc(alias = "gst_hip_kernel_args_add_double")]
    #[doc(alias = "gst_hip_kernel_args_add_float")]
    #[doc(alias = "gst_hip_kernel_args_add_int8")]
    #[doc(alias = "gst_hip_kernel_args_add_int16")]
    #[doc(alias = "gst_hip_kernel_args_add_int32")]
    #[doc(alias = "gst_hip_kernel_args_add_int64")]
    #[doc(alias = "gst_hip_kernel_args_add_uint8")]
    #[doc(alias = "gst_hip_kernel_args_add_uint16")]
    #[doc(alias = "gst_hip_kernel_args_add_uint32")]
    #[doc(alias = "gst_hip_kernel_args_add_uint64")]
    pub fn add<T: HipScalar>(&mut self, value: T) {
        value.add_to(self);
    }

    /// Adds a pointer: the device address of `memory` plus `offset` bytes. The
    /// kernel is taken to read it if its parameter is a pointer to const, else to
    /// read and write it.
    ///
    /// # Errors
    ///
    /// `Invalid` if `offset` is not inside the memory.
    #[doc(alias = "gst_hip_kernel_args_add_memory")]
    pub fn add_memory(&mut self, memory: &HipMemory, offset: usize) -> Result<(), glib::Error> {
        check("adding an argument", |error| unsafe {
            ffi::gst_hip_kernel_args_add_memory(
                self.as_ptr(),
                memory.as_mut_ptr().cast(),
                offset,
                error,
            )
        })
    }

    /// [`add_memory()`](Self::add_memory), saying what the kernel does with it.
    ///
    /// # Errors
    ///
    /// `Invalid` if `offset` is not inside the memory.
    #[doc(alias = "gst_hip_kernel_args_add_memory_full")]
    pub fn add_memory_full(
        &mut self,
        memory: &HipMemory,
        offset: usize,
        access: HipAccess,
    ) -> Result<(), glib::Error> {
        check("adding an argument", |error| unsafe {
            ffi::gst_hip_kernel_args_add_memory_full(
                self.as_ptr(),
                memory.as_mut_ptr().cast(),
                offset,
                access.flags(),
                error,
            )
        })
    }

    /// Adds the address of a plane of a video frame in HIP memory, and its stride
    /// (bytes, as `int`) after it if `with_stride`.
    ///
    /// # Errors
    ///
    /// `Invalid` if there is no such plane or it is not in HIP memory.
    ///
    /// ```
    /// use gstreamer_hip::{gst, gst_video, HipAccess, HipDevice, HipKernelArgs, HipMemory, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Nv12, 320, 240);
    /// let frame = HipMemory::alloc_frame(&device, &info.build().unwrap()).unwrap();
    /// let mut buffer = gst::Buffer::new();
    /// buffer.get_mut().unwrap().append_memory(frame.upcast_memory::<gst::Memory>());
    /// let mut args = HipKernelArgs::new();
    /// args.add_plane(&buffer, 1, HipAccess::Read, true).unwrap();
    /// assert_eq!(args.len(), 2);
    /// assert!(args.add_plane(&buffer, 2, HipAccess::Read, true).is_err());
    /// ```
    #[doc(alias = "gst_hip_kernel_args_add_plane")]
    pub fn add_plane(
        &mut self,
        buffer: &gst::BufferRef,
        plane: u32,
        access: HipAccess,
        with_stride: bool,
    ) -> Result<(), glib::Error> {
        check("adding an argument", |error| unsafe {
            ffi::gst_hip_kernel_args_add_plane(
                self.as_ptr(),
                buffer.as_mut_ptr(),
                plane,
                access.flags(),
                with_stride.into_glib(),
                error,
            )
        })
    }

    /// Names a memory that the kernel reaches by an address inside a struct: no
    /// argument, but ordered and kept alive like one.
    ///
    /// # Errors
    ///
    /// None that safe code can cause.
    #[doc(alias = "gst_hip_kernel_args_add_dependency")]
    pub fn add_dependency(
        &mut self,
        memory: &HipMemory,
        access: HipAccess,
    ) -> Result<(), glib::Error> {
        check("adding a dependency", |error| unsafe {
            ffi::gst_hip_kernel_args_add_dependency(
                self.as_ptr(),
                memory.as_mut_ptr().cast(),
                access.flags(),
                error,
            )
        })
    }

    /// Adds a copy of a `#[repr(C)]` struct that the kernel takes by value.
    /// Addresses in it need [`add_dependency()`](Self::add_dependency) for each
    /// memory.
    ///
    /// # Errors
    ///
    /// `Invalid` for a struct of no bytes or of more than 4096.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipKernelArgs};
    /// #[derive(Clone, Copy)]
    /// #[repr(C)]
    /// struct Size {
    ///     width: i32,
    ///     height: i32,
    /// }
    /// gst::init().unwrap();
    /// let mut args = HipKernelArgs::new();
    /// args.add_bytes(&Size { width: 320, height: 240 }).unwrap();
    /// assert!(args.add_bytes(&[0u8; 5000]).is_err());
    /// ```
    #[doc(alias = "gst_hip_kernel_args_add_bytes")]
    pub fn add_bytes<T: Copy + 'static>(&mut self, value: &T) -> Result<(), glib::Error> {
        check("adding an argument", |error| unsafe {
            ffi::gst_hip_kernel_args_add_bytes(
                self.as_ptr(),
                std::ptr::from_ref(value).cast(),
                size_of::<T>(),
                align_of::<T>(),
                error,
            )
        })
    }
}

impl Default for HipKernelArgs {
    fn default() -> Self {
        skip_assert_initialized!();
        Self::new()
    }
}

impl Drop for HipKernelArgs {
    fn drop(&mut self) {
        // SAFETY: the only reference.
        unsafe { ffi::gst_hip_kernel_args_unref(self.as_ptr()) }
    }
}

impl fmt::Debug for HipKernelArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipKernelArgs")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
