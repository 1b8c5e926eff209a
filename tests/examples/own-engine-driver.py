#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Does an engine on a GPU get tensors over DLPack in order?

own-engine-driver.py FOLDER: runs the example in FOLDER on the simulated NVIDIA
driver, with an engine that is the driver itself: a stream of its own, which every
array is copied to the CPU on as soon as it is taken. Every piece of work takes
some time, so a stream that did not wait would copy what is not there yet.
"""

import ctypes as c
import os
import sys

import numpy

sys.path.insert(0, sys.argv[1])
import hipdlpack  # noqa: E402
import own_engine  # noqa: E402

driver = c.CDLL(os.environ['GST_HIP_CUDA_LIBNAME'])
stream = c.c_void_p()


def call(name, *args):
    result = getattr(driver, name)(*args)
    if result:
        sys.exit(f'{name}: {result}')


def start_driver():
    context = c.c_void_p()
    call('cuDevicePrimaryCtxRetain', c.byref(context), 0)
    call('cuCtxPushCurrent_v2', context)
    call('cuStreamCreate', c.byref(stream), 0)


def from_dlpack(tensor):
    if not stream:
        start_driver()
    assert tensor.__dlpack_device__() == (hipdlpack.CUDA, 0)
    capsule = tensor.__dlpack__(stream=stream.value)
    pointer = hipdlpack.get_pointer(id(capsule), hipdlpack.NAME)
    managed = c.cast(pointer, c.POINTER(hipdlpack.DLManagedTensor)).contents
    shape = managed.tensor.shape[:managed.tensor.ndim]
    assert (managed.tensor.code, managed.tensor.bits, managed.tensor.lanes) == (2, 32, 1)
    array = numpy.zeros(shape, numpy.float32)
    call('cuMemcpyDtoHAsync_v2', array.ctypes.data_as(c.c_void_p), c.c_uint64(managed.tensor.data),
         c.c_size_t(array.nbytes), stream)
    # The capsule is taken; the array is given up with its copy still queued.
    rename = c.pythonapi.PyCapsule_SetName
    rename.argtypes = [c.py_object, c.c_char_p]
    rename(capsule, USED)
    managed.deleter(c.pointer(managed))
    call('cuStreamSynchronize', stream)
    return array


USED = b'used_dltensor'
os.environ['FAKE_CUDA_DELAY_US'] = '3000'
own_engine.find_engine = lambda device: ('the driver', from_dlpack)
sys.exit(own_engine.run('nvidia'))
