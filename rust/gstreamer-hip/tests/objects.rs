// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// How long do things live, on whose thread do they go, and may threads share them?

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use common::{SOURCE, device};
use gst::glib::translate::ToGlibPtr;
use gstreamer_hip::{
    HipAccess, HipDevice, HipEvent, HipEventState, HipFenceData, HipFenceDataPool, HipKernelArgs,
    HipKernelModule, HipMemory, HipMemoryKind, HipPoolAllocator, HipStream, ffi, gst,
};

/// Takes a while, so that what is queued behind it is pending for long enough.
const SLOW: &str = r#"
extern "C" __global__ void
slow (const float *in, float *out, unsigned rounds)
{
  float value = in[0];
  for (unsigned i = 0; i < rounds; i++)
    value = value * 0.5f + 1.0f;
  out[0] = value;
}
"#;

/// Everything that one launch needs, with the launch queued.
struct Work {
    device: HipDevice,
    stream: HipStream,
    module: HipKernelModule,
    args: HipKernelArgs,
    input: HipMemory,
    output: HipMemory,
    event: HipEvent,
}

impl Work {
    fn start(rounds: u32) -> Self {
        let device = device();
        let stream = HipStream::new(&device).unwrap();
        let module = HipKernelModule::from_source(&device, SLOW, &[]).unwrap();
        let input = HipMemory::from_slice(&device, &[1.0f32]).unwrap();
        let output = HipMemory::alloc_linear(&device, 4).unwrap();
        let mut args = HipKernelArgs::new();
        args.add_memory(&input, 0).unwrap();
        args.add_memory(&output, 0).unwrap();
        args.add(rounds);
        let event =
            unsafe { module.launch_with_event("slow", Some(&stream), [1; 3], [1; 3], 0, &args) };
        Self {
            device,
            stream,
            module,
            args,
            input,
            output,
            event: event.unwrap(),
        }
    }

    fn into_parts(self) -> Vec<Option<Box<dyn Send>>> {
        vec![
            Some(Box::new(self.device)),
            Some(Box::new(self.stream)),
            Some(Box::new(self.module)),
            Some(Box::new(self.args)),
            Some(Box::new(self.input)),
            Some(Box::new(self.output)),
        ]
    }
}

/// The nth order of so many things.
fn permutation(mut n: usize, count: usize) -> Vec<usize> {
    let mut left: Vec<_> = (0..count).collect();
    (1..=count)
        .rev()
        .map(|size| {
            let index = n % size;
            n /= size;
            left.remove(index)
        })
        .collect()
}

#[test]
fn everything_goes_in_every_order() {
    const ORDERS: usize = 720;
    let (sender, receiver) = mpsc::channel();
    for order in 0..ORDERS {
        let work = Work::start(200_000);
        let sender = sender.clone();
        work.event
            .notify(move |_, state| sender.send(state).unwrap());
        let mut parts = work.into_parts();
        for index in permutation(order, parts.len()) {
            parts[index] = None;
        }
    }
    for _ in 0..ORDERS {
        assert_eq!(receiver.recv().unwrap(), HipEventState::Done);
    }
}

#[test]
fn guards_and_memories_go_while_work_is_queued() {
    let work = Work::start(200_000);
    let access = work
        .output
        .begin_access(&work.stream, HipAccess::Read)
        .unwrap();
    drop(access);
    let map = work.input.map_device_readable().unwrap();
    drop(map);
    // Waits for the kernel.
    assert_eq!(*work.output.map_slice::<f32>().unwrap(), [2.0]);
}

#[test]
fn notifications_come_in_order_from_another_thread() {
    let work = Work::start(200_000);
    let (sender, receiver) = mpsc::channel();
    for index in 0..100 {
        let sender = sender.clone();
        let event = work.stream.record().unwrap();
        event.notify(move |event, state| {
            let seen = (index, state, event.state(), thread::current().id());
            sender.send(seen).unwrap();
        });
    }
    for index in 0..100 {
        let (seen, state, queried, thread) = receiver.recv().unwrap();
        assert_eq!(seen, index);
        assert_eq!((state, queried), (HipEventState::Done, HipEventState::Done));
        assert_ne!(thread, thread::current().id());
    }
}

#[test]
fn a_notification_drops_what_it_holds_once() {
    let work = Work::start(100_000);
    let count = Arc::new(());
    let held = count.clone();
    let (sender, receiver) = mpsc::channel();
    work.event.notify(move |_, _| {
        let _held = &held;
        sender.send(()).unwrap();
    });
    receiver.recv().unwrap();
    // The closure goes after the call.
    assert!(receiver.recv().is_err());
    assert_eq!(Arc::strong_count(&count), 1);
}

/// Says with which state of an event, and on which thread, it was dropped.
struct Witness(HipEvent, mpsc::Sender<(HipEventState, thread::ThreadId)>);

impl Drop for Witness {
    fn drop(&mut self) {
        self.1
            .send((self.0.state(), thread::current().id()))
            .unwrap();
    }
}

#[test]
fn fence_data_goes_when_the_work_is_done() {
    common::init();
    let pool = HipFenceDataPool::new();
    for fence in [HipFenceData::new(), pool.acquire()] {
        let work = Work::start(500_000);
        let (sender, receiver) = mpsc::channel();
        fence.push(Witness(work.event.clone(), sender));
        fence.push(work.input);
        fence.push(String::from("anything"));
        fence.push(());
        fence.attach(&work.event);
        drop(fence);
        let (state, thread) = receiver.recv().unwrap();
        assert_eq!(state, HipEventState::Done);
        assert_ne!(thread, thread::current().id());
    }
}

