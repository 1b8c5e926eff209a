// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Is wrong use that compiles a clear error? (What does not compile is in
// src/misuse.rs.) The other device is an NVIDIA GPU: a simulated one, where the test
// build has it.

mod common;

use common::{SOURCE, device, kind};
use gstreamer_hip::{
    HipAccess, HipDevice, HipError, HipKernelArgs, HipKernelModule, HipMemory, HipMemoryKind,
    HipPoolAllocator, HipStream, HipVendor, gst, gst_video,
};

fn launch(module: &HipKernelModule, args: &HipKernelArgs) -> Result<(), gst::glib::Error> {
    unsafe { module.launch("transform", None, [1, 1, 1], [1, 1, 1], args) }
}

#[test]
fn arguments_that_are_not_the_kernels() {
    let device = device();
    let module = HipKernelModule::from_source(&device, SOURCE, &[]).unwrap();
    let memory = HipMemory::from_slice(&device, &[1.0f32]).unwrap();
    let mut args = HipKernelArgs::new();
    assert_eq!(kind(launch(&module, &args)), HipError::Invalid);
    args.add_memory(&memory, 0).unwrap();
    args.add_memory(&memory, 0).unwrap();
    // Too few
    assert_eq!(kind(launch(&module, &args)), HipError::Invalid);
    args.add(1u32);
    launch(&module, &args).unwrap();
    // Too many
    args.add(1u32);
    assert_eq!(kind(launch(&module, &args)), HipError::Invalid);
    // Another size, another kind
    for wrong in [1, 2] {
        args.clear();
        args.add_memory(&memory, 0).unwrap();
        args.add_memory(&memory, 0).unwrap();
        if wrong == 1 {
            args.add(1u64)
        } else {
            args.add(1.0f64)
        }
        assert_eq!(kind(launch(&module, &args)), HipError::Invalid);
    }
    assert_eq!(kind(args.add_memory(&memory, 4)), HipError::Invalid);
    let none = unsafe { module.launch("other", None, [1, 1, 1], [1, 1, 1], &args) };
    assert_eq!(kind(none), HipError::Invalid);
    args.clear();
    args.add_memory(&memory, 0).unwrap();
    args.add_memory(&memory, 0).unwrap();
    args.add(1u32);
    let huge = unsafe { module.launch("transform", None, [1, 1, 1], [4096, 1, 1], &args) };
    assert_eq!(kind(huge), HipError::Launch);
    assert!(device.default_stream().unwrap().synchronize());
}

#[test]
fn sources_that_are_none() {
    let device = device();
    let broken = HipKernelModule::from_source(&device, "extern \"C\" __global__ void k (", &[]);
    assert_eq!(kind(broken), HipError::Compile);
    let zero = HipKernelModule::from_source(&device, "a\0b", &[]);
    assert_eq!(kind(zero), HipError::Invalid);
    let zero = HipKernelModule::from_source(&device, SOURCE, &["-DA=\0"]);
    assert_eq!(kind(zero), HipError::Invalid);
    let missing = HipKernelModule::from_file(&device, "/nowhere/at/all.hip", &[]);
    assert_eq!(kind(missing), HipError::Invalid);
    let rubbish = gst::glib::Bytes::from_static(b"rubbish");
    let rubbish = unsafe { HipKernelModule::from_binary(&device, &rubbish) };
    assert_eq!(kind(rubbish), HipError::Invalid);
    let module = HipKernelModule::from_source(&device, SOURCE, &[]).unwrap();
    assert!(!module.has_entry("a\0b"));
    assert!(module.parameters("other").is_none());
    assert!(module.signature("other").is_none());
}

#[test]
fn memory_that_cannot_be() {
    let device = device();
    assert_eq!(kind(HipMemory::alloc_linear(&device, 0)), HipError::Invalid);
    assert_eq!(
        kind(HipMemory::alloc_linear(&device, usize::MAX)),
        HipError::Invalid
    );
    assert_eq!(
        kind(HipMemory::from_slice::<f32>(&device, &[])),
        HipError::Invalid
    );
    assert_eq!(
        kind(HipMemory::wrap_vec::<f32>(&device, vec![])),
        HipError::Invalid
    );
    let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Rgba, 32, 32)
        .build()
        .unwrap();
    let wrapped = HipMemory::alloc_video(&device, HipMemoryKind::WrappedHost, &info);
    assert_eq!(kind(wrapped), HipError::Invalid);
    let pool = HipPoolAllocator::new_linear(&device, HipMemoryKind::WrappedDevice, 10, 0);
    assert_eq!(kind(pool), HipError::Invalid);
    let pool = HipPoolAllocator::new_linear(&device, HipMemoryKind::Device, 0, 0);
    assert_eq!(kind(pool), HipError::Invalid);
    let pool = HipPoolAllocator::new_linear(&device, HipMemoryKind::Device, 10, 0).unwrap();
    assert_eq!(pool.acquire_memory().unwrap_err(), gst::FlowError::Flushing);
}

