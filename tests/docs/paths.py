#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Paths that the documents name exist, and so do the functions that
ARCHITECTURE.md names; invariants that the code cites are written there."""

import glob
import os
import re
import sys

import tap

DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'NEWS.md']
# In backquotes, with a slash or a known ending, and nothing that a shell or a
# reader would have to fill in.
CODE = re.compile(r'`([^`\s]+)`')
LINK = re.compile(r'\]\(([^)#\s]+)(?:#[^)]*)?\)')
PATHLIKE = re.compile(r'^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.*-]+)+/?$|^[A-Za-z0-9_-]+\.(md|c|h|hip|build|txt)$')
# [`what`](tests/file): a test, or a line of the benchmark, in that file; * is anything
PROOF = re.compile(r'\[`([^`]+)`\]\((tests/[^)#\s]+)\)')
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"' r"|'((?:[^'\\\n]|\\.)*)'")
FUNCTION = re.compile(r'`([a-z][a-z0-9]*_[a-z0-9_]+) \(')
# Made by a build, or somebody else's.
MADE = re.compile(r'^(build|out|builddir|share|gst/hip)(/|$)|^config\.h$|^libgsthip|^gsthip-enumtypes')
SOURCES = ('gst-libs', 'plugins', 'tools', 'tests', 'examples')


def sources(top):
    for folder in SOURCES:
        for ending in ('c', 'h', 'hip'):
            yield from glob.glob(os.path.join(top, folder, '**', '*.' + ending), recursive=True)


def is_proved(top, name, file):
    """Whether the file has a test of that name, or a text that has it where it names a case."""
    path = os.path.join(top, file)
    if not os.path.exists(path):
        return False
    with open(path, encoding='utf-8') as stream:
        text = stream.read()
    pattern = re.escape(name).replace(r'\*', r'\w+')
    if re.search(rf'^(?:GST_)?START_TEST \({pattern}\)|^{pattern}(?: \(| =)', text, re.M):
        return True
    code = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return any(re.search(pattern, one or other) for one, other in STRING.findall(code))


def mutants_listed(top):
    """What tests/races/README.md lacks of the list that mutants.py prints."""
    out, problem = tap.run([sys.executable, os.path.join(top, 'tests/races/mutants.py'), '--list'])
    with open(os.path.join(top, 'tests/races/README.md'), encoding='utf-8') as file:
        lines = file.read().splitlines()
    return problem or '\n'.join(line for line in out.splitlines() if line not in lines)


def main():
    top = os.environ['GST_HIP_SOURCE_DIR']
    documents = [d for d in DOCUMENTS + sorted(
        os.path.relpath(p, top) for p in glob.glob(os.path.join(top, 'docs', '*.md')))]
    names = {os.path.basename(p) for p in sources(top)}
    code = {}
    for path in sources(top):
        with open(path, encoding='utf-8') as file:
            code[path] = file.read()
    everything = '\n'.join(code.values())

    for document in documents:
        with open(os.path.join(top, document), encoding='utf-8') as file:
            text = file.read()
        missing = []
        folder = os.path.dirname(document)
        for link in LINK.findall(text):
            if '://' not in link and not os.path.exists(os.path.join(top, folder, link)):
                missing.append(link)
        for word in CODE.findall(text):
            if word.startswith('./') or not PATHLIKE.match(word) or MADE.match(word) or '://' in word:
                continue
            found = glob.glob(os.path.join(top, word)) or glob.glob(os.path.join(top, folder, word))
            if not found and not ('/' not in word and word in names):
                missing.append(word)
        tap.case(f'paths in {document} exist', '\n'.join(missing))
        proofs = PROOF.findall(text)
        if proofs:
            tap.case(f'tests named in {document} exist', '\n'.join(
                f'{file} has no {name}' for name, file in proofs if not is_proved(top, name, file)))
        # roadmap.md speaks of what is not there yet.
        if document == 'ARCHITECTURE.md':
            unknown = [f for f in FUNCTION.findall(text) if not re.search(rf'\b{f} \(', everything)]
            tap.case(f'functions in {document} exist', '\n'.join(unknown))
            written = set(re.findall(r'\*\*(I\d+)\*\*', text))
            cited = {i for comment in re.findall(r'/\*.*?\*/', everything, re.S)
                     for i in re.findall(r'\b(I\d)\b', comment)}
            tap.case('invariants cited by code are written', '\n'.join(sorted(cited - written)))
    tap.case('tests/races/README.md lists the mutants', mutants_listed(top))
    tap.done()


main()
