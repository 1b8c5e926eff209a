// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// What is a memory that a device can use, and how does one come to be?
//
// The wrapper types come from a macro of gstreamer-rs, so that buffers' memories
// can be cast to them. What maps do is in map.rs, ordering in access.rs.

use std::fmt;
use std::mem::{MaybeUninit, size_of};
use std::ptr;

use crate::error::check_pointer;
use crate::{HipAccess, HipDevice, HipEvent, HipMemoryKind, HipPod, HipStream, ffi, glib};
use glib::GStr;
use glib::translate::*;

/// Caps feature of frames in HIP device memory.
///
/// ```
/// assert_eq!(gstreamer_hip::CAPS_FEATURE_MEMORY_HIP_MEMORY, "memory:HIPMemory");
/// ```
#[doc(alias = "GST_CAPS_FEATURE_MEMORY_HIP_MEMORY")]
// SAFETY: text with its zero.
pub static CAPS_FEATURE_MEMORY_HIP_MEMORY: &GStr = unsafe {
    GStr::from_utf8_with_nul_unchecked(ffi::GST_CAPS_FEATURE_MEMORY_HIP_MEMORY.to_bytes_with_nul())
};

/// Memory type of HIP allocators, under which the default one is registered.
///
/// ```
/// assert_eq!(gstreamer_hip::HIP_MEMORY_NAME, "HIPMemory");
/// ```
#[doc(alias = "GST_HIP_MEMORY_NAME")]
// SAFETY: text with its zero.
pub static HIP_MEMORY_NAME: &GStr =
    unsafe { GStr::from_utf8_with_nul_unchecked(ffi::GST_HIP_MEMORY_NAME.to_bytes_with_nul()) };

/// The macro of gstreamer-rs takes no documentation; what it makes is documented at
/// the implementations below.
#[allow(missing_docs)]
mod wrapper {
    use super::{ffi, glib};
    use glib::translate::*;

    gst::memory_object_wrapper!(
        HipMemory,
        HipMemoryRef,
        ffi::GstHipMemory,
        |memory: &gst::MemoryRef| {
            // SAFETY: asks a live memory for its type.
            unsafe { from_glib(ffi::gst_is_hip_memory(memory.as_mut_ptr())) }
        },
        gst::Memory,
        gst::MemoryRef
    );
}

pub use wrapper::{HipMemory, HipMemoryRef};

impl fmt::Debug for HipMemoryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipMemory")
            .field("ptr", &self.as_ptr())
            .field("kind", &self.kind())
            .field("device", &self.device())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for HipMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HipMemoryRef::fmt(self, f)
    }
}

fn allocated(
    call: impl FnOnce(*mut *mut glib::ffi::GError) -> *mut gst::ffi::GstMemory,
) -> Result<HipMemory, glib::Error> {
    check_pointer("allocating memory", call)
        // SAFETY: a new reference on a memory of this kind.
        .map(|memory| unsafe { from_glib_full(memory.as_ptr().cast::<ffi::GstHipMemory>()) })
}

/// The same for functions that call `release` once, when the memory is gone, and not
/// at all if there is an error.
pub(crate) fn allocated_with_release<F: FnOnce() + Send + 'static>(
    release: F,
    call: impl FnOnce(
        glib::ffi::gpointer,
        glib::ffi::GDestroyNotify,
        *mut *mut glib::ffi::GError,
    ) -> *mut gst::ffi::GstMemory,
) -> Result<HipMemory, glib::Error> {
    unsafe extern "C" fn destroy<F: FnOnce()>(user_data: glib::ffi::gpointer) {
        // SAFETY: called once, with the box from below.
        let release = unsafe { Box::from_raw(user_data.cast::<F>()) };
        release();
    }

    let user_data = Box::into_raw(Box::new(release));
    let result = allocated(|error| call(user_data.cast(), Some(destroy::<F>), error));
    if result.is_err() {
        // SAFETY: destroy() is not called then.
        drop(unsafe { Box::from_raw(user_data) });
    }
    result
}

