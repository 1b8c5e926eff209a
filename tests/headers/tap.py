# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""The few lines of TAP that the checks of this folder print."""

import shlex
import subprocess
import sys

_results = []


def case(name, problem=''):
    """One case; problem is empty where it passed."""
    _results.append(not problem)
    print(f'{"not ok" if problem else "ok"} {len(_results)} - {name}')
    for line in str(problem).splitlines():
        print(f'# {line}')
    sys.stdout.flush()


def skip(name, why):
    _results.append(True)
    print(f'ok {len(_results)} - {name} # SKIP {why}')


def done():
    print(f'1..{len(_results)}')
    sys.exit(0 if all(_results) and _results else 1)


def run(command, **options):
    """Runs it; returns (what it printed, '' or what went wrong)."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL, text=True, check=False, **options)
    problem = ''
    if result.returncode:
        problem = f'{shlex.join(command)}\nexit status {result.returncode}\n{result.stdout}'
    return result.stdout, problem


def pkg_config(*args, env=None):
    out = subprocess.run(['pkg-config', *args], check=True, stdout=subprocess.PIPE,
                         text=True, env=env).stdout
    return shlex.split(out)
