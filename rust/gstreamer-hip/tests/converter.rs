// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Does a converted frame have the numbers that it has by hand?

mod common;

use common::{device, kind};
use gst_video::{VideoAlphaMode, VideoFormat, VideoInfo};
use gstreamer_hip::{
    HipConverter, HipDevice, HipError, HipFrame, HipMemory, HipStream, gst, gst_video,
};

/// Four pixels and what BT.601 makes of them: Y from 16 to 235, Cb and Cr around
/// 128 by 112, each rounded.
const RGBA: [[u8; 4]; 4] = [
    [255, 255, 255, 255],
    [255, 0, 0, 7],
    [0, 255, 0, 0],
    [0, 0, 255, 128],
];
const AYUV: [[u8; 4]; 4] = [
    [255, 235, 128, 128],
    [7, 81, 90, 240],
    [0, 145, 54, 34],
    [128, 41, 240, 110],
];

fn info(format: VideoFormat, width: u32, height: u32) -> VideoInfo {
    common::init();
    VideoInfo::builder(format, width, height).build().unwrap()
}

/// A frame with these bytes in its rows, one after the other.
fn frame(device: &HipDevice, info: &VideoInfo, bytes: &[u8]) -> gst::Buffer {
    let mut memory = HipMemory::alloc_frame(device, info).unwrap();
    let layout = memory.video_info().unwrap();
    let mut next = bytes.iter();
    let rows = rows_of(&layout);
    let writable = memory.get_mut().unwrap();
    let mut values = writable.map_slice_mut::<u8>().unwrap();
    for (start, length) in rows {
        for value in &mut values[start..start + length] {
            *value = next.next().copied().unwrap_or(0);
        }
    }
    drop(values);
    let mut buffer = gst::Buffer::new();
    let memory = memory.upcast_memory::<gst::Memory>();
    buffer.get_mut().unwrap().append_memory(memory);
    buffer
}

fn rows_of(layout: &VideoInfo) -> Vec<(usize, usize)> {
    let mut rows = Vec::new();
    for plane in 0..layout.n_planes() {
        let (length, height) = gstreamer_hip::plane_size(layout, plane).unwrap();
        let (offset, stride) = (
            layout.offset()[plane as usize],
            layout.stride()[plane as usize],
        );
        rows.extend((0..height as usize).map(|row| (offset + row * stride as usize, length)));
    }
    rows
}

/// The bytes in its rows.
fn bytes(buffer: &gst::Buffer) -> Vec<u8> {
    let memory = buffer.memory(0).unwrap();
    let memory = memory.downcast_memory::<HipMemory>().unwrap();
    let layout = memory.video_info().unwrap();
    let all = memory.to_vec::<u8>().unwrap();
    let rows = rows_of(&layout).into_iter();
    rows.flat_map(|(start, length)| all[start..start + length].to_vec())
        .collect()
}

#[test]
fn colours_by_hand() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let (rgba, ayuv) = (info(VideoFormat::Rgba, 2, 2), info(VideoFormat::Ayuv, 2, 2));
    let input = frame(&device, &rgba, RGBA.as_flattened());
    let mut output = frame(&device, &ayuv, &[]);
    let mut converter = HipConverter::new(&device, &rgba, &ayuv, None).unwrap();
    let done = converter
        .convert_buffer(&stream, &input, output.get_mut().unwrap())
        .unwrap();
    done.wait().unwrap();
    assert_eq!(bytes(&output), AYUV.as_flattened());
}

#[test]
fn options_are_heard() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let (rgba, ayuv) = (info(VideoFormat::Rgba, 2, 2), info(VideoFormat::Ayuv, 2, 2));
    let input = frame(&device, &rgba, RGBA.as_flattened());
    let mut output = frame(&device, &ayuv, &[]);
    let mut converter = HipConverter::builder(&device, &rgba, &ayuv)
        .alpha_mode(VideoAlphaMode::Set)
        .alpha_value(0.2)
        .build()
        .unwrap();
    converter
        .convert_buffer(&stream, &input, output.get_mut().unwrap())
        .unwrap();
    let wanted = AYUV.map(|[_, y, u, v]| [51, y, u, v]);
    assert_eq!(bytes(&output), wanted.as_flattened());
}

