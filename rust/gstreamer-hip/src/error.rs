// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Which errors are there, and how does a C call's outcome become a `Result`?

use std::ffi::CString;
use std::ptr;

use crate::{ffi, glib};
use glib::translate::*;

/// What went wrong: the kind of a [`glib::Error`] of this library.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipError, HipVendor};
/// gst::init().unwrap();
/// let error = HipDevice::new(HipVendor::Host, Some(99)).unwrap_err();
/// assert_eq!(error.kind::<HipError>(), Some(HipError::Unavailable));
/// println!("{error}"); // says what there is instead
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias = "GstHipError")]
#[doc(alias = "gst_hip_error_quark")]
pub enum HipError {
    /// No such device, driver or library on this machine.
    Unavailable,
    /// The device or the machine has no memory left.
    OutOfMemory,
    /// The device failed; every later call on it fails at once.
    DeviceLost,
    /// A kernel did not compile; the message carries the compiler's text.
    Compile,
    /// A kernel could not be started.
    Launch,
    /// This device or this build cannot do it.
    Unsupported,
    /// What was asked for contradicts itself or its objects.
    Invalid,
    /// The device did not finish in time.
    Timeout,
    /// Any other failure of the driver.
    Failed,
    #[doc(hidden)]
    __Unknown(i32),
}

impl glib::error::ErrorDomain for HipError {
    fn domain() -> glib::Quark {
        // SAFETY: makes a quark of a constant.
        unsafe { from_glib(ffi::gst_hip_error_quark()) }
    }

    fn code(self) -> i32 {
        match self {
            Self::Unavailable => ffi::GST_HIP_ERROR_UNAVAILABLE,
            Self::OutOfMemory => ffi::GST_HIP_ERROR_OUT_OF_MEMORY,
            Self::DeviceLost => ffi::GST_HIP_ERROR_DEVICE_LOST,
            Self::Compile => ffi::GST_HIP_ERROR_COMPILE,
            Self::Launch => ffi::GST_HIP_ERROR_LAUNCH,
            Self::Unsupported => ffi::GST_HIP_ERROR_UNSUPPORTED,
            Self::Invalid => ffi::GST_HIP_ERROR_INVALID,
            Self::Timeout => ffi::GST_HIP_ERROR_TIMEOUT,
            Self::Failed => ffi::GST_HIP_ERROR_FAILED,
            Self::__Unknown(code) => code,
        }
    }

    fn from(code: i32) -> Option<Self> {
        Some(match code {
            ffi::GST_HIP_ERROR_UNAVAILABLE => Self::Unavailable,
            ffi::GST_HIP_ERROR_OUT_OF_MEMORY => Self::OutOfMemory,
            ffi::GST_HIP_ERROR_DEVICE_LOST => Self::DeviceLost,
            ffi::GST_HIP_ERROR_COMPILE => Self::Compile,
            ffi::GST_HIP_ERROR_LAUNCH => Self::Launch,
            ffi::GST_HIP_ERROR_UNSUPPORTED => Self::Unsupported,
            ffi::GST_HIP_ERROR_INVALID => Self::Invalid,
            ffi::GST_HIP_ERROR_TIMEOUT => Self::Timeout,
            ffi::GST_HIP_ERROR_FAILED => Self::Failed,
            code => Self::__Unknown(code),
        })
    }
}

/// The error that a C function left, or one that says which function left none.
///
/// # Safety
///
/// `error` is null or a `GError` that is the caller's.
unsafe fn take_error(error: *mut glib::ffi::GError, what: &str) -> glib::Error {
    if error.is_null() {
        glib::Error::new(
            HipError::Failed,
            &format!("{what} failed; the log says why"),
        )
    } else {
        // SAFETY: promised by the caller.
        unsafe { from_glib_full(error) }
    }
}

/// Runs a C function that returns whether it worked and sets an error if not.
pub(crate) fn check(
    what: &str,
    call: impl FnOnce(*mut *mut glib::ffi::GError) -> glib::ffi::gboolean,
) -> Result<(), glib::Error> {
    let mut error = ptr::null_mut();
    if call(&mut error) != glib::ffi::GFALSE {
        return Ok(());
    }
    // SAFETY: what the function left is ours.
    Err(unsafe { take_error(error, what) })
}

/// Runs a C function that returns something that is ours, or null and an error.
pub(crate) fn check_pointer<T>(
    what: &str,
    call: impl FnOnce(*mut *mut glib::ffi::GError) -> *mut T,
) -> Result<ptr::NonNull<T>, glib::Error> {
    let mut error = ptr::null_mut();
    match ptr::NonNull::new(call(&mut error)) {
        Some(pointer) => Ok(pointer),
        // SAFETY: what the function left is ours.
        None => Err(unsafe { take_error(error, what) }),
    }
}

/// A C string, which text with a zero byte in it cannot be.
pub(crate) fn c_string(text: &str, what: &str) -> Result<CString, glib::Error> {
    CString::new(text)
        .map_err(|_| glib::Error::new(HipError::Invalid, &format!("{what} has a zero byte in it")))
}
