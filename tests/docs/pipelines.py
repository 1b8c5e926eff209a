#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Every gst-launch-1.0 line of the documents, of the elements' documentation and
of the kernels' comments runs, from the top of the tree, to its end."""

import glob
import os
import re
import shlex
import subprocess
import tempfile

import tap

LIMIT_S = 100
# `./dev run` is what the tests' environment stands for.
LINE = re.compile(r'^[ *|\[\t/]*(?:\$ )?(?:\./dev run )?(gst-launch-1\.0 .*?)(?:\s*\]\|)?$')


def pipelines(text):
    """Lines that start with the command, continued by backslashes."""
    joined = re.sub(r'\s*\\\n[ *]*', ' ', text)
    for line in joined.splitlines():
        match = LINE.match(line)
        if match:
            yield match.group(1).strip()


def runnable(line):
    """The words of the command. A reader watches a window until he closes it;
    here there is no window and an end: nothing else is changed."""
    words = shlex.split(line)
    if not any(w.startswith('num-buffers=') for w in words):
        words = [x for w in words for x in
                 ([w, 'num-buffers=30'] if w.endswith('testsrc') else [w])]
    # -q: what a pipeline prints is not TAP
    return [words[0], '-q', *('fakesink' if w == 'autovideosink' else w for w in words[1:])]


def main():
    top = os.environ['GST_HIP_SOURCE_DIR']
    found = 0
    for pattern in ('*.md', 'docs/*.md', 'examples/**/*.md', 'plugins/**/*.c', 'plugins/**/*.hip',
                    'examples/**/*.hip'):
        for path in sorted(glob.glob(os.path.join(top, pattern), recursive=True)):
            with open(path, encoding='utf-8') as file:
                text = file.read()
            for line in pipelines(text):
                found += 1
                name = f'{os.path.relpath(path, top)}: {line[:60]}'.replace('#', '')
                command = runnable(line)
                with tempfile.TemporaryDirectory() as out:
                    env = dict(os.environ, TMPDIR=out)
                    try:
                        tap.case(name, tap.run(command, cwd=top, env=env, timeout=LIMIT_S)[1])
                    except subprocess.TimeoutExpired:
                        tap.case(name, f'not at its end after {LIMIT_S} s: {line}')
    tap.case('there are pipelines', '' if found else 'none found')
    tap.done()


main()
