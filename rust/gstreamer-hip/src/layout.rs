// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How do frames lie in memory?

use crate::error::{c_string, check};
use crate::{ffi, glib};
use glib::translate::*;
use std::mem::MaybeUninit;
use std::ptr;

/// Lays out a frame in one allocation: each plane has the smallest stride that is
/// a multiple of `stride_align` bytes
/// ([`HipDeviceInfo::stride_align()`](crate::HipDeviceInfo::stride_align)).
///
/// # Errors
///
/// `Invalid` if the frame has no size or one too large for any memory,
/// `Unsupported` if its format does not lie in rows.
///
/// ```
/// use gstreamer_hip::{align_video_info, gst, gst_video};
/// gst::init().unwrap();
/// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Rgba, 321, 241);
/// let aligned = align_video_info(&info.build().unwrap(), 256).unwrap();
/// assert_eq!(aligned.stride()[0], 1536);
/// ```
#[doc(alias = "gst_hip_video_info_align")]
pub fn align_video_info(
    info: &gst_video::VideoInfo,
    stride_align: u32,
) -> Result<gst_video::VideoInfo, glib::Error> {
    assert_initialized_main_thread!();
    // SAFETY: a valid struct of plain values; the function keeps it valid.
    unsafe {
        let mut raw = *info.to_glib_none().0;
        check("laying out a frame", |error| {
            ffi::gst_hip_video_info_align(&mut raw, stride_align, error)
        })?;
        Ok(from_glib_none(ptr::from_ref(&raw)))
    }
}

/// How much of a plane belongs to the picture: bytes of a row, and rows; `None` if
/// the frame has no such plane, no size, or a format that does not lie in rows.
///
/// ```
/// use gstreamer_hip::{gst, gst_video, plane_size};
/// gst::init().unwrap();
/// let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Nv12, 321, 241);
/// assert_eq!(plane_size(&info.build().unwrap(), 1), Some((322, 121)));
/// ```
#[doc(alias = "gst_hip_video_info_get_plane_size")]
pub fn plane_size(info: &gst_video::VideoInfo, plane: u32) -> Option<(usize, u32)> {
    assert_initialized_main_thread!();
    let (mut row_bytes, mut rows) = (0, 0);
    let found = unsafe {
        ffi::gst_hip_video_info_get_plane_size(
            info.to_glib_none().0,
            plane,
            &mut row_bytes,
            &mut rows,
        )
    };
    (found != glib::ffi::GFALSE).then_some((row_bytes, rows))
}

/// Caps with all formats of the running GStreamer that HIP memory can hold, of any
/// size and frame rate, with a caps feature like
/// [`CAPS_FEATURE_MEMORY_HIP_MEMORY`](crate::CAPS_FEATURE_MEMORY_HIP_MEMORY) or in
/// system memory.
///
/// ```
/// use gstreamer_hip::{gst, supported_formats_caps, CAPS_FEATURE_MEMORY_HIP_MEMORY};
/// gst::init().unwrap();
/// let caps = supported_formats_caps(Some(CAPS_FEATURE_MEMORY_HIP_MEMORY)).unwrap();
/// assert!(caps.features(0).unwrap().contains(CAPS_FEATURE_MEMORY_HIP_MEMORY));
/// ```
///
/// # Errors
///
/// `Invalid` for a feature with a zero byte in it.
#[doc(alias = "gst_hip_get_supported_formats_caps")]
pub fn supported_formats_caps(feature: Option<&str>) -> Result<gst::Caps, glib::Error> {
    assert_initialized_main_thread!();
    let feature = feature
        .map(|text| c_string(text, "the feature"))
        .transpose()?;
    let pointer = feature.as_ref().map_or(ptr::null(), |text| text.as_ptr());
    Ok(unsafe { from_glib_full(ffi::gst_hip_get_supported_formats_caps(pointer)) })
}

/// What frames with these fixed caps are like. Unlike
/// [`VideoInfo::from_caps()`](gst_video::VideoInfo::from_caps) it also takes caps of
/// linear DMA-BUFs (`format=DMA_DRM`, GStreamer 1.24): it gives their raw format, as a
/// CPU would read it.
///
/// # Errors
///
/// `Unsupported` if the DMA-BUFs are tiled or of a format that GStreamer does not know,
/// `Invalid` if the caps are not fixed or not of video.
///
/// ```
/// use gstreamer_hip::{gst, gst_video, video_info_from_caps};
/// gst::init().unwrap();
/// let caps = gst_video::VideoCapsBuilder::new()
///     .format(gst_video::VideoFormat::Nv12)
///     .width(320)
///     .height(240)
///     .framerate((30, 1).into())
///     .build();
/// assert_eq!(video_info_from_caps(&caps).unwrap().n_planes(), 2);
/// ```
#[doc(alias = "gst_hip_video_info_from_caps")]
pub fn video_info_from_caps(caps: &gst::CapsRef) -> Result<gst_video::VideoInfo, glib::Error> {
    assert_initialized_main_thread!();
    let mut info = MaybeUninit::uninit();
    check("reading caps", |error| unsafe {
        ffi::gst_hip_video_info_from_caps(info.as_mut_ptr(), caps.as_ptr(), error)
    })?;
    // SAFETY: written where there is no error.
    Ok(unsafe { from_glib_none(info.as_ptr()) })
}
