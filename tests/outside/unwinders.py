# SPDX-License-Identifier: Apache-2.0
# Holds the stacks that libunwind found against those that are recorded (ER_TOOLS_UNWINDER=both), and gives each difference a
# class by what the unwind tables, the code and libunwind itself say about the frame where the two part.
"""unwinders.py NAME LEAST EXPERIMENT: a line of counts, a line for each class with how many of it each side got right by the
code alone, then what is unexplained. Exit 1 unless at least LEAST stacks were compared, and all differences have a class.

A stack is sound if it ends at a known start, nothing in it was guessed, and each return address in a load object follows a
call. The classes, of the last frame that both have:
  cache         libunwind without its cache, which goes by the address alone, finds what is recorded
  no table      no unwind table describes it, so what follows is each side's guess
  installation  a function of libgcc that puts a landing pad's registers where it saved its caller's; what is recorded next
                is a call of that function, or the landing pad
  jump          a frame further in has its return address in a register: a longjmp that has already changed the others
  guessed       what is recorded next is marked as a guess"""
import re
import subprocess
import sys
from collections import Counter
from bisect import bisect_right
from experiment import Experiment

SHOWN = 5


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout


class Tables:
    """The unwind tables of ELF files, as readelf shows them, and their code, as objdump does."""

    def __init__(self):
        self.of_file, self.calls = {}, {}

    def _read(self, path):
        entries, names, end = [], [], 0
        for line in output("readelf", "-wF", path).splitlines():
            entry = re.search(r" FDE .* pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
            if entry:
                entries.append((int(entry[1], 16), int(entry[2], 16), []))
            elif line.startswith("   LOC "):
                names = line.split()[1:]
            elif re.match(r"[0-9a-f]{16} ", line) and " CIE " not in line and entries:
                values = re.findall(r"r\d+ \([^)]*\)|\S+", line)
                entries[-1][2].append((int(values[0], 16), dict(zip(names, values[1:]))))
        return sorted(entries, key=lambda entry: entry[0])

    def entry(self, path, address):
        """(start, rows) of the function, or None"""
        if path not in self.of_file:
            self.of_file[path] = self._read(path)
        entries = self.of_file[path]
        i = bisect_right(entries, address, key=lambda entry: entry[0]) - 1
        return (entries[i][0], entries[i][2]) if i >= 0 and address < entries[i][1] else None

    def row(self, path, address):
        """The rules of registers at an address, {} where there are none."""
        rules = {}
        for start, row in (self.entry(path, address) or (0, []))[1]:
            if start <= address:
                rules = row
        return rules

    def call(self, path, address):
        """The call that ends there, as objdump shows it, or ''."""
        if (path, address) not in self.calls:
            found = ""
            for size in (5, 2, 3, 4, 6, 7):
                text = output("objdump", "-d", "-w", "--start-address=%#x" % (address - size), "--stop-address=%#x" % address, path)
                lines = re.findall(r"^ *[0-9a-f]+:\t[0-9a-f ]+\t(.*)$", text, re.M)
                if len(lines) == 1 and re.match(r"(notrack |bnd |rex\S* )*(call|bl)", lines[0]):
                    found = lines[0]
                    break
            self.calls[path, address] = found
        return self.calls[path, address]


class Process:
    """The addresses of an experiment."""

    def __init__(self, experiment, tables):
        self.segments = [segment for segment in experiment.segments if segment["kind"] == "map"]
        self.tables = tables

    def place(self, frame):
        """(path, address in the file) of what a frame executes; (None, pc) in no load object."""
        pc = frame[0] - (not frame[1])
        for segment in self.segments:
            start = int(segment["vaddr"], 16)
            if start <= pc < start + int(segment["size"], 16):
                return segment["name"], pc - start + int(segment["faddr"], 16)
        return None, pc

    def name(self, frame):
        path, address = self.place(frame)
        return "%s%s%s+%#x" % ("=" * frame[1], "?" * frame[2], (path or "").rsplit("/", 1)[-1], address)

    def described(self, frame):
        path, address = self.place(frame)
        return path is not None and self.tables.entry(path, address) is not None

    def row(self, frame):
        path, address = self.place(frame)
        return self.tables.row(path, address) if path else {}

    def call_before(self, frame):
        path, address = self.place(frame)
        return self.tables.call(path, address + 1) if path else ""

    def is_call_of(self, frame, function):
        """Whether a return address follows a call of the function that another frame is in."""
        call, (path, address) = self.call_before(frame), self.place(function)
        start = self.tables.entry(path, address)[0]
        return "<_Unwind_" in call or re.search(r"\b%x\b" % start, call) is not None

    def is_sound(self, stack):
        frames, end, _generation = stack
        if end != "start" or any(heuristic for _pc, _exact, heuristic in frames):
            return False
        for inner, frame in zip(frames, frames[1:]):
            from_signal = frame[1] or "exp" in self.row(inner).get("ra", "") or not self.described(inner)
            last = frame is frames[-1]
            if not from_signal and not last and self.place(frame)[0] and not self.call_before(frame):
                trampoline = "exp" in self.row(frame).get("ra", "")
                if not trampoline:
                    return False
        return True


DATA_OF_EXCEPTION = ("rax", "x0")


def classify(process, ours, theirs, anew):
    if anew == ours:
        return "cache"
    frames, others = ours[0], theirs[0]
    same = 0
    while same < min(len(frames), len(others)) and frames[same] == others[same]:
        same += 1
    if same == 0 or same == len(frames):
        return "unexplained"
    parting, following = frames[same - 1], frames[same]
    if not process.described(parting):
        return "no table"
    # A function's first instructions have no such rule yet, but its landing pads are reached from its last.
    rules = process.row(parting)
    if any(register in rules for register in DATA_OF_EXCEPTION):
        if following[1] or process.is_call_of(following, parting):
            return "installation"
    if any(re.search(r"\br\d+ \(|\bx\d+\b", process.row(frame).get("ra", "")) for frame in frames[:same]):
        return "jump"
    if following[2]:
        return "guessed"
    return "unexplained"


def explain(process, ours, theirs):
    print("  recorded: %s; libunwind: %s" % (ours[1], theirs[1]))
    for i in range(max(len(ours[0]), len(theirs[0]))):
        left, right = (process.name(stack[0][i]) if i < len(stack[0]) else "-" for stack in (ours, theirs))
        print("  %40s %40s%s" % (left, right, "" if left == right else "  <"))


def main():
    name, least, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    experiment = Experiment(path)
    process = Process(experiment, Tables())
    compared = frames = equal = 0
    classes, sound, unexplained = Counter(), Counter(), []
    judged = {}
    for event in experiment.events("unwinders"):
        nodes = event.stack, event["libunwind"], event["anew"]
        if nodes not in judged:
            ours, theirs, anew = (experiment.stack(node) for node in nodes)
            what = "equal" if ours == theirs else classify(process, ours, theirs, anew)
            judged[nodes] = what, len(theirs[0]), (0, 0) if what == "equal" else (
                process.is_sound(ours), process.is_sound(theirs))
            if what == "unexplained":
                unexplained.append((ours, theirs))
        what, depth, (our_side, their_side) = judged[nodes]
        compared += 1
        frames += depth
        if what == "equal":
            equal += 1
            continue
        classes[what] += 1
        sound[what, "recorded"] += our_side
        sound[what, "libunwind"] += their_side
    print("%s: %d stacks, %d frames of libunwind's; equal %d, different %d, unexplained %d" % (
        name, compared, frames, equal, compared - equal, classes["unexplained"]))
    for what, count in sorted(classes.items()):
        print("  %s: %d; sound: recorded %d, libunwind's %d" % (
            what, count, sound[what, "recorded"], sound[what, "libunwind"]))
    for ours, theirs in unexplained[:SHOWN]:
        explain(process, ours, theirs)
    sys.exit(0 if compared >= least and not unexplained else 1)


main()
