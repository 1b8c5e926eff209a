#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""The GIR (built with warnings fatal) holds the whole library, every function
says how it blocks, from which threads it may be called and since when, types may
be asked for before GStreamer is initialised (which the scanner does), and the
typelib loads into Python."""

import os
import re
import sys
import xml.etree.ElementTree as ET

import tap

CORE = '{http://www.gtk.org/introspection/core/1.0}'
C = '{http://www.gtk.org/introspection/c/1.0}'
GLIB = '{http://www.gtk.org/introspection/glib/1.0}'
FUNCTIONS = {CORE + t for t in ('function', 'method', 'constructor')}


def main():
    path = sys.argv[1]
    root = ET.parse(path).getroot()
    namespace = root.find(CORE + 'namespace')
    tap.case('namespace GstHip-1.0', '' if (namespace.get('name'), namespace.get('version')) ==
             ('GstHip', '1.0') else str(namespace.attrib))
    shared = namespace.get('shared-library', '')
    tap.case('names the library by its soname', '' if 'libgsthip-1.0.so.1' in shared else shared)

    missing = {'documentation': [], 'Blocking:': [], 'Threads:': [], 'Since:': []}
    count = 0
    for element in namespace.iter():
        if element.tag not in FUNCTIONS or element.get('moved-to'):
            continue
        name = element.get(C + 'identifier', '')
        if name.endswith('_get_type'):
            continue
        count += 1
        # The closing lines stand behind "Returns:", where there is one, and the
        # scanner takes them for a part of that.
        docs = [element.find(CORE + 'doc'), element.find(f'{CORE}return-value/{CORE}doc')]
        text = '\n'.join(d.text for d in docs if d is not None)
        if not text:
            missing['documentation'].append(name)
            continue
        for word in ('Blocking:', 'Threads:'):
            if not re.search(rf'^{word}', text, re.M):
                missing[word].append(name)
        if not element.get('version'):
            missing['Since:'].append(name)
    tap.case('has functions', '' if count else 'none')
    for what, names in missing.items():
        tap.case(f'every function has {what}', '\n'.join(sorted(names)))

    build = os.environ['GST_HIP_BUILD_DIR']
    library = os.path.join(build, 'gst-libs/gst/hip')
    types = sorted({e.get(GLIB + 'get-type') for e in namespace if e.get(GLIB + 'get-type', 'intern') != 'intern'})
    code = ('import ctypes, sys; library = ctypes.CDLL(sys.argv[1])\n'
            'for name in sys.argv[2:]: getattr(library, name)()')
    env = dict(os.environ, G_DEBUG='fatal-criticals')
    tap.case('types may be asked for before GStreamer is initialised', 'none' if not types else tap.run(
        ['/usr/bin/python3', '-c', code, os.path.join(library, 'libgsthip-1.0.so.1'), *types], env=env)[1])
    code = ('import gi; gi.require_version("Gst", "1.0"); gi.require_version("GstHip", "1.0"); '
            'from gi.repository import Gst, GstHip; '
            'Gst.init(None); assert GstHip.Device.__gtype__.name == "GstHipDevice"; '
            'assert GstHip.Vendor.HOST == 3')
    env = dict(os.environ, GI_TYPELIB_PATH=library, LD_LIBRARY_PATH=library)
    tap.case('the typelib loads into Python', tap.run(['/usr/bin/python3', '-c', code], env=env)[1])
    tap.done()


main()
