#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Packs a build with everything it needs into one tar.xz that runs on another
Linux of the same architecture, from any folder: unpack, ./run CMD...

What travels: our library, plugins, tools, tests and examples, the tracked
source tree (test data, kernels), the GStreamer plugins that tests and demo use,
every shared library all of those need, and the dynamic linker.

What stays the target's: the drivers, and the C++ compiler for kernels. So the
library path is given to the dynamic linker as an option and not in the
environment, where the compiler would inherit it.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PLUGINS = ('coreelements coretracers app typefindfunctions playback rawparse videotestsrc '
           'audiotestsrc videoconvertscale videoconvert videoscale videofilter videorate '
           'videocrop videobox videoparsersbad openh264 vpx png jpeg multifile imagefreeze '
           'matroska isomp4 avi compositor debugutilsbad debug interleave video4linux2 y4m '
           'y4mdec alphacolor deinterlace nvcodec tensordecoders').split()
PROGRAMS = ('gst-launch-1.0', 'gst-inspect-1.0', 'gst-discoverer-1.0')
# The kernel's and the drivers' part of the address space; the target has its own.
NOT_OURS = re.compile(r'^(linux-vdso|lib(cuda|nvidia|nvcuvid|nvrtc|amdhip64|hiprtc)[-.\w]*\.so)')

# Test programs and examples in Rust, there if `./dev test rust/` has run
RUST = 'rust/bin'

# Of a test's environment, what ./run and ./run-tests set for the place they are in.
SET_BY_RUN = ('GST_PLUGIN_PATH_1_0', 'GST_REGISTRY_1_0', 'LD_LIBRARY_PATH', 'GST_HIP_CACHE_DIR',
              'GST_HIP_TEST_OUT')


def is_elf(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, 'rb') as file:
        return file.read(4) == b'\x7fELF'


def is_program(path):
    return os.access(path, os.X_OK) and '.so' not in os.path.basename(path)


