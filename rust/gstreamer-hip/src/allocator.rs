// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Where does memory come from that is used again and again?

use std::ptr;

use crate::{HipDevice, HipError, HipMemory, HipMemoryKind, ffi, glib};
use glib::{prelude::*, translate::*};

glib::wrapper! {
    /// What all allocators of HIP memory have in common. For memory that is not
    /// pooled see [`HipMemory`].
    ///
    /// ```
    /// use gstreamer_hip::gst::{self, prelude::*};
    /// use gstreamer_hip::{HipAllocator, HipDevice, HipMemory, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let memory = HipMemory::alloc_linear(&device, 10).unwrap();
    /// assert!(memory.allocator().unwrap().is::<HipAllocator>());
    /// ```
    #[doc(alias = "GstHipAllocator")]
    pub struct HipAllocator(Object<ffi::GstHipAllocator, ffi::GstHipAllocatorClass>)
        @extends gst::Allocator, gst::Object;

    match fn {
        type_ => || ffi::gst_hip_allocator_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipAllocator {}
unsafe impl Sync for HipAllocator {}

glib::wrapper! {
    /// Memories of one device and layout, which come back with their last
    /// reference and are given out again. A memory keeps its allocator.
    ///
    /// ```
    /// use gstreamer_hip::{gst, gst_video, HipDevice, HipPoolAllocator, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Nv12, 320, 240);
    /// let pool = HipPoolAllocator::new(&device, &info.build().unwrap()).unwrap();
    /// pool.set_active(true);
    /// let frame = pool.acquire_memory().unwrap();
    /// assert!(frame.video_info().is_some());
    /// ```
    #[doc(alias = "GstHipPoolAllocator")]
    pub struct HipPoolAllocator(Object<ffi::GstHipPoolAllocator, ffi::GstHipPoolAllocatorClass>)
        @extends HipAllocator, gst::Allocator, gst::Object;

    match fn {
        type_ => || ffi::gst_hip_pool_allocator_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipPoolAllocator {}
unsafe impl Sync for HipPoolAllocator {}

impl HipPoolAllocator {
    /// Makes an inactive allocator of frames on `device`, without a limit, in the
    /// layout of [`HipMemory::alloc_frame()`].
    ///
    /// # Errors
    ///
    /// `Invalid` if there cannot be such frames; the log says why.
    #[doc(alias = "gst_hip_pool_allocator_new")]
    pub fn new(device: &HipDevice, info: &gst_video::VideoInfo) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        // SAFETY: a new reference, if anything.
        let pool: Option<Self> = unsafe {
            from_glib_full(ffi::gst_hip_pool_allocator_new(
                device.to_glib_none().0,
                info.to_glib_none().0,
            ))
        };
        pool.ok_or_else(|| glib::Error::new(HipError::Invalid, "there cannot be such frames"))
    }

    /// Makes an inactive allocator of frames of exactly the layout in `info`, with
    /// at most `max_memories` of them, or 0 for no limit.
    ///
    /// # Errors
    ///
    /// `Invalid` for a wrapped kind.
    #[doc(alias = "gst_hip_pool_allocator_new_full")]
    pub fn new_video(
        device: &HipDevice,
        kind: HipMemoryKind,
        info: &gst_video::VideoInfo,
        max_memories: u32,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        Self::new_full(device, kind, info.to_glib_none().0, 0, max_memories)
    }

    /// Makes an inactive allocator of memories of `size` bytes, with at most
    /// `max_memories` of them, or 0 for no limit.
    ///
    /// # Errors
    ///
    /// `Invalid` for a wrapped kind and for no size.
    #[doc(alias = "gst_hip_pool_allocator_new_full")]
    pub fn new_linear(
        device: &HipDevice,
        kind: HipMemoryKind,
        size: usize,
        max_memories: u32,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        Self::new_full(device, kind, ptr::null(), size, max_memories)
    }

    fn new_full(
        device: &HipDevice,
        kind: HipMemoryKind,
        info: *const gst_video::ffi::GstVideoInfo,
        size: usize,
        max_memories: u32,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        if !matches!(kind, HipMemoryKind::Device | HipMemoryKind::Pinned)
            || (info.is_null() && size == 0)
        {
            let message = "pools have memory of some size on the device or pinned";
            return Err(glib::Error::new(HipError::Invalid, message));
        }
        // SAFETY: valid arguments; a new reference.
        Ok(unsafe {
            from_glib_full(ffi::gst_hip_pool_allocator_new_full(
                device.to_glib_none().0,
                kind.into_glib(),
                info,
                size,
                max_memories,
            ))
        })
    }

    /// Memory is to be had only while the allocator is active; becoming inactive
    /// wakes who waits for memory and gives back what is idle.
    #[doc(alias = "gst_hip_allocator_set_active")]
    pub fn set_active(&self, active: bool) {
        // True, always.
        unsafe {
            ffi::gst_hip_allocator_set_active(
                self.upcast_ref::<HipAllocator>().to_glib_none().0,
                active.into_glib(),
            );
        }
    }

    /// Takes a memory. Its contents are undefined, and work of users before may be
    /// pending on it; everything that uses it comes after that by itself.
    ///
    /// Blocking: never for the device; where the maximum is reached, until a
    /// memory comes back or the allocator becomes inactive.
    ///
    /// # Errors
    ///
    /// `Flushing` if the allocator is or becomes inactive; `Error` (logged) if
    /// there is none and none can be allocated.
    #[doc(alias = "gst_hip_pool_allocator_acquire_memory")]
    pub fn acquire_memory(&self) -> Result<HipMemory, gst::FlowError> {
        let mut memory = ptr::null_mut();
        // SAFETY: a reference of ours on a HIP memory where the answer is yes.
        unsafe {
            gst::FlowSuccess::try_from_glib(ffi::gst_hip_pool_allocator_acquire_memory(
                self.to_glib_none().0,
                &mut memory,
            ))?;
            Ok(from_glib_full(memory.cast::<ffi::GstHipMemory>()))
        }
    }
}
