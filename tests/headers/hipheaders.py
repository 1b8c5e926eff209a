# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Which sets of HIP's headers can be had: the machine's own, and those of Debian
suites, which tools/dev/fetch-hip.sh fetches once."""

import os
import re
import subprocess

SUITES = ('bookworm', 'trixie', 'forky')
FETCH = os.path.join(os.environ['GST_HIP_SOURCE_DIR'], 'tools/dev/fetch-hip.sh')


def version(folder):
    """'6.4' of a folder with hip/hip_version.h, or None"""
    try:
        with open(os.path.join(folder, 'hip/hip_version.h'), encoding='utf-8') as file:
            text = file.read()
    except OSError:
        return None
    numbers = [re.search(r'define HIP_VERSION_%s (\d+)' % part, text) for part in ('MAJOR', 'MINOR')]
    return '.'.join(n.group(1) for n in numbers) if all(numbers) else None


def header_sets():
    """Folder by version, and why some are missing"""
    sets, missing = {}, []
    if version('/usr/include'):
        sets[version('/usr/include')] = '/usr/include'
    for suite in SUITES:
        run = subprocess.run([FETCH, suite, 'headers'], capture_output=True, text=True, check=False)
        folder = os.path.join(run.stdout.strip(), 'usr/include')
        if run.returncode == 0 and version(folder):
            sets.setdefault(version(folder), folder)
        else:
            missing.append('%s: %s' % (suite, run.stderr.strip().replace('\n', ' ')))
    return sets, missing
