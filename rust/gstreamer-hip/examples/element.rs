// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// An element in Rust that works on HIP memory, in a pipeline: it turns pictures to
// their negatives in place, on the device, and waits for nothing. It shares its
// device with its neighbours and has a stream of its own.

use gstreamer_hip as gst_hip;

use gst_hip::gst::{self, prelude::*};

mod negative {
    use std::sync::{LazyLock, Mutex};

    use super::gst_hip;
    use gst_base::subclass::prelude::*;
    use gst_hip::gst::{self, glib};
    use gst_hip::gst_video;
    use gst_hip::{HipAccess, HipDevice, HipKernelArgs, HipKernelModule, HipStream, HipVendor};

    const SOURCE: &str = r#"
    extern "C" __global__ void
    negative (unsigned char *pixels, int stride, int width, int height)
    {
      int x = blockIdx.x * blockDim.x + threadIdx.x;
      int y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x < width && y < height)
        for (int i = 0; i < 3; i++)
          pixels[y * stride + 4 * x + i] ^= 255;
    }
    "#;

    /// What is there from start to stop.
    struct Running {
        stream: HipStream,
        module: HipKernelModule,
        args: HipKernelArgs,
        info: Option<gst_video::VideoInfo>,
    }

    #[derive(Default)]
    pub struct Negative {
        device: Mutex<Option<HipDevice>>,
        running: Mutex<Option<Running>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Negative {
        const NAME: &'static str = "HipRustNegative";
        type Type = super::Negative;
        type ParentType = gst_base::BaseTransform;
    }

    impl ObjectImpl for Negative {}
    impl GstObjectImpl for Negative {}

    impl ElementImpl for Negative {
        fn metadata() -> Option<&'static gst::subclass::ElementMetadata> {
            static METADATA: LazyLock<gst::subclass::ElementMetadata> = LazyLock::new(|| {
                gst::subclass::ElementMetadata::new(
                    "Negative",
                    "Filter/Effect/Video/Hardware",
                    "Turns pictures in HIP memory to their negatives",
                    "GstHip contributors",
                )
            });
            Some(&METADATA)
        }

        fn pad_templates() -> &'static [gst::PadTemplate] {
            static TEMPLATES: LazyLock<Vec<gst::PadTemplate>> = LazyLock::new(|| {
                let caps = gst_video::VideoCapsBuilder::new()
                    .features([gst_hip::CAPS_FEATURE_MEMORY_HIP_MEMORY.as_str()])
                    .format_list([gst_video::VideoFormat::Rgba, gst_video::VideoFormat::Bgra])
                    .build();
                let template = |name, direction| {
                    let presence = gst::PadPresence::Always;
                    gst::PadTemplate::new(name, direction, presence, &caps).expect("a template")
                };
                vec![
                    template("sink", gst::PadDirection::Sink),
                    template("src", gst::PadDirection::Src),
                ]
            });
            TEMPLATES.as_ref()
        }

        fn set_context(&self, context: &gst::Context) {
            let mut device = self.device.lock().unwrap();
            gst_hip::handle_set_context(
                &*self.obj(),
                context,
                HipVendor::Unknown,
                None,
                &mut device,
            );
            drop(device);
            self.parent_set_context(context);
        }
    }

    impl BaseTransformImpl for Negative {
        const MODE: gst_base::subclass::BaseTransformMode =
            gst_base::subclass::BaseTransformMode::AlwaysInPlace;
        const PASSTHROUGH_ON_SAME_CAPS: bool = false;
        const TRANSFORM_IP_ON_PASSTHROUGH: bool = false;

        fn start(&self) -> Result<(), gst::ErrorMessage> {
            let failed =
                |error: glib::Error| gst::error_msg!(gst::ResourceError::NotFound, ["{error}"]);
            // Not under the lock: neighbours may set a context meanwhile.
            let current = self.device.lock().unwrap().clone();
            let device = gst_hip::ensure_element_device(
                &*self.obj(),
                HipVendor::Unknown,
                None,
                current.as_ref(),
            )
            .map_err(failed)?;
            let running = Running {
                stream: HipStream::new(&device).map_err(failed)?,
                module: HipKernelModule::from_source(&device, SOURCE, &[]).map_err(failed)?,
                args: HipKernelArgs::new(),
                info: None,
            };
            *self.device.lock().unwrap() = Some(device);
            *self.running.lock().unwrap() = Some(running);
            Ok(())
        }

        fn stop(&self) -> Result<(), gst::ErrorMessage> {
            *self.running.lock().unwrap() = None;
            *self.device.lock().unwrap() = None;
            Ok(())
        }

        fn set_caps(&self, incaps: &gst::Caps, _: &gst::Caps) -> Result<(), gst::LoggableError> {
            let info = gst_video::VideoInfo::from_caps(incaps)?;
            if let Some(running) = self.running.lock().unwrap().as_mut() {
                running.info = Some(info);
            }
            Ok(())
        }

        fn query(&self, direction: gst::PadDirection, query: &mut gst::QueryRef) -> bool {
            let device = self.device.lock().unwrap().clone();
            gst_hip::handle_context_query(&*self.obj(), query, device.as_ref())
                || BaseTransformImplExt::parent_query(self, direction, query)
        }

        fn transform_ip(
            &self,
            buffer: &mut gst::BufferRef,
        ) -> Result<gst::FlowSuccess, gst::FlowError> {
            let mut running = self.running.lock().unwrap();
            let Some(Running {
                stream,
                module,
                args,
                info: Some(info),
            }) = running.as_mut()
            else {
                return Err(gst::FlowError::NotNegotiated);
            };
            let (width, height) = (info.width(), info.height());
            args.clear();
            let result = args
                .add_plane(buffer, 0, HipAccess::ReadWrite, true)
                .and_then(|()| {
                    args.add(width as i32);
                    args.add(height as i32);
                    let grid = [width.div_ceil(16), height.div_ceil(16), 1];
                    // SAFETY: the kernel stays inside the plane, which is ours to write.
                    unsafe { module.launch("negative", Some(stream), grid, [16, 16, 1], args) }
                });
            // The frame is not ours to keep.
            args.clear();
            result.map_err(|error| {
                gst::element_imp_error!(self, gst::LibraryError::Failed, ["{error}"]);
                gst::FlowError::Error
            })?;
            Ok(gst::FlowSuccess::Ok)
        }
    }
}