/// Memory that a device can use: on the device, page-locked, or the application's
/// own. Dropping it never waits and never breaks work that is queued: the bytes
/// stay until the device is done with them.
///
/// A memory of a buffer is cast:
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let mut buffer = gst::Buffer::new();
/// let memory = HipMemory::from_slice(&device, &[1.5f32, 2.5]).unwrap();
/// buffer.get_mut().unwrap().append_memory(memory.upcast_memory::<gst::Memory>());
///
/// let memory = buffer.memory(0).unwrap().downcast_memory::<HipMemory>().unwrap();
/// assert_eq!(memory.to_vec::<f32>().unwrap(), [1.5, 2.5]);
/// ```
impl HipMemory {
    /// Allocates bytes without a layout on the device: tensors, tables, scratch.
    ///
    /// # Errors
    ///
    /// `Invalid` for no or an absurd size, `OutOfMemory`.
    #[doc(alias = "gst_hip_allocator_alloc_linear")]
    pub fn alloc_linear(device: &HipDevice, size: usize) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        allocated(|error| unsafe {
            ffi::gst_hip_allocator_alloc_linear(
                ptr::null_mut(),
                device.to_glib_none().0,
                size,
                error,
            )
        })
    }

    /// Allocates CPU memory that the device reads and writes directly.
    ///
    /// # Errors
    ///
    /// `Invalid` for no or an absurd size, `OutOfMemory`.
    #[doc(alias = "gst_hip_allocator_alloc_pinned")]
    pub fn alloc_pinned(device: &HipDevice, size: usize) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        allocated(|error| unsafe {
            ffi::gst_hip_allocator_alloc_pinned(
                ptr::null_mut(),
                device.to_glib_none().0,
                size,
                error,
            )
        })
    }

    /// Allocates a frame on the device, in the layout that the device likes best;
    /// [`video_info()`](HipMemoryRef::video_info) tells it.
    ///
    /// # Errors
    ///
    /// Those of [`alloc_video()`](Self::alloc_video).
    ///
    /// ```
    /// use gstreamer_hip::{gst, gst_video, HipDevice, HipMemory, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Nv12, 321, 241);
    /// let frame = HipMemory::alloc_frame(&device, &info.build().unwrap()).unwrap();
    /// assert_eq!(frame.video_info().unwrap().n_planes(), 2);
    /// ```
    #[doc(alias = "gst_hip_allocator_alloc")]
    pub fn alloc_frame(
        device: &HipDevice,
        info: &gst_video::VideoInfo,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let info = crate::align_video_info(info, device.info().stride_align())?;
        Self::alloc_video(device, HipMemoryKind::Device, &info)
    }

    /// Allocates a frame of exactly the layout in `info`, on the device, pinned, or
    /// on the device to be exported.
    ///
    /// # Errors
    ///
    /// `Invalid` for a wrapped or imported kind and if planes do not lie in the size of
    /// `info`, `Unsupported` for formats that do not lie in rows and where the device
    /// exports none, `OutOfMemory`.
    #[doc(alias = "gst_hip_allocator_alloc_video")]
    pub fn alloc_video(
        device: &HipDevice,
        kind: HipMemoryKind,
        info: &gst_video::VideoInfo,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        if !matches!(
            kind,
            HipMemoryKind::Device | HipMemoryKind::Pinned | HipMemoryKind::Exported
        ) {
            let message = "frames are allocated on the device or pinned";
            return Err(glib::Error::new(crate::HipError::Invalid, message));
        }
        allocated(|error| unsafe {
            ffi::gst_hip_allocator_alloc_video(
                ptr::null_mut(),
                device.to_glib_none().0,
                kind.into_glib(),
                info.to_glib_none().0,
                error,
            )
        })
    }

    /// Allocates memory on the device for a copy of `data`, which is transferred
    /// by its first use there.
    ///
    /// # Errors
    ///
    /// `Invalid` for no data, `OutOfMemory`.
    pub fn from_slice<T: HipPod>(device: &HipDevice, data: &[T]) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let mut memory = Self::alloc_linear(device, size_of_val(data))?;
        memory
            .get_mut()
            .expect("nobody else knows it yet")
            .copy_from_slice(data)?;
        Ok(memory)
    }

    /// Makes a memory of a vector's bytes, without a copy; page-locked while
    /// wrapped where the device needs that. The vector is dropped, on a worker
    /// thread, when the memory is gone and the device is done with it.
    ///
    /// # Errors
    ///
    /// `Invalid` for an empty vector, or what the driver says against
    /// page-locking; the vector is dropped then.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipMemory, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let memory = HipMemory::wrap_vec(&device, vec![1u32, 2, 3]).unwrap();
    /// assert_eq!(*memory.map_slice::<u32>().unwrap(), [1, 2, 3]);
    /// ```
    #[doc(alias = "gst_hip_allocator_alloc_wrapped")]
    pub fn wrap_vec<T: HipPod>(device: &HipDevice, mut data: Vec<T>) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let (address, size) = (data.as_mut_ptr() as usize, size_of_val(&data[..]));
        // SAFETY: the vector's bytes stay where they are while the closure has it.
        unsafe {
            Self::wrap_raw(
                device,
                HipMemoryKind::WrappedHost,
                address,
                size,
                move || {
                    drop(data);
                },
            )
        }
    }

    /// Makes a memory of the application's CPU memory
    /// ([`WrappedHost`](HipMemoryKind::WrappedHost)) or of its memory on `device`
    /// ([`WrappedDevice`](HipMemoryKind::WrappedDevice)), without a copy. `release` is
    /// called once, on a worker thread, when the memory is gone and the device is
    /// done with it; not called after an error.
    ///
    /// # Safety
    ///
    /// `size` bytes from `address` on are valid for the CPU or for `device`, and
    /// used by nothing else but in the order that the memory keeps, until `release`
    /// is called. What the CPU finds in there is initialised.
    ///
    /// # Errors
    ///
    /// `Invalid` for no size or address or another kind, or what the driver says
    /// against page-locking.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipMemory, HipMemoryKind, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let other = HipMemory::from_slice(&device, &[5u8; 16]).unwrap();
    /// let address = other.begin_access(
    ///     &device.default_stream().unwrap(), gstreamer_hip::HipAccess::Read).unwrap().address();
    /// // SAFETY: the memory at the address lives in the closure.
    /// let memory = unsafe {
    ///     HipMemory::wrap_raw(&device, HipMemoryKind::WrappedDevice, address, 16, || drop(other))
    /// };
    /// assert_eq!(memory.unwrap().to_vec::<u8>().unwrap(), [5; 16]);
    /// ```
    #[doc(alias = "gst_hip_allocator_alloc_wrapped")]
    pub unsafe fn wrap_raw<F: FnOnce() + Send + 'static>(
        device: &HipDevice,
        kind: HipMemoryKind,
        address: usize,
        size: usize,
        release: F,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        if !matches!(
            kind,
            HipMemoryKind::WrappedHost | HipMemoryKind::WrappedDevice
        ) {
            let message = "only the kinds for it wrap memory";
            return Err(glib::Error::new(crate::HipError::Invalid, message));
        }
        allocated_with_release(release, |user_data, destroy, error| unsafe {
            ffi::gst_hip_allocator_alloc_wrapped(
                ptr::null_mut(),
                device.to_glib_none().0,
                kind.into_glib(),
                address as glib::ffi::gpointer,
                size,
                user_data,
                destroy,
                error,
            )
        })
    }
}

