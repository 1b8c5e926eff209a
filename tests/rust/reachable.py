#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Is every public function of the C library reachable from the safe crate, or
named in its documentation as left out on purpose?

reachable.py SOURCE. A function is reachable if something of the crate has its name
as an alias, under which the documentation's search finds it; the list is the
section "What is left out" of the crate's front page. What the crate calls has an
alias; what is neither there nor in the list, or in both, fails.
"""

import fnmatch
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'headers'))
import tap  # noqa: E402

# What GLib's and Rust's own traits and casts stand for: nobody looks for it by its name.
BY_TRAITS = re.compile(r'_(get_type|ref|unref|copy|free)$|^gst_is_')


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def main():
    source = sys.argv[1]
    symbols = re.findall(r'^\w+$', read(source, 'gst-libs/gst/hip/gsthip-1.0.symbols'), re.M)
    tap.case('there are functions', '' if len(symbols) > 150 else f'{len(symbols)}')
    crate = os.path.join(source, 'rust/gstreamer-hip/src')
    lines = [line for path in sorted(glob.glob(f'{crate}/*.rs')) for line in read(path).splitlines()]
    code = '\n'.join(line for line in lines if not re.match(r'\s*//', line))
    aliases = set(re.findall(r'#\[doc\(alias = "(\w+)"\)\]', code))
    called = set(re.findall(r'\w+', re.sub(r'#\[doc.*', '', code)))
    section = re.search(r'^//! # What is left out$(.*?)^//! # ', read(crate, 'lib.rs'), re.M | re.S)
    tap.case('the documentation has its list', '' if section else 'lib.rs has no "What is left out"')
    left_out = re.findall(r'(?<!\[)`([\w*]+)\(\)`', section.group(1)) if section else []

    for name in symbols:
        listed = [entry for entry in left_out if fnmatch.fnmatchcase(name, entry)]
        reachable = name in aliases or (name in called and BY_TRAITS.search(name))
        if reachable:
            problem = 'it is said to be left out' if listed else ''
        elif name in called:
            problem = 'called, and no #[doc(alias)] has its name'
        else:
            problem = '' if listed else 'neither an alias nor in the list "What is left out" of lib.rs'
        tap.case(name, problem)
    for entry in left_out:
        if not fnmatch.filter(symbols, entry):
            tap.case(f'left out: {entry}', 'the library has no such function')
    for name in sorted(aliases):
        if re.match('gst_(is_|clear_)?hip_', name) and name not in symbols:
            tap.case(f'alias: {name}', 'the library has no such function')
    tap.done()


if __name__ == '__main__':
    main()
