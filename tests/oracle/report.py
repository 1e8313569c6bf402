# SPDX-License-Identifier: Apache-2.0
# The reports of er_print computed a second time, with eu-addr2line -i for the meaning of addresses and plain sums.
"""report.py functions|lines|pcs|objects|callers|tree EXPERIMENT: tab-separated exclusive and inclusive nanoseconds and the name
of each row. For callers the name is CENTRE <- CALLER or CENTRE -> CALLEE (the centre is the leaf-most occurrence), for tree
the path from the root, joined by tabs; both have the attributed time as inclusive.

Inclusive time is counted once for each name on a stack; names are the linkage names; frames that are inlined are frames.
A function of the symbol table is named by all its symbols, joined by "|"; without a symbol it is `?? (object)`."""
import bisect
import collections
import os
import re
import subprocess
import sys

from experiment import experiments


def output(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def with_debug_file(path):
    """The file and what Debian installs of its debug information, those that exist."""
    build_id = re.search(r"Build ID: ([0-9a-f]+)", output("readelf", "-nW", path)) if os.path.exists(path) else None
    files = [path]
    if build_id:
        files.append("/usr/lib/debug/.build-id/%s/%s.debug" % (build_id[1][:2], build_id[1][2:]))
    return [file for file in files if os.path.exists(file)]


# Time without a stack that has a name of its own, by the mode of the event (kinds.def).
NAMED = {4: "<collector>", 5: "<process start>"}


class Addresses:
    """What eu-addr2line -f -i says of code addresses: [(function, file:line), ...], innermost first."""

    def __init__(self):
        self.wanted = collections.defaultdict(set)
        self.known = {}

    def want(self, path, address):
        self.wanted[path].add(address)

    def look_up(self):
        for path, addresses in self.wanted.items():
            self._ask(path, sorted(addresses))

    def _ask(self, path, addresses):
        if not any(" .debug_info " in output("readelf", "-SW", file) for file in with_debug_file(path)):
            for address in addresses:
                self.known[path, address] = [("??", "??:0")]
            return
        command = ["eu-addr2line", "-a", "-f", "-i", "-A", "-e", path]
        asked = "".join("%#x\n" % address for address in addresses)
        # Its exit status is 1 when an address lies in no unit: what it prints then is the answer all the same.
        lines = subprocess.run(command, input=asked, capture_output=True, text=True).stdout.splitlines()
        address, frames = None, []
        for line in lines + ["0x0"]:
            if line.startswith("0x"):
                if address is not None:
                    pairs = list(zip(frames[::2], frames[1::2]))
                    self.known[path, address] = [(function.split(" inlined at ")[0], place) for function, place in pairs]
                address, frames = int(line, 16), []
            else:
                frames.append(line)


class Symbols:
    """The functions of an ELF file by address: its symbol tables, its debug file's, and the labels of its PLT."""

    def __init__(self, path):
        self.names = collections.defaultdict(set)
        self.ends = {}
        for file in with_debug_file(path):
            self._read(output("readelf", "-sW", file))
        self._read_plt(path)
        self._read_entry(path)
        self.starts = sorted(self.names)
        # A function without a size (hand-written assembly) goes on to the next one.
        for start, following in zip(self.starts, self.starts[1:] + [self.starts[-1] + 16 if self.starts else 0]):
            self.ends.setdefault(start, following)

    def _read(self, text):
        for line in text.splitlines():
            words = line.split()
            if len(words) > 7 and words[3] in ("FUNC", "IFUNC", "NOTYPE") and words[6] not in ("UND", "ABS"):
                start, size = int(words[1], 16), int(words[2], 0)
                if size:
                    self.names[start].add(words[7].split("@")[0])
                    self.ends[start] = max(self.ends.get(start, 0), start + size)
                elif words[3] == "FUNC" or words[7] == "_dl_start_user":
                    self.names[start].add(words[7].split("@")[0])

    def _read_plt(self, path):
        text = output("objdump", "-d", "-j", ".plt", "-j", ".plt.sec", "-j", ".plt.got", path)
        for start, name in re.findall(r"^([0-9a-f]+) <(.*)>:$", text, re.M):
            self.names[int(start, 16)].add(name.replace("@@", "@"))
            self.ends[int(start, 16)] = int(start, 16) + 16

    def _read_entry(self, path):
        """A stripped program's _start is at its entry point, and loads the address of main for __libc_start_main."""
        entry = int(re.search(r"Entry point address: +(0x[0-9a-f]+)", output("readelf", "-hW", path))[1], 16)
        if not entry or entry in self.names:
            return
        frames = dict(re.findall(r"pc=([0-9a-f]+)\.\.([0-9a-f]+)", output("readelf", "-wF", path)))
        ends = {int(start, 16): int(end, 16) for start, end in frames.items()}
        text = output("objdump", "-d", "--start-address=%#x" % entry, "--stop-address=%#x" % (entry + 48), path)
        main = re.search(r"lea .*,%rdi +# ([0-9a-f]+)", text)
        for start, name in ((entry, "_start"), (int(main[1], 16) if main else 0, "main")):
            if start in ends:
                self.names[start].add(name)
                self.ends[start] = ends[start]

    def at(self, address):
        """(names of the function, offset in it)"""
        i = bisect.bisect_right(self.starts, address) - 1
        while i >= 0 and address - self.starts[i] < 1 << 20:
            if address < self.ends[self.starts[i]]:
                return "|".join(sorted(self.names[self.starts[i]])), address - self.starts[i]
            i -= 1
        return "??", address


class Instructions:
    """Where the instructions of functions begin, as objdump has them."""

    def __init__(self):
        self.starts = {}

    def start(self, path, function, end, address):
        if (path, function) not in self.starts:
            text = output("objdump", "-d", "-w", "--start-address=%#x" % function, "--stop-address=%#x" % end, path)
            self.starts[path, function] = [int(start, 16) for start in re.findall(r"^ *([0-9a-f]+):\t", text, re.M)]
        starts = self.starts[path, function]
        i = bisect.bisect_right(starts, address) - 1
        return starts[i] if i >= 0 else address


def segment_of(segments, pc, generation):
    for segment in segments:
        start = int(segment["vaddr"], 16)
        if start <= pc < start + int(segment["size"], 16) and int(segment["generation"]) <= generation:
            return segment
    return None


# Code that nobody calls: the kernel and makecontext make its first byte a return address, so no call stands before it.
MADE = {"__restore_rt", "__kernel_rt_sigreturn", "__start_context"}


def place(segments, frame, generation, symbols):
    """(path, ELF address to look up) of a frame: of a call, its last byte."""
    pc, exact, _guessed = frame
    at = pc if exact else pc - 1
    segment = segment_of(segments, at, generation)
    if segment is None:
        return "<Unknown>", at
    path, address = segment["name"], at - int(segment["vaddr"], 16) + int(segment["faddr"], 16)
    if path not in symbols:
        symbols[path] = Symbols(path) if os.path.exists(path) else None
    if not exact and symbols[path]:
        after, offset = symbols[path].at(address + 1)
        if not offset and MADE & set(after.split("|")):
            return path, address + 1
    return path, address


def read(founder, symbols):
    """Nanoseconds of each stack: ([(path, address), ...] from the leaf, how it ends, or what it is without a stack)."""
    stacks = collections.Counter()
    for experiment in experiments(founder):
        segments = [segment for segment in experiment.segments if segment.get("kind") == "map"]
        weights = collections.Counter()
        for event in experiment.events("clock"):
            named = NAMED.get(event["mode"]) if not event.stack else None
            weights[event.stack, named] += event["user"] + event["system"]
        for (stack, named), weight in weights.items():
            if named:
                stacks[(), named] += weight
                continue
            frames, end, generation = experiment.stack(stack)
            stacks[tuple(place(segments, frame, generation, symbols) for frame in frames), end] += weight
    return stacks


def names_of(what, path, address, known, physical, ends, instructions):
    """What the frames at an address count as, innermost first."""
    function, offset = physical
    unknown = "?? (%s)" % os.path.basename(path)
    if what == "objects":
        return ["<%s>" % os.path.basename(path)]
    if what == "pcs":
        if function == "??":
            return [unknown]
        start = address - offset
        return ["%s + 0x%08x" % (function, instructions.start(path, start, ends[start], address) - start)]
    if what == "lines":
        if function == "_start":
            # crt1.o has no lines; eu-addr2line shows those of whatever ended before it.
            return ["??:0"]
        places = [place.split(":") for _function, place in known]
        return ["%s:%s" % (os.path.basename(place[0]), place[1]) for place in places]
    # The last frame is the function of the symbol table, those before are inlined in it: also one of its own name.
    frames = [function if frame in function.split("|") else frame for frame, _place in known[:-1]] + [function]
    return [frame if frame != "??" else unknown for frame in frames]


def add_callers(names, weight, inclusive):
    for name in set(names):
        leafmost = names.index(name)
        if leafmost + 1 < len(names):
            inclusive["%s <- %s" % (name, names[leafmost + 1])] += weight
        if leafmost:
            inclusive["%s -> %s" % (name, names[leafmost - 1])] += weight


def add_path(names, weight, inclusive):
    path = ""
    for name in reversed(names):
        path += ("\t" if path else "") + name
        inclusive[path] += weight


def main():
    what, founder = sys.argv[1:3]
    symbols = {}
    stacks = read(founder, symbols)
    addresses = Addresses()
    for frames, _end in stacks:
        for path, address in frames:
            addresses.want(path, address)
    if what not in ("objects", "pcs"):
        addresses.look_up()
    symbols = {path: found for path, found in symbols.items() if found}
    meaning, instructions = {}, Instructions()
    for path, wanted in addresses.wanted.items():
        for address in wanted:
            physical = symbols[path].at(address) if path in symbols else ("??", address)
            ends = symbols[path].ends if path in symbols else {}
            meaning[path, address] = names_of(
                what, path, address, addresses.known.get((path, address)), physical, ends, instructions)
    exclusive, inclusive = collections.Counter(), collections.Counter()
    for (frames, end), weight in stacks.items():
        names = [name for frame in frames for name in meaning[frame]]
        names = names or ["<no load object>" if what == "objects" else end if end in NAMED.values() else "<no stack>"]
        if what == "callers":
            add_callers(names, weight, inclusive)
        elif what == "tree":
            add_path(names, weight, inclusive)
        else:
            exclusive[names[0]] += weight
            for name in set(names):
                inclusive[name] += weight
    for name, weight in inclusive.most_common():
        print("%d\t%d\t%s" % (exclusive[name], weight, name))


main()
