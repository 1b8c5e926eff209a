#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Do the tests pass with everything of ours instrumented?

sanitize.py address|thread SOURCE: builds build/root-asan or build/root-tsan and
runs its tests, as one case each. In the Debian 13 root only, whose compiler
brings the sanitizers, and only by ./dev test --full. First come programs with a mistake made on purpose: a
sanitizer that does not see those proves nothing.
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'headers'))
import tap  # noqa: E402

# Leaks are the leak tracer's and the counters': a process that ends while a
# worker gives something up leaves it on purpose.
KINDS = {
    'address': {
        'folder': 'root-asan',
        'sanitize': 'address,undefined',
        'suites': ['--no-suite', 'headers', '--no-suite', 'bench'],
        'options': {
            'ASAN_OPTIONS': 'allocator_may_return_null=1:detect_leaks=0',
            'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1',
        },
        # Programs that are not ours load what is.
        'preload': 'libasan.so',
        'planted': ['overflow', 'freed', 'undefined'],
    },
    'thread': {
        'folder': 'root-tsan',
        'sanitize': 'thread',
        # The core: pipelines are GStreamer's threads and locks.
        'suites': ['--suite', 'unit', '--suite', 'conformance'],
        'options': {
            # GLib and GStreamer are not instrumented: what orders their own accesses is not seen,
            # so these accesses are not looked at either. No suppression is needed then.
            'TSAN_OPTIONS': 'allocator_may_return_null=1:history_size=4:ignore_noninstrumented_modules=1:'
                            'atexit_sleep_ms=20',
            # No plugin but ours: what others do when they are loaded is not the point.
            'GST_PLUGIN_SYSTEM_PATH_1_0': '',
        },
        'preload': None,
        'planted': ['race', 'race-in-worker'],
    },
}


def output_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def make(source, build, kind):
    """Empty, or what went wrong."""
    if not os.path.exists(os.path.join(build, 'build.ninja')):
        _, problem = tap.run(['meson', 'setup', '-Dwerror=true', f'-Db_sanitize={kind["sanitize"]}',
                              '-Dintrospection=disabled', '-Ddocs=disabled', build, source])
        if problem:
            return problem
    return tap.run(['ninja', '-C', build])[1]


def run_planted(build, kind, env):
    program = os.path.join(build, 'tests', 'sanitizers', 'planted')
    for mistake in kind['planted']:
        result = subprocess.run([program, mistake], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors='replace', check=False)
        seen = result.returncode != 0 and ('Sanitizer' in result.stdout or 'runtime error' in result.stdout)
        tap.case(f'sees the mistake planted: {mistake}', '' if seen else f'not seen: {result.stdout}')


def run_tests(build, kind, env):
    log = os.path.join(build, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.remove(log)
    command = ['meson', 'test', '-C', build, '--no-rebuild', '--timeout-multiplier', '10', *kind['suites']]
    tap.run(command, env=env)
    if not os.path.exists(log):
        tap.case('tests run', 'meson left no log')
        return
    with open(log, encoding='utf-8') as file:
        for line in file:
            test = json.loads(line)
            good = test['result'] in ('OK', 'SKIP', 'EXPECTEDFAIL')
            text = (test.get('stdout') or '') + (test.get('stderr') or '')
            tap.case(f'{test["name"]} ({test["duration"]:.0f} s)', '' if good else f'{test["result"]}\n{text[-6000:]}')


def main():
    kind, source = KINDS[sys.argv[1]], sys.argv[2]
    if not os.environ.get('GST_HIP_DEV_INSIDE') or not os.environ.get('GST_HIP_TEST_FULL'):
        tap.skip('builds', 'only in the Debian 13 root, by ./dev test --full')
        tap.done()
    build = os.path.join(source, 'build', kind['folder'])
    problem = make(source, build, kind)
    tap.case('builds', problem)
    if not problem:
        env = {name: value for name, value in os.environ.items() if not name.startswith(('GST_', 'MESON_'))}
        env.update(kind['options'])
        env.update({'GST_HIP_DEV_INSIDE': '1', 'G_SLICE': 'always-malloc', 'GST_REGISTRY_FORK': 'no'})
        run_planted(build, kind, env)
        if kind['preload']:
            env['LD_PRELOAD'] = output_of(['cc', f'-print-file-name={kind["preload"]}'])
        run_tests(build, kind, env)
    tap.done()


if __name__ == '__main__':
    main()