def needed(path, env):
    """Shared libraries that path needs: {soname: file}."""
    out = subprocess.run(['ldd', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, env=env, check=False).stdout
    found = {}
    for line in out.splitlines():
        match = re.match(r'\s*(\S+) => (/\S+)', line)
        if match:
            found[match.group(1)] = match.group(2)
        elif 'not found' in line:
            print(f'bundle: {os.path.basename(path)}: {line.strip()}', file=sys.stderr)
    return found


def interpreter(path):
    out = subprocess.run(['readelf', '-l', path], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    return re.search(r'interpreter: (\S+?)\]', out).group(1)


def pkg_config(variable):
    return subprocess.run(['pkg-config', f'--variable={variable}', 'gstreamer-1.0'],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


class Bundle:
    def __init__(self, top, build, source):
        self.top, self.build, self.source = top, build, source
        library = os.path.join(build, 'gst-libs/gst/hip')
        self.env = dict(os.environ, LD_LIBRARY_PATH=library, LC_ALL='C')
        self.elves = []

    def copy(self, path, *where):
        target = os.path.join(self.top, *where)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(path, target)
        if is_elf(path):
            self.elves.append(path)
        return target

    def copy_source(self):
        names = subprocess.run(['git', 'ls-files', '-z'], cwd=self.source, check=True,
                               stdout=subprocess.PIPE).stdout.decode().split('\0')
        for name in filter(None, names):
            path = os.path.join(self.source, name)
            if os.path.isfile(path):
                self.copy(path, 'src', name)

    def copy_build(self):
        """Everything the build linked, and data it made, at the same relative place."""
        for folder, _, files in os.walk(self.build):
            relative = os.path.relpath(folder, self.build)
            if re.search(r'(^|/)(meson-|install-|CMakeFiles)|\.p$|\.p/', relative):
                continue
            # Of what cargo made, what tests/rust/cargo.py put there for us
            if re.match(r'rust(/|$)', relative) and relative != RUST:
                continue
            for name in files:
                path = os.path.join(folder, name)
                if name.endswith(('.o', '.a')):
                    continue
                if os.path.islink(path):
                    path = os.path.realpath(path)
                if is_elf(path) or name.endswith(('.typelib', '.hip', '.kernels',
                                                     '.onnx', '.modelinfo')):
                    self.copy(path, 'build', relative, name)

    def copy_gstreamer(self):
        folder = pkg_config('pluginsdir')
        for name in PLUGINS:
            path = os.path.join(folder, f'libgst{name}.so')
            if os.path.exists(path):
                self.copy(path, 'gstreamer-1.0', os.path.basename(path))
        scanner = os.path.join(pkg_config('pluginscannerdir') or '', 'gst-plugin-scanner')
        for path in [shutil.which(p) for p in PROGRAMS] + [scanner]:
            if path and os.path.exists(path):
                self.copy(path, 'libexec', os.path.basename(path))

    def copy_libraries(self):
        wanted = {}
        for path in self.elves:
            for soname, file in needed(path, self.env).items():
                if not NOT_OURS.match(soname) and not file.startswith(self.build):
                    wanted[soname] = file
        # Opened by name at run time, by the C library itself.
        for extra in ('libgcc_s.so.1', 'libnss_files.so.2', 'libnss_dns.so.2'):
            libc = wanted.get('libc.so.6', '')
            path = os.path.join(os.path.dirname(libc), extra)
            if os.path.exists(path):
                wanted.setdefault(extra, path)
        for soname, file in sorted(wanted.items()):
            self.copy(os.path.realpath(file), 'lib', soname)
        loader = interpreter(shutil.which('gst-launch-1.0'))
        self.copy(os.path.realpath(loader), 'lib', 'ld.so')

    def write_wrappers(self):
        """bin/NAME starts NAME through the bundle's linker; PROGRAM.run beside a
        program is what it starts itself again with (GST_HIP_TEST_SELF)."""
        programs = {}
        for folder in ('libexec', 'build/tools'):
            path = os.path.join(self.top, folder)
            for name in sorted(os.listdir(path)) if os.path.isdir(path) else []:
                if is_elf(os.path.join(path, name)) and '.so' not in name:
                    programs[name] = f'{folder}/{name}'
        os.makedirs(os.path.join(self.top, 'bin'))
        for name, path in programs.items():
            self.write(f'bin/{name}', '#!/bin/sh\nhere=$(cd "$(dirname "$0")/.." && pwd)\n'
                       f'exec "$here/run" "$here/{path}" "$@"\n')

        for path in [p for p in self.elves if p.startswith(self.build) and is_program(p)]:
            relative = os.path.join('build', os.path.relpath(path, self.build))
            up = '/'.join(['..'] * relative.count('/'))
            self.write(relative + '.run', '#!/bin/sh\nhere=$(cd "$(dirname "$0")/' + up
                       + f'" && pwd)\nexec "$here/run" "$here/{relative}" "$@"\n')

    def write_tests(self):
        out = subprocess.run(['meson', 'introspect', '--tests', self.build], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
        lines = []
        for test in json.loads(out):
            if not is_elf(test['cmd'][0]) or not test['cmd'][0].startswith(self.build):
                continue            # checks of the source tree need its tools
            suite = test['suite'][0].split(':')[-1]
            words = [f'{k}={v}' for k, v in test['env'].items() if k not in SET_BY_RUN]
            command = ['env', *words, 'RUN', *test['cmd']]
            text = ' '.join(self.relocated(w) for w in command)
            lines.append(f'{suite}/{test["name"]}\t{test["timeout"] * 4}\t{text}')
        folder = os.path.join(self.build, RUST)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            lines.append(f'rust/{name}\t400\tenv RUST_BACKTRACE=1 "$here/run" "$here/build/{RUST}/{name}"')
        self.write('tests.list', '\n'.join(lines) + '\n', 0o644)

    def relocated(self, word):
        """A shell word with the build's and the source's paths under $here."""
        quoted = shlex.quote(word)
        for path, name in ((self.build, 'build'), (self.source, 'src')):
            if path in word:
                quoted = '"' + word.replace(path, f'$here/{name}') + '"'
                word = word.replace(path, f'$here/{name}')
        return '"$here/run"' if word == 'RUN' else quoted

    def write(self, name, text, mode=0o755):
        path = os.path.join(self.top, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        os.chmod(path, mode)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--source', required=True)
    parser.add_argument('file')
    args = parser.parse_args()
    scripts = os.path.join(args.source, 'tools/dev')
    with tempfile.TemporaryDirectory(dir=os.path.dirname(args.build)) as scratch:
        top = os.path.join(scratch, 'gst-hip')
        os.makedirs(top)
        bundle = Bundle(top, args.build, args.source)
        bundle.copy_source()
        bundle.copy_build()
        bundle.copy_gstreamer()
        bundle.copy_libraries()
        bundle.write_wrappers()
        bundle.write_tests()
        for name in ('run', 'run-tests'):
            shutil.copy(os.path.join(scripts, f'bundle-{name}.sh'), os.path.join(top, name))
            os.chmod(os.path.join(top, name), 0o755)
        temporary = args.file + '.part'
        subprocess.run(['tar', '-C', scratch, '-I', 'xz -T0 -2', '-cf', temporary, 'gst-hip'],
                       check=True)
        os.rename(temporary, args.file)
    print(f'{args.file}: {os.path.getsize(args.file) / 1e6:.1f} MB; unpack, then '
          'gst-hip/run CMD... or gst-hip/run-tests')


if __name__ == '__main__':
    main()
