#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""A program outside of this tree builds against the installed library through
pkg-config alone, in C and C++, and runs; the installed plugin loads.

The installation goes to a folder of the build (DESTDIR), so the .pc file's
prefix is moved there: what a packager's relocation does."""

import glob
import os
import re
import shlex
import shutil
import sys
import tempfile

import tap


def installed(top, name):
    found = glob.glob(os.path.join(top, '**', name), recursive=True)
    return found[0] if found else ''


def main():
    build, source = os.environ['GST_HIP_BUILD_DIR'], os.environ['GST_HIP_SOURCE_DIR']
    top = tempfile.mkdtemp(prefix='install-', dir=os.path.join(build, 'tests'))
    try:
        check(build, source, top)
    finally:
        shutil.rmtree(top)
    tap.done()


def check(build, source, top):
    meson = shutil.which('meson')
    tap.case('installs', tap.run([meson, 'install', '-C', build, '--no-rebuild', '--quiet',
                                  '--destdir', top])[1])
    pc = installed(top, 'gstreamer-hip-1.0.pc')
    tap.case('installs a pkg-config file', '' if pc else 'no gstreamer-hip-1.0.pc')
    if not pc:
        return
    with open(pc, encoding='utf-8') as file:
        text = file.read()
    with open(pc, 'w', encoding='utf-8') as file:
        file.write(re.sub(r'^prefix=', f'prefix={top}', text, flags=re.M))
    env = dict(os.environ)
    env['PKG_CONFIG_PATH'] = os.pathsep.join(
        p for p in (os.path.dirname(pc), env.get('PKG_CONFIG_PATH')) if p)
    version = ' '.join(tap.pkg_config('--modversion', 'gstreamer-hip-1.0', env=env))
    tap.case('pkg-config version is at least 1.30',
             '' if tuple(int(n) for n in version.split('.')) >= (1, 30) else version)

    library = os.path.dirname(installed(top, 'libgsthip-1.0.so.1'))
    env['LD_LIBRARY_PATH'] = library
    flags = tap.pkg_config('--cflags', '--libs', 'gstreamer-hip-1.0', env=env)
    program = os.path.join(source, 'tests/headers/outside.c')
    compiler = shlex.split(os.environ.get('CC', 'cc'))
    for language, options in {'c': ['-x', 'c', '-std=c11'], 'c++': ['-x', 'c++', '-std=c++11']}.items():
        binary = os.path.join(top, 'outside-' + language)
        tap.case(f'a {language} program builds', tap.run(
            [*compiler, *options, '-Wall', '-Werror', '-o', binary, program, '-x', 'none', *flags],
            env=env)[1])
        out, problem = tap.run([binary], env=env)
        tap.case(f'a {language} program runs', problem or ('' if 'host' in out else out))

    # Precompiled kernels, where a build has any, are found where they were moved to
    kernels = installed(top, '*.edges.kernels')
    if kernels:
        env.pop('GST_HIP_ARCHIVE_DIR', None)
        out, problem = tap.run([installed(top, 'gst-hip-info'), '--vendor=host'], env=env)
        tap.case('installed kernels are found', problem or (
            '' if os.path.dirname(kernels) in out else out))

    plugin = installed(top, 'libgsthip.so')
    if plugin:
        env['GST_PLUGIN_PATH'] = os.path.dirname(plugin)
        env['GST_REGISTRY'] = os.path.join(top, 'registry.bin')
        out, problem = tap.run(['gst-inspect-1.0', 'hip'], env=env)
        where = re.search(r'^\s*Filename\s+(\S+)', out, re.M)
        tap.case('the installed plugin is the one that loads', problem or (
            '' if where and where.group(1) == plugin else out))
    typelib = installed(top, 'GstHip-1.0.typelib')
    if typelib:
        env['GI_TYPELIB_PATH'] = os.path.dirname(typelib)
        tap.case('the installed typelib loads', tap.run(
            ['/usr/bin/python3', '-c', 'import gi; gi.require_version("GstHip", "1.0"); '
             'from gi.repository import GstHip; print (GstHip.Device)'], env=env)[1])


if __name__ == '__main__':
    sys.exit(main())
