// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How do kernels come to be, and how are they started?

use std::ffi::CStr;
use std::fmt;
use std::path::Path;
use std::ptr;

use crate::error::{c_string, check, check_pointer};
use crate::{HipDevice, HipError, HipEvent, HipKernelArgs, HipParameterKind, HipStream, ffi, glib};
use glib::translate::*;

glib::wrapper! {
    /// Kernels that were compiled for a device.
    ///
    /// ```
    /// use gstreamer_hip::{gst, HipDevice, HipKernelModule, HipVendor};
    /// gst::init().unwrap();
    /// let device = HipDevice::new(HipVendor::Host, None).unwrap();
    /// let module = HipKernelModule::from_source(
    ///     &device,
    ///     "extern \"C\" __global__ void fill (float *to, float value) { to[threadIdx.x] = value; }",
    ///     &[],
    /// ).unwrap();
    /// assert_eq!(module.entries(), ["fill"]);
    /// println!("{}", module.signature("fill").unwrap());
    /// ```
    #[derive(Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "GstHipKernelModule")]
    pub struct HipKernelModule(Shared<ffi::GstHipKernelModule>);

    match fn {
        ref => |ptr| ffi::gst_hip_kernel_module_ref(ptr),
        unref => |ptr| ffi::gst_hip_kernel_module_unref(ptr),
        type_ => || ffi::gst_hip_kernel_module_get_type(),
    }
}

// SAFETY: the C library documents every function of it for any thread.
unsafe impl Send for HipKernelModule {}
unsafe impl Sync for HipKernelModule {}

/// One parameter of a kernel.
///
/// ```
/// use gstreamer_hip::{gst, HipDevice, HipKernelModule, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let source = "extern \"C\" __global__ void k (const float *in, short n) { }";
/// let module = HipKernelModule::from_source(&device, source, &[]).unwrap();
/// let parameters = module.parameters("k").unwrap();
/// assert_eq!((parameters[0].name(), parameters[0].is_const()), ("in", true));
/// assert_eq!((parameters[1].type_name(), parameters[1].size()), ("short", 2));
/// ```
#[repr(transparent)]
#[doc(alias = "GstHipKernelParameter")]
pub struct HipKernelParameter(ffi::GstHipKernelParameter);

// SAFETY: constant values and texts.
unsafe impl Send for HipKernelParameter {}
unsafe impl Sync for HipKernelParameter {}

impl HipKernelParameter {
    fn text(pointer: &*const std::ffi::c_char) -> &str {
        if pointer.is_null() {
            return "";
        }
        // SAFETY: a constant text that lives as long as the module.
        unsafe { CStr::from_ptr(*pointer) }.to_str().unwrap_or("")
    }

    /// Its name, empty if the source gives none.
    pub fn name(&self) -> &str {
        Self::text(&self.0.name)
    }

    /// The declared type as the source spells it, or empty for a binary.
    pub fn type_name(&self) -> &str {
        Self::text(&self.0.type_name)
    }

    /// What it is.
    pub fn kind(&self) -> HipParameterKind {
        unsafe { from_glib(self.0.kind) }
    }

    /// Its bytes.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// What its address is a multiple of, bytes.
    pub fn align(&self) -> usize {
        self.0.align
    }

    /// For pointers: whether the kernel only reads through it.
    pub fn is_const(&self) -> bool {
        self.0.is_const != glib::ffi::GFALSE
    }
}

impl fmt::Debug for HipKernelParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipKernelParameter")
            .field("name", &self.name())
            .field("type_name", &self.type_name())
            .field("kind", &self.kind())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

/// Options for the compiler as C wants them, as long as it lives.
struct Options(Vec<std::ffi::CString>, Vec<*const std::ffi::c_char>);

impl Options {
    fn new(options: &[&str]) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let texts = options
            .iter()
            .map(|option| c_string(option, "an option"))
            .collect::<Result<Vec<_>, _>>()?;
        let mut pointers: Vec<_> = texts.iter().map(|text| text.as_ptr()).collect();
        pointers.push(ptr::null());
        Ok(Self(texts, pointers))
    }

    fn as_ptr(&self) -> *const *const std::ffi::c_char {
        debug_assert_eq!(self.0.len() + 1, self.1.len());
        self.1.as_ptr()
    }
}

impl HipKernelModule {
    fn made(
        call: impl FnOnce(*mut *mut glib::ffi::GError) -> *mut ffi::GstHipKernelModule,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        check_pointer("making a kernel module", call)
            // SAFETY: a new reference.
            .map(|module| unsafe { from_glib_full(module.as_ptr()) })
    }

