#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The prompt on a terminal: commands, line editing, the choice among functions of one name, the end by Ctrl-D.
set -eu
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$PROGRAMS/figure_2_1" 5e7 >truth
/usr/bin/python3 - "$BUILD/bin/er_print" <<'PYTHON'
import os
import pty
import select
import sys
import time

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "dumb"
    os.execv(sys.argv[1], [sys.argv[1], "test.1.er"])

seen = b""

def expect(text, send=None):
    """Reads until the text has come, then sends."""
    global seen
    end = time.time() + 60
    while text.encode() not in seen:
        assert time.time() < end and select.select([terminal], [], [], end - time.time())[0], (text, seen)
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        assert piece, (text, seen)
        seen += piece
    seen = seen[seen.index(text.encode()) + len(text):]
    if send is not None:
        os.write(terminal, send)

expect("(er_print) ", b"limit 3\n")
expect("Print limit set to 3")
expect("(er_print) ", b"functionz\x7fs\n")  # the wrong letter is taken back
expect("<Total>")
expect("(er_print) ", b"nonsense\n")
expect("Error: Invalid command: nonsense")
expect("(er_print) ", b"csingle \\\n")
expect("> ", b"C\n")
expect("=== Stack Fragment")
expect("(er_print) ", b"\x10\n")  # Ctrl-P: the last command again
expect("=== Stack Fragment")
expect("(er_print) ", b"exit\n")
end = time.time() + 60
while os.waitpid(pid, os.WNOHANG) == (0, 0):
    assert time.time() < end
    try:
        select.select([terminal], [], [], 0.1)[0] and os.read(terminal, 65536)
    except OSError:
        pass
PYTHON
