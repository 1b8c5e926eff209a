#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Which of the wished architectures can this machine's HIPRTC compile for?
hiprtc-archs.py WISH...

A wish is a name like gfx1030, or with features: gfx90a:xnack-. Prints those, with
features in the order that devices say them in; nothing where there is no HIPRTC,
or where it cannot be asked: told of an architecture that it does not know, it
ends the process. Needs no GPU."""

import ctypes
import glob
import os
import re
import sys

# As the library's loader tries them
NAMES = ('libhiprtc.so.7', 'libhiprtc.so.6', 'libamdhip64.so.5')
COMGR = ('libamd_comgr.so.3', 'libamd_comgr.so.2')
PREFIX = 'amdgcn-amd-amdhsa--'
WISH = re.compile(r'gfx[0-9a-f]+(:(sramecc|xnack)[+-])*$')


def folders():
    def version(path):
        return [int(number) for number in re.findall(r'\d+', path)]
    tops = [os.environ.get('ROCM_PATH'), '/opt/rocm', *sorted(glob.glob('/opt/rocm-*'), key=version, reverse=True)]
    return [os.path.join(top, 'lib') for top in tops if top] + ['']


def load(names, wish=None):
    for path in [wish] if wish else [os.path.join(folder, name) for folder in folders() for name in names]:
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    return None


def supported():
    hiprtc, comgr = load(NAMES, os.environ.get('GST_HIP_HIPRTC_LIBNAME')), load(COMGR)
    names = set()
    try:
        if not hiprtc.hiprtcCompileProgram:
            return names
        count, name = ctypes.c_size_t(), ctypes.c_char_p()
        comgr.amd_comgr_get_isa_count(ctypes.byref(count))
        for index in range(count.value):
            comgr.amd_comgr_get_isa_name(ctypes.c_size_t(index), ctypes.byref(name))
            names.add(name.value.decode().removeprefix(PREFIX).split(':')[0])
    except AttributeError:      # no library, or none of ours
        pass
    return names


def main():
    can, archs = supported(), []
    for wish in sys.argv[1:]:
        if not WISH.match(wish):
            sys.exit(f'"{wish}" is no architecture of AMD: a name like gfx1030 or gfx90a:xnack- is meant')
        name, *features = wish.split(':')
        arch = ':'.join([name, *sorted(features)])
        if name in can and arch not in archs:
            archs.append(arch)
    print(' '.join(archs))


if __name__ == '__main__':
    main()
