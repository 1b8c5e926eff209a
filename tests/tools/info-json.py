#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""gst-hip-info: its JSON is JSON, says what the text says, and its exit status
is what --help promises.
"""

import json
import subprocess
import sys


def run(*args):
    return subprocess.run([sys.argv[1], *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)


def main():
    result = run('--json', '--self-test')
    data = json.loads(result.stdout)
    assert [b['vendor'] for b in data['backends']] == ['amd', 'nvidia', 'host'], data
    host = data['backends'][2]
    assert host['usable'] and len(host['devices']) == 1, host
    assert host['devices'][0]['self-test'] == 'passed', host
    assert host['devices'][0]['dmabuf-export'] == 'yes', host
    for backend in data['backends']:
        assert 'no-dmabuf-import' not in backend, backend
        for device in backend['devices']:
            imports = 'DMABUF_IMPORT' in device['capabilities'].upper().replace('-', '_')
            assert device['dmabuf-import'] == 'yes' if imports else \
                device['dmabuf-import'].startswith('no: '), device
            exports = 'DMABUF_EXPORT' in device['capabilities'].upper().replace('-', '_')
            assert device['dmabuf-export'] == 'yes' if exports else \
                device['dmabuf-export'].startswith('no: '), device
    failed = [d for b in data['backends'] for d in b['devices'] if d['self-test'] != 'passed']
    assert result.returncode == (1 if failed else 0), result
    for backend in data['backends']:
        assert backend['usable'] or backend['reason'], backend

    text = run('--vendor=host').stdout
    assert host['devices'][0]['name'] in text and 'amd:' not in text, text
    for field in host['devices'][0]:
        assert field.startswith('self-test') or field in text, field

    for wrong in ('--vendor=intel', '--nonsense', 'word'):
        result = run(wrong)
        assert result.returncode == 2 and result.stderr, (wrong, result)
    assert 'Exit status' in run('--help').stdout


if __name__ == '__main__':
    main()
