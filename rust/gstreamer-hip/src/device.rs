// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Which devices are there, and how is one opened and asked?

use std::ffi::{CStr, c_char};
use std::fmt;

use crate::error::{c_string, check_pointer};
use crate::{HipDeviceCaps, HipStream, HipVendor, ffi, glib};
use glib::translate::*;

glib::wrapper! {
    /// A device: a GPU, or the CPU as one.
    ///
    /// All device objects of one native context share its streams, events and
    /// compiled kernels; those of one GPU are [equal](Self::is_equal).
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// assert!(device.is_equal(&HipDevice::new(HipVendor::Host, Some(0)).unwrap()));
    /// println!("{}", device.info().name());
    /// ```
    #[doc(alias = "GstHipDevice")]
    pub struct HipDevice(Object<ffi::GstHipDevice>) @extends gst::Object;

    match fn {
        type_ => || ffi::gst_hip_device_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipDevice {}
unsafe impl Sync for HipDevice {}

impl HipDevice {
    /// Opens a device. What is left open is taken from the environment variables
    /// `GST_HIP_VENDOR` and `GST_HIP_DEVICE`, else chosen: the first usable AMD
    /// GPU, NVIDIA GPU, the CPU.
    ///
    /// Blocking: while a device is opened for the first time.
    ///
    /// # Errors
    ///
    /// `Unavailable` with the reason, also if what was asked for is not there;
    /// `OutOfMemory`, `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_device_new_full")]
    pub fn new(vendor: HipVendor, device_id: Option<u32>) -> Result<Self, glib::Error> {
        assert_initialized_main_thread!();
        let id = device_id.map_or(-1, |id| i32::try_from(id).unwrap_or(i32::MAX));
        check_pointer("opening a device", |error| unsafe {
            ffi::gst_hip_device_new_full(vendor.into_glib(), id, error)
        })
        // SAFETY: a new reference.
        .map(|device| unsafe { from_glib_full(device.as_ptr()) })
    }

    /// Opens the device that sits at "domain:bus:device.function" (hexadecimal;
    /// domain and function may be left out): the way from a DRM, Vulkan or VA
    /// device to the same GPU here.
    ///
    /// Blocking: while a device is opened for the first time.
    ///
    /// # Errors
    ///
    /// `Invalid` for what is no address, `Unavailable` if no device is there.
    #[doc(alias = "gst_hip_device_new_for_pci_address")]
    pub fn for_pci_address(pci_address: &str) -> Result<Self, glib::Error> {
        assert_initialized_main_thread!();
        let address = c_string(pci_address, "the PCI address")?;
        check_pointer("opening a device", |error| unsafe {
            ffi::gst_hip_device_new_for_pci_address(address.as_ptr(), error)
        })
        // SAFETY: a new reference.
        .map(|device| unsafe { from_glib_full(device.as_ptr()) })
    }

    /// Wraps a context of the driver (a `CUcontext`) that the application made.
    ///
    /// # Safety
    ///
    /// `native_context` is a live context of that driver, and outlives the
    /// device and everything made from it.
    ///
    /// # Errors
    ///
    /// `Unsupported` where the backend knows no such contexts, `Unavailable`,
    /// `Invalid`.
    #[doc(alias = "gst_hip_device_new_for_native_context")]
    pub unsafe fn for_native_context(
        vendor: HipVendor,
        native_context: usize,
    ) -> Result<Self, glib::Error> {
        assert_initialized_main_thread!();
        check_pointer("wrapping a context", |error| unsafe {
            ffi::gst_hip_device_new_for_native_context(vendor.into_glib(), native_context, error)
        })
        // SAFETY: a new reference.
        .map(|device| unsafe { from_glib_full(device.as_ptr()) })
    }

    /// Which backend drives it; never [`HipVendor::Unknown`].
    #[doc(alias = "gst_hip_device_get_vendor")]
    pub fn vendor(&self) -> HipVendor {
        unsafe { from_glib(ffi::gst_hip_device_get_vendor(self.to_glib_none().0)) }
    }

    /// Its ordinal within its vendor.
    #[doc(alias = "gst_hip_device_get_device_id")]
    pub fn device_id(&self) -> u32 {
        unsafe { ffi::gst_hip_device_get_device_id(self.to_glib_none().0) }
    }

    /// What is known of it.
    #[doc(alias = "gst_hip_device_get_info")]
    pub fn info(&self) -> HipDeviceInfo {
        unsafe { from_glib_none(ffi::gst_hip_device_get_info(self.to_glib_none().0)) }
    }

    /// The driver's context (a `CUcontext`), as long as the device lives;
    /// elsewhere a number that means nothing outside.
    #[doc(alias = "gst_hip_device_get_native_context")]
    pub fn native_context(&self) -> usize {
        unsafe { ffi::gst_hip_device_get_native_context(self.to_glib_none().0) }
    }

    /// Whether both stand for the same native context, so that memory, streams
    /// and events of one can be used with the other.
    #[doc(alias = "gst_hip_device_is_equal")]
    pub fn is_equal(&self, other: &HipDevice) -> bool {
        unsafe {
            from_glib(ffi::gst_hip_device_is_equal(
                self.to_glib_none().0,
                other.to_glib_none().0,
            ))
        }
    }

    /// Whether the device failed; every call on it fails at once then.
    #[doc(alias = "gst_hip_device_is_lost")]
    pub fn is_lost(&self) -> bool {
        unsafe { from_glib(ffi::gst_hip_device_is_lost(self.to_glib_none().0)) }
    }

    /// Makes the driver's context current on this thread and leaves it so, for
    /// native calls of the driver. Nothing in this crate needs it. Returns
    /// whether it is current; a failure is logged.
    #[doc(alias = "gst_hip_device_set_current")]
    pub fn set_current(&self) -> bool {
        unsafe { from_glib(ffi::gst_hip_device_set_current(self.to_glib_none().0)) }
    }

    /// The default stream, shared by all equal device objects; `None` if it
    /// cannot be made (the reason is logged). What wants to overlap with others
    /// makes [its own](HipStream::new).
    #[doc(alias = "gst_hip_device_get_stream")]
    pub fn default_stream(&self) -> Option<HipStream> {
        unsafe { from_glib_none(ffi::gst_hip_device_get_stream(self.to_glib_none().0)) }
    }
}

glib::wrapper! {
    /// What is known of a device without opening it.
    ///
    /// ```
    /// use gstreamer_hip::{enumerate_devices, gst, HipVendor};
    /// gst::init().unwrap();
    /// let host = &enumerate_devices(HipVendor::Host)[0];
    /// println!("{} ({}), {} CPUs", host.name(), host.arch(), host.compute_units());
    /// assert!(host.max_threads_per_block() > 0);
    /// ```
    #[doc(alias = "GstHipDeviceInfo")]
    pub struct HipDeviceInfo(Boxed<ffi::GstHipDeviceInfo>);

    match fn {
        copy => |ptr| ffi::gst_hip_device_info_copy(ptr),
        free => |ptr| ffi::gst_hip_device_info_free(ptr),
        type_ => || ffi::gst_hip_device_info_get_type(),
    }
}

// SAFETY: plain values.
unsafe impl Send for HipDeviceInfo {}
unsafe impl Sync for HipDeviceInfo {}

/// A string in an array of a C struct, which is terminated inside it.
fn text(bytes: &[c_char]) -> &str {
    // SAFETY: same size, and any value is a byte.
    let bytes = unsafe { &*(std::ptr::from_ref(bytes) as *const [u8]) };
    CStr::from_bytes_until_nul(bytes).map_or("", |text| text.to_str().unwrap_or(""))
}

impl HipDeviceInfo {
    fn raw(&self) -> &ffi::GstHipDeviceInfo {
        // SAFETY: a live struct that nobody changes.
        unsafe { &*self.as_ptr() }
    }

    /// Its backend.
    pub fn vendor(&self) -> HipVendor {
        unsafe { from_glib(self.raw().vendor) }
    }

    /// Its ordinal within the backend.
    pub fn device_id(&self) -> u32 {
        self.raw().device_id
    }

    /// Its name.
    pub fn name(&self) -> &str {
        text(&self.raw().name)
    }

    /// What the compiler calls its architecture (gfx1100, sm_90, x86-64-v3).
    pub fn arch(&self) -> &str {
        text(&self.raw().arch)
    }

    /// "domain:bus:device.function" in hexadecimal, or empty.
    pub fn pci_address(&self) -> &str {
        text(&self.raw().pci_address)
    }

    /// Its UUID, all zero where it has none.
    pub fn uuid(&self) -> [u8; 16] {
        self.raw().uuid
    }

    /// Size of its memory.
    pub fn memory_bytes(&self) -> u64 {
        self.raw().memory_bytes
    }

    /// What it can do.
    pub fn caps(&self) -> HipDeviceCaps {
        HipDeviceCaps::from_bits_retain(self.raw().caps)
    }

    /// Version of the driver, 0 if unknown.
    pub fn driver_version(&self) -> u32 {
        self.raw().driver_version
    }

    /// Version of the run-time or compiler library, 0 if unknown.
    pub fn runtime_version(&self) -> u32 {
        self.raw().runtime_version
    }

    /// Multiprocessors, compute units or CPUs.
    pub fn compute_units(&self) -> u32 {
        self.raw().compute_units
    }

    /// Rows of frames start at multiples of this many bytes.
    pub fn stride_align(&self) -> u32 {
        self.raw().stride_align
    }

    /// Largest product of the three block sizes.
    pub fn max_threads_per_block(&self) -> u32 {
        self.raw().max_threads_per_block
    }

    /// Largest shared memory of a block.
    pub fn max_shared_bytes(&self) -> u32 {
        self.raw().max_shared_bytes
    }
}

impl fmt::Debug for HipDeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipDeviceInfo")
            .field("vendor", &self.vendor())
            .field("device_id", &self.device_id())
            .field("name", &self.name())
            .field("arch", &self.arch())
            .field("pci_address", &self.pci_address())
            .field("memory_bytes", &self.memory_bytes())
            .field("caps", &self.caps())
            .finish_non_exhaustive()
    }
}

