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

# Ctrl-C at the prompt gives up the line or the command; elsewhere it ends er_print by the signal, without half of a file. Work of more
# than a second has a line on the terminal, which is gone when it ends.
yes functions | head -n 300000 >many
yes 'main;a;b;c 1' | awk '{print $1 NR % 30000, $2}' | head -n 30000 >E.folded
mkfifo slow full
/usr/bin/python3 - "$BUILD/bin/er_print" <<'PYTHON'
import os
import pty
import select
import signal
import subprocess
import sys
import time


class Terminal:
    def __init__(self, *arguments):
        self.seen = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "dumb"
            os.execv(sys.argv[1], [sys.argv[1], *arguments])

    def read(self, seconds):
        assert select.select([self.terminal], [], [], seconds)[0], self.seen[-500:]
        try:
            return os.read(self.terminal, 65536)
        except OSError:
            return b""

    def expect(self, text, send=None):
        end = time.time() + 60
        while text not in self.seen:
            piece = self.read(max(0, end - time.time()))
            assert piece, (text, self.seen[-500:])
            self.seen += piece
        self.seen = self.seen[self.seen.index(text) + len(text):]
        if send is not None:
            os.write(self.terminal, send)


prompt = b"(er_print) "
terminal = Terminal("test.1.er")
terminal.expect(prompt, b"nonsense\x03")
terminal.expect(b"Interrupted")
terminal.expect(prompt, b"script many\n")
for _ in range(10):
    terminal.expect(b"<Total>")
os.write(terminal.terminal, b"\x03")
terminal.expect(b"Interrupted")
terminal.expect(prompt, b"printmode csv\n")
terminal.expect(prompt, b"script many\n")
terminal.expect(b"<Total>", b"\x03")
terminal.expect(b"Interrupted")
terminal.expect(prompt, b"printmode text\n")
terminal.expect(prompt, b"functions\n")
terminal.expect(b"Functions sorted by metric")
terminal.expect(prompt, b"exit\n")
assert os.waitpid(terminal.pid, 0)[1] == 0

# The second of these lines is shown while the third piece is waited for: zlib hands on a full piece at a time.
terminal = Terminal("-import", "slow", "-metrics", "e.folded:name", "-functions")
with open("slow", "wb", buffering=0) as slow:
    for _ in range(3):
        slow.write(b"main;a 1\n" * 10000)
        time.sleep(1.2)
    terminal.expect(b"er_print: slow")
terminal.expect(b"\r" + b" " * 14 + b"\r")
terminal.expect(b"30000   <Total>")
assert os.waitpid(terminal.pid, 0)[1] == 0

# Nobody reads on from the pipe that is the file to be written.
writer = subprocess.Popen([sys.argv[1], "-import", "E.folded", "-folded", "full"], stderr=subprocess.DEVNULL)
full = os.open("full", os.O_RDONLY)
os.read(full, 1)
time.sleep(0.2)
assert os.path.exists("full")
writer.send_signal(signal.SIGINT)
assert writer.wait(60) == -signal.SIGINT
assert not os.path.exists("full"), "half of a file is left"
PYTHON
