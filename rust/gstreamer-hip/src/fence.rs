// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// What keeps things alive until the device is done with them?

use crate::{HipEvent, ffi, glib};
use glib::translate::*;

glib::wrapper! {
    /// Things that have to stay alive until an event has ended. They are dropped
    /// on a worker thread of the library, never on a streaming thread.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipFenceData, HipStream, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let stream = HipStream::new(&device).unwrap();
    /// struct Loud(std::sync::mpsc::Sender<&'static str>);
    /// impl Drop for Loud {
    ///     fn drop(&mut self) {
    ///         self.0.send("gone").unwrap();
    ///     }
    /// }
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let fence = HipFenceData::new();
    /// fence.push(Loud(sender));
    /// fence.attach(&stream.record().unwrap());
    /// assert_eq!(receiver.recv().unwrap(), "gone");
    /// ```
    #[derive(Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "GstHipFenceData")]
    pub struct HipFenceData(Shared<ffi::GstHipFenceData>);

    match fn {
        ref => |ptr| ffi::gst_hip_fence_data_ref(ptr),
        unref => |ptr| ffi::gst_hip_fence_data_unref(ptr),
        type_ => || ffi::gst_hip_fence_data_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread, and what
// is in there can be sent; nobody gets a reference to it.
unsafe impl Send for HipFenceData {}
unsafe impl Sync for HipFenceData {}

impl HipFenceData {
    /// Makes empty fence data.
    #[doc(alias = "gst_hip_fence_data_new")]
    pub fn new() -> Self {
        assert_initialized_main_thread!();
        unsafe { from_glib_full(ffi::gst_hip_fence_data_new()) }
    }

    /// Adds anything: buffers, memories, files, closures' boxes. A panic while it
    /// is dropped aborts.
    #[doc(alias = "gst_hip_fence_data_push")]
    pub fn push<T: Send + 'static>(&self, data: T) {
        unsafe extern "C" fn destroy<T>(data: glib::ffi::gpointer) {
            // SAFETY: called once, with the box from below.
            drop(unsafe { Box::from_raw(data.cast::<T>()) });
        }

        let data = Box::into_raw(Box::new(data));
        unsafe {
            ffi::gst_hip_fence_data_push(self.to_glib_none().0, data.cast(), Some(destroy::<T>));
        }
    }

    /// Has the contents dropped when `event` is done or failed; soon for one that
    /// has ended. Given to several events they wait for the last of them. What is
    /// never attached is dropped with the last reference.
    #[doc(alias = "gst_hip_fence_data_attach")]
    pub fn attach(&self, event: &HipEvent) {
        unsafe { ffi::gst_hip_fence_data_attach(self.to_glib_none().0, event.to_glib_none().0) }
    }
}

impl Default for HipFenceData {
    fn default() -> Self {
        skip_assert_initialized!();
        Self::new()
    }
}

glib::wrapper! {
    /// Fence data that is made once and used again.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipFenceDataPool};
    /// gst::init().unwrap();
    /// let fence = HipFenceDataPool::new().acquire();
    /// fence.push(vec![1, 2, 3]);
    /// ```
    #[doc(alias = "GstHipFenceDataPool")]
    pub struct HipFenceDataPool(Object<ffi::GstHipFenceDataPool>) @extends gst::Object;

    match fn {
        type_ => || ffi::gst_hip_fence_data_pool_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipFenceDataPool {}
unsafe impl Sync for HipFenceDataPool {}

impl HipFenceDataPool {
    /// Makes a pool.
    #[doc(alias = "gst_hip_fence_data_pool_new")]
    pub fn new() -> Self {
        assert_initialized_main_thread!();
        unsafe { from_glib_full(ffi::gst_hip_fence_data_pool_new()) }
    }

    /// Empty fence data, which goes back with its last reference.
    #[doc(alias = "gst_hip_fence_data_pool_acquire")]
    pub fn acquire(&self) -> HipFenceData {
        unsafe { from_glib_full(ffi::gst_hip_fence_data_pool_acquire(self.to_glib_none().0)) }
    }
}

impl Default for HipFenceDataPool {
    fn default() -> Self {
        skip_assert_initialized!();
        Self::new()
    }
}
