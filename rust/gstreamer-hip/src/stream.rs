// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How is work queued on a device, and waited for?
//
// Copies and fills are put in order by the memories on both sides, as the C
// library wants its callers to do: that is what makes them safe.

use std::ptr;

use crate::error::{check, check_pointer};
use crate::map::check_alone;
use crate::{HipAccess, HipDevice, HipEvent, HipMemoryRef, HipVendor, ffi, glib};
use glib::translate::*;

glib::wrapper! {
    /// A queue of a device: what is queued on it is done in order, and at the
    /// same time as the work of other streams. Nothing here waits but
    /// [`synchronize()`](Self::synchronize).
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipMemory, HipStream, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let stream = HipStream::new(&device).unwrap();
    /// let mut memory = HipMemory::alloc_linear(&device, 64).unwrap();
    /// stream.fill(memory.get_mut().unwrap(), 0, 64, 7).unwrap();
    /// assert!(stream.synchronize());
    /// assert_eq!(*memory.map_slice::<u8>().unwrap(), [7; 64]);
    /// ```
    #[derive(Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "GstHipStream")]
    pub struct HipStream(Shared<ffi::GstHipStream>);

    match fn {
        ref => |ptr| ffi::gst_hip_stream_ref(ptr),
        unref => |ptr| ffi::gst_hip_stream_unref(ptr),
        type_ => || ffi::gst_hip_stream_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipStream {}
unsafe impl Sync for HipStream {}

/// Where rows of bytes lie in a memory.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipPlane, HipStream, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let stream = HipStream::new(&device).unwrap();
/// let input = HipMemory::from_slice(&device, &[1u8, 2, 0, 3, 4, 0]).unwrap();
/// let mut output = HipMemory::alloc_linear(&device, 4).unwrap();
/// // Two rows of two bytes, from rows three bytes apart to rows without a gap
/// let (from, to) = (HipPlane { offset: 0, stride: 3 }, HipPlane { offset: 0, stride: 2 });
/// stream.copy_2d(output.get_mut().unwrap(), to, &input, from, 2, 2).unwrap();
/// assert_eq!(*output.map_slice::<u8>().unwrap(), [1, 2, 3, 4]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HipPlane {
    /// Bytes from the start of the memory to the first row.
    pub offset: usize,
    /// Bytes from one row to the next.
    pub stride: usize,
}

impl HipPlane {
    fn end(self, memory: &HipMemoryRef) -> ffi::GstHipCopyEnd {
        ffi::GstHipCopyEnd {
            memory: memory.as_mut_ptr().cast(),
            host: ptr::null_mut(),
            offset: self.offset,
            stride: self.stride,
        }
    }
}

impl HipStream {
    /// Makes a stream of normal priority.
    ///
    /// # Errors
    ///
    /// `OutOfMemory`, `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_stream_new_full")]
    pub fn new(device: &HipDevice) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        Self::with_priority(device, 0)
    }

    /// Makes a stream: 0 is normal, lower is more urgent; clamped to what the
    /// device has.
    ///
    /// # Errors
    ///
    /// `OutOfMemory`, `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_stream_new_full")]
    pub fn with_priority(device: &HipDevice, priority: i32) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        check_pointer("making a stream", |error| unsafe {
            ffi::gst_hip_stream_new_full(device.to_glib_none().0, priority, error)
        })
        // SAFETY: a new reference.
        .map(|stream| unsafe { from_glib_full(stream.as_ptr()) })
    }

    /// The vendor of its device.
    #[doc(alias = "gst_hip_stream_get_vendor")]
    pub fn vendor(&self) -> HipVendor {
        unsafe { from_glib(ffi::gst_hip_stream_get_vendor(self.to_glib_none().0)) }
    }

    /// The ordinal of its device within the vendor.
    #[doc(alias = "gst_hip_stream_get_device_id")]
    pub fn device_id(&self) -> u32 {
        unsafe { ffi::gst_hip_stream_get_device_id(self.to_glib_none().0) }
    }

    /// Whether it belongs to `device` or to one that is equal to it.
    #[doc(alias = "gst_hip_stream_is_for_device")]
    pub fn is_for_device(&self, device: &HipDevice) -> bool {
        unsafe {
            from_glib(ffi::gst_hip_stream_is_for_device(
                self.to_glib_none().0,
                device.to_glib_none().0,
            ))
        }
    }

    /// The driver's handle (a `CUstream`, a `hipStream_t`) for native calls, as
    /// long as the stream lives; on the CPU a number that means nothing outside.
    #[doc(alias = "gst_hip_stream_get_native_handle")]
    pub fn native_handle(&self) -> usize {
        unsafe { ffi::gst_hip_stream_get_native_handle(self.to_glib_none().0) }
    }

    /// Records an event that is done when all work queued until now is.
    ///
    /// Blocking: only where no event can be recorded: until the stream is idle.
    ///
    /// # Errors
    ///
    /// `OutOfMemory`, `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_stream_record")]
    pub fn record(&self) -> Result<HipEvent, glib::Error> {
        self.record_event(false)
    }

    /// [`record()`](Self::record), for [`HipEvent::elapsed_ns()`].
    ///
    /// # Errors
    ///
    /// `OutOfMemory`, `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_stream_record")]
    pub fn record_timed(&self) -> Result<HipEvent, glib::Error> {
        self.record_event(true)
    }

    fn record_event(&self, timed: bool) -> Result<HipEvent, glib::Error> {
        check_pointer("recording an event", |error| unsafe {
            ffi::gst_hip_stream_record(self.to_glib_none().0, timed.into_glib(), error)
        })
        // SAFETY: a new reference.
        .map(|event| unsafe { from_glib_full(event.as_ptr()) })
    }

    /// Makes what is queued from now on wait, on the device, until `event` is
    /// done.
    ///
    /// # Errors
    ///
    /// `Unsupported` for another vendor's event, `DeviceLost` if the event's
    /// device failed, `Failed`.
    #[doc(alias = "gst_hip_stream_wait_event")]
    pub fn wait_event(&self, event: &HipEvent) -> Result<(), glib::Error> {
        check("waiting for an event", |error| unsafe {
            ffi::gst_hip_stream_wait_event(self.to_glib_none().0, event.to_glib_none().0, error)
        })
    }

    /// Queues a copy of all bytes that both memories have.
    ///
    /// # Errors
    ///
    /// Those of [`copy_2d()`](Self::copy_2d).
    #[doc(alias = "gst_hip_stream_copy_2d")]
    pub fn copy(&self, dst: &mut HipMemoryRef, src: &HipMemoryRef) -> Result<(), glib::Error> {
        let bytes = dst.size().min(src.size());
        self.copy_2d(dst, HipPlane::default(), src, HipPlane::default(), bytes, 1)
    }

    /// Queues a copy of rows. It comes after what is pending on both memories,
    /// and what uses them next comes after it.
    ///
    /// # Errors
    ///
    /// `Invalid` for an empty copy, one that is not inside its memory, rows that
    /// overlap, a memory of another device, or one to write that somebody else has,
    /// too; `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_stream_copy_2d")]
    pub fn copy_2d(
        &self,
        dst: &mut HipMemoryRef,
        dst_plane: HipPlane,
        src: &HipMemoryRef,
        src_plane: HipPlane,
        row_bytes: usize,
        rows: usize,
    ) -> Result<(), glib::Error> {
        check_alone(dst)?;
        let reading = src.begin_access(self, HipAccess::Read)?;
        let writing = dst.begin_access(self, HipAccess::Write)?;
        let (to, from) = (dst_plane.end(dst), src_plane.end(src));
        check("queueing a copy", |error| unsafe {
            ffi::gst_hip_stream_copy_2d(self.to_glib_none().0, &to, &from, row_bytes, rows, error)
        })?;
        HipAccess::end_both(self, [reading, writing])
    }

    /// Queues a fill of `size` bytes from `offset` on. It comes after what is
    /// pending on the memory, and what uses it next comes after it.
    ///
    /// # Errors
    ///
    /// `Invalid` for an empty fill, one that is not inside the memory, or a
    /// memory of another device or that somebody else has, too; `DeviceLost`,
    /// `Failed`.
    #[doc(alias = "gst_hip_stream_fill")]
    pub fn fill(
        &self,
        memory: &mut HipMemoryRef,
        offset: usize,
        size: usize,
        value: u8,
    ) -> Result<(), glib::Error> {
        check_alone(memory)?;
        let writing = memory.begin_access(self, HipAccess::Write)?;
        check("queueing a fill", |error| unsafe {
            ffi::gst_hip_stream_fill(
                self.to_glib_none().0,
                memory.as_mut_ptr().cast(),
                offset,
                size,
                value,
                error,
            )
        })?;
        writing.end()
    }

    /// Waits until all work that is queued now has finished. Returns whether it
    /// did; the reason why not is logged.
    ///
    /// Blocking: waits for the device.
    #[doc(alias = "gst_hip_stream_synchronize")]
    pub fn synchronize(&self) -> bool {
        unsafe { from_glib(ffi::gst_hip_stream_synchronize(self.to_glib_none().0)) }
    }

    /// [`synchronize()`](Self::synchronize) with the reason.
    ///
    /// Blocking: waits for the device.
    ///
    /// # Errors
    ///
    /// `DeviceLost` and what the device reports where the work failed.
    #[doc(alias = "gst_hip_stream_synchronize_full")]
    pub fn synchronize_full(&self) -> Result<(), glib::Error> {
        check("waiting for the stream", |error| unsafe {
            ffi::gst_hip_stream_synchronize_full(self.to_glib_none().0, error)
        })
    }
}
