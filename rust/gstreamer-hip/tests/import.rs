// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Is a file's memory a frame without a copy, who lets go of it, and which caps
// describe such frames? Files stand for DMA-BUFs: the CPU imports what can be mapped.

mod common;

use std::ffi::{c_char, c_int, c_uint};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, FromRawFd, IntoRawFd};
use std::os::unix::fs::FileExt;
use std::sync::mpsc;
use std::time::Duration;

use common::kind;
use gst::glib::translate::from_glib_full;
use gstreamer_hip::{
    HipDevice, HipError, HipMemory, HipMemoryKind, HipStream, HipVendor, gst, gst_video,
    video_info_from_caps,
};

// What there is of GStreamer's allocators; the crate for it is not needed otherwise.
#[link(name = "gstallocators-1.0")]
unsafe extern "C" {
    fn gst_dmabuf_allocator_new() -> *mut gst::ffi::GstAllocator;
    fn gst_dmabuf_allocator_alloc(
        allocator: *mut gst::ffi::GstAllocator,
        fd: c_int,
        size: usize,
    ) -> *mut gst::ffi::GstMemory;
}

unsafe extern "C" {
    fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
}

const BYTES: [u8; 8] = [10, 11, 12, 13, 14, 15, 16, 17];

fn device() -> HipDevice {
    common::init();
    HipDevice::new(HipVendor::Host, None).unwrap()
}

fn file() -> File {
    // SAFETY: a new descriptor is ours; a failed one has no owner.
    let mut file = unsafe {
        let fd = memfd_create(c"frame".as_ptr(), 0);
        assert!(fd >= 0);
        File::from_raw_fd(fd)
    };
    file.write_all(&BYTES).unwrap();
    file
}

/// A memory as decoders make them.
fn dmabuf_memory(file: &File) -> gst::Memory {
    let fd = file.try_clone().unwrap().into_raw_fd();
    // SAFETY: the memory closes the duplicate; both are new references.
    unsafe {
        let allocator: gst::Allocator = from_glib_full(gst_dmabuf_allocator_new());
        let pointer = gst::glib::translate::ToGlibPtr::to_glib_none(&allocator).0;
        from_glib_full(gst_dmabuf_allocator_alloc(pointer, fd, BYTES.len()))
    }
}

fn is_released(released: &mpsc::Receiver<()>) -> bool {
    released.recv_timeout(Duration::from_secs(60)).is_ok()
}

#[test]
fn descriptors_are_not_copied() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let file = file();
    let (release, released) = mpsc::channel();
    // SAFETY: written to before the first map only.
    let memory = unsafe {
        HipMemory::import_dmabuf(&device, Some(&stream), file.as_fd(), 2, 4, move || {
            release.send(()).unwrap();
        })
    }
    .unwrap();
    assert_eq!(memory.kind(), HipMemoryKind::Dmabuf);
    // Before the first map: what a CPU has read once is not fetched again.
    file.write_all_at(&[99], 3).unwrap();
    assert_eq!(memory.to_vec::<u8>().unwrap(), [12, 99, 14, 15]);
    assert!(released.try_recv().is_err());
    drop(memory);
    assert!(is_released(&released));
    // The descriptor is still ours.
    file.sync_all().unwrap();
}

#[test]
fn memories_are_not_copied() {
    let device = device();
    let file = file();
    let mut buffer = gst::Buffer::new();
    buffer
        .get_mut()
        .unwrap()
        .append_memory(dmabuf_memory(&file));
    let source = buffer.memory(0).unwrap();
    let (release, released) = mpsc::channel();
    // SAFETY: written to before the first map only.
    let memory = unsafe {
        HipMemory::import_memory(&device, None, &source, move || {
            drop(buffer);
            release.send(()).unwrap();
        })
    }
    .unwrap();
    drop(source);
    file.write_all_at(&[77], 7).unwrap();
    assert_eq!(
        memory.to_vec::<u8>().unwrap(),
        [10, 11, 12, 13, 14, 15, 16, 77]
    );
    drop(memory);
    assert!(is_released(&released));
}

#[test]
fn what_is_refused_is_dropped() {
    let device = device();
    let other = HipMemory::from_slice(&device, &BYTES).unwrap();
    let other = other.upcast_memory::<gst::Memory>();
    let file = file();
    let (release, released) = mpsc::channel::<()>();
    let copy = release.clone();
    // SAFETY: nobody writes.
    unsafe {
        // One byte more than there is
        let refused =
            HipMemory::import_dmabuf(&device, None, file.as_fd(), 2, 7, move || drop(copy));
        assert_eq!(kind(refused), HipError::Invalid);
        let refused = HipMemory::import_memory(&device, None, &other, move || drop(release));
        assert_eq!(kind(refused), HipError::Invalid);
    }
    // Both closures are gone, and did not run on anybody's behalf.
    assert_eq!(released.try_recv(), Err(mpsc::TryRecvError::Disconnected));
}

#[test]
fn caps_of_dmabufs() {
    common::init();
    let caps = |format: &str| {
        gst::Caps::builder("video/x-raw")
            .features(["memory:DMABuf"])
            .field("format", "DMA_DRM")
            .field("drm-format", format)
            .field("width", 320)
            .field("height", 240)
            .field("framerate", gst::Fraction::new(30, 1))
            .build()
    };
    if gst::version() >= (1, 24, 0, 0) {
        let info = video_info_from_caps(&caps("NV12:0x0")).unwrap();
        assert_eq!(info.format(), gst_video::VideoFormat::Nv12);
        assert_eq!((info.width(), info.height()), (320, 240));
        let tiled = video_info_from_caps(&caps("NV12:0x0100000000000002"));
        assert_eq!(kind(tiled), HipError::Unsupported);
    }
    let audio = gst::Caps::builder("audio/x-raw").build();
    assert_eq!(kind(video_info_from_caps(&audio)), HipError::Invalid);
}

#[test]
fn exported_memory_is_the_same() {
    let device = device();
    let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Gray8, 64, 4);
    let info = info.build().unwrap();
    let memory = HipMemory::alloc_video(&device, HipMemoryKind::Exported, &info).unwrap();
    assert_eq!(memory.kind(), HipMemoryKind::Exported);
    // SAFETY: one after the other.
    let mut dmabuf = unsafe { memory.export_dmabuf() }.unwrap();
    {
        let dmabuf = dmabuf.get_mut().unwrap();
        dmabuf.map_writable().unwrap().fill(77);
    }
    assert_eq!(memory.to_vec::<u8>().unwrap(), [77; 256]);
    let linear = HipMemory::alloc_linear(&device, 16).unwrap();
    // SAFETY: refused.
    assert!(unsafe { linear.export_dmabuf() }.is_err());
}
