#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Does an AMD GPU take precompiled kernels, the right ones, and nothing else?

archive-amd.py PRECOMPILE PROGRAM KERNEL: the build's own PRECOMPILE makes files
of KERNEL with the simulated HIPRTC; PROGRAM (kernel-archive.c) runs a pipeline
with it on simulated GPUs, which refuse code that names another one or another
setting of a feature, and says where its kernels came from.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap

PLAIN, OTHER = 'gfx90a:sramecc+:xnack-', 'gfx90a:sramecc+:xnack+'
TARGET, DIGEST, HEADER, INDEX = 24, 88, 120, 176


class Archive:
    def __init__(self, top, precompile, program, kernel):
        self.top, self.precompile, self.program, self.kernel = top, precompile, program, kernel

    def path(self, folder, arch):
        return os.path.join(self.top, folder, f'amd.{arch}.test.kernels')

    def make(self, folder, *archs):
        """A folder with the kernel for archs."""
        os.makedirs(os.path.join(self.top, folder), exist_ok=True)
        for arch in archs:
            _, problem = tap.run([self.precompile, 'amd', arch, self.path(folder, arch), self.kernel])
            if problem:
                raise RuntimeError(problem)

    def rename(self, folder, arch, other):
        """arch's code under the name of other, and signed as if it were right."""
        with open(self.path(folder, arch), 'rb') as file:
            data = bytearray(file.read())
        data[TARGET:DIGEST] = f'amd.{other}'.encode().ljust(DIGEST - TARGET, b'\0')
        entries = int.from_bytes(data[12:16], 'little')
        data[DIGEST:HEADER] = hashlib.sha256(data[:DIGEST] + data[HEADER:HEADER + entries * INDEX]).digest()
        with open(self.path(folder, other), 'wb') as file:
            file.write(data)

    def start(self, device, folder, compiler, cache='off'):
        """(where kernels came from, frames or error, messages) of a process."""
        env = dict(os.environ, FAKE_HIP_ARCH=device, GST_DEBUG='hipmodule:4,hiparchive:2', GST_DEBUG_NO_COLOR='1',
                   GST_HIP_CACHE=cache, GST_HIP_CACHE_DIR=os.path.join(self.top, 'cache'))
        if folder:
            env.update(GST_HIP_ARCHIVE='on', GST_HIP_ARCHIVE_DIR=os.path.join(self.top, folder))
        if not compiler:
            env['GST_HIP_HIPRTC_LIBNAME'] = '/nonexistent/libhiprtc.so.6'
        result = subprocess.run([self.program, '--child', self.kernel], env=env, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, check=False)
        counts, _, rest = result.stdout.partition('\n')
        return counts, rest.strip(), result.stderr

    def check(self, name, device, folder, wanted, frames=None, compiler=False, taken='', cache='off'):
        counts, rest, messages = self.start(device, folder, compiler, cache)
        good = counts == wanted and (frames is None or rest == frames)
        if taken:
            good = good and re.search(f'taken from the archive for {re.escape(taken)}$', messages, re.M)
        tap.case(name, '' if good else f'{counts}, wanted {wanted}\n{rest}\n{messages}')
        return rest


def check_build_folders(archive):
    """What one build folder has had compiled is not compiled in another."""
    counts = {}
    for number, (folder, wish) in enumerate((('one', 'on'), ('two', 'on'), ('two', 'on'), ('three', ''))):
        log = os.path.join(archive.top, f'log-{number}')
        os.environ.update(FAKE_HIP_LOG=log, GST_HIP_PRECOMPILE_CACHE=wish,
                          GST_HIP_CACHE_DIR=os.path.join(archive.top, 'build-cache'))
        archive.make(folder, 'gfx90a')
        with open(log, encoding='utf-8') as file:
            counts[number] = file.read().count('hiprtcCompileProgram')
    tap.case('a second build folder compiles nothing, one without the wish does',
             '' if list(counts.values()) == [1, 0, 0, 1] else counts)
    paths = [archive.path(folder, 'gfx90a') for folder in ('one', 'two', 'three')]
    contents = {open(path, 'rb').read() for path in paths}
    tap.case('and they are the same', '' if len(contents) == 1 else 'the files differ')


def check_all(archive):
    archive.make('plain', 'gfx90a', 'gfx1100')
    archive.make('all', 'gfx90a', 'gfx90a:xnack-', 'gfx90a:xnack+', 'gfx90a:sramecc-:xnack+')
    archive.make('other', 'gfx90a:xnack+', 'gfx90a:sramecc-')
    right = archive.check('compiled where there is no archive', PLAIN, None, '0 0 1', compiler=True)
    tap.case('that gave frames', '' if re.fullmatch('[0-9a-f]{64}', right) else right)

    archive.check('no compiler: the archive serves', PLAIN, 'plain', '1 0 0', right, taken='gfx90a')
    archive.check('without features, too', 'gfx1100', 'plain', '1 0 0', right, taken='gfx1100')
    archive.check('with a compiler nothing is compiled', PLAIN, 'plain', '1 0 0', right, compiler=True)
    archive.check('the first start fills the cache', PLAIN, None, '0 0 1', right, True, cache='on')
    archive.check('the next one compiles nothing', PLAIN, None, '0 1 0', right, True, cache='on')
    archive.check('the archive goes before the cache', PLAIN, 'plain', '1 0 0', right, True, cache='on')

    archive.check('code that names a feature goes first', PLAIN, 'all', '1 0 0', right, taken='gfx90a:xnack-')
    archive.check('as the GPU has it set', OTHER, 'all', '1 0 0', right, taken='gfx90a:xnack+')
    archive.check('another GPU', 'gfx1030', 'all', '0 0 1', right, compiler=True)
    archive.check('features set otherwise', PLAIN, 'other', '0 0 1', right, compiler=True)
    error = archive.check('features set otherwise, no compiler', PLAIN, 'other', '0 0 1')
    tap.case('that says what is missing', '' if 'HIPRTC' in error else error)

    # Whatever a file says of itself, the driver has the last word
    archive.make('foreign', 'gfx1100')
    archive.rename('foreign', 'gfx1100', 'gfx90a:xnack-')
    archive.check('foreign code is refused', PLAIN, 'foreign', '0 0 1', right, compiler=True)
    archive.make('foreign', 'gfx90a')
    archive.check('and the next file is taken', PLAIN, 'foreign', '1 0 0', right, taken='gfx90a')
    shutil.copy(archive.path('foreign', 'gfx1100'), archive.path('foreign', 'gfx90a:sramecc+:xnack-'))
    archive.check('so it is where a file has another name', PLAIN, 'foreign', '1 0 0', right, taken='gfx90a')


def main():
    top = tempfile.mkdtemp(prefix='archive-amd-')
    try:
        check_all(Archive(top, *sys.argv[1:]))
        check_build_folders(Archive(top, *sys.argv[1:]))
    finally:
        shutil.rmtree(top)
    tap.done()


if __name__ == '__main__':
    main()
