// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How do elements, neighbours and the application agree on a device?

use crate::error::check;
use crate::{HipDevice, HipVendor, ffi, glib};
use glib::{prelude::*, translate::*};
use std::ptr;

fn device_id_to_glib(device_id: Option<u32>) -> i32 {
    device_id.map_or(-1, |id| i32::try_from(id).unwrap_or(i32::MAX))
}

/// Finds the device for an element that fits `vendor` and `device_id`: `current`
/// if it does, else in this order that of contexts which the element was given,
/// of neighbours, of the application, of the environment, an automatic choice. A
/// device opened here is announced to the application.
///
/// For an element's change from NULL to READY or its `start()`. Hold no lock that
/// its `set_context()` takes: queries and messages run other people's code.
///
/// Blocking: while a device is opened for the first time.
///
/// # Errors
///
/// Those of [`HipDevice::new()`].
///
/// ```
/// use gstreamer_hip::{ensure_element_device, gst, HipVendor};
/// gst::init().unwrap();
/// let element = gst::ElementFactory::make("identity").build().unwrap();
/// let device = ensure_element_device(&element, HipVendor::Host, None, None).unwrap();
/// let again = ensure_element_device(&element, HipVendor::Unknown, None, Some(&device));
/// assert_eq!(again.unwrap(), device);
/// ```
#[doc(alias = "gst_hip_ensure_element_data_full")]
pub fn ensure_element_device(
    element: &impl IsA<gst::Element>,
    vendor: HipVendor,
    device_id: Option<u32>,
    current: Option<&HipDevice>,
) -> Result<HipDevice, glib::Error> {
    assert_initialized_main_thread!();
    let mut device: *mut ffi::GstHipDevice = current.to_glib_full();
    let result = check("finding a device", |error| unsafe {
        ffi::gst_hip_ensure_element_data_full(
            element.as_ref().to_glib_none().0,
            vendor.into_glib(),
            device_id_to_glib(device_id),
            &mut device,
            error,
        )
    });
    // SAFETY: the location owns one reference, if anything.
    let device: Option<HipDevice> = unsafe { from_glib_full(device) };
    result.map(|()| device.expect("a device that fits"))
}

/// For an element's `set_context()`, which calls its parent's too: takes the
/// device out of a context into `device`, unless one that fits is there. Returns
/// whether the context was a device's that fits.
///
/// ```
/// use gstreamer_hip::{gst, handle_set_context, HipDevice, HipVendor};
/// gst::init().unwrap();
/// let element = gst::ElementFactory::make("identity").build().unwrap();
/// let context = HipDevice::new(HipVendor::Host, None).unwrap().to_context();
/// let mut device = None;
/// assert!(handle_set_context(&element, &context, HipVendor::Unknown, None, &mut device));
/// assert!(device.is_some());
/// ```
#[doc(alias = "gst_hip_handle_set_context")]
pub fn handle_set_context(
    element: &impl IsA<gst::Element>,
    context: &gst::Context,
    vendor: HipVendor,
    device_id: Option<u32>,
    device: &mut Option<HipDevice>,
) -> bool {
    skip_assert_initialized!();
    // SAFETY: the location owns one reference, if anything, before and after.
    unsafe {
        let mut slot: *mut ffi::GstHipDevice = device.take().into_glib_ptr();
        let fits = ffi::gst_hip_handle_set_context(
            element.as_ref().to_glib_none().0,
            context.to_glib_none().0,
            vendor.into_glib(),
            device_id_to_glib(device_id),
            &mut slot,
        );
        *device = from_glib_full(slot);
        from_glib(fits)
    }
}

/// For an element's `query()`: answers a context query for
/// [`HIP_DEVICE_CONTEXT_TYPE`](crate::HIP_DEVICE_CONTEXT_TYPE) with `device`.
/// Returns whether the query was answered.
///
/// ```
/// use gstreamer_hip::{gst, handle_context_query, HipDevice, HipVendor};
/// gst::init().unwrap();
/// let element = gst::ElementFactory::make("identity").build().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let mut query = gst::query::Context::new(gstreamer_hip::HIP_DEVICE_CONTEXT_TYPE);
/// assert!(handle_context_query(&element, query.get_mut().unwrap(), Some(&device)));
/// assert!(query.context().is_some());
/// ```
#[doc(alias = "gst_hip_handle_context_query")]
pub fn handle_context_query(
    element: &impl IsA<gst::Element>,
    query: &mut gst::QueryRef,
    device: Option<&HipDevice>,
) -> bool {
    skip_assert_initialized!();
    unsafe {
        from_glib(ffi::gst_hip_handle_context_query(
            element.as_ref().to_glib_none().0,
            query.as_mut_ptr(),
            device.map_or(ptr::null_mut(), |device| device.to_glib_none().0),
        ))
    }
}

impl HipDevice {
    /// A context for [`Element::set_context()`](gst::prelude::ElementExt::set_context)
    /// of a pipeline or an element.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let context = device.to_context();
    /// assert_eq!(context.context_type(), gstreamer_hip::HIP_DEVICE_CONTEXT_TYPE);
    /// assert_eq!(HipDevice::from_context(&context), Some(device));
    /// ```
    #[doc(alias = "gst_context_new_hip_device")]
    pub fn to_context(&self) -> gst::Context {
        unsafe { from_glib_full(ffi::gst_context_new_hip_device(self.to_glib_none().0)) }
    }

    /// The device that a context carries, if any.
    pub fn from_context(context: &gst::ContextRef) -> Option<Self> {
        skip_assert_initialized!();
        if context.context_type() != crate::HIP_DEVICE_CONTEXT_TYPE {
            return None;
        }
        context.structure().get("device").ok()
    }
}
