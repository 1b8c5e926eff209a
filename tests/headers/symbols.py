#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""The library exports what its headers declare and nothing else, under its own
soname; a plugin exports what GStreamer looks for and nothing else."""

import glob
import os
import re
import sys

import tap

# One declaration: the export macro, a type, the name, an opening bracket.
DECLARED = re.compile(r'\bGST_HIP_API\b[^;{}]*?\b(_?gst_(?:[a-z0-9_]+_)?hip_[a-z0-9_]+|Hip[A-Z]\w+)\s*\(', re.S)
# One name for two functions, by the headers that a program has
FORMS = re.compile(r'^#define (Hip[A-Z]\w+) (Hip[A-Z]\w+)$', re.M)
COMMENT = re.compile(r'/\*.*?\*/', re.S)


def exported(path):
    out, problem = tap.run(['nm', '-D', '--defined-only', path])
    return {line.split()[-1] for line in out.splitlines() if line.strip()}, problem


def declared(*folders):
    names = set()
    for path in [p for f in folders for pattern in ('gsthip*.h', 'hip-gst.h')
                 for p in glob.glob(os.path.join(f, pattern))]:
        with open(path, encoding='utf-8') as file:
            text = COMMENT.sub('', file.read())
        if 'GST_HIP_API' not in text:
            continue
        names.update(DECLARED.findall(text))
        names.update(other for _, other in FORMS.findall(text))
    return names


def main():
    library, plugins = sys.argv[1], sys.argv[2:]
    symbols, problem = exported(library)
    tap.case('the library has a symbol table', problem or ('' if symbols else 'empty'))
    foreign = sorted(s for s in symbols if not re.match(r'_?gst_(\w+_)?hip_|Hip[A-Z]', s))
    tap.case('the library exports gst_hip and Hip names only', '\n'.join(foreign))
    # Public headers are called gsthip*, but for the one with HIP's types; the build folder has the generated one.
    wanted = declared(*(os.path.join(os.environ[top], 'gst-libs/gst/hip')
                        for top in ('GST_HIP_SOURCE_DIR', 'GST_HIP_BUILD_DIR')))
    tap.case('headers declare something', '' if wanted else 'no GST_HIP_API found')
    tap.case('every declared function is exported', '\n'.join(sorted(wanted - symbols)))
    tap.case('every exported function is declared', '\n'.join(sorted(symbols - wanted)))
    # What is in the list stays; a new name is added there by the change that makes it.
    with open(os.path.join(os.environ['GST_HIP_SOURCE_DIR'], 'gst-libs/gst/hip/gsthip-1.0.symbols'),
              encoding='utf-8') as file:
        frozen = {line.strip() for line in file if line.strip() and not line.startswith('#')}
    tap.case('no symbol of gsthip-1.0.symbols is gone', '\n'.join(sorted(frozen - symbols)))
    tap.case('every symbol is in gsthip-1.0.symbols', '\n'.join(sorted(symbols - frozen)))
    out, problem = tap.run(['readelf', '-d', library])
    soname = re.search(r'SONAME.*\[(.*)\]', out)
    tap.case('soname libgsthip-1.0.so.1', problem or (
        '' if soname and soname.group(1) == 'libgsthip-1.0.so.1' else str(soname and soname.group(1))))
    needed = re.findall(r'NEEDED.*\[(.*)\]', out)
    vendor = [n for n in needed if re.search(r'cuda|nvrtc|hip64|hiprtc|stdc\+\+', n)]
    tap.case('the library links no vendor library and no C++', '\n'.join(vendor))
    for plugin in plugins:
        symbols, problem = exported(plugin)
        bad = sorted(s for s in symbols if not re.match(r'gst_plugin_\w+_(get_desc|register)$', s))
        tap.case(f'{os.path.basename(plugin)} exports its description only', problem or '\n'.join(bad))
    tap.done()


main()