#[test]
fn fence_data_that_is_not_attached_goes_with_it() {
    let work = Work::start(1);
    let (sender, receiver) = mpsc::channel();
    let fence = HipFenceData::new();
    fence.push(Witness(work.event, sender));
    drop(fence);
    assert_eq!(receiver.try_recv().unwrap().1, thread::current().id());
}

#[test]
fn wrapped_memory_is_released_when_the_device_is_done() {
    let work = Work::start(500_000);
    let mut bytes = vec![0.0f32; 4];
    let address = bytes.as_mut_ptr() as usize;
    let (sender, receiver) = mpsc::channel();
    let witness = Witness(work.event.clone(), sender);
    // SAFETY: the closure has the vector.
    let mut wrapped = unsafe {
        HipMemory::wrap_raw(
            &work.device,
            HipMemoryKind::WrappedHost,
            address,
            16,
            move || {
                assert_eq!(bytes[0], 2.0);
                drop(witness);
            },
        )
    }
    .unwrap();
    // Behind the kernel on the same stream
    work.stream
        .copy(wrapped.get_mut().unwrap(), &work.output)
        .unwrap();
    drop(wrapped);
    assert_eq!(receiver.recv().unwrap().0, HipEventState::Done);
}

#[test]
fn a_refused_wrap_releases_nothing() {
    let called = Arc::new(AtomicBool::new(false));
    let flag = called.clone();
    let release = move || flag.store(true, Ordering::SeqCst);
    // SAFETY: refused, since there is no size.
    let result =
        unsafe { HipMemory::wrap_raw(&device(), HipMemoryKind::WrappedHost, 4096, 0, release) };
    assert!(result.is_err());
    assert!(!called.load(Ordering::SeqCst));
    // The closure is gone all the same.
    assert_eq!(Arc::strong_count(&called), 1);
}

#[test]
fn a_use_that_has_ended_keeps_no_stream() {
    let device = device();
    let stream = HipStream::new(&device).unwrap();
    // SAFETY: the count of a live object that no other thread has.
    let references = || unsafe {
        let object: *mut ffi::GstHipStream = stream.to_glib_none().0;
        (*object.cast::<gst::ffi::GstMiniObject>()).refcount
    };
    let input = HipMemory::from_slice(&device, &[1u8; 16]).unwrap();
    let mut output = HipMemory::alloc_linear(&device, 16).unwrap();
    let begin = || input.begin_access(&stream, HipAccess::Read).unwrap();
    begin().end().unwrap();
    assert_eq!(references(), 1);
    begin().end_with_event(&stream.record().unwrap());
    assert_eq!(references(), 1);
    drop(begin());
    assert_eq!(references(), 1);
    let writable = output.get_mut().unwrap();
    stream.copy(writable, &input).unwrap();
    stream.fill(writable, 0, 1, 2).unwrap();
    assert_eq!(references(), 1);
}

#[test]
fn threads_share_device_module_and_input() {
    const COUNT: u32 = 1000;
    let device = device();
    let module = HipKernelModule::from_source(&device, SOURCE, &[]).unwrap();
    let values: Vec<f32> = (0..COUNT).map(|i| i as f32).collect();
    let input = HipMemory::from_slice(&device, &values).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let stream = HipStream::new(&device).unwrap();
                for _ in 0..50 {
                    let output = HipMemory::alloc_linear(&device, input.size()).unwrap();
                    let mut args = HipKernelArgs::new();
                    args.add_memory(&input, 0).unwrap();
                    args.add_memory(&output, 0).unwrap();
                    args.add(COUNT);
                    let grid = [COUNT.div_ceil(64), 1, 1];
                    unsafe { module.launch("transform", Some(&stream), grid, [64, 1, 1], &args) }
                        .unwrap();
                    let result = output.map_slice::<f32>().unwrap();
                    assert!(
                        values
                            .iter()
                            .zip(&*result)
                            .all(|(v, r)| *r == 2.0 * v + 1.0)
                    );
                }
            });
        }
    });
}

#[test]
fn arguments_move_to_another_thread() {
    let work = Work::start(1000);
    let (module, args) = (work.module, work.args);
    thread::spawn(move || unsafe { module.launch("slow", None, [1; 3], [1; 3], &args) })
        .join()
        .unwrap()
        .unwrap();
    assert_eq!(work.output.to_vec::<f32>().unwrap(), [2.0]);
}

#[test]
fn a_pool_gives_memory_again() {
    let device = device();
    let pool = HipPoolAllocator::new_linear(&device, HipMemoryKind::Device, 1000, 1).unwrap();
    pool.set_active(true);
    let first = pool.acquire_memory().unwrap();
    let address = first.address();
    // Another thread waits for the only one.
    let waiting = {
        let pool = pool.clone();
        thread::spawn(move || pool.acquire_memory().map(|memory| memory.address()))
    };
    drop(first);
    assert_eq!(waiting.join().unwrap().unwrap(), address);
    // The memory keeps its pool.
    let last = pool.acquire_memory().unwrap();
    pool.set_active(false);
    drop(pool);
    assert_eq!(last.size(), 1000);
}
