// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// A kernel of your own, without a pipeline: compile, allocate, upload, launch, read
// back, check. GST_HIP_VENDOR chooses the device.

use gstreamer_hip as gst_hip;
use gstreamer_hip::gst;

const COUNT: u32 = 1_000_000;
const BLOCK_SIZE: u32 = 256;

const SOURCE: &str = r#"
extern "C" __global__ void
transform (const float *in, float *out, unsigned count)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = 2.0f * in[i] + 1.0f;
}
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    gst::init()?;
    // What the environment says, else the first usable GPU, else the CPU
    let device = gst_hip::HipDevice::new(gst_hip::HipVendor::Unknown, None)?;
    let stream = gst_hip::HipStream::new(&device)?;
    let values: Vec<f32> = (0..COUNT).map(|i| (i % 4096) as f32).collect();
    let input = gst_hip::HipMemory::from_slice(&device, &values)?;
    let output = gst_hip::HipMemory::alloc_linear(&device, size_of_val(&values[..]))?;

    let module =
        gst_hip::HipKernelModule::from_source(&device, /* kernel source */ SOURCE, &[]).unwrap();
    let mut args = gst_hip::HipKernelArgs::new();
    let launch_result = unsafe {
        args.add_memory(&input, 0).unwrap();
        args.add_memory(&output, 0).unwrap();
        args.add(COUNT);
        module.launch(
            "transform",
            Some(&stream),
            [COUNT.div_ceil(BLOCK_SIZE), 1, 1],
            [BLOCK_SIZE, 1, 1],
            &args,
        )
    };
    assert!(stream.synchronize());
    launch_result.unwrap();

    let result = output.map_slice::<f32>()?;
    for (value, result) in values.iter().zip(result.iter()) {
        assert_eq!(*result, 2.0 * value + 1.0);
    }
    println!("{COUNT} values right on {}", device.info().name());
    Ok(())
}
