#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Runs the tests of a build folder and counts what ran.

How it counts (CONTRIBUTING says the same): a program that reports its cases,
as GstCheck's summary line or as TAP, counts one per case; any other program
counts one. It fails if anything failed, if a skip is not in
tests/allowed-skips, if a suite or a program ran no test at all.
"""

import argparse
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys

CHECK = re.compile(r'^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)', re.M)
# At the start of a line only: subtests are indented and counted by their parent.
TAP = re.compile(r'^(not ok|ok)\b *\d* *-? *([^#\n]*)(# *(SKIP|TODO)[^\n]*)?', re.M | re.I)

# Folders below tests/ that hold programs for tests, or to measure with, and no test.
NO_SUITE = ('bench', 'fakes', 'gpu', 'trials')

Counts = collections.namedtuple('Counts', 'passed failed skips')


def known_tests(build):
    """(suite, name) of every test; introspection says 'project:suite'."""
    out = subprocess.run(['meson', 'introspect', '--tests', build], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return [((t['suite'] or ['other'])[0].split(':', 1)[-1], t['name']) for t in json.loads(out)]


def identify(logged, known):
    """(suite, name) of a name in the log: 'project:suite / name',
    'suite - project:name' since Meson 1.8, or the bare name where the project
    has one suite only."""
    suite, slash, name = logged.rpartition(' / ')
    if slash:
        return suite.split(':', 1)[-1], name
    suite, dash, name = logged.partition(' - ')
    if dash:
        return suite, name.split(':', 1)[-1]
    return next(test for test in known if test[1] == logged)


def count(label, result, stdout):
    """One program's Counts, from meson's verdict and what it printed."""
    bad = result not in ('OK', 'SKIP', 'EXPECTEDFAIL')
    if result == 'SKIP':
        return Counts(0, 0, [label])
    checks = CHECK.findall(stdout)
    if checks:
        total = sum(int(c[0]) for c in checks)
        failed = sum(int(c[1]) + int(c[2]) for c in checks)
        # A crash after the summary, say in a destructor, is a failure too.
        if total == 0 or (bad and failed == 0):
            failed += 1
        return Counts(max(0, total - failed), failed, [])
    cases = TAP.findall(stdout)
    if cases and re.search(r'^(TAP version \d+|1\.\.\d+)', stdout, re.M):
        skips = [f'{label}/{c[1].strip().lstrip("/")}' for c in cases if c[3].upper() == 'SKIP']
        failed = sum(1 for c in cases if c[0].lower() == 'not ok' and not c[3])
        if bad and failed == 0:
            failed = 1
        return Counts(max(0, len(cases) - len(skips) - failed), failed, skips)
    if re.search(r'^1\.\.0', stdout, re.M):
        return Counts(0, 1, [])
    return Counts(0 if bad else 1, 1 if bad else 0, [])


def allowed_skips(path, place):
    with open(path, encoding='utf-8') as file:
        for line in file:
            words = line.split('#', 1)[0].split(None, 2)
            if not words:
                continue
            if len(words) < 3 or words[1] not in ('host', 'root', 'any'):
                sys.exit(f'{path}: want PATTERN host|root|any REASON: {line.strip()}')
            if words[1] in (place, 'any'):
                yield words[0]


def run(build, selected):
    """Runs them and returns meson's log, one dict a test."""
    log = os.path.join(build, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.remove(log)
    command = ['meson', 'test', '-C', build, '--no-rebuild', '--print-errorlogs',
               '--timeout-multiplier', '4', *selected]
    status = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
    if not os.path.exists(log):
        sys.exit(f'meson test ended with {status} and left no log')
    with open(log, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--source', required=True)
    parser.add_argument('--place', required=True, choices=['host', 'root'])
    parser.add_argument('names', nargs='*')
    args = parser.parse_args()

    known = known_tests(args.build)
    wanted = [(s, n) for s, n in known
              if not args.names or any(w in f'{s}/{n}' for w in args.names)]
    problems = []
    if not wanted:
        problems.append('no test is called like that' if args.names else 'there is no test')
    results = run(args.build, sorted({n for _, n in wanted})) if wanted else []

    allowed = list(allowed_skips(os.path.join(args.source, 'tests', 'allowed-skips'), args.place))
    table = collections.OrderedDict()
    for suite in sorted({s for s, _ in wanted}):
        table[suite] = [0, 0, 0, 0.0]
    if not args.names:
        # Every layer that has a folder must have run something.
        for suite in sorted(os.listdir(os.path.join(args.source, 'tests'))):
            if suite not in NO_SUITE and os.path.exists(os.path.join(args.source, 'tests', suite, 'meson.build')):
                table.setdefault(suite, [0, 0, 0, 0.0])
    ran = set()
    for test in results:
        suite, name = identify(test['name'], known)
        if (suite, name) not in wanted:
            continue
        ran.add((suite, name))
        counts = count(f'{suite}/{name}', test['result'], test.get('stdout') or '')
        row = table[suite]
        row[0] += counts.passed
        row[1] += counts.failed
        row[3] += test.get('duration', 0)
        if counts.failed:
            problems.append(f'{suite}/{name}: {counts.failed} failed ({test["result"]})')
        for skip in counts.skips:
            if any(fnmatch.fnmatchcase(skip, pattern) for pattern in allowed):
                row[2] += 1
            else:
                row[1] += 1
                problems.append(f'{skip}: skipped, and tests/allowed-skips does not allow it')
    for suite, name in sorted(set(wanted) - ran):
        problems.append(f'{suite}/{name}: did not run')
        table[suite][1] += 1
    for suite, row in table.items():
        if row[0] + row[1] + row[2] == 0:
            row[1] += 1
            problems.append(f'{suite}: a suite with no test')

    lines = [f'{"suite":<14}{"passed":>8}{"failed":>8}{"skipped":>9}{"seconds":>9}']
    for suite, row in table.items():
        lines.append(f'{suite:<14}{row[0]:>8}{row[1]:>8}{row[2]:>9}{row[3]:>9.1f}')
    text = '\n'.join(lines)
    with open(os.path.join(args.build, 'test-times.txt'), 'w', encoding='utf-8') as file:
        file.write(text + '\n')
    print(f'\n{text}\n')
    for problem in problems:
        print(f'PROBLEM {problem}')
    passed, failed, skipped = (sum(row[i] for row in table.values()) for i in range(3))
    if problems and not failed:
        failed = 1
    print(f'{passed} passed, {failed} failed, {skipped} skipped', flush=True)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
