#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Are the generated files of gstreamer-hip-sys those that the GIR gives?

generated.py SOURCE GIR
"""

import difflib
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'headers'))
import tap  # noqa: E402

FILES = ('src/generated.rs', 'tests/abi.c', 'tests/abi/table.rs')


def main():
    source, gir = sys.argv[1:]
    crate = os.path.join(source, 'rust', 'gstreamer-hip-sys')
    with tempfile.TemporaryDirectory() as folder:
        _, problem = tap.run([sys.executable, os.path.join(crate, 'generate.py'), gir, folder])
        tap.case('the generator runs', problem)
        for name in () if problem else FILES:
            with open(os.path.join(crate, name), encoding='utf-8') as file:
                there = file.read().splitlines()
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                wanted = file.read().splitlines()
            diff = '\n'.join(difflib.unified_diff(there, wanted, 'in the tree', 'from the GIR', lineterm=''))
            if diff:
                diff += f'\nThis updates it: python3 rust/gstreamer-hip-sys/generate.py {gir} rust/gstreamer-hip-sys'
            tap.case(name, diff)
    tap.done()


if __name__ == '__main__':
    main()
