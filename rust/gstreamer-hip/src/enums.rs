// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Which values do properties, memory, events and parameters have?

use crate::{ffi, glib};
use glib::{bitflags::bitflags, prelude::*, translate::*};

/// A Rust enumeration for a C one, with what properties and `glib::Value` need.
macro_rules! hip_enum {
    ($(#[$doc:meta])* $name:ident, $ffi:ident, $get_type:ident,
     $($(#[$item_doc:meta])* $item:ident = $value:ident),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$item_doc])* $item,)+
            #[doc(hidden)]
            __Unknown(i32),
        }

        #[doc(hidden)]
        impl IntoGlib for $name {
            type GlibType = ffi::$ffi;

            fn into_glib(self) -> ffi::$ffi {
                match self {
                    $(Self::$item => ffi::$value,)+
                    Self::__Unknown(value) => value,
                }
            }
        }

        #[doc(hidden)]
        impl FromGlib<ffi::$ffi> for $name {
            unsafe fn from_glib(value: ffi::$ffi) -> Self {
                match value {
                    $(ffi::$value => Self::$item,)+
                    value => Self::__Unknown(value),
                }
            }
        }

        impl StaticType for $name {
            fn static_type() -> glib::Type {
                // SAFETY: registers the type.
                unsafe { from_glib(ffi::$get_type()) }
            }
        }

        impl glib::value::ValueType for $name {
            type Type = Self;
        }

        unsafe impl<'a> glib::value::FromValue<'a> for $name {
            type Checker = glib::value::GenericValueTypeChecker<Self>;

            unsafe fn from_value(value: &'a glib::Value) -> Self {
                // SAFETY: the checker has seen that it holds the type.
                unsafe { from_glib(glib::gobject_ffi::g_value_get_enum(value.to_glib_none().0)) }
            }
        }

        impl ToValue for $name {
            fn to_value(&self) -> glib::Value {
                let mut value = glib::Value::for_value_type::<Self>();
                // SAFETY: the value has just been made for the type.
                unsafe {
                    glib::gobject_ffi::g_value_set_enum(value.to_glib_none_mut().0, self.into_glib());
                }
                value
            }

            fn value_type(&self) -> glib::Type {
                Self::static_type()
            }
        }

        impl From<$name> for glib::Value {
            fn from(value: $name) -> Self {
                value.to_value()
            }
        }

        impl glib::HasParamSpec for $name {
            type ParamSpec = glib::ParamSpecEnum;
            type SetValue = Self;
            type BuilderFn = fn(&str, Self) -> glib::ParamSpecEnumBuilder<Self>;

            fn param_spec_builder() -> Self::BuilderFn {
                Self::ParamSpec::builder_with_default
            }
        }
    };
}

hip_enum! {
    /// Which backend a device belongs to.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// assert_eq!(device.vendor(), HipVendor::Host);
    /// ```
    HipVendor, GstHipVendor, gst_hip_vendor_get_type,
    /// Not chosen; where a device is asked for: the first usable AMD GPU, NVIDIA GPU, then the CPU.
    Unknown = GST_HIP_VENDOR_UNKNOWN,
    /// AMD GPU through the HIP runtime.
    Amd = GST_HIP_VENDOR_AMD,
    /// NVIDIA GPU through the CUDA driver API.
    Nvidia = GST_HIP_VENDOR_NVIDIA,
    /// The CPU as a device.
    Host = GST_HIP_VENDOR_HOST,
}

hip_enum! {
    /// Where the bytes of a memory are, and whose they are.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipMemory, HipMemoryKind, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let memory = HipMemory::alloc_pinned(&device, 100).unwrap();
    /// assert_eq!(memory.kind(), HipMemoryKind::Pinned);
    /// ```
    HipMemoryKind, GstHipMemoryKind, gst_hip_memory_kind_get_type,
    /// Allocated on the device.
    Device = GST_HIP_MEMORY_KIND_DEVICE,
    /// Page-locked CPU memory that the device reads and writes directly.
    Pinned = GST_HIP_MEMORY_KIND_PINNED,
    /// The application's CPU memory.
    WrappedHost = GST_HIP_MEMORY_KIND_WRAPPED_HOST,
    /// The application's device memory.
    WrappedDevice = GST_HIP_MEMORY_KIND_WRAPPED_DEVICE,
    /// Another driver's memory, imported from a DMA-BUF, to be read.
    Dmabuf = GST_HIP_MEMORY_KIND_DMABUF,
    /// Allocated on the device, and there for others as a DMA-BUF.
    Exported = GST_HIP_MEMORY_KIND_EXPORTED,
}

hip_enum! {
    /// How far the work before an event is.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipEventState, HipStream, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let stream = HipStream::new(&device).unwrap();
    /// let event = stream.record().unwrap();
    /// event.wait().unwrap();
    /// assert_eq!(event.state(), HipEventState::Done);
    /// ```
    HipEventState, GstHipEventState, gst_hip_event_state_get_type,
    /// The work has not finished.
    Pending = GST_HIP_EVENT_STATE_PENDING,
    /// The work has finished.
    Done = GST_HIP_EVENT_STATE_DONE,
    /// The device failed; the work will never finish.
    Failed = GST_HIP_EVENT_STATE_FAILED,
}

hip_enum! {
    /// What a kernel's parameter is.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipKernelModule, HipParameterKind, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let source = "extern \"C\" __global__ void k (float *p, int n) { }";
    /// let module = HipKernelModule::from_source(&device, source, &[]).unwrap();
    /// let parameters = module.parameters("k").unwrap();
    /// assert_eq!(parameters[0].kind(), HipParameterKind::Pointer);
    /// assert_eq!(parameters[1].kind(), HipParameterKind::Int);
    /// ```
    HipParameterKind, GstHipParameterKind, gst_hip_parameter_kind_get_type,
    /// A device address.
    Pointer = GST_HIP_PARAMETER_KIND_POINTER,
    /// A signed integer.
    Int = GST_HIP_PARAMETER_KIND_INT,
    /// An unsigned integer (char-like types and bool included).
    Uint = GST_HIP_PARAMETER_KIND_UINT,
    /// `float` or `double`.
    Float = GST_HIP_PARAMETER_KIND_FLOAT,
    /// Anything else, passed by value.
    Struct = GST_HIP_PARAMETER_KIND_STRUCT,
}

bitflags! {
    /// What a device can do.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipDeviceCaps, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// assert!(device.info().caps().contains(HipDeviceCaps::DMABUF_EXPORT));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "GstHipDeviceCaps")]
    pub struct HipDeviceCaps: u32 {
        /// The CPU may use device memory through its device address, and the device any CPU memory.
        const HOST_ADDRESSABLE = ffi::GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE;
        /// Kernels can be compiled at run time on this machine.
        const COMPILER = ffi::GST_HIP_DEVICE_CAP_COMPILER;
        /// The device has two-dimensional textures.
        const TEXTURE2D = ffi::GST_HIP_DEVICE_CAP_TEXTURE2D;
        /// Foreign DMA-BUFs can be imported.
        const DMABUF_IMPORT = ffi::GST_HIP_DEVICE_CAP_DMABUF_IMPORT;
        /// Device memory can be exported as a DMA-BUF.
        const DMABUF_EXPORT = ffi::GST_HIP_DEVICE_CAP_DMABUF_EXPORT;
        const _ = !0;
    }
}
