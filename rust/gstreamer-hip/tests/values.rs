// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Does what goes in come out: arguments of every type, copies, modules, layouts?

mod common;

use common::{SOURCE, device};
use gstreamer_hip::gst::{self, glib, prelude::*};
use gstreamer_hip::{
    BufferPoolConfigHipExt, CAPS_FEATURE_MEMORY_HIP_MEMORY, HipAccess, HipBufferPool, HipEvent,
    HipEventPool, HipKernelArgs, HipKernelModule, HipMemory, HipMemoryKind, HipPlane, HipStream,
    HipVendor, gst_video,
};

const SCALARS: &str = r#"
struct Pair { short first; double second; };
struct Far { float *data; int index; };

extern "C" __global__ void
scalars (double *out, signed char a, unsigned char b, short c, unsigned short d, int e,
    unsigned f, long long g, unsigned long long h, float i, double j, bool k, Pair pair)
{
  double values[] = { (double) a, (double) b, (double) c, (double) d, (double) e, (double) f,
    (double) g, (double) h, (double) i, j, k ? 1.0 : 0.0, (double) pair.first, pair.second };
  for (int n = 0; n < 13; n++)
    out[n] = values[n];
}

extern "C" __global__ void
far (Far far)
{
  far.data[far.index] = 5.0f;
}

extern "C" __global__ void
reversed (const int *in, int *out)
{
  extern __shared__ int values[];
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads ();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}
"#;

#[test]
fn arguments_of_every_type() {
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Pair {
        first: i16,
        second: f64,
    }
    let device = device();
    let module = HipKernelModule::from_source(&device, SCALARS, &[]).unwrap();
    let output = HipMemory::alloc_linear(&device, 13 * 8).unwrap();
    let mut args = HipKernelArgs::new();
    args.add_memory_full(&output, 0, HipAccess::Write).unwrap();
    args.add(i8::MIN);
    args.add(u8::MAX);
    args.add(i16::MIN);
    args.add(u16::MAX);
    args.add(i32::MIN);
    args.add(u32::MAX);
    args.add(-(1i64 << 52));
    args.add(1usize << 52);
    args.add(0.25f32);
    args.add(-1e300);
    args.add(true);
    args.add_bytes(&Pair {
        first: -3,
        second: 2.5,
    })
    .unwrap();
    unsafe { module.launch("scalars", None, [1; 3], [1; 3], &args) }.unwrap();
    let big = (1i64 << 52) as f64;
    let wanted = [
        -128.0,
        255.0,
        -32768.0,
        65535.0,
        f64::from(i32::MIN),
        f64::from(u32::MAX),
        -big,
        big,
        0.25,
        -1e300,
        1.0,
        -3.0,
        2.5,
    ];
    assert_eq!(*output.map_slice::<f64>().unwrap(), wanted);
}

#[test]
fn a_memory_inside_a_struct() {
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Far {
        data: usize,
        index: i32,
    }
    let device = device();
    let module = HipKernelModule::from_source(&device, SCALARS, &[]).unwrap();
    let memory = HipMemory::from_slice(&device, &[1.0f32, 2.0, 3.0]).unwrap();
    let mut args = HipKernelArgs::new();
    args.add_bytes(&Far {
        data: memory.address(),
        index: 1,
    })
    .unwrap();
    args.add_dependency(&memory, HipAccess::ReadWrite).unwrap();
    unsafe { module.launch("far", None, [1; 3], [1; 3], &args) }.unwrap();
    assert_eq!(memory.to_vec::<f32>().unwrap(), [1.0, 5.0, 3.0]);
}

#[test]
fn shared_memory_of_a_block() {
    let device = device();
    let module = HipKernelModule::from_source(&device, SCALARS, &[]).unwrap();
    let values: Vec<i32> = (0..64).collect();
    let input = HipMemory::from_slice(&device, &values).unwrap();
    let output = HipMemory::alloc_linear(&device, 256).unwrap();
    let mut args = HipKernelArgs::new();
    args.add_memory(&input, 0).unwrap();
    args.add_memory(&output, 0).unwrap();
    unsafe { module.launch_with_shared_mem("reversed", None, [1; 3], [64, 1, 1], 256, &args) }
        .unwrap();
    let wanted: Vec<i32> = values.iter().rev().copied().collect();
    assert_eq!(output.to_vec::<i32>().unwrap(), wanted);
}

#[test]
fn copies_between_streams_and_kinds() {
    let device = device();
    let (up, down) = (
        HipStream::new(&device).unwrap(),
        HipStream::new(&device).unwrap(),
    );
    for round in 0..50u8 {
        let mut pinned = HipMemory::alloc_pinned(&device, 1 << 16).unwrap();
        pinned
            .get_mut()
            .unwrap()
            .copy_from_slice(&vec![round; 1 << 16])
            .unwrap();
        let mut frame = HipMemory::alloc_linear(&device, 1 << 16).unwrap();
        let mut back = HipMemory::wrap_vec(&device, vec![0u8; 1 << 16]).unwrap();
        up.copy(frame.get_mut().unwrap(), &pinned).unwrap();
        // Ordered by the memory alone
        down.copy(back.get_mut().unwrap(), &frame).unwrap();
        up.fill(frame.get_mut().unwrap(), 0, 1 << 16, 255).unwrap();
        assert!(
            back.map_slice::<u8>()
                .unwrap()
                .iter()
                .all(|byte| *byte == round)
        );
        assert!(
            frame
                .map_slice::<u8>()
                .unwrap()
                .iter()
                .all(|byte| *byte == 255)
        );
    }
}

