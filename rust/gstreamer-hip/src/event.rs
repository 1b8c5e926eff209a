// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Has the device come that far, and who is told when it has?

use std::ptr;

use crate::error::check;
use crate::{HipError, HipEventState, HipStream, HipVendor, ffi, glib};
use glib::translate::*;

glib::wrapper! {
    /// A point in the work of a stream: pending, then done or failed.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipEventState, HipStream, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let stream = HipStream::new(&device).unwrap();
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// stream.record().unwrap().notify(move |_event, state| sender.send(state).unwrap());
    /// assert_eq!(receiver.recv().unwrap(), HipEventState::Done);
    /// ```
    #[derive(Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "GstHipEvent")]
    pub struct HipEvent(Shared<ffi::GstHipEvent>);

    match fn {
        ref => |ptr| ffi::gst_hip_event_ref(ptr),
        unref => |ptr| ffi::gst_hip_event_unref(ptr),
        type_ => || ffi::gst_hip_event_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipEvent {}
unsafe impl Sync for HipEvent {}

impl HipEvent {
    /// The vendor of its device.
    #[doc(alias = "gst_hip_event_get_vendor")]
    pub fn vendor(&self) -> HipVendor {
        unsafe { from_glib(ffi::gst_hip_event_get_vendor(self.to_glib_none().0)) }
    }

    /// The ordinal of its device within the vendor.
    #[doc(alias = "gst_hip_event_get_device_id")]
    pub fn device_id(&self) -> u32 {
        unsafe { ffi::gst_hip_event_get_device_id(self.to_glib_none().0) }
    }

    /// Records it: it will be done when all work queued before on `stream` is.
    /// [`HipStream::record()`] makes an event for that; this is for events of a
    /// [`HipEventPool`].
    ///
    /// # Errors
    ///
    /// `Invalid` for an event that is pending (others may wait for it), is being
    /// recorded by another thread, or belongs to another device than `stream`;
    /// `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_event_record_on_stream")]
    pub fn record_on_stream(&self, stream: &HipStream) -> Result<(), glib::Error> {
        check("recording an event", |error| unsafe {
            ffi::gst_hip_event_record_on_stream(
                self.to_glib_none().0,
                stream.to_glib_none().0,
                error,
            )
        })
    }

    /// Whether the work before it has finished. An event that was never recorded
    /// has nothing to wait for and is done.
    #[doc(alias = "gst_hip_event_query_state")]
    pub fn state(&self) -> HipEventState {
        unsafe { from_glib(ffi::gst_hip_event_query_state(self.to_glib_none().0)) }
    }

    /// Sleeps until the work before it has finished. To make a stream wait, which
    /// costs the CPU nothing, use [`HipStream::wait_event()`].
    ///
    /// Blocking: waits for the device.
    ///
    /// # Errors
    ///
    /// `DeviceLost` and what the device reports where the work failed.
    #[doc(alias = "gst_hip_event_wait")]
    pub fn wait(&self) -> Result<(), glib::Error> {
        check("waiting for an event", |error| unsafe {
            ffi::gst_hip_event_wait(self.to_glib_none().0, error)
        })
    }

    /// Nanoseconds on the device from `start` to `stop`, both
    /// [recorded timed](HipStream::record_timed) on one device and done.
    ///
    /// # Errors
    ///
    /// `Invalid` for events that are not timed, not done, or of different
    /// devices; `DeviceLost`, `Failed`.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipEvent, HipStream, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let stream = HipStream::new(&device).unwrap();
    /// let start = stream.record_timed().unwrap();
    /// let stop = stream.record_timed().unwrap();
    /// stop.wait().unwrap();
    /// assert!(HipEvent::elapsed_ns(&start, &stop).unwrap() >= 0.0);
    /// ```
    #[doc(alias = "gst_hip_event_get_elapsed")]
    pub fn elapsed_ns(start: &HipEvent, stop: &HipEvent) -> Result<f64, glib::Error> {
        skip_assert_initialized!();
        let mut elapsed = 0.0;
        check("measuring time", |error| unsafe {
            ffi::gst_hip_event_get_elapsed(
                start.to_glib_none().0,
                stop.to_glib_none().0,
                &mut elapsed,
                error,
            )
        })?;
        Ok(elapsed)
    }

    /// Has `func` called once when the event has ended, from a worker thread of
    /// the library, never from the caller; soon if it has ended already. For the
    /// events of one stream in the order of the calls of this function. A panic
    /// in `func` aborts. After the program has begun to exit nothing is called
    /// any more.
    #[doc(alias = "gst_hip_event_notify")]
    pub fn notify<F>(&self, func: F)
    where
        F: FnOnce(&HipEvent, HipEventState) + Send + 'static,
    {
        unsafe extern "C" fn call<F: FnOnce(&HipEvent, HipEventState) + Send + 'static>(
            event: *mut ffi::GstHipEvent,
            state: ffi::GstHipEventState,
            user_data: glib::ffi::gpointer,
        ) {
            // SAFETY: called once with the box from below and a live event.
            unsafe {
                if let Some(func) = (*user_data.cast::<Option<F>>()).take() {
                    func(&from_glib_borrow(event), from_glib(state));
                }
            }
        }
        unsafe extern "C" fn destroy<F>(user_data: glib::ffi::gpointer) {
            // SAFETY: called once, last, with the box from below.
            drop(unsafe { Box::from_raw(user_data.cast::<Option<F>>()) });
        }

        let user_data = Box::into_raw(Box::new(Some(func)));
        unsafe {
            ffi::gst_hip_event_notify(
                self.to_glib_none().0,
                Some(call::<F>),
                user_data.cast(),
                Some(destroy::<F>),
            );
        }
    }
}

glib::wrapper! {
    /// Events of a device that are made once and used again.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipEventPool, HipEventState, HipStream, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let stream = HipStream::new(&device).unwrap();
    /// let event = HipEventPool::new(&device).unwrap().acquire().unwrap();
    /// event.record_on_stream(&stream).unwrap();
    /// event.wait().unwrap();
    /// ```
    #[doc(alias = "GstHipEventPool")]
    pub struct HipEventPool(Object<ffi::GstHipEventPool>) @extends gst::Object;

    match fn {
        type_ => || ffi::gst_hip_event_pool_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipEventPool {}
unsafe impl Sync for HipEventPool {}

impl HipEventPool {
    /// Makes a pool of events of `device`.
    ///
    /// # Errors
    ///
    /// `Failed` if the device cannot be opened (any more); the log says why.
    #[doc(alias = "gst_hip_event_pool_new")]
    pub fn new(device: &crate::HipDevice) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let pool =
            unsafe { ffi::gst_hip_event_pool_new(device.vendor().into_glib(), device.device_id()) };
        // SAFETY: a new reference, if anything.
        unsafe { from_glib_full::<_, Option<Self>>(pool) }
            .ok_or_else(|| glib::Error::new(HipError::Failed, "there is no such device any more"))
    }

    /// An event that was never recorded; it goes back with its last reference,
    /// also while pending.
    ///
    /// # Errors
    ///
    /// `Failed` if there is none; the log says why.
    #[doc(alias = "gst_hip_event_pool_acquire")]
    pub fn acquire(&self) -> Result<HipEvent, glib::Error> {
        let mut event = ptr::null_mut();
        check("acquiring an event", |_error| unsafe {
            ffi::gst_hip_event_pool_acquire(self.to_glib_none().0, &mut event)
        })?;
        // SAFETY: a reference that is ours.
        Ok(unsafe { from_glib_full(event) })
    }
}
