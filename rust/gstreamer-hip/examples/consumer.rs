// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// An application that takes frames out of a pipeline while they are on the device,
// and computes on them there: the mean brightness of each. The appsink is used by
// its signals and actions, so that no crate but gstreamer's own is needed.

use gstreamer_hip as gst_hip;

use gst_hip::gst::{self, prelude::*};
use gst_hip::{HipAccess, HipKernelArgs, HipKernelModule, HipMemory, HipStream};

const FRAMES: u32 = 10;

const SOURCE: &str = r#"
extern "C" __global__ void
brightness (const unsigned char *luma, int stride, int width, int height,
    unsigned long long *sum)
{
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < height) {
    unsigned long long row = 0;
    for (int x = 0; x < width; x++)
      row += luma[y * stride + x];
    atomicAdd (sum, row);
  }
}
"#;

struct Meter {
    module: HipKernelModule,
    stream: HipStream,
    sum: HipMemory,
}

impl Meter {
    fn new(frame: &HipMemory) -> Result<Self, gst::glib::Error> {
        let device = frame.device();
        Ok(Self {
            module: HipKernelModule::from_source(&device, SOURCE, &[])?,
            stream: HipStream::new(&device)?,
            sum: HipMemory::alloc_linear(&device, 8)?,
        })
    }

    /// The mean of a frame's first plane; waits for it.
    fn measure(
        &mut self,
        buffer: &gst::BufferRef,
        width: i32,
        height: i32,
    ) -> Result<f64, gst::glib::Error> {
        let sum = self.sum.get_mut().expect("only we have it");
        self.stream.fill(sum, 0, 8, 0)?;
        let mut args = HipKernelArgs::new();
        args.add_plane(buffer, 0, HipAccess::Read, true)?;
        args.add(width);
        args.add(height);
        args.add_memory(&self.sum, 0)?;
        let grid = [height.unsigned_abs().div_ceil(64), 1, 1];
        // SAFETY: the kernel stays inside the plane and the sum.
        unsafe {
            self.module
                .launch("brightness", Some(&self.stream), grid, [64, 1, 1], &args)?;
        }
        let sum = self.sum.map_slice::<u64>()?[0];
        Ok(sum as f64 / f64::from(width * height))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    gst::init()?;
    let pipeline = gst::parse::launch(&format!(
        "videotestsrc num-buffers={FRAMES} pattern=white \
         ! video/x-raw,format=NV12,width=320,height=240 ! hipupload \
         ! video/x-raw(memory:HIPMemory) ! appsink name=sink sync=false"
    ))?;
    let pipeline = pipeline.downcast::<gst::Pipeline>().expect("a pipeline");
    let sink = pipeline.by_name("sink").expect("the appsink");
    pipeline.set_state(gst::State::Playing)?;

    let mut meter = None;
    let mut frames = 0;
    while let Some(sample) = sink.emit_by_name::<Option<gst::Sample>>("pull-sample", &[]) {
        let buffer = sample.buffer().ok_or("a sample without a buffer")?;
        let memory = buffer.memory(0).ok_or("a buffer without memory")?;
        let memory = memory
            .downcast_memory::<HipMemory>()
            .map_err(|_| "the frame is not on the device")?;
        let caps = sample.caps().ok_or("a sample without caps")?;
        let size = caps.structure(0).expect("fixed caps");
        if meter.is_none() {
            meter = Some(Meter::new(&memory)?);
        }
        let meter = meter.as_mut().expect("made above");
        let mean = meter.measure(buffer, size.get("width")?, size.get("height")?)?;
        assert!((230.0..=255.0).contains(&mean), "white is {mean}");
        frames += 1;
    }
    assert_eq!(frames, FRAMES);
    let device = meter.expect("a frame came").sum.device();
    pipeline.set_state(gst::State::Null)?;
    println!("{frames} frames measured on {}", device.info().name());
    Ok(())
}
