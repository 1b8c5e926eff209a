// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How do the CPU and native calls get at the bytes of a memory?
//
// A guard borrows its memory, so that it cannot outlive it, and writing borrows
// it alone. The CPU's guards are slices of a type; all know the device address.

use std::fmt;
use std::marker::PhantomData;
use std::mem::{MaybeUninit, align_of, size_of};
use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::{HipError, HipMemoryRef, ffi, glib};
use gst::memory::{Readable, Writable};

/// Values that are nothing but their bytes.
///
/// # Safety
///
/// Every pattern of bits is a value of the type, it has no padding, and it is not
/// of size zero.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipPod, HipVendor};
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Point {
///     x: f32,
///     y: f32,
/// }
/// // SAFETY: two floats without a gap.
/// unsafe impl HipPod for Point {}
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let points = HipMemory::from_slice(&device, &[Point { x: 1.0, y: 2.0 }; 3]).unwrap();
/// assert_eq!(points.map_slice::<Point>().unwrap()[2].y, 2.0);
/// ```
pub unsafe trait HipPod: Copy + Send + 'static {}

macro_rules! pod {
    ($($name:ty),+) => {$(
        // SAFETY: a number.
        unsafe impl HipPod for $name {}
    )+};
}
pod!(u8, i8, u16, i16, u32, i32, u64, i64, usize, isize, f32, f64);

// SAFETY: those without a gap; none are excluded by the slices.
unsafe impl<T: HipPod, const N: usize> HipPod for [T; N] {}

fn invalid(message: &str) -> glib::Error {
    skip_assert_initialized!();
    glib::Error::new(HipError::Invalid, message)
}

/// Whether a memory, and what it is a part of, has one owner. GStreamer lets every
/// owner of a memory write to it, so `&mut` alone does not say that nobody reads.
pub(crate) fn check_alone(memory: &gst::MemoryRef) -> Result<(), glib::Error> {
    skip_assert_initialized!();
    let mut next = Some(memory);
    while let Some(memory) = next {
        // SAFETY: the count of a live object, which is only used atomically.
        let owners =
            unsafe { AtomicI32::from_ptr(&raw mut (*memory.as_mut_ptr()).mini_object.refcount) };
        if owners.load(Ordering::SeqCst) != 1 {
            return Err(invalid(
                "somebody else has the memory, too: it is written by who has it alone. \
                 Let go of clones, of parts, of arguments that hold it",
            ));
        }
        next = memory.parent();
    }
    Ok(())
}

/// A map of GStreamer that ends when it is dropped.
struct Map {
    memory: *mut gst::ffi::GstMemory,
    info: gst::ffi::GstMapInfo,
}

impl Map {
    fn new(memory: &HipMemoryRef, flags: gst::ffi::GstMapFlags) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let mut info = MaybeUninit::uninit();
        let memory = memory.as_mut_ptr().cast::<gst::ffi::GstMemory>();
        // SAFETY: a live memory; info is written where the answer is yes.
        unsafe {
            if gst::ffi::gst_memory_map(memory, info.as_mut_ptr(), flags) == glib::ffi::GFALSE {
                let message = "the memory cannot be mapped like that now; the log says why";
                return Err(glib::Error::new(HipError::Failed, message));
            }
            let info = info.assume_init();
            Ok(Self { memory, info })
        }
    }

    /// The bytes as values of a type: where they start and how many there are.
    fn values<T: HipPod>(&self) -> Result<(*mut T, usize), glib::Error> {
        let data = self.info.data.cast::<T>();
        if size_of::<T>() == 0 || self.info.size % size_of::<T>() != 0 {
            return Err(invalid(&format!(
                "{} bytes are no whole number of values of {} bytes",
                self.info.size,
                size_of::<T>()
            )));
        }
        if !data.is_aligned() {
            return Err(invalid(&format!(
                "the memory starts at no multiple of {} bytes",
                align_of::<T>()
            )));
        }
        Ok((data, self.info.size / size_of::<T>()))
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: mapped by new(); the borrow of who has us keeps the memory alive.
        unsafe { gst::ffi::gst_memory_unmap(self.memory, &mut self.info) }
    }
}