/// Whatever the filter, an area of one colour keeps it.
#[test]
fn another_size() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let (small, large) = (info(VideoFormat::Rgba, 2, 3), info(VideoFormat::Ayuv, 7, 4));
    let input = frame(&device, &small, &RGBA[1].repeat(6));
    let mut output = frame(&device, &large, &[]);
    let mut converter = HipConverter::new(&device, &small, &large, None).unwrap();
    converter
        .convert_buffer(&stream, &input, output.get_mut().unwrap())
        .unwrap();
    assert_eq!(bytes(&output), AYUV[1].repeat(28));
}

#[test]
fn mapped_frames() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let (nv12, i420) = (
        info(VideoFormat::Nv12, 17, 9),
        info(VideoFormat::I420, 17, 9),
    );
    let luma: Vec<u8> = (0..153).collect();
    let pairs: Vec<u8> = (0..90).map(|i| i * 2).collect();
    let input = frame(&device, &nv12, &[&luma[..], &pairs[..]].concat());
    let mut output = frame(&device, &i420, &[]);
    let mut converter = HipConverter::builder(&device, &nv12, &i420)
        .build()
        .unwrap();
    let from = HipFrame::map_readable(&input, &nv12).unwrap();
    let mut to = HipFrame::map_writable(output.get_mut().unwrap(), &i420).unwrap();
    assert_eq!((from.n_planes(), to.n_planes()), (2, 3));
    assert!(from.plane_address(2).is_none() && from.plane_stride(2).is_none());
    let done = converter.convert_frame(&stream, &from, &mut to).unwrap();
    drop((from, to));
    done.wait().unwrap();
    let chroma = |first| pairs.iter().copied().skip(first).step_by(2);
    let wanted: Vec<u8> = luma
        .iter()
        .copied()
        .chain(chroma(0))
        .chain(chroma(1))
        .collect();
    assert_eq!(bytes(&output), wanted);
}

#[test]
fn frames_that_are_none() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let (rgba, ayuv) = (info(VideoFormat::Rgba, 2, 2), info(VideoFormat::Ayuv, 2, 2));
    let larger = info(VideoFormat::Ayuv, 64, 64);
    let input = frame(&device, &rgba, RGBA.as_flattened());
    let mut output = frame(&device, &ayuv, &[]);

    // In the CPU's memory, too small, held by somebody else
    let mut plain = gst::Buffer::with_size(rgba.size()).unwrap();
    let refused = HipFrame::map_readable(&plain, &rgba).map(drop);
    assert_eq!(kind(refused), HipError::Invalid);
    let refused = HipFrame::map_writable(plain.get_mut().unwrap(), &rgba).map(drop);
    assert_eq!(kind(refused), HipError::Invalid);
    let refused = HipFrame::map_readable(&output, &larger).map(drop);
    assert_eq!(kind(refused), HipError::Failed);
    let held = output.memory(0).unwrap();
    let refused = HipFrame::map_writable(output.get_mut().unwrap(), &ayuv).map(drop);
    assert_eq!(kind(refused), HipError::Invalid);
    drop(held);

    // Not what the converter is for
    let mut converter = HipConverter::new(&device, &ayuv, &rgba, None).unwrap();
    let from = HipFrame::map_readable(&input, &rgba).unwrap();
    let mut to = HipFrame::map_writable(output.get_mut().unwrap(), &ayuv).unwrap();
    let refused = converter.convert_frame(&stream, &from, &mut to);
    assert_eq!(kind(refused), HipError::Invalid);
    drop((from, to));
    let refused = converter.convert_buffer(&stream, &input, output.get_mut().unwrap());
    assert_eq!(kind(refused), HipError::Invalid);
    assert!(HipConverter::is_supported_format(VideoFormat::V210));
    assert!(!HipConverter::is_supported_format(VideoFormat::Encoded));
}
