#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Programs with gst/hip/hip-gst.h, compiled with every set of HIP headers that
can be had (the machine's own, and those of Debian suites, which
tools/dev/fetch-hip.sh fetches once), and run on the host device and on the
simulated drivers.

    hip-sets.py NAME=VALUE...      environments of simulated drivers, each
                                   begun by vendor=NICK
"""

import os
import re
import subprocess
import sys
import tempfile

import hipheaders
import tap

SOURCE, BUILD = os.environ['GST_HIP_SOURCE_DIR'], os.environ['GST_HIP_BUILD_DIR']


def flags(*arguments):
    return subprocess.run(['pkg-config', *arguments, 'gstreamer-1.0', 'gstreamer-video-1.0'],
                          capture_output=True, text=True, check=True).stdout.split()


def compile_with(folder, name, *more, compiler='CC'):
    command = os.environ.get(compiler, 'c++').split() + ['-Wall', '-Werror', '-Wno-enum-compare']
    command += ['-I' + os.path.join(top, part) for top in (SOURCE, BUILD) for part in ('gst-libs', 'gst-libs/gst/hip')]
    if folder != '/usr/include':
        command += ['-isystem', folder]
    _, problem = tap.run(command + flags('--cflags') + [name, *more])
    return problem


def run_program(program, environment):
    run = subprocess.run([program], capture_output=True, text=True, check=False, env=dict(os.environ, **environment))
    results = re.findall(r'^(not ok|ok) \d+ (\S+)', run.stdout, re.M)
    bad = [name for verdict, name in results if verdict != 'ok']
    plan = re.search(r'^1\.\.(\d+)', run.stdout, re.M)
    if run.returncode == 0 and not bad and plan and len(results) == int(plan.group(1)) > 0:
        return ''
    return 'status %d\n%s\n%s' % (run.returncode, run.stdout, run.stderr)


def simulated(arguments):
    """[(vendor, environment)] of what is on the command line"""
    result = []
    for argument in arguments:
        name, value = argument.split('=', 1)
        if name == 'vendor':
            result.append((value, {'GST_HIP_TEST_VENDOR': value}))
        else:
            result[-1][1][name] = value
    return result


def main():
    devices = [('host', {'GST_HIP_TEST_VENDOR': 'host'})] + simulated(sys.argv[1:])
    library = os.path.join(BUILD, 'gst-libs/gst/hip')
    sets, missing = hipheaders.header_sets()
    here = os.path.join(SOURCE, 'tests/headers')

    for reason in missing:
        print('# not tried: %s' % reason.replace('\n', ' '))
    if not sets:
        tap.skip('HIP headers', 'there are none: ' + '; '.join(missing))
    with tempfile.TemporaryDirectory() as work:
        for number, folder in sorted(sets.items()):
            tap.case('HIP %s: our declarations are its own' % number, compile_with(
                folder, os.path.join(here, 'hip-headers.c'), '-std=gnu11', '-fsyntax-only'))
            cpp = os.path.join(work, 'alone.cpp')
            with open(cpp, 'w', encoding='utf-8') as file:
                file.write('#include <gst/hip/hip-gst.h>\n')
            tap.case('HIP %s: hip-gst.h alone in C++' % number, compile_with(
                folder, cpp, '-std=c++17', '-fsyntax-only', compiler='CXX'))
            program = os.path.join(work, 'native-' + number)
            problem = compile_with(
                folder, os.path.join(here, 'hip-native.c'), '-std=gnu11', '-o', program, '-L' + library,
                '-Wl,-rpath,' + library, '-lgsthip-1.0', *flags('--libs'))
            tap.case('HIP %s: a program compiles and links' % number, problem)
            for vendor, environment in devices if not problem else []:
                tap.case('HIP %s: a program runs on %s%s' % (number, vendor, '' if vendor == 'host' else ' (simulated)'),
                         run_program(program, environment))
    tap.done()


main()