/// The values in a memory, for the CPU to read; from
/// [`HipMemoryRef::map_slice()`].
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let memory = HipMemory::from_slice(&device, &[1i32, 2, 3]).unwrap();
/// let values = memory.map_slice::<i32>().unwrap();
/// assert_eq!(values.iter().sum::<i32>(), 6);
/// assert_eq!(values.address(), memory.address());
/// ```
pub struct HipSlice<'a, T: HipPod> {
    memory: &'a HipMemoryRef,
    data: *mut T,
    len: usize,
    _map: Map,
}

impl<T: HipPod> HipSlice<'_, T> {
    /// The device address of the memory's first byte.
    pub fn address(&self) -> usize {
        self.memory.address()
    }
}

impl<T: HipPod> Deref for HipSlice<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: mapped for reading; checked by values().
        unsafe { slice::from_raw_parts(self.data, self.len) }
    }
}

impl<T: HipPod + fmt::Debug> fmt::Debug for HipSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The values in a memory, for the CPU to read and write; from
/// [`HipMemoryRef::map_slice_mut()`].
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let mut memory = HipMemory::from_slice(&device, &[1i32, 2, 3]).unwrap();
/// memory.get_mut().unwrap().map_slice_mut::<i32>().unwrap()[1] = 7;
/// assert_eq!(memory.to_vec::<i32>().unwrap(), [1, 7, 3]);
/// ```
pub struct HipSliceMut<'a, T: HipPod> {
    memory: &'a mut HipMemoryRef,
    data: *mut T,
    len: usize,
    _map: Map,
}

impl<T: HipPod> HipSliceMut<'_, T> {
    /// The device address of the memory's first byte.
    pub fn address(&self) -> usize {
        self.memory.address()
    }
}

impl<T: HipPod> Deref for HipSliceMut<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: mapped for reading and writing; checked by values().
        unsafe { slice::from_raw_parts(self.data, self.len) }
    }
}

impl<T: HipPod> DerefMut for HipSliceMut<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the memory is borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.data, self.len) }
    }
}

impl<T: HipPod + fmt::Debug> fmt::Debug for HipSliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A memory that is mapped for the device, from
/// [`HipMemoryRef::map_device_readable()`] or
/// [`map_device_writable()`](HipMemoryRef::map_device_writable): until the guard is
/// dropped native calls on the memory's own [stream](HipMemoryRef::stream) may use
/// its address. The CPU's bytes, if newer, are transferred there before.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let memory = HipMemory::from_slice(&device, &[0u8; 100]).unwrap();
/// let map = memory.map_device_readable().unwrap();
/// assert_eq!((map.size(), map.address()), (100, memory.address()));
/// ```
pub struct HipDeviceMap<'a, A> {
    map: Map,
    _borrow: PhantomData<(&'a HipMemoryRef, A)>,
}

impl<A> HipDeviceMap<'_, A> {
    /// The device address of the first byte.
    pub fn address(&self) -> usize {
        self.map.info.data as usize
    }

    /// How many bytes there are.
    pub fn size(&self) -> usize {
        self.map.info.size
    }
}

impl<A> fmt::Debug for HipDeviceMap<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipDeviceMap")
            .field("address", &self.address())
            .field("size", &self.size())
            .finish()
    }
}

