// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Where do an element's buffers come from?

use crate::{HipDevice, HipError, HipMemoryKind, HipStream, ffi, glib};
use glib::{prelude::*, translate::*};

glib::wrapper! {
    /// A pool of buffers with one HIP memory each, to be configured as any
    /// [`BufferPool`](gst::BufferPool). With caps of raw video it makes frames and
    /// corrects the size in its configuration; with others, linear memory.
    ///
    /// ```
    /// use gstreamer_hip::gst::{self, prelude::*};
    /// use gstreamer_hip::{HipBufferPool, HipDevice, HipMemory, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let pool = HipBufferPool::new(&device);
    /// let mut config = pool.config();
    /// config.set_params(None, 1000, 0, 0);
    /// pool.set_config(config).unwrap();
    /// pool.set_active(true).unwrap();
    /// let buffer = pool.acquire_buffer(None).unwrap();
    /// assert!(buffer.peek_memory(0).is_memory_type::<HipMemory>());
    /// # drop(buffer);
    /// # pool.set_active(false).unwrap();
    /// ```
    #[doc(alias = "GstHipBufferPool")]
    pub struct HipBufferPool(Object<ffi::GstHipBufferPool, ffi::GstHipBufferPoolClass>)
        @extends gst::BufferPool, gst::Object;

    match fn {
        type_ => || ffi::gst_hip_buffer_pool_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipBufferPool {}
unsafe impl Sync for HipBufferPool {}

impl HipBufferPool {
    /// Makes a pool of device memory.
    #[doc(alias = "gst_hip_buffer_pool_new")]
    pub fn new(device: &HipDevice) -> Self {
        skip_assert_initialized!();
        // SAFETY: a new reference on a pool of this type.
        unsafe {
            let pool: gst::BufferPool =
                from_glib_full(ffi::gst_hip_buffer_pool_new(device.to_glib_none().0));
            pool.unsafe_cast()
        }
    }

    /// Makes a pool of device or pinned memory.
    ///
    /// # Errors
    ///
    /// `Invalid` for a wrapped kind.
    #[doc(alias = "gst_hip_buffer_pool_new_full")]
    pub fn with_kind(device: &HipDevice, kind: HipMemoryKind) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        if !matches!(kind, HipMemoryKind::Device | HipMemoryKind::Pinned) {
            let message = "pools have memory on the device or pinned";
            return Err(glib::Error::new(HipError::Invalid, message));
        }
        // SAFETY: a new reference on a pool of this type.
        unsafe {
            let pool: gst::BufferPool = from_glib_full(ffi::gst_hip_buffer_pool_new_full(
                device.to_glib_none().0,
                kind.into_glib(),
            ));
            Ok(pool.unsafe_cast())
        }
    }

    /// The kind of memory that it gives.
    #[doc(alias = "gst_hip_buffer_pool_get_kind")]
    pub fn kind(&self) -> HipMemoryKind {
        unsafe { from_glib(ffi::gst_hip_buffer_pool_get_kind(self.to_glib_none().0)) }
    }

    /// The device of its memory.
    pub fn device(&self) -> HipDevice {
        // SAFETY: a live pool has one for its whole life.
        unsafe { from_glib_none((*self.as_ptr()).device) }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for gst::BufferPoolConfigRef {}
}

/// The stream in a pool's configuration.
///
/// ```
/// use gstreamer_hip::gst::{self, prelude::*};
/// use gstreamer_hip::{BufferPoolConfigHipExt, HipBufferPool, HipDevice, HipStream, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let stream = HipStream::new(&device).unwrap();
/// let mut config = HipBufferPool::new(&device).config();
/// config.set_hip_stream(&stream);
/// assert_eq!(config.hip_stream(), Some(stream));
/// ```
pub trait BufferPoolConfigHipExt: sealed::Sealed {
    /// Makes `stream`, one of the pool's device, that of the pool's memories
    /// ([`HipMemoryRef::stream()`](crate::HipMemoryRef::stream)).
    #[doc(alias = "gst_buffer_pool_config_set_hip_stream")]
    fn set_hip_stream(&mut self, stream: &HipStream);

    /// The stream of [`set_hip_stream()`](Self::set_hip_stream), if any.
    #[doc(alias = "gst_buffer_pool_config_get_hip_stream")]
    fn hip_stream(&self) -> Option<HipStream>;
}

impl BufferPoolConfigHipExt for gst::BufferPoolConfigRef {
    fn set_hip_stream(&mut self, stream: &HipStream) {
        unsafe {
            ffi::gst_buffer_pool_config_set_hip_stream(self.as_mut_ptr(), stream.to_glib_none().0);
        }
    }

    fn hip_stream(&self) -> Option<HipStream> {
        unsafe {
            from_glib_full(ffi::gst_buffer_pool_config_get_hip_stream(
                self.as_mut_ptr(),
            ))
        }
    }
}
