#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""The demo: ends well, leaves every picture that it names, and what it leaves is
a picture of the right size with the input above and another thing below.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

COLOUR_ROWS = 9
KERNELS = ('edges', 'false-colour', 'difference', 'lut')


def read_png(path):
    """Width, height, rows of RGB bytes of an RGB PNG without interlace."""
    with open(path, 'rb') as file:
        data = file.read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', path
    at, packed = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', body[:10])
            assert (depth, colour) == (8, 2), (path, depth, colour)
        elif kind == b'IDAT':
            packed += body
        at += 12 + length
    raw, stride = zlib.decompress(packed), 3 * width
    rows, before = [], bytes(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = row[i - 3] if i >= 3 else 0
            up = before[i]
            corner = before[i - 3] if i >= 3 else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                best = min((abs(p - left), 0, left), (abs(p - up), 1, up),
                           (abs(p - corner), 2, corner))
                row[i] = (row[i] + best[2]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, rows


def cell(rows, column, row, height=240):
    left, top = 8 + column * 328, 8 + row * (height + 8)
    return b''.join(r[3 * left:3 * (left + 320)] for r in rows[top:top + height])


def spread(pixels):
    """Mean difference between a pixel's largest and smallest channel."""
    return sum(max(pixels[i:i + 3]) - min(pixels[i:i + 3])
               for i in range(0, len(pixels), 3)) * 3 / len(pixels)


def main():
    out = tempfile.mkdtemp()
    try:
        result = subprocess.run([sys.argv[1], '--frames', '12', '--out', out], text=True,
                                stdout=subprocess.PIPE, check=True)
        for kernel in KERNELS:
            assert f'{kernel}\n' in result.stdout, result.stdout
            video = [n for n in os.listdir(out)
                     if n.startswith(kernel + '.') and not n.endswith('.png')]
            assert len(video) == 1 and os.path.getsize(os.path.join(out, video[0])) > 1000, video
        # The model reads every clock, where there is inference.
        assert re.search(r'^clock: (burnt into 12 frames, .* right on 12;|this build has no|its model was)',
                         result.stdout, re.MULTILINE), result.stdout
        # So does PP-OCR, where its models are, and what it reads is drawn where GStreamer's overlay is.
        if os.environ.get('GST_HIP_OCR_MODELS') and 'this build has no' not in result.stdout:
            assert re.search(r'^clock: read by PP-OCR on 30 frames, right on (29|30);', result.stdout,
                             re.MULTILINE), result.stdout
            if 'drawn on the frames' in result.stdout:
                width, height, rows = read_png(os.path.join(out, 'clock.png'))
                assert (width, height) == (8 + 6 * 328, 8 + 248), (width, height)
        assert result.stdout.count('12 of 320x240') == len(KERNELS), result.stdout

        width, height, rows = read_png(os.path.join(out, 'overview.png'))
        assert (width, height) == (8 + 6 * 328, 8 + 5 * 248), (width, height)
        source, edges, colour, difference, lut = (cell(rows, 1, row) for row in range(5))
        mean = {name: sum(p) / len(p) for name, p in
                (('source', source), ('edges', edges), ('difference', difference))}
        assert spread(edges) < 2, 'edges have colour'
        assert 2 < mean['edges'] < mean['source'] / 2, mean
        assert spread(colour) > 2 * spread(source), 'false colour has none'
        assert 2 < mean['difference'] < mean['source'] / 2, mean
        apart = sum(abs(a - b) for a, b in zip(source, lut)) / len(lut)
        assert 1 < apart < 40, apart
        # The first frame differs from nothing.
        first = cell(rows, 0, 3)
        assert max(first) < 8, max(first)

        # Colours: as exact arithmetic says, and the original still to be recognised.
        worst = [float(n) for n in re.findall(r'at most ([0-9.]+) of a code value', result.stdout)]
        assert len(worst) == COLOUR_ROWS and max(worst) <= 1, worst
        width, height, rows = read_png(os.path.join(out, 'colours.png'))
        assert (width, height) == (8 + 4 * 328, 8 + COLOUR_ROWS * 128), (width, height)
        for row in range(COLOUR_ROWS):
            original, ours, exact = (cell(rows, column, row, 120) for column in range(3))
            assert max(abs(a - b) for a, b in zip(ours, exact)) <= 8, row
            apart = sum(abs(a - b) for a, b in zip(original, ours)) / len(ours)
            assert apart < 25, (row, apart)
        assert subprocess.run([sys.argv[1], '/nonexistent'], stderr=subprocess.PIPE,
                              check=False).returncode == 1
    finally:
        shutil.rmtree(out)


if __name__ == '__main__':
    main()
