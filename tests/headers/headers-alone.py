#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Each public header compiles alone, twice over, in strict C and C++, and
includes GLib and GStreamer only. Other projects' headers are system headers
here, so that every warning is ours."""

import os
import re
import shlex
import sys

import tap

LANGUAGES = {
    'c11': ['-x', 'c', '-std=c11', '-Wstrict-prototypes'],
    'c23': ['-x', 'c', '-std=c2x'],
    'c++11': ['-x', 'c++', '-std=c++11'],
    'c++20': ['-x', 'c++', '-std=c++20'],
}
STRICT = ['-pedantic-errors', '-Wall', '-Wextra', '-Werror', '-fsyntax-only']
# hip-gst.h is for programs that have the HIP headers; it names them and is
# compiled by tests of its own.
VENDOR = {'hip-gst.h', 'amd.h', 'nvidia.h'}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
ALLOWED = re.compile(r'^(glib|glib-object|gmodule|gio/gio)\.h$|^gst/(?!hip/)|^gst/hip/gsthip[a-z_-]*\.h$'
                     r'|^gsthip[a-z_]*\.h$|^(stddef|stdint)\.h$')


def main():
    source = os.environ['GST_HIP_SOURCE_DIR']
    include = os.path.join(source, 'gst-libs')
    made = os.path.join(os.environ['GST_HIP_BUILD_DIR'], 'gst-libs')
    flags = [f.replace('-I', '-isystem', 1) if f.startswith('-I') else f
             for f in tap.pkg_config('--cflags', 'gstreamer-video-1.0', 'gstreamer-allocators-1.0')]
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    for name in sys.argv[1:]:
        if name in VENDOR or name == 'hip-prelude.h':
            continue
        with open(os.path.join(include, 'gst/hip', name), encoding='utf-8') as file:
            found = INCLUDE.findall(file.read())
        bad = [i for i in found if not ALLOWED.match(i)]
        tap.case(f'{name} includes GLib and GStreamer only', 'includes ' + ', '.join(bad) if bad else '')
        unit = f'#include <gst/hip/{name}>\n' * 2 + 'int unused_but_not_empty;\n'
        path = f'{name}.unit.inc'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(unit)
        for language, options in LANGUAGES.items():
            command = [*compiler, *options, *STRICT, '-I' + include, '-I' + made, *flags, path]
            tap.case(f'{name} in {language}', tap.run(command)[1])
        os.remove(path)
    tap.done()


main()
