#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Runs a test program of HIPRTC with that of another Debian suite.

    hiprtc-of.py SUITE LIBRARY PROGRAM

tools/dev/fetch-hip.sh fetches the libraries once; nothing is installed. Where
their C library is newer than this system's, their loader runs the program and
all libraries below HIPRTC are theirs; else only what this system lacks is."""

import os
import re
import subprocess
import sys

FETCH = os.path.join(os.environ['GST_HIP_SOURCE_DIR'], 'tools/dev/fetch-hip.sh')
SYSTEM = '/usr/lib/x86_64-linux-gnu'


def numbers(text):
    return [int(n) for n in re.findall(r'\d+', text)[:2]]


def main():
    suite, library, program = sys.argv[1:]
    fetched = subprocess.run([FETCH, suite, 'libraries'], capture_output=True, text=True, check=False)
    if fetched.returncode:
        print(fetched.stderr.strip())
        return 77
    folder = os.path.join(fetched.stdout.strip(), 'usr/lib/x86_64-linux-gnu')
    loader = os.path.join(folder, 'ld-linux-x86-64.so.2')
    theirs = subprocess.run([loader, '--version'], capture_output=True, text=True, check=True).stdout
    environment = dict(os.environ, GST_HIP_HIPRTC_LIBNAME=library, GST_HIP_TEST_REQUIRE='hiprtc')
    command = [program]
    if numbers(theirs.split('version', 1)[1]) > numbers(os.confstr('CS_GNU_LIBC_VERSION')):
        command = [loader, '--library-path', f'{folder}:{SYSTEM}', program]
    else:
        environment['LD_LIBRARY_PATH'] = f'{SYSTEM}:{folder}'
    sys.stdout.flush()
    return subprocess.run(command, env=environment, check=False).returncode


sys.exit(main())
