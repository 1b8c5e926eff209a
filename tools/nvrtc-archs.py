#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Which of the wished architectures can this machine's NVRTC compile for?
nvrtc-archs.py TOOLKIT WISH...

A wish is a compute capability like 90, or ptx: code of the newest of the others
that the driver of a newer GPU compiles. Prints names like sm_90 compute_100;
nothing where there is no NVRTC. Needs no GPU."""

import ctypes
import os
import sys

# As the library's loader tries them
NAMES = ('libnvrtc.so.13', 'libnvrtc.so.12', 'libnvrtc.so.11.2', 'libnvrtc.so')


def supported(folders):
    for folder in folders:
        for name in NAMES:
            try:
                nvrtc = ctypes.CDLL(os.path.join(folder, name))
                count = ctypes.c_int()
                nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
                archs = (ctypes.c_int * count.value)()
                nvrtc.nvrtcGetSupportedArchs(archs)
                return list(archs)
            except (OSError, AttributeError):
                continue
    return []


def main():
    toolkit, wishes = sys.argv[1], sys.argv[2:]
    can = supported(['', os.path.join(toolkit, 'lib64'), '/usr/local/cuda/lib64',
                     '/opt/cuda/lib64'])
    numbers = sorted(int(w) for w in wishes if w != 'ptx' and int(w) in can)
    names = [f'sm_{n}' for n in numbers]
    if 'ptx' in wishes and numbers:
        names.append(f'compute_{numbers[-1]}')
    print(' '.join(names))


if __name__ == '__main__':
    main()
