// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Where are the planes of a video frame on the device?
//
// As for single memories, a guard borrows the buffer, and writing borrows it
// alone.

use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::map::check_alone;
use crate::{HipError, HipMemory, ffi, glib};
use glib::translate::*;
use gst::buffer::{Readable, Writable};
use gst_video::ffi::{
    GST_VIDEO_FRAME_MAP_FLAG_NO_REF, GstVideoFrame, gst_video_frame_map, gst_video_frame_unmap,
};

/// A video frame that is mapped for the device, all planes of it: for a
/// [`HipConverter`](crate::HipConverter), or for native calls on the
/// [stream](crate::HipMemoryRef::stream) of its memory until it is dropped.
///
/// ```
/// use gstreamer_hip::{gst, gst_video, HipDevice, HipFrame, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Nv12, 320, 240);
/// let info = info.build().unwrap();
/// let memory = HipMemory::alloc_frame(&device, &info).unwrap();
/// let layout = memory.video_info().unwrap(); // strides for the device
/// let address = memory.address();
/// let mut buffer = gst::Buffer::new();
/// buffer.get_mut().unwrap().append_memory(memory.upcast_memory::<gst::Memory>());
///
/// let frame = HipFrame::map_readable(&buffer, &info).unwrap();
/// assert_eq!(frame.n_planes(), 2);
/// assert_eq!(frame.plane_address(1), Some(address + layout.offset()[1]));
/// assert_eq!(frame.plane_stride(1), Some(layout.stride()[1]));
/// ```
#[doc(alias = "GstVideoFrame")]
pub struct HipFrame<'a, A> {
    frame: GstVideoFrame,
    info: gst_video::VideoInfo,
    _borrow: PhantomData<(&'a gst::BufferRef, A)>,
}

// SAFETY: addresses that the CPU does not follow; unmapping is for any thread.
unsafe impl<A> Send for HipFrame<'_, A> {}
unsafe impl<A> Sync for HipFrame<'_, A> {}

impl<'a> HipFrame<'a, Readable> {
    /// Maps a frame for reading. Its layout is that of its
    /// [`VideoMeta`](gst_video::VideoMeta), or without one that which its memory was
    /// allocated with, else that of `info`.
    ///
    /// # Errors
    ///
    /// `Invalid` if the buffer has other than HIP memory, `Failed` if it is no such
    /// frame or cannot be mapped; the log says why.
    #[doc(alias = "gst_video_frame_map")]
    pub fn map_readable(
        buffer: &'a gst::BufferRef,
        info: &gst_video::VideoInfo,
    ) -> Result<Self, glib::Error> {
        Self::map(buffer, info, ffi::GST_MAP_READ_HIP)
    }
}

impl<'a> HipFrame<'a, Writable> {
    /// Maps a frame for writing; otherwise like
    /// [`map_readable()`](HipFrame::map_readable).
    ///
    /// # Errors
    ///
    /// Those of `map_readable()`, and `Invalid` if somebody else has the buffer's
    /// memory, too.
    #[doc(alias = "gst_video_frame_map")]
    pub fn map_writable(
        buffer: &'a mut gst::BufferRef,
        info: &gst_video::VideoInfo,
    ) -> Result<Self, glib::Error> {
        buffer.iter_memories().try_for_each(check_alone)?;
        Self::map(buffer, info, ffi::GST_MAP_WRITE_HIP)
    }
}

/// What a memory says of a frame that fills it alone.
fn own_layout(
    buffer: &gst::BufferRef,
    wanted: &gst_video::VideoInfo,
) -> Option<gst_video::VideoInfo> {
    skip_assert_initialized!();
    if buffer.n_memory() != 1 || buffer.meta::<gst_video::VideoMeta>().is_some() {
        return None;
    }
    let memory = buffer.peek_memory(0).downcast_memory_ref::<HipMemory>()?;
    let info = memory.video_info()?;
    let kind = |info: &gst_video::VideoInfo| (info.format(), info.width(), info.height());
    (kind(&info) == kind(wanted)).then_some(info)
}

impl<A> HipFrame<'_, A> {
    fn map(
        buffer: &gst::BufferRef,
        info: &gst_video::VideoInfo,
        flags: std::ffi::c_int,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        // Other memory would be mapped, for the CPU.
        let is_hip = |memory: &gst::MemoryRef| unsafe {
            ffi::gst_is_hip_memory(memory.as_mut_ptr()) != glib::ffi::GFALSE
        };
        if !buffer.iter_memories().all(is_hip) {
            let message = "the frame is not in HIP memory: upload it";
            return Err(glib::Error::new(HipError::Invalid, message));
        }
        let own = own_layout(buffer, info);
        let info = own.as_ref().unwrap_or(info);
        let mut frame = MaybeUninit::<GstVideoFrame>::uninit();
        // SAFETY: the buffer outlives the borrow, so no reference is taken; the frame
        // is written where the answer is yes.
        unsafe {
            let mapped = gst_video_frame_map(
                frame.as_mut_ptr(),
                info.to_glib_none().0.cast_mut(),
                buffer.as_mut_ptr(),
                flags as gst::ffi::GstMapFlags | GST_VIDEO_FRAME_MAP_FLAG_NO_REF,
            );
            if mapped == glib::ffi::GFALSE {
                let message = "the buffer cannot be mapped as such a frame; the log says why";
                return Err(glib::Error::new(HipError::Failed, message));
            }
            let frame = frame.assume_init();
            Ok(Self {
                info: from_glib_none(&raw const frame.info),
                frame,
                _borrow: PhantomData,
            })
        }
    }

    pub(crate) fn as_ptr(&self) -> *const GstVideoFrame {
        &self.frame
    }

    /// Format, size and layout.
    pub fn info(&self) -> &gst_video::VideoInfo {
        &self.info
    }

    /// How many planes there are.
    #[doc(alias = "GST_VIDEO_FRAME_N_PLANES")]
    pub fn n_planes(&self) -> u32 {
        self.info.n_planes()
    }

    /// The device address of a plane's first byte, or `None` if there is no such
    /// plane.
    #[doc(alias = "GST_VIDEO_FRAME_PLANE_DATA")]
    pub fn plane_address(&self, plane: u32) -> Option<usize> {
        (plane < self.n_planes()).then(|| self.frame.data[plane as usize] as usize)
    }

    /// Bytes between the rows of a plane, or `None` if there is no such plane.
    #[doc(alias = "GST_VIDEO_FRAME_PLANE_STRIDE")]
    pub fn plane_stride(&self, plane: u32) -> Option<i32> {
        self.info.stride().get(plane as usize).copied()
    }
}

impl<A> Drop for HipFrame<'_, A> {
    fn drop(&mut self) {
        // SAFETY: mapped by map(); the buffer is borrowed until now.
        unsafe { gst_video_frame_unmap(&mut self.frame) }
    }
}

impl<A> fmt::Debug for HipFrame<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipFrame")
            .field("info", &self.info)
            .finish()
    }
}