#[test]
fn maps_that_do_not_fit() {
    let mut memory = HipMemory::from_slice(&device(), &[1u8, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(kind(memory.map_slice::<u32>()), HipError::Invalid);
    assert_eq!(kind(memory.map_slice::<[u8; 0]>()), HipError::Invalid);
    assert_eq!(
        *memory.map_slice::<[u16; 3]>().unwrap(),
        [[0x201, 0x403, 0x605]]
    );
    let part = memory.share(1..5).downcast_memory::<HipMemory>().unwrap();
    assert_eq!(kind(part.map_slice::<u32>()), HipError::Invalid);
    drop(part);
    let alone = memory.get_mut().unwrap();
    assert_eq!(kind(alone.copy_from_slice(&[0u8; 5])), HipError::Invalid);
    alone.copy_from_slice(&[0u8; 6]).unwrap();
}

#[test]
fn memory_that_others_have() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let source = HipMemory::from_slice(&device, &[1u8; 8]).unwrap();
    let mut memory = HipMemory::from_slice(&device, &[2u8; 8]).unwrap();
    let refused = |memory: &mut HipMemory| {
        let memory = memory.get_mut().expect("GStreamer lets every owner write");
        assert_eq!(kind(memory.map_slice_mut::<u8>()), HipError::Invalid);
        assert_eq!(kind(memory.copy_from_slice(&[3u8; 8])), HipError::Invalid);
        assert_eq!(kind(stream.fill(memory, 0, 1, 3)), HipError::Invalid);
        assert_eq!(kind(stream.copy(memory, &source)), HipError::Invalid);
    };

    let mut clone = memory.clone();
    let values = memory.map_slice::<u8>().unwrap();
    refused(&mut clone);
    assert_eq!(*values, [2; 8]);
    drop((values, clone));

    let mut args = HipKernelArgs::new();
    args.add_memory(&memory, 0).unwrap();
    refused(&mut memory);
    args.clear();

    // A part and the whole
    let part = memory.share(0..8);
    let mut part = part.downcast_memory::<HipMemory>().unwrap();
    refused(&mut memory);
    refused(&mut part);
    drop(memory);
    stream.fill(part.get_mut().unwrap(), 0, 8, 4).unwrap();
    assert_eq!(part.to_vec::<u8>().unwrap(), [4; 8]);
}

#[test]
fn copies_that_are_not_inside() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let source = HipMemory::from_slice(&device, &[1u8; 8]).unwrap();
    let mut target = HipMemory::from_slice(&device, &[2u8; 8]).unwrap();
    let alone = target.get_mut().unwrap();
    let (here, far) = (
        Default::default(),
        gstreamer_hip::HipPlane {
            offset: 6,
            stride: 4,
        },
    );
    assert_eq!(
        kind(stream.copy_2d(alone, far, &source, here, 4, 1)),
        HipError::Invalid
    );
    assert_eq!(
        kind(stream.copy_2d(alone, here, &source, far, 2, 2)),
        HipError::Invalid
    );
    assert_eq!(
        kind(stream.copy_2d(alone, here, &source, here, 0, 1)),
        HipError::Invalid
    );
    assert_eq!(kind(stream.fill(alone, 1, 8, 0)), HipError::Invalid);
    assert_eq!(
        kind(stream.fill(alone, usize::MAX, 2, 0)),
        HipError::Invalid
    );
    assert_eq!(target.to_vec::<u8>().unwrap(), [2; 8]);
}

#[test]
fn devices_that_are_not_there() {
    common::init();
    assert_eq!(
        kind(HipDevice::new(HipVendor::Host, Some(99))),
        HipError::Unavailable
    );
    assert_eq!(
        kind(HipDevice::new(HipVendor::Host, Some(u32::MAX))),
        HipError::Unavailable
    );
    assert_eq!(
        kind(HipDevice::for_pci_address("rubbish")),
        HipError::Invalid
    );
    assert_eq!(kind(HipDevice::for_pci_address("0\0")), HipError::Invalid);
}

#[test]
fn objects_of_another_device() {
    common::init();
    let host = HipDevice::new(HipVendor::Host, None).unwrap();
    let Ok(other) = HipDevice::new(HipVendor::Nvidia, Some(0)) else {
        assert!(
            std::env::var_os("GST_HIP_CUDA_LIBNAME").is_none(),
            "the simulated driver has a device"
        );
        return;
    };
    assert!(!host.is_equal(&other));
    let foreign = HipMemory::alloc_linear(&other, 64).unwrap();
    let mut own = HipMemory::alloc_linear(&host, 64).unwrap();
    let foreign_stream = HipStream::new(&other).unwrap();
    let stream = HipStream::new(&host).unwrap();
    assert!(!foreign_stream.is_for_device(&host));

    let module = HipKernelModule::from_source(&host, SOURCE, &[]).unwrap();
    let mut args = HipKernelArgs::new();
    args.add_memory(&own, 0).unwrap();
    args.add_memory(&foreign, 0).unwrap();
    args.add(16u32);
    assert_eq!(kind(launch(&module, &args)), HipError::Invalid);
    args.clear();
    args.add_memory(&own, 0).unwrap();
    args.add_memory(&own, 0).unwrap();
    args.add(16u32);
    let wrong = unsafe { module.launch("transform", Some(&foreign_stream), [1; 3], [1; 3], &args) };
    assert_eq!(kind(wrong), HipError::Invalid);
    drop(args);

    assert_eq!(
        kind(own.begin_access(&foreign_stream, HipAccess::Read)),
        HipError::Invalid
    );
    let alone = own.get_mut().unwrap();
    assert_eq!(kind(stream.copy(alone, &foreign)), HipError::Invalid);
    assert_eq!(kind(foreign_stream.fill(alone, 0, 1, 0)), HipError::Invalid);
    let event = foreign_stream.record().unwrap();
    assert_eq!(kind(stream.wait_event(&event)), HipError::Unsupported);
    event.wait().unwrap();
    assert_eq!(kind(event.record_on_stream(&stream)), HipError::Invalid);
}
