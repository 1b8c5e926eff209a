#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Loading the plugin, and a scan that fills the registry, open no driver. The
simulated driver notes when it is opened and every call; that it does so is
shown by a pipeline that uses it.
"""

import os
import subprocess
import tempfile

import tap


def calls(log):
    """The driver's functions that were called, in order"""
    if not os.path.exists(log):
        return []
    with open(log, encoding='utf-8') as file:
        return file.read().split()


def main():
    vendor = os.environ['GST_HIP_TEST_VENDOR']
    variable, first = {'nvidia': ('FAKE_CUDA_LOG', 'cuInit'), 'amd': ('FAKE_HIP_LOG', 'hipInit')}[vendor]
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'log')
        env = dict(os.environ, GST_HIP_VENDOR=vendor,
                   GST_REGISTRY_1_0=os.path.join(folder, 'registry.bin'))
        env[variable] = log
        for name, what in (('a scan', 'hip'), ('loading the plugin', 'hip'),
                           ('showing an element', 'hipupload')):
            out, problem = tap.run(['gst-inspect-1.0', what], env=env)
            if not problem and ('hipupload' not in out or calls(log)):
                problem = f'{out}\ncalls: {calls(log)}'
            tap.case(f'{name} calls no driver', problem)
        out, problem = tap.run('gst-launch-1.0 -q videotestsrc num-buffers=2 ! hipupload ! '
                               'hipdownload ! fakesink'.split(), env=env)
        if not problem and calls(log)[:2] != ['load', first]:
            problem = f'{out}\ncalls: {calls(log)}'
        tap.case('a pipeline does', problem)
    tap.done()


if __name__ == '__main__':
    main()