/// What a [`HipMemory`] has, borrowed.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipMemoryRef, HipVendor};
/// fn describe(memory: &HipMemoryRef) -> String {
///     format!("{} bytes on {}", memory.size(), memory.device().info().name())
/// }
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// println!("{}", describe(&HipMemory::alloc_linear(&device, 100).unwrap()));
/// ```
impl HipMemoryRef {
    /// The device that it belongs to.
    pub fn device(&self) -> HipDevice {
        // SAFETY: a live memory has one for its whole life.
        unsafe { from_glib_none((*self.as_ptr()).device) }
    }

    /// What it is.
    #[doc(alias = "gst_hip_memory_get_kind")]
    pub fn kind(&self) -> HipMemoryKind {
        unsafe { from_glib(ffi::gst_hip_memory_get_kind(self.as_mut_ptr())) }
    }

    /// The layout of a frame: format, size, strides (bytes) and offsets (bytes
    /// from the start of the memory) of its planes. Linear memory and parts of
    /// frames have none.
    #[doc(alias = "gst_hip_memory_get_video_info")]
    pub fn video_info(&self) -> Option<gst_video::VideoInfo> {
        let mut info = MaybeUninit::uninit();
        // SAFETY: written where the answer is yes.
        unsafe {
            let found = ffi::gst_hip_memory_get_video_info(self.as_mut_ptr(), info.as_mut_ptr());
            (found != glib::ffi::GFALSE).then(|| from_glib_none(info.as_ptr()))
        }
    }

