#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Do the Rust crates build without a warning, and do their tests, doctests and
examples pass?

cargo.py SOURCE BUILD: offline, with the crates that Debian packages. Everything
that cargo makes goes to BUILD/rust; the source is only read.
"""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'headers'))
import tap  # noqa: E402

REGISTRY = '/usr/share/cargo/registry'
# One compares with this tree's headers, the other has mistakes for a sanitizer to see.
NOT_FOR_A_BUNDLE = ('abi', 'planted')
EXAMPLES = ('transform', 'element', 'consumer')
CONFIG = f'''[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "{REGISTRY}"
'''
# Numbers of errors are compared by the compiler's own tests only, it thinks.
RUSTDOC = '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n'


def write(path, text, mode=0o644):
    """Only what changed, since cargo builds anew what is newer."""
    if not os.path.exists(path) or open(path, encoding='utf-8').read() != text:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    os.chmod(path, mode)


class Cargo:
    def __init__(self, source, build):
        self.folder = os.path.join(build, 'rust')
        self.workspace = os.path.join(self.folder, 'workspace')
        os.makedirs(self.workspace, exist_ok=True)
        # The lock file lies beside the manifest: so that is seen from in here.
        for name in ('Cargo.toml', 'gstreamer-hip', 'gstreamer-hip-sys'):
            link = os.path.join(self.workspace, name)
            if not os.path.islink(link):
                os.symlink(os.path.join(source, 'rust', name), link)
        os.makedirs(os.path.join(self.folder, 'home'), exist_ok=True)
        write(os.path.join(self.folder, 'home', 'config.toml'), CONFIG)
        write(os.path.join(self.folder, 'rustdoc'), RUSTDOC, 0o755)
        self.env = {name: value for name, value in os.environ.items() if name != 'LD_PRELOAD'}
        self.env.update({
            'CARGO_HOME': os.path.join(self.folder, 'home'),
            'CARGO_TARGET_DIR': os.path.join(self.folder, 'target'),
            'CARGO_NET_OFFLINE': 'true',
            'CARGO_TERM_COLOR': 'never',
            'CARGO_BUILD_JOBS': self.env.get('CARGO_BUILD_JOBS', '2'),
            'RUSTDOC': os.path.join(self.folder, 'rustdoc'),
            'RUST_BACKTRACE': '1',
            # The simulated GPU is for the test that wants another device.
            'GST_HIP_VENDOR': self.env.get('GST_HIP_VENDOR', 'host'),
            'LD_LIBRARY_PATH': os.path.join(build, 'gst-libs', 'gst', 'hip'),
            'PKG_CONFIG_PATH': os.path.join(build, 'meson-uninstalled'),
            # An uninstalled library's include folders are not what its users write.
            'CFLAGS': f'-I{source}/gst-libs -I{build}/gst-libs',
        })

    def run(self, *args):
        return tap.run(['cargo', *args], env=self.env, cwd=self.workspace)

    def build_tests(self):
        """({name: program}, problem) of all test programs and examples."""
        result = subprocess.run(
            ['cargo', 'test', '--no-run', '--message-format', 'json'], env=self.env, cwd=self.workspace,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        programs, text = {}, result.stderr
        for line in result.stdout.splitlines():
            message = json.loads(line)
            if message.get('executable'):
                target = message['target']
                programs[(target['kind'][0], target['name'])] = message['executable']
            elif message['reason'] == 'compiler-message':
                text += message['message']['rendered']
        return programs, text if result.returncode else ''


def run_program(name, program, env):
    """A program of libtest is a case for each of its tests, others are one."""
    out, problem = tap.run([program], env=env)
    tests = re.findall(r'^test (\S+)(?: - [^.]*)? \.\.\. (\w+)', out, re.M)
    if not tests:
        # A crate's own unit tests may be none.
        if problem or not re.search(r'^running 0 tests', out, re.M):
            tap.case(name, problem)
        return
    # Those of planted.rs are for instrumented.py.
    tests = [(test, result) for test, result in tests if result != 'ignored']
    for test, result in tests:
        tap.case(f'{name}: {test}', '' if result == 'ok' else out)
    if problem and all(result == 'ok' for _, result in tests):
        tap.case(f'{name}: ends well', problem)


def run_programs(cargo, env, suffix=''):
    programs, problem = cargo.build_tests()
    tap.case('builds' + suffix, problem)
    run_all(programs, env, suffix)


def run_all(programs, env, suffix=''):
    for (kind, name), program in sorted(programs.items()):
        if kind == 'test':
            run_program(name + suffix, program, env)
    for name in EXAMPLES:
        program = programs.get(('example', name))
        tap.case(f'example {name}{suffix}', tap.run([program], env=env)[1] if program else 'was not built')


def keep_programs(cargo):
    """What ./dev bundle takes along: programs that need no source, small."""
    folder = os.path.join(cargo.folder, 'bin')
    os.makedirs(folder, exist_ok=True)
    programs, problem = cargo.build_tests()
    for (kind, name), program in sorted(programs.items()):
        if not problem and (kind == 'example' or (kind == 'test' and name not in NOT_FOR_A_BUNDLE)):
            problem = tap.run(['strip', '--strip-debug', '-o', os.path.join(folder, name), program])[1]
    tap.case('programs for a bundle', problem)


def run_doctests(cargo):
    out, problem = cargo.run('test', '--doc')
    tests = re.findall(r'^test (\S+ - .*?) \.\.\. (\w+)', out, re.M)
    tap.case('doctests run', problem if problem and all(r == 'ok' for _, r in tests) else
             '' if len(tests) > 40 else f'only {len(tests)} ran\n{out}')
    for test, result in tests:
        tap.case('doc: ' + test.replace('#', ''), '' if result == 'ok' else out)


def skip_elsewhere():
    if not os.environ.get('GST_HIP_DEV_INSIDE') or not os.path.isdir(os.path.join(REGISTRY, 'gstreamer-0.23.5')):
        tap.skip('crates', 'the crates that they need are packaged in the Debian 13 root only')
        tap.done()


def main():
    source, build = sys.argv[1:]
    skip_elsewhere()
    cargo = Cargo(source, build)
    tap.case('form', cargo.run('fmt', '--all', '--check')[1])
    run_programs(cargo, cargo.env)
    keep_programs(cargo)
    # Once more as on a GPU, whose memory the CPU does not see
    run_programs(cargo, dict(cargo.env, GST_HIP_HOST_STAGING='1'), ', staged')
    tap.case('no warning', cargo.run('clippy', '--all-targets', '--', '-D', 'warnings')[1])
    run_doctests(cargo)
    tap.case('the reference is made without a warning',
             tap.run(['cargo', 'doc', '--no-deps'], env=dict(cargo.env, RUSTDOCFLAGS='-D warnings'),
                     cwd=cargo.workspace)[1])
    tap.done()


if __name__ == '__main__':
    main()