impl HipMemoryRef {
    /// Maps the memory for the CPU to read values of a type.
    ///
    /// Blocking: waits for the work that writes to the memory, and for the
    /// transfer.
    ///
    /// # Errors
    ///
    /// `Invalid` if the bytes are no such values by size or alignment, `Failed` if
    /// the memory cannot be mapped; the log says why.
    #[doc(alias = "gst_memory_map")]
    pub fn map_slice<T: HipPod>(&self) -> Result<HipSlice<'_, T>, glib::Error> {
        let map = Map::new(self, gst::ffi::GST_MAP_READ)?;
        let (data, len) = map.values()?;
        Ok(HipSlice {
            memory: self,
            data,
            len,
            _map: map,
        })
    }

    /// Maps the memory for the CPU to read and write values of a type. To
    /// overwrite all of it, [`copy_from_slice()`](Self::copy_from_slice) reads
    /// nothing back.
    ///
    /// Blocking: waits for the work that uses the memory, and for the transfer.
    ///
    /// # Errors
    ///
    /// `Invalid` if the bytes are no such values by size or alignment, or if
    /// somebody else has the memory, too (a clone, a part, arguments of a kernel);
    /// `Failed` if it cannot be mapped; the log says why.
    #[doc(alias = "gst_memory_map")]
    pub fn map_slice_mut<T: HipPod>(&mut self) -> Result<HipSliceMut<'_, T>, glib::Error> {
        check_alone(self)?;
        let map = Map::new(self, gst::ffi::GST_MAP_READWRITE)?;
        let (data, len) = map.values()?;
        Ok(HipSliceMut {
            memory: self,
            data,
            len,
            _map: map,
        })
    }

    /// Overwrites the whole memory by the CPU. Nothing is read back, and the
    /// bytes are transferred by the memory's next use on the device.
    ///
    /// Blocking: where the CPU writes the device's memory itself, until the work
    /// that uses it is done.
    ///
    /// # Errors
    ///
    /// `Invalid` if `data` is not as many bytes as the memory or somebody else has
    /// the memory, too; `Failed` if it cannot be mapped; the log says why.
    #[doc(alias = "gst_memory_map")]
    pub fn copy_from_slice<T: HipPod>(&mut self, data: &[T]) -> Result<(), glib::Error> {
        let bytes = size_of_val(data);
        if bytes != self.size() {
            return Err(invalid(&format!(
                "{bytes} bytes for a memory of {}",
                self.size()
            )));
        }
        check_alone(self)?;
        let map = Map::new(self, gst::ffi::GST_MAP_WRITE)?;
        // SAFETY: as many bytes there as here, and nobody else has them.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr().cast(), map.info.data, bytes) };
        Ok(())
    }

    /// A copy of the values in the memory.
    ///
    /// Blocking: as [`map_slice()`](Self::map_slice).
    ///
    /// # Errors
    ///
    /// Those of [`map_slice()`](Self::map_slice).
    pub fn to_vec<T: HipPod>(&self) -> Result<Vec<T>, glib::Error> {
        Ok(self.map_slice()?.to_vec())
    }

    /// Maps the memory for native calls that read it.
    ///
    /// # Errors
    ///
    /// `Failed` if the memory cannot be mapped; the log says why.
    #[doc(alias = "GST_MAP_READ_HIP")]
    pub fn map_device_readable(&self) -> Result<HipDeviceMap<'_, Readable>, glib::Error> {
        self.map_device(ffi::GST_MAP_READ_HIP as gst::ffi::GstMapFlags)
    }

    /// Maps the memory for native calls that write it.
    ///
    /// # Errors
    ///
    /// `Failed` if the memory cannot be mapped; the log says why.
    #[doc(alias = "GST_MAP_WRITE_HIP")]
    pub fn map_device_writable(&mut self) -> Result<HipDeviceMap<'_, Writable>, glib::Error> {
        self.map_device(ffi::GST_MAP_WRITE_HIP as gst::ffi::GstMapFlags)
    }

    fn map_device<A>(
        &self,
        flags: gst::ffi::GstMapFlags,
    ) -> Result<HipDeviceMap<'_, A>, glib::Error> {
        Ok(HipDeviceMap {
            map: Map::new(self, flags)?,
            _borrow: PhantomData,
        })
    }
}