#[test]
fn rows_with_strides() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let input = HipMemory::from_slice(&device, &(0..60u8).collect::<Vec<_>>()).unwrap();
    let mut output = HipMemory::from_slice(&device, &[255u8; 20]).unwrap();
    let from = HipPlane {
        offset: 11,
        stride: 20,
    };
    let to = HipPlane {
        offset: 1,
        stride: 7,
    };
    stream
        .copy_2d(output.get_mut().unwrap(), to, &input, from, 5, 2)
        .unwrap();
    let n = 255;
    let wanted = [
        n, 11, 12, 13, 14, 15, n, n, 31, 32, 33, 34, 35, n, n, n, n, n, n, n,
    ];
    assert_eq!(output.to_vec::<u8>().unwrap(), wanted);
}

#[test]
fn modules_from_files_and_binaries() {
    let device = device();
    let file = std::env::temp_dir().join(format!("transform-{}.hip", std::process::id()));
    std::fs::write(&file, SOURCE).unwrap();
    let module = HipKernelModule::from_file(&device, &file, &["-DUNUSED=1"]).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(module.has_entry("transform"));
    assert_eq!(module.entries(), ["transform"]);
    assert!(module.signature("transform").unwrap().contains("transform"));
    // SAFETY: it has just been made.
    let again = unsafe { HipKernelModule::from_binary(&device, &module.binary()) }.unwrap();
    assert!(again.has_entry("transform"));
    let parameters = module.parameters("transform").unwrap();
    assert_eq!(parameters.len(), 3);
    assert!(parameters[0].is_const() && !parameters[1].is_const());
    assert_eq!(format!("{:?}", parameters[2].kind()), "Uint");
}

#[test]
fn events_are_recorded_and_measured() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let event = HipEventPool::new(&device).unwrap().acquire().unwrap();
    event.wait().unwrap();
    event.record_on_stream(&stream).unwrap();
    HipStream::new(&device).unwrap().wait_event(&event).unwrap();
    event.wait().unwrap();
    event.record_on_stream(&stream).unwrap();
    assert!(stream.synchronize());
    stream.synchronize_full().unwrap();
    assert_eq!(
        (event.vendor(), event.device_id()),
        (stream.vendor(), stream.device_id())
    );
    let plain = stream.record().unwrap();
    plain.wait().unwrap();
    assert!(HipEvent::elapsed_ns(&plain, &plain).is_err());
}

#[test]
fn a_memorys_stream() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    let mut memory = HipMemory::alloc_linear(&device, 10).unwrap();
    assert_eq!(memory.stream(), device.default_stream());
    // SAFETY: nobody asks meanwhile.
    unsafe { memory.get_mut().unwrap().set_stream(Some(&stream)) };
    assert_eq!(memory.stream().as_ref(), Some(&stream));
    memory.set_event(&stream.record().unwrap());
    memory.sync();
    assert!(memory.is_idle(HipAccess::ReadWrite));
    assert_eq!(memory.device(), device);
}

#[test]
fn buffers_of_a_pool() {
    let device = device();
    let info = gst_video::VideoInfo::builder(gst_video::VideoFormat::Nv12, 321, 241)
        .build()
        .unwrap();
    let mut caps = info.to_caps().unwrap();
    let features = gst::CapsFeatures::new([CAPS_FEATURE_MEMORY_HIP_MEMORY.as_str()]);
    caps.get_mut().unwrap().set_features(0, Some(features));
    for kind in [HipMemoryKind::Device, HipMemoryKind::Pinned] {
        let stream = HipStream::new(&device).unwrap();
        let pool = HipBufferPool::with_kind(&device, kind).unwrap();
        assert_eq!((pool.kind(), pool.device()), (kind, device.clone()));
        let mut config = pool.config();
        config.set_params(Some(&caps), info.size() as u32, 0, 0);
        config.add_option(gst_video::BUFFER_POOL_OPTION_VIDEO_META.as_str());
        config.set_hip_stream(&stream);
        pool.set_config(config).unwrap();
        pool.set_active(true).unwrap();
        let buffer = pool.acquire_buffer(None).unwrap();
        let memory = buffer
            .memory(0)
            .unwrap()
            .downcast_memory::<HipMemory>()
            .unwrap();
        assert_eq!((memory.kind(), memory.stream()), (kind, Some(stream)));
        assert_eq!(memory.video_info().unwrap().width(), 321);
        drop((memory, buffer));
        pool.set_active(false).unwrap();
    }
    assert!(HipBufferPool::with_kind(&device, HipMemoryKind::WrappedHost).is_err());
}

#[test]
fn values_and_properties() {
    common::init();
    let value = HipVendor::Nvidia.to_value();
    assert_eq!(value.get::<HipVendor>().unwrap(), HipVendor::Nvidia);
    let class = glib::EnumClass::with_type(HipVendor::static_type()).unwrap();
    assert_eq!(class.value(2).unwrap().nick(), "nvidia");
    let spec = glib::ParamSpecEnum::builder_with_default("vendor", HipVendor::Host).build();
    assert_eq!(
        spec.default_value().get::<HipVendor>().unwrap(),
        HipVendor::Host
    );
    let device = device();
    assert_eq!(
        device.to_value().get::<gstreamer_hip::HipDevice>().unwrap(),
        device
    );
    let memory = HipMemory::alloc_linear(&device, 10).unwrap();
    assert_eq!(
        memory.to_value().get::<HipMemory>().unwrap().address(),
        memory.address()
    );
}
