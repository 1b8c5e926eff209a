#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Makes a C file that holds a text: embed.py OUTPUT SYMBOL INPUT DEPFILE
With "-" as the symbol, the text alone.

Quoted includes are expanded in place, each file once, with line markers so
that compilers name the real file; flag 3 makes it a system header, whose
warnings are nobody's business who writes a kernel.
"""

import os
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def expand(path, seen):
    seen.append(os.path.abspath(path))
    name = os.path.basename(path)
    out = [f'# 1 "{name}" 3']
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                inner = os.path.join(os.path.dirname(path), match.group(1))
                if os.path.abspath(inner) not in seen:
                    out += expand(inner, seen)
                out.append(f'# {number + 1} "{name}" 3')
            elif re.match(r'\s*#\s*pragma\s+once', line):
                out.append('')
            else:
                out.append(line)
    return out


def literal(line):
    return '  "' + line.replace('\\', '\\\\').replace('"', '\\"') + '\\n"'


def main():
    output, symbol, source, depfile = sys.argv[1:]
    seen = []
    lines = expand(source, seen)
    with open(output, 'w', encoding='utf-8') as file:
        if symbol == '-':
            file.write('\n'.join(lines) + '\n')
        else:
            file.write(f'extern const char {symbol}[];\nconst char {symbol}[] =\n')
            file.write('\n'.join(literal(line) for line in lines) + ';\n')
    with open(depfile, 'w', encoding='utf-8') as file:
        file.write(output + ': ' + ' '.join(seen) + '\n')


if __name__ == '__main__':
    main()
