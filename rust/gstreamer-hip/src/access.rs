// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How is a stream's use of a memory put in order with everybody else's?

use std::fmt;

use crate::error::check;
use crate::{HipEvent, HipMemoryRef, HipStream, ffi, glib};
use glib::translate::*;

/// What is done with a memory.
///
/// ```
/// use gstreamer_hip::{gst, HipAccess, HipDevice, HipMemory, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let memory = HipMemory::alloc_linear(&device, 64).unwrap();
/// assert!(memory.is_idle(HipAccess::ReadWrite));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HipAccess {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// Both.
    ReadWrite,
}

impl HipAccess {
    pub(crate) fn flags(self) -> gst::ffi::GstMapFlags {
        match self {
            Self::Read => gst::ffi::GST_MAP_READ,
            Self::Write => gst::ffi::GST_MAP_WRITE,
            Self::ReadWrite => gst::ffi::GST_MAP_READWRITE,
        }
    }

    /// Ends uses of one piece of work with one event.
    pub(crate) fn end_both(
        stream: &HipStream,
        guards: [HipAccessGuard<'_>; 2],
    ) -> Result<(), glib::Error> {
        skip_assert_initialized!();
        // Without an event the guards end, which waits.
        let event = stream.record()?;
        guards.map(|guard| guard.end_with_event(&event));
        Ok(())
    }
}

/// A stream's use of a memory by native calls, from
/// [`HipMemoryRef::begin_access()`] until it is ended or dropped: the stream comes
/// after what was pending on the memory, and what uses the memory next comes
/// after what was queued in between.
///
/// ```
/// use gstreamer_hip::{gst, HipAccess, HipDevice, HipMemory, HipStream, HipVendor};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let stream = HipStream::new(&device).unwrap();
/// let memory = HipMemory::alloc_linear(&device, 64).unwrap();
/// let access = memory.begin_access(&stream, HipAccess::Write).unwrap();
/// let (_stream, _address) = (stream.native_handle(), access.address());
/// // ... native calls with these two ...
/// access.end().unwrap();
/// ```
#[must_use = "a use that is ended at once orders nothing"]
pub struct HipAccessGuard<'a> {
    memory: &'a HipMemoryRef,
    /// None: ended
    stream: Option<HipStream>,
    access: HipAccess,
}

impl HipAccessGuard<'_> {
    /// The device address of the memory's first byte.
    pub fn address(&self) -> usize {
        self.memory.address()
    }

    /// Ends the use: the work queued on the stream until now is what uses the
    /// memory. Dropping does that too, with a failure logged.
    ///
    /// Blocking: only where no event can be recorded: until the work is done.
    ///
    /// # Errors
    ///
    /// If no event could be recorded; the work was waited for instead, as far as
    /// the device still answers.
    #[doc(alias = "gst_hip_memory_end_access")]
    pub fn end(mut self) -> Result<(), glib::Error> {
        self.end_access()
    }

    /// Ends the use with an event that was recorded behind the work, on the same
    /// stream; for several memories of one piece of work.
    #[doc(alias = "gst_hip_memory_end_access_with_event")]
    pub fn end_with_event(mut self, event: &HipEvent) {
        self.stream = None;
        unsafe {
            ffi::gst_hip_memory_end_access_with_event(
                self.memory.as_mut_ptr(),
                event.to_glib_none().0,
                self.access.flags(),
            );
        }
    }

    fn end_access(&mut self) -> Result<(), glib::Error> {
        let Some(stream) = self.stream.take() else {
            return Ok(());
        };
        check("ending a use", |error| unsafe {
            ffi::gst_hip_memory_end_access(
                self.memory.as_mut_ptr(),
                stream.to_glib_none().0,
                self.access.flags(),
                error,
            )
        })
    }
}

impl Drop for HipAccessGuard<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.end_access() {
            gst::warning!(gst::CAT_RUST, "ending a use of {:?}: {error}", self.memory);
        }
    }
}

impl fmt::Debug for HipAccessGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HipAccessGuard")
            .field("memory", &self.memory)
            .field("stream", &self.stream)
            .field("access", &self.access)
            .finish()
    }
}

impl HipMemoryRef {
    /// Puts `stream` after the work that is pending on this memory: it waits, on
    /// the device, for the last writer, and if writing for all readers since. If
    /// the CPU wrote to the memory its bytes are transferred on `stream`.
    ///
    /// # Errors
    ///
    /// `Invalid` if `stream` is another device's or the memory is read-only,
    /// `DeviceLost`, or what the driver reported.
    #[doc(alias = "gst_hip_memory_begin_access")]
    pub fn begin_access(
        &self,
        stream: &HipStream,
        access: HipAccess,
    ) -> Result<HipAccessGuard<'_>, glib::Error> {
        check("beginning a use", |error| unsafe {
            ffi::gst_hip_memory_begin_access(
                self.as_mut_ptr(),
                stream.to_glib_none().0,
                access.flags(),
                error,
            )
        })?;
        Ok(HipAccessGuard {
            memory: self,
            stream: Some(stream.clone()),
            access,
        })
    }
}
