# SPDX-License-Identifier: Apache-2.0
# Reads the frames of a picture by its geometry and its tooltips alone, as a viewer without a script sees it; and lays folded stacks
# out by a second computation. As a program it prints frames: "depth x width fill name (value, percent)".
import base64
import itertools
import re
import sys
import xml.etree.ElementTree
from collections import namedtuple

SVG = "{http://www.w3.org/2000/svg}"
ROW = 16
Frame = namedtuple("Frame", "depth x width fill name said label white")


def read(path, row=ROW):
    """All frames, in the order of the file; depth 0 is <Total>, wherever it stands, or of a chart and around a function the highest row."""
    root = xml.etree.ElementTree.parse(path).getroot()
    found = []
    for group in next(element for element in root.iter(SVG + "g") if element.get("id") == "frames"):
        y = float(re.match(r"translate\(0,(\d+)\)", group.get("transform")).group(1))
        labels = {label.get("x"): label for label in group.findall(SVG + "text")}
        for frame in group.findall(SVG + "g"):
            rect = frame.find(SVG + "rect")
            name, said = re.match(r"(.*) \(([^()]*)\)\Z", frame.find(SVG + "title").text, re.S).groups()
            x = float(rect.get("x"))
            label = labels.get(("%.1f" % (x + 3)).removesuffix(".0"))
            fill = rect.get("fill")
            if fill[0] == "#":
                fill = "rgb(%d,%d,%d)" % tuple(int(fill[i:i + 2], 16) for i in (1, 3, 5))
            found.append((y, x, float(rect.get("width")), fill, name, said, "" if label is None else label.text,
                          label is not None and label.get("class") == "light"))
    rows = sorted({frame[0] for frame in found})
    of_total = rows[0] if root.get("data-chart") or root.get("data-around") else next(frame[0] for frame in found if frame[4] in ("<Total>", "missing"))
    return [Frame(round(abs(frame[0] - of_total) / row), *frame[1:]) for frame in found], rows, of_total


def stacks_of(path):
    """What the script of a picture reads of the tree: [(names from the root, exclusive value)] of all nodes in their order."""
    root = xml.etree.ElementTree.parse(path).getroot()
    compared, charted = root.get("data-parts") is not None, root.get("data-chart") is not None
    data = base64.b64decode(next(element for element in root.iter(SVG + "metadata") if element.get("id") == "data").text)
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    names, before = [], b""
    for _ in range(number()):
        shared, own = number(), number()
        before = before[:shared] + data[at:at + own]
        at += own
        names.append(before.decode())
    kinds = []
    for _ in range(number()):
        kinds.append(names[number()])
        at += 3
    path, found = [], []
    for _ in range(number()):
        up = number()
        path = path[:len(path) - up] + [kinds[number()]]
        found.append((tuple(path), number()))
        if charted:
            number()  # how far it begins behind what is before it
        if compared:
            for _ in ("before", "after", "within"):
                number()
    if compared:
        number()  # the first that is missing
    for _ in range(number() if charted else 0):
        number()
        own = number()  # bytes of the name of a thread
        at += own
    assert at == len(data)
    return found


def sample(thread, milliseconds, *frames):
    """A sample as perf script prints it, with its leaf first."""
    return "app 1/%d 10.%06d: 1000 cycles: \n" % (thread, 1000 * milliseconds) + "".join("\t1000 %s+0x0 (/bin/app)\n" % f for f in frames) + "\n"


# Two threads, of which one sleeps for 6 ms; each sample stands for one.
TWO_THREADS = "".join([
    sample(7, 1, "a", "main"), sample(7, 2, "a", "main"), sample(8, 2.5, "w", "start"), sample(7, 3, "b", "main"), sample(8, 3.5, "w", "start"),
    sample(8, 5, "w", "start"), sample(7, 10, "a", "main"), sample(7, 11, "c", "a", "main"), sample(7, 12, "a", "main")])


def sums_of(stacks):
    """{path: value} of stacks [(frames, value)], with <Total> before each."""
    sums = {}
    for frames, value in stacks:
        path = ("<Total>",) + tuple(frames)
        for n in range(1, len(path) + 1):
            sums[path[:n]] = sums.get(path[:n], 0) + value
    return {path: value for path, value in sums.items() if value}


def joined(frames):
    """A frame that is on the path already takes the path back to it."""
    path = []
    for frame in frames:
        path = path[:path.index(frame) + 1] if frame in path else path + [frame]
    return path


def lay_out(stacks, width=1180, margin=10, heaviest=False, timely=False):
    """{(depth, x, width, name)}, numbers with one decimal, of the whole tree; timely: siblings in the order of the stacks."""
    sums = sums_of([(frames, value) for frames, value in stacks if value])
    when = {path: place for place, path in enumerate(sums)}
    callees = {}
    for path in sums:
        callees.setdefault(path[:-1], []).append(path)
    total = sums[("<Total>",)]
    placed, waiting = [], [(("<Total>",), 0)]
    while waiting:
        path, start = waiting.pop()
        placed.append((len(path) - 1, margin + width * start / total, width * sums[path] / total, path[-1]))
        order = sorted(callees.get(path, ()), key=lambda p: (when[p] if timely else -sums[p] if heaviest else 0, p[-1].encode()))
        for callee in order:
            waiting.append((callee, start))
            start += sums[callee]
    return placed


def lay_out_around(stacks, function, width=1180, margin=10, heaviest=False):
    """Likewise around a function: what its outermost frames call below it, and their callers above it, with rows from the top."""
    inside = [(frames, frames.index(function), value) for frames, value in stacks if function in frames and value]
    above = lay_out([(frames[:at][::-1], value) for frames, at, value in inside], width, margin, heaviest)
    below = lay_out([(frames[at + 1:], value) for frames, at, value in inside], width, margin, heaviest)
    top = max(depth for depth, *_ in above)
    return [(top - depth, *rest) for depth, *rest in above if depth] + \
        [(top + depth, x, wide, name if depth else function) for depth, x, wide, name in below]


def lay_out_chart(stacks, lane, width=1180, margin=10):
    """Likewise of a chart of stacks in their order, in one lane: each row is what its neighbours in a row have in common there."""
    stacks = [(tuple(frames), value) for frames, value in stacks if value]
    total = sum(value for _, value in stacks)
    placed = [(0, margin, width, lane)]

    def rows(part, depth, at):
        for name, group in itertools.groupby(part, key=lambda stack: stack[0][depth] if len(stack[0]) > depth else None):
            group = list(group)
            value = sum(own for _, own in group)
            if name is not None:
                placed.append((depth + 1, margin + width * at / total, width * value / total, name))
                rows(group, depth + 1, at)
            at += value

    rows(stacks, 0, 0)
    return placed


if __name__ == "__main__":
    for frame in read(sys.argv[1])[0]:
        print(frame.depth, "%.1f" % frame.x, "%.1f" % frame.width, frame.fill, frame.name, "(%s)" % frame.said)
