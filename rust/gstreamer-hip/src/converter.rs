// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How does a frame become one of another format?

use std::fmt;
use std::ptr::{self, NonNull};

use crate::error::{check, check_pointer};
use crate::map::check_alone;
use crate::{HipDevice, HipEvent, HipFrame, HipStream, ffi, glib};
use glib::translate::*;
use gst::buffer::Writable;
use gst_video::{
    VideoAlphaMode, VideoChromaMode, VideoConverterConfig, VideoDitherMethod, VideoGammaMode,
    VideoMatrixMode, VideoPrimariesMode,
};

/// Converts frames from one format and colour description to another, on a
/// device.
///
/// ```
/// use gstreamer_hip::{gst, gst_video, HipConverter, HipDevice, HipMemory, HipStream, HipVendor};
/// use gst_video::{VideoFormat, VideoInfo};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let stream = HipStream::new(&device).unwrap();
/// let rgba = VideoInfo::builder(VideoFormat::Rgba, 32, 32).build().unwrap();
/// let bgra = VideoInfo::builder(VideoFormat::Bgra, 32, 32).build().unwrap();
/// let frame = |info| {
///     let mut buffer = gst::Buffer::new();
///     let memory = HipMemory::alloc_frame(&device, info).unwrap();
///     buffer.get_mut().unwrap().append_memory(memory.upcast_memory::<gst::Memory>());
///     buffer
/// };
/// let (input, mut output) = (frame(&rgba), frame(&bgra));
/// let mut converter = HipConverter::new(&device, &rgba, &bgra, None).unwrap();
/// let done = converter.convert_buffer(&stream, &input, output.get_mut().unwrap()).unwrap();
/// done.wait().unwrap();
/// ```
#[doc(alias = "GstHipConverter")]
pub struct HipConverter(NonNull<ffi::GstHipConverter>);

// SAFETY: the only reference; the C library documents one thread at a time, which
// `&mut self` keeps. So no `Clone`, which would make a second reference.
unsafe impl Send for HipConverter {}
unsafe impl Sync for HipConverter {}

impl HipConverter {
    /// A conversion whose options are chosen one by one.
    pub fn builder<'a>(
        device: &'a HipDevice,
        from: &'a gst_video::VideoInfo,
        to: &'a gst_video::VideoInfo,
    ) -> HipConverterBuilder<'a> {
        skip_assert_initialized!();
        HipConverterBuilder {
            device,
            from,
            to,
            config: VideoConverterConfig::new(),
        }
    }

    /// Plans a conversion and makes its kernels ready. Strides and offsets in the
    /// two descriptions do not matter: each frame has its own. `config`: options
    /// under the names that GStreamer's video converter gives them, such as
    /// [`VideoConverterConfig`]; [`builder()`](Self::builder) has those that count.
    ///
    /// Blocking: until the kernels are compiled or loaded.
    ///
    /// # Errors
    ///
    /// `Unsupported` if there is no such conversion, `Invalid` if sizes are none, or
    /// an error of the compiler.
    #[doc(alias = "gst_hip_converter_new")]
    pub fn new(
        device: &HipDevice,
        from: &gst_video::VideoInfo,
        to: &gst_video::VideoInfo,
        config: Option<&gst::StructureRef>,
    ) -> Result<Self, glib::Error> {
        skip_assert_initialized!();
        check_pointer("planning a conversion", |error| unsafe {
            ffi::gst_hip_converter_new(
                device.to_glib_none().0,
                from.to_glib_none().0,
                to.to_glib_none().0,
                config.map_or(ptr::null(), |config| config.as_ptr()),
                error,
            )
        })
        .map(Self)
    }

    /// Queues the conversion of a frame and gives the event that is recorded
    /// behind it. It comes after what is pending on both buffers' memories, and
    /// what uses them next comes after it.
    ///
    /// # Errors
    ///
    /// `Invalid` if a buffer is no such frame or of another device, or if somebody
    /// else has a memory that is to be written, too; `DeviceLost`,
    /// `Failed`.
    #[doc(alias = "gst_hip_converter_convert_buffer")]
    pub fn convert_buffer(
        &mut self,
        stream: &HipStream,
        from: &gst::BufferRef,
        to: &mut gst::BufferRef,
    ) -> Result<HipEvent, glib::Error> {
        to.iter_memories().try_for_each(check_alone)?;
        let mut event = ptr::null_mut();
        check("converting a frame", |error| unsafe {
            ffi::gst_hip_converter_convert_buffer(
                self.0.as_ptr(),
                stream.to_glib_none().0,
                from.as_mut_ptr(),
                to.as_mut_ptr(),
                &mut event,
                error,
            )
        })?;
        // SAFETY: ours, if anything.
        let event: Option<HipEvent> = unsafe { from_glib_full(event) };
        event.map_or_else(|| stream.record(), Ok)
    }

    /// [`convert_buffer()`](Self::convert_buffer) for frames that are mapped.
    ///
    /// # Errors
    ///
    /// `Invalid` if a frame is not as the converter was told or of another device;
    /// `DeviceLost`, `Failed`.
    #[doc(alias = "gst_hip_converter_convert_frame")]
    pub fn convert_frame<A>(
        &mut self,
        stream: &HipStream,
        from: &HipFrame<'_, A>,
        to: &mut HipFrame<'_, Writable>,
    ) -> Result<HipEvent, glib::Error> {
        check("converting a frame", |error| unsafe {
            ffi::gst_hip_converter_convert_frame(
                self.0.as_ptr(),
                stream.to_glib_none().0,
                from.as_ptr(),
                to.as_ptr(),
                error,
            )
        })?;
        stream.record()
    }

    /// Whether converters read and write frames of `format`.
    #[doc(alias = "gst_hip_converter_is_supported_format")]
    pub fn is_supported_format(format: gst_video::VideoFormat) -> bool {
        skip_assert_initialized!();
        unsafe {
            from_glib(ffi::gst_hip_converter_is_supported_format(
                format.into_glib(),
            ))
        }
    }
}

