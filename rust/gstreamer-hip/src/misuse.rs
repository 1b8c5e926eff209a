// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Which mistakes does the compiler see? Each is a test: rustdoc compiles it and
// wants the error that is named (tests/rust/cargo.py has it look at the number).

//! Wrong use that does not compile.
//!
//! A guard does not outlive its memory:
//!
//! ```compile_fail,E0505
//! fn wrong(memory: gstreamer_hip::HipMemory) {
//!     let values = memory.map_slice::<u8>().unwrap();
//!     drop(memory);
//!     println!("{}", values[0]);
//! }
//! ```
//!
//! ```compile_fail,E0515
//! fn wrong(memory: gstreamer_hip::HipMemory) -> gstreamer_hip::HipSlice<'static, u8> {
//!     memory.map_slice::<u8>().unwrap()
//! }
//! ```
//!
//! Nor does a map for the device, or a use by native calls:
//!
//! ```compile_fail,E0505
//! fn wrong(memory: gstreamer_hip::HipMemory) {
//!     let map = memory.map_device_readable().unwrap();
//!     drop(memory);
//!     println!("{}", map.address());
//! }
//! ```
//!
//! ```compile_fail,E0505
//! fn wrong(memory: gstreamer_hip::HipMemory, stream: gstreamer_hip::HipStream) {
//!     let access = memory.begin_access(&stream, gstreamer_hip::HipAccess::Read).unwrap();
//!     drop(memory);
//!     println!("{}", access.address());
//! }
//! ```
//!
//! ```compile_fail,E0505
//! fn wrong(buffer: gstreamer_hip::gst::Buffer, info: &gstreamer_hip::gst_video::VideoInfo) {
//!     let frame = gstreamer_hip::HipFrame::map_readable(&buffer, info).unwrap();
//!     drop(buffer);
//!     println!("{:?}", frame.plane_address(0));
//! }
//! ```
//!
//! A conversion writes a frame that is mapped for that:
//!
//! ```compile_fail,E0308
//! fn wrong(
//!     converter: &mut gstreamer_hip::HipConverter,
//!     stream: &gstreamer_hip::HipStream,
//!     from: &gstreamer_hip::HipFrame<gstreamer_hip::gst::buffer::Readable>,
//!     to: &mut gstreamer_hip::HipFrame<gstreamer_hip::gst::buffer::Readable>,
//! ) {
//!     converter.convert_frame(stream, from, to).unwrap();
//! }
//! ```
//!
//! Nobody reads while somebody writes, and a memory is written by who has it alone:
//!
//! ```compile_fail,E0502
//! fn wrong(memory: &mut gstreamer_hip::HipMemoryRef) {
//!     let values = memory.map_slice::<u8>().unwrap();
//!     memory.map_slice_mut::<u8>().unwrap()[0] = 1;
//!     println!("{}", values[0]);
//! }
//! ```
//!
//! ```compile_fail,E0502
//! fn wrong(stream: &gstreamer_hip::HipStream, memory: &mut gstreamer_hip::HipMemoryRef) {
//!     let values = memory.map_slice::<u8>().unwrap();
//!     stream.fill(memory, 0, 1, 0).unwrap();
//!     println!("{}", values[0]);
//! }
//! ```
//!
//! ```compile_fail,E0596
//! fn wrong(memory: &gstreamer_hip::HipMemory) {
//!     memory.map_slice_mut::<u8>().unwrap()[0] = 1;
//! }
//! ```
//!
//! Bytes are no values of a type that has others:
//!
//! ```compile_fail,E0277
//! fn wrong(memory: &gstreamer_hip::HipMemory) -> bool {
//!     memory.map_slice::<bool>().unwrap()[0]
//! }
//! ```
//!
//! A launch says that it is unsafe, has all its arguments, and kernels take numbers,
//! memories and plain structs:
//!
//! ```compile_fail,E0133
//! fn wrong(module: &gstreamer_hip::HipKernelModule, args: &gstreamer_hip::HipKernelArgs) {
//!     module.launch("transform", None, [1, 1, 1], [1, 1, 1], args).unwrap();
//! }
//! ```
//!
//! ```compile_fail,E0061
//! fn wrong(module: &gstreamer_hip::HipKernelModule) {
//!     unsafe { module.launch("transform", None, [1, 1, 1], [1, 1, 1]).unwrap() }
//! }
//! ```
//!
//! ```compile_fail,E0277
//! fn wrong(args: &mut gstreamer_hip::HipKernelArgs) {
//!     args.add("text");
//! }
//! ```
//!
//! ```compile_fail,E0277
//! fn wrong(args: &mut gstreamer_hip::HipKernelArgs) {
//!     args.add_bytes(&String::new()).unwrap();
//! }
//! ```
//!
//! Memory that is not a device's is no argument, and not cast by force:
//!
//! ```compile_fail,E0308
//! fn wrong(args: &mut gstreamer_hip::HipKernelArgs, memory: &gstreamer_hip::gst::Memory) {
//!     args.add_memory(memory, 0).unwrap();
//! }
//! ```
//!
//! Two threads do not use one list of arguments:
//!
//! ```compile_fail,E0277
//! fn wrong(args: &gstreamer_hip::HipKernelArgs) {
//!     std::thread::scope(|scope| {
//!         scope.spawn(|| args.len());
//!     });
//! }
//! ```
//!
//! ```compile_fail,E0599
//! fn wrong(args: gstreamer_hip::HipKernelArgs) -> gstreamer_hip::HipKernelArgs {
//!     args.clone()
//! }
//! ```
//!
//! What worker threads call and drop can be sent to them, and borrows nothing:
//!
//! ```compile_fail,E0277
//! fn wrong(fence: &gstreamer_hip::HipFenceData) {
//!     fence.push(std::rc::Rc::new(1));
//! }
//! ```
//!
//! ```compile_fail,E0597
//! fn wrong(fence: &gstreamer_hip::HipFenceData) {
//!     let local = 1;
//!     fence.push(&local);
//! }
//! ```
//!
//! ```compile_fail,E0277
//! fn wrong(event: &gstreamer_hip::HipEvent) {
//!     let shared = std::rc::Rc::new(1);
//!     event.notify(move |_, _| println!("{shared}"));
//! }
//! ```
//!
//! ```compile_fail,E0373
//! fn wrong(event: &gstreamer_hip::HipEvent) {
//!     let local = 1;
//!     event.notify(|_, _| println!("{local}"));
//! }
//! ```
//!
//! Slices stay on the thread that mapped them:
//!
//! ```compile_fail,E0277
//! fn wrong(values: gstreamer_hip::HipSlice<'static, u8>) {
//!     std::thread::spawn(move || values.len());
//! }
//! ```
