#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""tools/dev/test-report.py counts what test programs print as CONTRIBUTING says."""

import importlib.util
import os
import tempfile

import tap

CASES = [
    # what, meson's verdict, what was printed, passed, failed, names of skips
    ('a plain program', 'OK', 'hello\n', 1, 0, []),
    ('a plain program that fails', 'FAIL', '', 0, 1, []),
    ('a time-out', 'TIMEOUT', '', 0, 1, []),
    ('exit status 77', 'SKIP', '', 0, 0, ['s/t']),
    ('GstCheck', 'OK', 'Running suite(s): x\n100%: Checks: 12, Failures: 0, Errors: 0\n', 12, 0, []),
    ('GstCheck, failures', 'FAIL', '50%: Checks: 4, Failures: 1, Errors: 1\n', 2, 2, []),
    ('GstCheck, no case', 'OK', '100%: Checks: 0, Failures: 0, Errors: 0\n', 0, 1, []),
    ('GstCheck, a crash at exit', 'FAIL', '100%: Checks: 3, Failures: 0, Errors: 0\n', 2, 1, []),
    ('TAP', 'OK', '1..2\nok 1 - a\nok 2 - b\n', 2, 0, []),
    ('TAP, plan last', 'OK', 'ok 1 - a\nok 2 - b # SKIP no device\n1..2\n', 1, 0, ['s/t/b']),
    ('TAP, failure', 'FAIL', '1..2\nnot ok 1 - a\nok 2 - b\n', 1, 1, []),
    ('TAP, dies early', 'ERROR', '1..3\nok 1 - a\n', 0, 1, []),
    ('TAP, no case', 'OK', '1..0\n', 0, 1, []),
]


def main():
    path = os.path.join(os.environ['GST_HIP_SOURCE_DIR'], 'tools/dev/test-report.py')
    spec = importlib.util.spec_from_file_location('report', path)
    report = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(report)

    for what, verdict, printed, passed, failed, skips in CASES:
        got = report.count('s/t', verdict, printed)
        tap.case(what, '' if got == (passed, failed, skips) else f'counted {got}')

    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'allowed-skips')
        with open(name, 'w', encoding='utf-8') as file:
            file.write('# comment\nunit/a* host why\nunit/b any why\nunit/c root why\n')
        got = list(report.allowed_skips(name, 'host'))
        tap.case('skips allowed for a place', '' if got == ['unit/a*', 'unit/b'] else str(got))
    known = [('unit', 'a'), ('elements', 'a')]
    for logged in ('gst-hip:elements / a', 'elements - gst-hip:a'):
        got = report.identify(logged, known)
        tap.case(f'names in the log: {logged}', '' if got == ('elements', 'a') else str(got))
    tap.done()


main()
