# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""HIP memory as an array of another library, without a copy: DLPack.

Tensor has the two methods by which torch.from_dlpack (), cupy.from_dlpack () and
numpy.from_dlpack () take it. The library's stream waits, on the device, for what
is pending on the memory; when the library gives the array up, the memory's next
user waits for what the library has queued. Nobody waits on the CPU, unless the
device is the CPU.
"""

import ctypes as c

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstHip', '1.0')
from gi.repository import Gst, GstHip  # noqa: E402

CPU, CUDA, ROCM = 1, 2, 10
DEVICES = {GstHip.Vendor.HOST: CPU, GstHip.Vendor.NVIDIA: CUDA, GstHip.Vendor.AMD: ROCM}
# DLPack's (code, bits)
TYPES = {'int8': (0, 8), 'uint8': (1, 8), 'float16': (2, 16), 'float32': (2, 32), 'bfloat16': (4, 16)}


class DLTensor(c.Structure):
    _fields_ = [('data', c.c_void_p), ('device_type', c.c_int32), ('device_id', c.c_int32),
                ('ndim', c.c_int32), ('code', c.c_uint8), ('bits', c.c_uint8), ('lanes', c.c_uint16),
                ('shape', c.POINTER(c.c_int64)), ('strides', c.POINTER(c.c_int64)), ('byte_offset', c.c_uint64)]


class DLManagedTensor(c.Structure):
    pass


DELETER = c.CFUNCTYPE(None, c.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [('tensor', DLTensor), ('context', c.c_void_p), ('deleter', DELETER)]

# A Gst.Memory is no GstHip.Memory to the bindings, so these are called by their names.
hip = c.CDLL('libgsthip-1.0.so.1')
hip.gst_hip_memory_get_address.argtypes = [c.c_void_p]
hip.gst_hip_memory_get_address.restype = c.c_size_t
hip.gst_hip_memory_sync.argtypes = [c.c_void_p]
hip.gst_hip_memory_sync.restype = None
for name in ('begin', 'end'):
    function = getattr(hip, f'gst_hip_memory_{name}_native_access')
    function.argtypes = [c.c_void_p, c.c_size_t, c.c_int, c.c_void_p]
    function.restype = c.c_int

DESTRUCTOR = c.PYFUNCTYPE(None, c.c_void_p)
new_capsule = c.pythonapi.PyCapsule_New
new_capsule.argtypes = [c.c_void_p, c.c_char_p, DESTRUCTOR]
new_capsule.restype = c.py_object
is_capsule = c.pythonapi.PyCapsule_IsValid
is_capsule.argtypes = [c.c_void_p, c.c_char_p]
get_pointer = c.pythonapi.PyCapsule_GetPointer
get_pointer.argtypes = [c.c_void_p, c.c_char_p]
get_pointer.restype = c.c_void_p

NAME = b'dltensor'
lent = {}                       # what arrays still show, by the address of its DLManagedTensor


@DELETER
def give_back(managed):
    memory, stream, *_ = lent.pop(c.addressof(managed.contents))
    if stream is not None:
        hip.gst_hip_memory_end_native_access(hash(memory), stream, Gst.MapFlags.READ, None)


@DESTRUCTOR
def forget(capsule):
    """Nobody has taken it."""
    if is_capsule(capsule, NAME):
        give_back(c.cast(get_pointer(capsule, NAME), c.POINTER(DLManagedTensor)))


class Tensor:
    """memory: HIP memory of device with elements of type (a key of TYPES), which follow each
    other. To be read only."""

    def __init__(self, memory, device, shape, kind):
        self.memory, self.shape, self.kind = memory, tuple(shape), kind
        self.device_type, self.device_id = DEVICES[device.get_vendor()], device.get_device_id()
        if self.device_type == CPU:
            self.device_id = 0

    def __dlpack_device__(self):
        return self.device_type, self.device_id

    def __dlpack__(self, *, stream=None, **_):
        """stream: the library's, as the array API says: 1 is CUDA's default one, -1: it asks for no order."""
        if self.device_type == CPU:
            hip.gst_hip_memory_sync(hash(self.memory))
            stream = None
        elif stream == -1:
            stream = None
        else:
            stream = stream or 0
            if self.device_type == CUDA and stream == 1:
                stream = 0
            if not hip.gst_hip_memory_begin_native_access(hash(self.memory), stream, Gst.MapFlags.READ, None):
                raise BufferError('the device does not order the memory for that stream')
        shape = (c.c_int64 * len(self.shape))(*self.shape)
        code, bits = TYPES[self.kind]
        managed = DLManagedTensor(DLTensor(
            hip.gst_hip_memory_get_address(hash(self.memory)), self.device_type, self.device_id,
            len(self.shape), code, bits, 1, shape, None, 0), None, give_back)
        lent[c.addressof(managed)] = self.memory, stream, managed, shape
        return new_capsule(c.addressof(managed), NAME, forget)