impl Drop for HipConverter {
    fn drop(&mut self) {
        // SAFETY: our reference.
        unsafe { glib::gobject_ffi::g_object_unref(self.0.as_ptr().cast()) }
    }
}

impl fmt::Debug for HipConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HipConverter").field(&self.0).finish()
    }
}

/// A [`HipConverter`] that is being described, from [`HipConverter::builder()`].
///
/// ```
/// use gstreamer_hip::{gst, gst_video, HipConverter, HipDevice, HipVendor};
/// use gst_video::{VideoAlphaMode, VideoFormat, VideoInfo, VideoPrimariesMode};
/// gst::init().unwrap();
/// let device = HipDevice::new(HipVendor::Host, None).unwrap();
/// let from = VideoInfo::builder(VideoFormat::Nv12, 320, 240).build().unwrap();
/// let to = VideoInfo::builder(VideoFormat::Rgba, 320, 240).build().unwrap();
/// let converter = HipConverter::builder(&device, &from, &to)
///     .primaries_mode(VideoPrimariesMode::Fast)
///     .alpha_mode(VideoAlphaMode::Set)
///     .alpha_value(0.5)
///     .build()
///     .unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is made before build()"]
pub struct HipConverterBuilder<'a> {
    device: &'a HipDevice,
    from: &'a gst_video::VideoInfo,
    to: &'a gst_video::VideoInfo,
    config: VideoConverterConfig,
}

macro_rules! options {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $set:ident),+ $(,)?) => {$(
        $(#[$doc])*
        pub fn $name(mut self, $name: $type) -> Self {
            self.config.$set($name);
            self
        }
    )+};
}

impl HipConverterBuilder<'_> {
    options! {
        /// Whether the matrices of two YUV frames are told apart; they are.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_MATRIX_MODE")]
        matrix_mode: VideoMatrixMode => set_matrix_mode,
        /// Whether transfer functions are; they are not.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_GAMMA_MODE")]
        gamma_mode: VideoGammaMode => set_gamma_mode,
        /// Whether primaries are; they are not.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_PRIMARIES_MODE")]
        primaries_mode: VideoPrimariesMode => set_primaries_mode,
        /// On which sides chroma is resampled by position; on both.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_CHROMA_MODE")]
        chroma_mode: VideoChromaMode => set_chroma_mode,
        /// What becomes of alpha; it is copied.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_ALPHA_MODE")]
        alpha_mode: VideoAlphaMode => set_alpha_mode,
        /// What alpha is set to or multiplied by, from 0 to 1; 1.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_ALPHA_VALUE")]
        alpha_value: f64 => set_alpha_value,
        /// Any but none means ordered dither; none.
        #[doc(alias = "GST_VIDEO_CONVERTER_OPT_DITHER_METHOD")]
        dither_method: VideoDitherMethod => set_dither_method,
    }

    /// Plans the conversion and makes its kernels ready.
    ///
    /// Blocking: until the kernels are compiled or loaded.
    ///
    /// # Errors
    ///
    /// Those of [`HipConverter::new()`].
    pub fn build(self) -> Result<HipConverter, glib::Error> {
        HipConverter::new(self.device, self.from, self.to, Some(&self.config))
    }
}
