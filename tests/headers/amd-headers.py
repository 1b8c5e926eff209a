#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Our declarations of AMD's libraries (amd-headers.c) beside AMD's own, in every
version that can be had."""

import os

import hipheaders
import tap

SOURCE = os.environ['GST_HIP_SOURCE_DIR']


def compare(folder):
    command = os.environ['CC'].split() + [
        '-std=gnu11', '-Wall', '-Werror', '-Wno-enum-compare', '-fsyntax-only',
        '-I' + os.path.join(SOURCE, 'gst-libs/gst/hip')]
    if folder != '/usr/include':
        command += ['-isystem', folder]
    if os.path.exists(os.path.join(folder, 'amd_comgr/amd_comgr.h')):
        command += ['-DHAVE_COMGR']
    _, problem = tap.run(command + [os.path.join(SOURCE, 'tests/headers/amd-headers.c')])
    return problem


def main():
    sets, missing = hipheaders.header_sets()
    for reason in missing:
        print('# not compared: ' + reason)
    if not sets:
        tap.skip('declarations', 'no HIP headers: ' + '; '.join(missing))
    for number, folder in sorted(sets.items()):
        tap.case('declarations are those of HIP ' + number, compare(folder))
    tap.done()


main()