/// Lists the devices that there are, in order of preference, without opening
/// one; [`HipVendor::Unknown`]: of all vendors. A backend that is not usable has
/// none; [`backend_info()`] says why.
///
/// Blocking: while libraries are loaded for the first time.
///
/// ```
/// use gstreamer_hip::{enumerate_devices, gst, HipVendor};
/// gst::init().unwrap();
/// for info in enumerate_devices(HipVendor::Unknown) {
///     println!("{:?} {}: {}", info.vendor(), info.device_id(), info.name());
/// }
/// ```
#[doc(alias = "gst_hip_enumerate_devices")]
pub fn enumerate_devices(vendor: HipVendor) -> Vec<HipDeviceInfo> {
    assert_initialized_main_thread!();
    // SAFETY: an array of ours, of structs that it frees.
    unsafe {
        let array = ffi::gst_hip_enumerate_devices(vendor.into_glib());
        let devices = (0..(*array).len as usize)
            .map(|i| from_glib_none(*(*array).pdata.add(i) as *const ffi::GstHipDeviceInfo))
            .collect();
        glib::ffi::g_ptr_array_unref(array);
        devices
    }
}

/// Describes a backend: "name", "devices" (how many there are) and what it says
/// of itself, like paths and versions of the libraries that it loaded.
///
/// Blocking: while libraries are loaded for the first time.
///
/// # Errors
///
/// `Unavailable` with the reason why it is not usable.
///
/// ```
/// use gstreamer_hip::{backend_info, gst, HipVendor};
/// gst::init().unwrap();
/// let info = backend_info(HipVendor::Host).unwrap();
/// assert_eq!(info.get::<String>("name").unwrap(), "host");
/// ```
#[doc(alias = "gst_hip_get_backend_info")]
pub fn backend_info(vendor: HipVendor) -> Result<gst::Structure, glib::Error> {
    assert_initialized_main_thread!();
    check_pointer("asking the backend", |error| unsafe {
        ffi::gst_hip_get_backend_info(vendor.into_glib(), error)
    })
    // SAFETY: a new structure.
    .map(|structure| unsafe { from_glib_full(structure.as_ptr()) })
}

/// Loads a driver's libraries, which everything else does by itself when
/// needed. Returns whether the backend is usable; the reason why not is logged.
///
/// Blocking: while libraries are loaded for the first time.
#[doc(alias = "gst_hip_load_library")]
pub fn load_library(vendor: HipVendor) -> bool {
    assert_initialized_main_thread!();
    unsafe { from_glib(ffi::gst_hip_load_library(vendor.into_glib())) }
}
