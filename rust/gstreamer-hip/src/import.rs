// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How does another driver's frame become a memory, without a copy, and one of ours
// a DMA-BUF for others?
//
// Nobody here can know who else has a DMA-BUF, so who imports or exports one promises
// that it is not written to meanwhile: all functions are unsafe.

use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;

use crate::memory::allocated_with_release;
use crate::{HipDevice, HipMemory, HipMemoryRef, HipStream, ffi, glib};
use glib::translate::*;

/// Memory of DMA-BUFs, on devices with
/// [`DMABUF_IMPORT`](crate::HipDeviceCaps::DMABUF_IMPORT).
impl HipMemory {
    /// Makes a read-only memory of `size` bytes of a DMA-BUF from `offset` on, without
    /// a copy, for reading one frame. Whoever uses it comes after what the producer had
    /// queued when this was called, by the DMA-BUF's implicit fence, for which `stream`
    /// waits (`None`: the device's default one). `release` is called once, on a worker
    /// thread, when the memory is gone and the device is done with it; not called
    /// after an error.
    ///
    /// # Safety
    ///
    /// Nobody writes to the DMA-BUF or makes it smaller until `release` is called, but
    /// for what the implicit fence stands for. What is in there is initialised.
    ///
    /// # Errors
    ///
    /// `Invalid` if the file has fewer bytes or the stream is another device's,
    /// `Unsupported` if this device imports none, or what the driver reported: then
    /// copy the frame.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipMemory, HipMemoryKind, HipVendor};
    /// use std::{ffi::{c_char, c_int, c_uint}, fs::File, io::Write};
    /// use std::os::fd::{AsFd, FromRawFd};
    /// unsafe extern "C" {
    ///     fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
    /// }
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// // The CPU imports what can be mapped.
    /// // SAFETY: a descriptor of our own.
    /// let mut file = unsafe { File::from_raw_fd(memfd_create(c"frame".as_ptr(), 0)) };
    /// file.write_all(&[1, 2, 3, 4]).unwrap();
    /// // SAFETY: nobody else has the file.
    /// let memory =
    ///     unsafe { HipMemory::import_dmabuf(&device, None, file.as_fd(), 1, 2, || ()) }.unwrap();
    /// assert_eq!(memory.kind(), HipMemoryKind::Dmabuf);
    /// assert_eq!(memory.to_vec::<u8>().unwrap(), [2, 3]);
    /// ```
    #[doc(alias = "gst_hip_allocator_import_dmabuf")]
    pub unsafe fn import_dmabuf<F: FnOnce() + Send + 'static>(
        device: &HipDevice,
        stream: Option<&HipStream>,
        fd: BorrowedFd<'_>,
        offset: usize,
        size: usize,
        release: F,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        allocated_with_release(release, |user_data, destroy, error| unsafe {
            ffi::gst_hip_allocator_import_dmabuf(
                ptr::null_mut(),
                device.to_glib_none().0,
                stream.map_or(ptr::null_mut(), |stream| stream.to_glib_none().0),
                fd.as_raw_fd(),
                offset,
                size,
                user_data,
                destroy,
                error,
            )
        })
    }

    /// [`import_dmabuf()`](Self::import_dmabuf) of what `source`, a memory of
    /// GStreamer's DMA-BUF allocators, is a view of. The result holds `source`, not
    /// its buffer: keep that in `release`, so that no pool gives it to the producer
    /// meanwhile.
    ///
    /// # Safety
    ///
    /// That of [`import_dmabuf()`](Self::import_dmabuf).
    ///
    /// # Errors
    ///
    /// `Invalid` too if `source` is in no DMA-BUF, or its descriptor is closed or
    /// another file's by now.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipMemory, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let buffer = gst::Buffer::from_slice([1u8, 2, 3, 4]);
    /// let source = buffer.memory(0).unwrap();
    /// // SAFETY: nobody writes while the closure has the buffer.
    /// match unsafe { HipMemory::import_memory(&device, None, &source, move || drop(buffer)) } {
    ///     Ok(memory) => println!("{} bytes without a copy", memory.size()),
    ///     Err(error) => println!("to be copied: {error}"),
    /// }
    /// ```
    #[doc(alias = "gst_hip_allocator_import_memory")]
    pub unsafe fn import_memory<F: FnOnce() + Send + 'static>(
        device: &HipDevice,
        stream: Option<&HipStream>,
        source: &gst::Memory,
        release: F,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        allocated_with_release(release, |user_data, destroy, error| unsafe {
            ffi::gst_hip_allocator_import_memory(
                ptr::null_mut(),
                device.to_glib_none().0,
                stream.map_or(ptr::null_mut(), |stream| stream.to_glib_none().0),
                source.as_mut_ptr(),
                user_data,
                destroy,
                error,
            )
        })
    }
}

/// Memory for others, of kind [`Exported`](crate::HipMemoryKind::Exported).
impl HipMemoryRef {
    /// Makes a memory of GStreamer's DMA-BUF allocators of the same bytes, which keeps
    /// this one. Its file descriptor is open as long as it lives.
    ///
    /// # Safety
    ///
    /// Nobody orders what is done by way of the DMA-BUF: the work that writes to this
    /// memory has ended before others read there, and neither side writes while the
    /// other one uses the bytes.
    ///
    /// # Errors
    ///
    /// `Invalid` for memory of another kind or a part of one.
    ///
    /// ```
    /// use gstreamer_hip::{gst, gst_video, HipDevice, HipMemory, HipMemoryKind, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Gray8, 64, 4);
    /// let info = info.build().unwrap();
    /// let memory = HipMemory::alloc_video(&device, HipMemoryKind::Exported, &info).unwrap();
    /// // SAFETY: nobody writes.
    /// let dmabuf = unsafe { memory.export_dmabuf() }.unwrap();
    /// assert_eq!(dmabuf.map_readable().unwrap().size(), 256);
    /// ```
    #[doc(alias = "gst_hip_memory_export_dmabuf")]
    pub unsafe fn export_dmabuf(&self) -> Result<gst::Memory, glib::Error> {
        let mut error = ptr::null_mut();
        // SAFETY: a live memory; what is returned is a new reference.
        unsafe {
            let memory = ffi::gst_hip_memory_export_dmabuf(self.as_mut_ptr(), &mut error);
            if memory.is_null() {
                Err(from_glib_full(error))
            } else {
                Ok(from_glib_full(memory))
            }
        }
    }
}