gst::glib::wrapper! {
    pub struct Negative(ObjectSubclass<negative::Negative>)
        @extends gst_base::BaseTransform, gst::Element, gst::Object;
}

const FRAMES: usize = 20;

/// Checks that a black picture has become white, at the end of the pipeline.
fn check(buffer: &gst::BufferRef) -> bool {
    buffer
        .map_readable()
        .is_ok_and(|map| map.chunks(4).all(|pixel| pixel == [255; 4]))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    gst::init()?;
    gst::Element::register(
        None,
        "rusthipnegative",
        gst::Rank::NONE,
        Negative::static_type(),
    )?;
    let pipeline = gst::parse::launch(&format!(
        "videotestsrc num-buffers={FRAMES} pattern=black \
         ! video/x-raw,format=RGBA,width=321,height=241 ! hipupload \
         ! rusthipnegative name=negative ! hipdownload ! fakesink name=sink signal-handoffs=true"
    ))?;
    let pipeline = pipeline.downcast::<gst::Pipeline>().expect("a pipeline");
    let right = Arc::new(AtomicUsize::new(0));
    let counter = right.clone();
    let sink = pipeline.by_name("sink").expect("the sink");
    sink.connect("handoff", false, move |values| {
        let buffer = values[1].get::<gst::Buffer>().expect("a buffer");
        counter.fetch_add(usize::from(check(&buffer)), Ordering::Relaxed);
        None
    });

    pipeline.set_state(gst::State::Playing)?;
    let bus = pipeline.bus().expect("a pipeline's bus");
    let message = bus.timed_pop_filtered(
        gst::ClockTime::NONE,
        &[gst::MessageType::Eos, gst::MessageType::Error],
    );
    if let Some(gst::MessageView::Error(error)) = message.as_ref().map(|m| m.view()) {
        return Err(format!("{}: {:?}", error.error(), error.debug()).into());
    }
    pipeline.set_state(gst::State::Null)?;
    assert_eq!(right.load(Ordering::Relaxed), FRAMES);
    println!("{FRAMES} negatives right");
    Ok(())
}