    /// The address that kernels and native calls use for the first byte, valid as
    /// long as the memory. It orders nothing:
    /// [`begin_access()`](Self::begin_access) goes around its use.
    #[doc(alias = "gst_hip_memory_get_address")]
    pub fn address(&self) -> usize {
        unsafe { ffi::gst_hip_memory_get_address(self.as_mut_ptr()) }
    }

    /// The stream on which device maps, transfers and copies of the memory are
    /// ordered: its pool's, or the default one of its device; `None` if the device
    /// has failed.
    #[doc(alias = "gst_hip_memory_get_stream")]
    pub fn stream(&self) -> Option<HipStream> {
        unsafe { from_glib_none(ffi::gst_hip_memory_get_stream(self.as_mut_ptr())) }
    }

    /// Changes what [`stream()`](Self::stream) is; `None`: the device's default.
    /// What is pending on the old one stays known.
    ///
    /// # Safety
    ///
    /// Nobody calls [`stream()`](Self::stream) at the same time, on this memory or
    /// on one that shares its bytes. `stream` belongs to the memory's device.
    #[doc(alias = "gst_hip_memory_set_stream")]
    pub unsafe fn set_stream(&mut self, stream: Option<&HipStream>) {
        unsafe {
            ffi::gst_hip_memory_set_stream(
                self.as_mut_ptr(),
                stream.map_or(ptr::null_mut(), |stream| stream.to_glib_none().0),
            );
        }
    }

    /// Names an event that was recorded behind work which wrote to the memory.
    #[doc(alias = "gst_hip_memory_set_event")]
    pub fn set_event(&self, event: &HipEvent) {
        unsafe { ffi::gst_hip_memory_set_event(self.as_mut_ptr(), event.to_glib_none().0) }
    }

    /// Whether an access now would find nothing to come after: no unfinished
    /// writer, and for writing no unfinished reader.
    #[doc(alias = "gst_hip_memory_is_idle")]
    pub fn is_idle(&self, access: HipAccess) -> bool {
        unsafe {
            from_glib(ffi::gst_hip_memory_is_idle(
                self.as_mut_ptr(),
                access.flags(),
            ))
        }
    }

    /// Waits until no work is pending on the memory. A failure is logged.
    ///
    /// Blocking: waits for the device.
    #[doc(alias = "gst_hip_memory_sync")]
    pub fn sync(&self) {
        unsafe { ffi::gst_hip_memory_sync(self.as_mut_ptr()) }
    }
}

const _: () = assert!(size_of::<HipMemory>() == size_of::<*mut ffi::GstHipMemory>());
