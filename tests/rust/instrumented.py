#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Do the Rust tests and examples use the C library's memory as they should?

instrumented.py SOURCE BUILD: the library once more with the address and undefined
behaviour sanitizers, in BUILD/rust/instrumented, and the programs that cargo.py
builds with that one in the plain one's place. The packaged compiler of Rust has no
sanitizer, so Rust's own loads and stores are not looked at; its allocations are,
wherever C code touches them, and so are leaks of either language. First come
mistakes made on purpose.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cargo  # noqa: E402
from cargo import tap  # noqa: E402

OPTIONS = ['-Db_sanitize=address,undefined', '-Dwerror=true', '-Dintrospection=disabled', '-Ddocs=disabled',
           '-Dtests=disabled', '-Dexamples=disabled', '-Dtools=disabled', '-Dprecompiled-kernels=disabled']
LIBRARY = 'gst-libs/gst/hip/libgsthip-1.0.so.1'
# The compiler of kernels is not to be looked at, nor to be slowed down.
COMPILER = '#!/bin/sh\nunset LD_PRELOAD\nexec {} "$@"\n'
PLANTED = {
    'use_after_free': 'heap-use-after-free',
    'heap_buffer_overflow': 'heap-buffer-overflow',
    'leak': 'detected memory leaks',
    'rust_leak': 'detected memory leaks',
}


def make(source, folder):
    """(the folder of the library, or what went wrong), quiet.so beside it."""
    problem = ''
    if not os.path.exists(os.path.join(folder, 'build.ninja')):
        problem = tap.run(['meson', 'setup', *OPTIONS, folder, source])[1]
    problem = problem or tap.run(['ninja', '-C', folder, LIBRARY])[1]
    problem = problem or tap.run(['cc', '-shared', '-fPIC', '-Wall', '-Werror', '-o', os.path.join(folder, 'quiet.so'),
                                  os.path.join(source, 'tests/sanitizers/quiet.c')])[1]
    return os.path.join(folder, os.path.dirname(LIBRARY)), problem


def environment(folder, library):
    compiler = os.path.join(folder, 'kernel-compiler')
    cargo.write(compiler, COMPILER.format(os.environ.get('GST_HIP_CXX', 'g++')), 0o755)
    preload = tap.run(['cc', '-print-file-name=libasan.so'])[0].strip() + ' ' + os.path.join(folder, 'quiet.so')
    return dict(os.environ, GST_HIP_VENDOR='host', GST_HIP_CXX=compiler, LD_LIBRARY_PATH=library, LD_PRELOAD=preload,
                G_SLICE='always-malloc', GST_REGISTRY_FORK='no', RUST_BACKTRACE='0',
                ASAN_OPTIONS='allocator_may_return_null=1:detect_leaks=1',
                UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1')


def run_planted(program, env):
    for name, words in PLANTED.items():
        out, problem = tap.run([program, '--ignored', '--exact', name], env=env)
        tap.case(f'sees the mistake planted: {name}', '' if problem and words in out else f'not seen:\n{out}')


def main():
    source, build = sys.argv[1:]
    cargo.skip_elsewhere()
    folder = os.path.join(build, 'rust', 'instrumented')
    library, problem = make(source, folder)
    tap.case('the library builds', problem)
    programs, trouble = cargo.Cargo(source, build).build_tests()
    tap.case('the programs build', trouble)
    if problem or trouble:
        tap.done()
    env = environment(folder, library)
    out, _ = tap.run([programs[('example', 'transform')]], env=dict(env, LD_TRACE_LOADED_OBJECTS='1'))
    tap.case('it is this library that they load', '' if re.search(rf'=> {re.escape(library)}/libgsthip', out) else out)
    run_planted(programs[('test', 'planted')], env)
    # The one that compares with the headers runs nothing of the library.
    programs.pop(('test', 'abi'))
    cargo.run_all(programs, env)
    tap.done()


if __name__ == '__main__':
    main()
