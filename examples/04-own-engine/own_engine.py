#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""04: frames to an engine of your own: PyTorch, CuPy or NumPy.

own_engine.py [VENDOR]: frames come out of an appsink in HIP memory, one kernel
makes a tensor of each where it is, and the engine is given that by DLPack, without
a copy. What the engine says, each channel's mean, is compared with what the frames
show. Ends with status 77 where no engine works on the device.
"""

import sys

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
gi.require_version('GstHip', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import Gst, GstApp, GstHip, GstVideo  # noqa: E402, F401

import hipdlpack  # noqa: E402

WIDTH, HEIGHT, N_FRAMES = 320, 240, 20


def find_engine(device):
    """Its name, and what makes an array of a hipdlpack.Tensor"""
    names = ['numpy', 'torch'] if device.get_vendor() == GstHip.Vendor.HOST else ['torch', 'cupy']
    for name in names:
        try:
            module = __import__(name)
        except ImportError:
            continue
        if hasattr(module, 'from_dlpack'):
            return name, module.from_dlpack
    return None, None


class ToTensor:
    """Frames of info become tensors of 1x3xHEIGHTxWIDTH float32, red, green, blue from 0 to 1."""

    def __init__(self, device, info):
        self.device = device
        self.stream = GstHip.Stream.new_full(device, 0)
        desc = GstHip.TensorDesc()
        desc.data_type = GstHip.TensorDataType.FLOAT32
        desc.layout = GstHip.TensorLayout.NCHW
        desc.format = GstHip.TensorFormat.RGB
        desc.width, desc.height = WIDTH, HEIGHT
        self.converter = GstHip.Converter.new_to_tensor(device, info, desc, None)
        # Memory goes back to it and comes again when the device is done with it.
        self.pool = GstHip.PoolAllocator.new_full(device, GstHip.MemoryKind.DEVICE, None, 4 * 3 * WIDTH * HEIGHT, 0)
        self.pool.set_active(True)

    def convert(self, frame):
        flow, memory = self.pool.acquire_memory()
        if flow != Gst.FlowReturn.OK:
            raise MemoryError('no memory for a tensor')
        self.converter.convert_to_tensor(self.stream, frame, memory, 0, 0)
        return hipdlpack.Tensor(memory, self.device, (1, 3, HEIGHT, WIDTH), 'float32')


def expected_means(frame_number):
    """Of the colour that frames are filled with"""
    return [(frame_number * step % 256) / 255 for step in (11, 23, 47)]


def push_frames(source):
    for number in range(N_FRAMES):
        colour = bytes(round(mean * 255) for mean in expected_means(number))
        buffer = Gst.Buffer.new_wrapped(colour * (WIDTH * HEIGHT))
        buffer.pts = number * Gst.SECOND // 25
        source.push_buffer(buffer)
    source.end_of_stream()


def run(vendor):
    pipeline = Gst.parse_launch(
        f'appsrc name=source format=time caps=video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate=25/1 ! '
        f'hipupload vendor={vendor} ! appsink name=sink sync=false caps=video/x-raw(memory:HIPMemory)')
    sink = pipeline.get_by_name('sink')
    pipeline.set_state(Gst.State.PLAYING)
    push_frames(pipeline.get_by_name('source'))
    to_tensor = engine = None
    right = number = 0
    kept = []
    while sample := sink.pull_sample():
        if not to_tensor:
            query = Gst.Query.new_context('gst.hip.device')
            if not pipeline.get_by_name('sink').get_static_pad('sink').peer_query(query):
                sys.exit('the upload has no device')
            device = query.parse_context().get_structure().get_value('device')
            engine, from_dlpack = find_engine(device)
            if not engine:
                print('1..0 # SKIP no engine for this device')
                return 77
            caps = sample.get_caps()
            to_tensor = ToTensor(device, GstVideo.VideoInfo.new_from_caps(caps))
        array = from_dlpack(to_tensor.convert(sample.get_buffer()))
        kept = kept[-2:] + [array]      # more than one is on its way
        means = [float(array[0][channel].mean()) for channel in range(3)]
        right += all(abs(a - b) < 1e-4 for a, b in zip(means, expected_means(number)))
        number += 1
    pipeline.set_state(Gst.State.NULL)
    del array, kept
    print(f'{number} frames seen by {engine}, their means right on {right}; {len(hipdlpack.lent)} still lent')
    return 0 if number == right == N_FRAMES and not hipdlpack.lent else 1


Gst.init(None)
if __name__ == '__main__':
    sys.exit(run(sys.argv[1] if len(sys.argv) > 1 else 'host'))
