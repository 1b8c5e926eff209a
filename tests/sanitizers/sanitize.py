#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Do the tests pass with everything of ours instrumented?

sanitize.py address|thread SOURCE: builds build/root-asan or build/root-tsan and
runs its tests, as one case each. In the Debian 13 root only, whose compiler
brings the sanitizers. First come programs with a mistake made on purpose: a
sanitizer that does not see those proves nothing.
"""

import fnmatch
import json
import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'headers'))
import tap  # noqa: E402

FULL = bool(os.environ.get('GST_HIP_TEST_FULL'))
# What takes long and shows no code that the rest does not: kernels, which are not instrumented;
# the elements, which know no vendor, on simulated drivers, too; what is the same in every version of a driver.
LONG = ('elements/kernel-archive*', 'elements/kernel-examples', 'elements/io-round-trip*', 'elements/convert-caps-*',
        'elements/convert*-simulated', 'elements/scale-*-simulated', 'elements/io-*-amd*-simulated',
        'elements/io-pipelines-*-simulated', 'elements/kernel*-simulated', 'elements/dmabuf-nvidia-simulated',
        'conformance/kernel-functions-*', 'conformance/*-amd5-simulated', 'conformance/kernels-amd7-simulated',
        'kernels/convert-as-gpu-*', 'kernels/tensor-*', 'elements/onnx-values-*', 'elements/onnx-flow-*',
        'robustness/failing-calls-inference*')


def is_left_out(suite, name):
    return not FULL and any(fnmatch.fnmatchcase(f'{suite}/{name}', pattern) for pattern in LONG)


KINDS = {
    'address': {
        'folder': 'root-asan',
        'sanitize': 'address,undefined',
        # Kernels are not instrumented: what compiles them in another way is the same here,
        # and so is what reads files only.
        'wants': lambda suite, name: suite not in ('headers', 'bench')
        and name not in ('kernel-examples-compiled', 'threads-again', 'nvrtc', 'paths', 'report',
                         # counts memory, which the sanitizer keeps
                         'onnx-memory')
        and not is_left_out(suite, name),
        'options': {
            'ASAN_OPTIONS': 'allocator_may_return_null=1:detect_leaks=0',
            'LSAN_OPTIONS': f'suppressions={HERE}/leaks.supp:print_suppressions=0',
            # GStreamer reads words at any address where the CPU can; its inline functions do so in our code.
            'UBSAN_OPTIONS': f'halt_on_error=1:print_stacktrace=1:suppressions={HERE}/undefined.supp',
        },
        # For programs that are not ours and load what is; and for ours, whose leaks are looked for, too.
        'preload': 'libasan.so',
        'ours': {'ASAN_OPTIONS': 'allocator_may_return_null=1:detect_leaks=1'},
        'quiet': True,
        'whole': True,
        'planted': ['overflow', 'freed', 'undefined', 'leak', 'leak-of-caps', 'leak-in-child'],
    },
    'thread': {
        'folder': 'root-tsan',
        'sanitize': 'thread',
        # The core: pipelines are GStreamer's threads and locks.
        'wants': lambda suite, name: (
            suite in ('unit', 'conformance') and not is_left_out(suite, name)
            # one thread, and ONNX Runtime's, which are not instrumented
            and name not in ('layout', 'kernel-scan', 'convert-formats', 'convert-plan', 'onnx-image',
                             'onnx-model'))
        or (suite, name) in (('races', 'library'), ('robustness', 'notify')),
        'options': {
            # GLib and GStreamer are not instrumented: what orders their own accesses is not seen,
            # so these accesses are not looked at either. No suppression is needed then.
            'TSAN_OPTIONS': 'allocator_may_return_null=1:history_size=4:ignore_noninstrumented_modules=1:'
                            'atexit_sleep_ms=20',
            # No plugin but ours: what others do when they are loaded is not the point.
            'GST_PLUGIN_SYSTEM_PATH_1_0': '',
        },
        'preload': None,
        'ours': {},
        'quiet': False,
        'whole': False,
        'planted': ['race', 'race-in-worker'],
    },
}


# Formats that come and go beside each other take the same ways through the
# library, where kernels are not instrumented; --full takes all pairs.
PART = {'GST_HIP_TEST_PART': '31'}


def output_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def make(source, build, kind):
    """Empty, or what went wrong."""
    # -O1: builds in half the time, and reports name what was written. Warnings are the
    # business of the other builds: with these options the compiler sees some that are none.
    # No GPU runs here, so nothing is compiled for one.
    options = [f'-Db_sanitize={kind["sanitize"]}', '-Doptimization=1', '-Dintrospection=disabled', '-Ddocs=disabled',
               '-Damd-archs=', '-Dnvidia-archs=']
    note = os.path.join(build, 'options')
    if not os.path.exists(note) or open(note, encoding='utf-8').read() != shlex.join(options):
        shutil.rmtree(build, ignore_errors=True)
        _, problem = tap.run(['meson', 'setup', *options, build, source])
        if problem:
            return problem
        with open(note, 'w', encoding='utf-8') as file:
            file.write(shlex.join(options))
    # What Meson says of a folder is of the time when it was configured.
    problem = tap.run(['ninja', '-C', build, 'build.ninja'])[1]
    # Programs of ours run in a build, too.
    problem = problem or tap.run(['ninja', '-C', build, *targets_of(build, kind)],
                                 env=dict(os.environ, **kind['options']))[1]
    if kind['quiet'] and not problem:
        problem = tap.run(['cc', '-shared', '-fPIC', '-Wall', '-Werror', '-o', os.path.join(build, 'quiet.so'),
                           os.path.join(HERE, 'quiet.c')])[1]
    return problem


def wanted(build, kind):
    """What kind runs: (suite, test), the test as Meson describes it."""
    for test in json.loads(output_of(['meson', 'introspect', '--tests', build])):
        suite = test['suite'][0].split(':', 1)[-1]
        if kind['wants'](suite, test['name']):
            yield suite, test


def targets_of(build, kind):
    """What ninja makes: none named is all."""
    if kind['whole']:
        return []
    needed = {target for _, test in wanted(build, kind) for target in test['depends']}
    files = []
    for target in json.loads(output_of(['meson', 'introspect', '--targets', build])):
        # Libraries and plugins are found by their folders.
        if target['id'] in needed or target['name'] == 'planted' or target['type'].startswith('shared'):
            files += [os.path.relpath(file, build) for file in target['filename']]
    return files


def tests_of(build, kind):
    """(suite, name) of what kind runs: programs of this build, all others."""
    ours, others = [], []
    for suite, test in wanted(build, kind):
        mine = os.path.realpath(test['cmd'][0]).startswith(os.path.realpath(build) + os.sep)
        (ours if mine else others).append((suite, test['name']))
    return ours, others


def planted(build):
    return os.path.join(build, 'tests', 'sanitizers', 'planted')


def make_registries(build, kind, env):
    """Before the first tests, which would be those that load every plugin there is, with what those leak."""
    names = ('GST_REGISTRY_1_0', 'GST_PLUGIN_PATH_1_0')
    for found in sorted({tuple(test['env'].get(name, '') for name in names) for _, test in wanted(build, kind)}):
        if found[0]:
            problem = tap.run([planted(build)], env=dict(env, **dict(zip(names, found))))[1]
            tap.case(f'plugins are known: {os.path.relpath(found[0], build)}', problem)


def run_planted(build, kind, env):
    program = planted(build)
    for mistake in kind['planted']:
        result = subprocess.run([program, mistake], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors='replace', check=False)
        seen = result.returncode != 0 and ('Sanitizer' in result.stdout or 'runtime error' in result.stdout)
        tap.case(f'sees the mistake planted: {mistake}', '' if seen else f'not seen: {result.stdout}')


def run_suite(build, suite, names, env, preload):
    """Suite by suite: programs of two may have one name, and Meson takes names alone."""
    log = os.path.join(build, 'meson-logs', 'testlog-env.json')
    if os.path.exists(log):
        os.remove(log)
    _, problem = tap.run(['meson', 'test', '-C', build, '--no-rebuild', '--timeout-multiplier', '10',
                          f'--suite={suite}', f'--wrapper=env LD_PRELOAD={preload}', *names], env=env)
    if not os.path.exists(log):
        tap.case('tests run', f'meson left no log\n{problem}')
        return
    with open(log, encoding='utf-8') as file:
        for line in file:
            test = json.loads(line)
            good = test['result'] in ('OK', 'SKIP', 'EXPECTEDFAIL')
            text = (test.get('stdout') or '') + (test.get('stderr') or '')
            tap.case(f'{test["name"]} ({test["duration"]:.0f} s)', '' if good else f'{test["result"]}\n{text[-6000:]}')


def run_tests(build, tests, env, preload):
    for suite in sorted({suite for suite, _ in tests}):
        run_suite(build, suite, sorted(name for its, name in tests if its == suite), env, preload)


def main():
    kind, source = KINDS[sys.argv[1]], sys.argv[2]
    if not os.environ.get('GST_HIP_DEV_INSIDE'):
        tap.skip('builds', 'only in the Debian 13 root')
        tap.done()
    # The newest tests have not passed there yet.
    if not (FULL or os.environ.get('GST_HIP_TEST_SANITIZE')):
        tap.skip('builds', 'only by ./dev test --full, or with GST_HIP_TEST_SANITIZE=1')
        tap.done()
    build = os.path.join(source, 'build', kind['folder'])
    problem = make(source, build, kind)
    tap.case('builds', problem)
    if not problem:
        env = {name: value for name, value in os.environ.items() if not name.startswith(('GST_', 'MESON_'))}
        env.update(kind['options'])
        env.update({'GST_HIP_DEV_INSIDE': '1', 'G_SLICE': 'always-malloc', 'GST_REGISTRY_FORK': 'no'})
        if not FULL:
            env.update(PART)
        ours, others = tests_of(build, kind)
        tap.case('tests there', '' if ours else 'none')
        preload = output_of(['cc', f'-print-file-name={kind["preload"]}']) if kind['preload'] else ''
        make_registries(build, kind, env)
        for_ours = dict(env, **kind['ours'])
        before = f'{preload}:{build}/quiet.so' if kind['quiet'] else ''
        run_planted(build, kind, dict(for_ours, LD_PRELOAD=before))
        run_tests(build, ours, for_ours, before)
        run_tests(build, others, env, preload)
    tap.done()


if __name__ == '__main__':
    main()