    /// Compiles kernels in the common subset of HIP and CUDA C++, unless this
    /// process or the cache on disk has the result. The options -D, -I, -O, --std
    /// and -g mean the same on all devices; others are passed on.
    ///
    /// Blocking: waits for the compiler, up to seconds.
    ///
    /// # Errors
    ///
    /// `Compile` with the compiler's text, `Unavailable` if there is no compiler,
    /// `Invalid` for text with a zero byte in it.
    #[doc(alias = "gst_hip_kernel_module_new_from_source")]
    pub fn from_source(
        device: &HipDevice,
        source: &str,
        options: &[&str],
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let (source, options) = (c_string(source, "the source")?, Options::new(options)?);
        Self::made(|error| unsafe {
            ffi::gst_hip_kernel_module_new_from_source(
                device.to_glib_none().0,
                source.as_ptr(),
                options.as_ptr(),
                error,
            )
        })
    }

    /// [`from_source()`](Self::from_source) of a file. Errors name it and its
    /// lines; files beside it can be included.
    ///
    /// Blocking: waits for the file and the compiler.
    ///
    /// # Errors
    ///
    /// `Invalid` if the file cannot be read, else as for a source.
    #[doc(alias = "gst_hip_kernel_module_new_from_file")]
    pub fn from_file(
        device: &HipDevice,
        file: impl AsRef<Path>,
        options: &[&str],
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        let name = file.as_ref().as_os_str().as_encoded_bytes();
        let name = std::ffi::CString::new(name)
            .map_err(|_| glib::Error::new(HipError::Invalid, "a zero byte in the file's name"))?;
        let options = Options::new(options)?;
        Self::made(|error| unsafe {
            ffi::gst_hip_kernel_module_new_from_file(
                device.to_glib_none().0,
                name.as_ptr(),
                options.as_ptr(),
                error,
            )
        })
    }

    /// Loads code that [`binary()`](Self::binary) gave for such a device.
    ///
    /// Blocking: waits for the driver's loader.
    ///
    /// # Safety
    ///
    /// `binary` comes from where programs may come from: on the CPU it is loaded
    /// into this process.
    ///
    /// # Errors
    ///
    /// `Invalid` if it is none, or none for this device.
    #[doc(alias = "gst_hip_kernel_module_new_from_binary")]
    pub unsafe fn from_binary(
        device: &HipDevice,
        binary: &glib::Bytes,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        Self::made(|error| unsafe {
            ffi::gst_hip_kernel_module_new_from_binary(
                device.to_glib_none().0,
                binary.to_glib_none().0,
                error,
            )
        })
    }

    /// The compiled module.
    #[doc(alias = "gst_hip_kernel_module_get_binary")]
    pub fn binary(&self) -> glib::Bytes {
        unsafe { from_glib_full(ffi::gst_hip_kernel_module_get_binary(self.to_glib_none().0)) }
    }

    /// Whether there is a kernel of that name.
    #[doc(alias = "gst_hip_kernel_module_has_entry")]
    pub fn has_entry(&self, entry: &str) -> bool {
        let Ok(entry) = c_string(entry, "the entry") else {
            return false;
        };
        unsafe {
            from_glib(ffi::gst_hip_kernel_module_has_entry(
                self.to_glib_none().0,
                entry.as_ptr(),
            ))
        }
    }

    /// Names of the kernels, in the order of the source.
    #[doc(alias = "gst_hip_kernel_module_list_entries")]
    pub fn entries(&self) -> Vec<glib::GString> {
        unsafe {
            FromGlibPtrContainer::from_glib_full(ffi::gst_hip_kernel_module_list_entries(
                self.to_glib_none().0,
            ))
        }
    }

    /// A kernel's parameters; `None` if there is no such kernel.
    #[doc(alias = "gst_hip_kernel_module_get_parameters")]
    pub fn parameters(&self, entry: &str) -> Option<&[HipKernelParameter]> {
        if !self.has_entry(entry) {
            return None;
        }
        let entry = c_string(entry, "the entry").ok()?;
        let mut count = 0;
        // SAFETY: an array of that many, as long as the module.
        unsafe {
            let first = ffi::gst_hip_kernel_module_get_parameters(
                self.to_glib_none().0,
                entry.as_ptr(),
                &mut count,
            );
            if first.is_null() || count == 0 {
                return Some(&[]);
            }
            Some(std::slice::from_raw_parts(first.cast(), count as usize))
        }
    }

