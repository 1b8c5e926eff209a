#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Makes a locale whose decimal point is a comma: comma-locale.py FOLDER.

With LOCPATH=FOLDER it is called "comma". No language has to be installed for
that; where the C library has no localedef, FOLDER stays empty, and who wants
the locale has to see that it is not there.
"""

import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = '''comment_char %
escape_char /
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
'''


def main():
    folder = os.path.abspath(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with tempfile.TemporaryDirectory() as temporary:
        source, charmap = (os.path.join(temporary, name) for name in ('source', 'charmap'))
        with open(source, 'w', encoding='ascii') as file:
            file.write(SOURCE)
        with open(charmap, 'w', encoding='ascii') as file:
            file.write('<code_set_name> ASCII\n<mb_cur_max> 1\n<comment_char> %\n<escape_char> /\nCHARMAP\n')
            file.writelines(f'<U{code:04X}> /x{code:02x}\n' for code in range(128))
            file.write('END CHARMAP\n')
        try:
            # It warns that the other categories are not there, and ends with 1 for that.
            subprocess.run(['localedef', '--no-archive', '-c', '-f', charmap, '-i', source,
                            os.path.join(folder, 'comma')],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        except FileNotFoundError:
            pass


main()