    /// A kernel's name and parameters as a line for people; `None` if there is no
    /// such kernel.
    #[doc(alias = "gst_hip_kernel_module_get_signature")]
    pub fn signature(&self, entry: &str) -> Option<glib::GString> {
        let entry = c_string(entry, "the entry").ok()?;
        unsafe {
            from_glib_full(ffi::gst_hip_kernel_module_get_signature(
                self.to_glib_none().0,
                entry.as_ptr(),
            ))
        }
    }

    /// Queues a kernel on `stream`, `None`: the device's default one. It comes after
    /// what is pending on the memories among `args`, and what uses them next comes
    /// after it. Code and memories stay until it is done, whoever lets go of them;
    /// `args` may be changed at once.
    ///
    /// `grid`: blocks in x, y and z; `block`: threads of a block.
    ///
    /// Blocking: only where no event can be recorded: until the stream is idle.
    ///
    /// # Safety
    ///
    /// Nobody checks what the kernel does: it has to stay inside the memories that
    /// it is given, and to write only to those that it is not taken to only read.
    /// Structs have the layout that the kernel declares. No guard of a memory that
    /// it writes is alive.
    ///
    /// # Errors
    ///
    /// `Invalid` if there is no such kernel, an argument is missing, too many, not
    /// what the kernel takes, or belongs to another device; `Launch` if a limit is
    /// exceeded or the driver refuses.
    #[doc(alias = "gst_hip_kernel_module_launch")]
    pub unsafe fn launch(
        &self,
        entry: &str,
        stream: Option<&HipStream>,
        grid: [u32; 3],
        block: [u32; 3],
        args: &HipKernelArgs,
    ) -> Result<(), glib::Error> {
        // SAFETY: promised by the caller.
        unsafe { self.launch_raw(entry, stream, grid, block, 0, args, ptr::null_mut()) }
    }

    /// [`launch()`](Self::launch) with dynamic shared memory for each block.
    ///
    /// # Safety
    ///
    /// As for [`launch()`](Self::launch).
    ///
    /// # Errors
    ///
    /// As for [`launch()`](Self::launch).
    #[doc(alias = "gst_hip_kernel_module_launch_full")]
    pub unsafe fn launch_with_shared_mem(
        &self,
        entry: &str,
        stream: Option<&HipStream>,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: usize,
        args: &HipKernelArgs,
    ) -> Result<(), glib::Error> {
        // SAFETY: promised by the caller.
        unsafe {
            self.launch_raw(
                entry,
                stream,
                grid,
                block,
                shared_bytes,
                args,
                ptr::null_mut(),
            )
        }
    }

    /// [`launch_with_shared_mem()`](Self::launch_with_shared_mem), giving the event
    /// that is recorded behind the kernel.
    ///
    /// # Safety
    ///
    /// As for [`launch()`](Self::launch).
    ///
    /// # Errors
    ///
    /// As for [`launch()`](Self::launch).
    #[doc(alias = "gst_hip_kernel_module_launch_full")]
    pub unsafe fn launch_with_event(
        &self,
        entry: &str,
        stream: Option<&HipStream>,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: usize,
        args: &HipKernelArgs,
    ) -> Result<HipEvent, glib::Error> {
        let mut event = ptr::null_mut();
        // SAFETY: promised by the caller; the event is ours where it worked.
        unsafe {
            self.launch_raw(entry, stream, grid, block, shared_bytes, args, &mut event)?;
            let event: Option<HipEvent> = from_glib_full(event);
            event.ok_or_else(|| glib::Error::new(HipError::Failed, "no event could be recorded"))
        }
    }

    #[allow(clippy::too_many_arguments)] // as many as C has
    unsafe fn launch_raw(
        &self,
        entry: &str,
        stream: Option<&HipStream>,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: usize,
        args: &HipKernelArgs,
        event: *mut *mut ffi::GstHipEvent,
    ) -> Result<(), glib::Error> {
        let entry = c_string(entry, "the entry")?;
        check("launching a kernel", |error| unsafe {
            ffi::gst_hip_kernel_module_launch_full(
                self.to_glib_none().0,
                entry.as_ptr(),
                stream.map_or(ptr::null_mut(), |stream| stream.to_glib_none().0),
                grid.as_ptr(),
                block.as_ptr(),
                shared_bytes,
                args.as_ptr(),
                event,
                error,
            )
        })
    }
}
