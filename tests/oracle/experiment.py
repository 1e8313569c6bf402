# SPDX-License-Identifier: Apache-2.0
# A second reader of experiments, written from FORMAT.md alone and in another language: what the tests hold er_print against.
"""Reads one experiment directory: events of a kind, stacks, mapped segments, counters. Slow and plain on purpose."""
import os
import re
import struct
import xml.etree.ElementTree as ElementTree

MAGIC = 0x534C4F4F54524531
BLOCK_MAGIC = 0x4B4C4245
BLOCK_HEADER = 64
ROOT, EXACT, HEURISTIC = 1, 2, 4
ROOT_KINDS = {0: "start", 1: "truncated", 2: "failed"}


def read_file(path):
    """(lines of the description, offset where the content starts, bytes) of a binary file of an experiment."""
    with open(path, "rb") as stream:
        data = stream.read()
    magic, order, major, _minor, start, size = struct.unpack_from("<QIHHII", data)
    assert magic == MAGIC and order == 0x01020304 and major == 1, path
    return data[64:64 + size].decode().splitlines(), start, data


def blocks(data, start):
    """(thread, raw time, payload) of each block, in the order of the file."""
    at = start
    while at + BLOCK_HEADER <= len(data):
        magic, size, used, _flags, _sequence, thread, raw = struct.unpack_from("<6IQ", data, at)
        if magic != BLOCK_MAGIC:
            at += 4096
            continue
        yield thread, raw, data[at + BLOCK_HEADER:at + BLOCK_HEADER + used]
        at += size


def varint(payload, at):
    value = shift = 0
    while True:
        byte = payload[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7


class Event:
    """thread, raw time, cpu, stack (0: none), and the fields by name"""

    def __init__(self, thread, time, cpu, stack, fields):
        self.thread, self.time, self.cpu, self.stack, self.fields = thread, time, cpu, stack, fields

    def __getitem__(self, name):
        return self.fields[name]


class Experiment:
    def __init__(self, path):
        self.path = path
        self.nodes = self._nodes()
        self.segments = self._segments()

    def _nodes(self):
        _lines, start, data = read_file(os.path.join(self.path, "stacks"))
        nodes = [(0, 0, 0)]
        per_block = (65536 - BLOCK_HEADER) // 16
        at = start
        while at + 65536 <= len(data):
            for i in range(per_block):
                pc, parent, flags, _check = struct.unpack_from("<QIHH", data, at + BLOCK_HEADER + 16 * i)
                nodes.append((pc, parent, flags))
            at += 65536
        return nodes

    def events(self, kind):
        path = os.path.join(self.path, kind + ".events")
        if not os.path.exists(path):
            return
        lines, start, data = read_file(path)
        names = [line.split()[1] for line in lines if line.startswith("field ")]
        differs = [line.split()[2] for line in lines if line.startswith("field ")][:1] == ["address"]
        for thread, block_time, payload in blocks(data, start):
            at, time, cpu, stack, turned = 0, block_time, 0, 0, 0
            while at < len(payload):
                tag = payload[at]
                at += 1
                record = tag & 7
                if record == 0:
                    break
                if record == 2:
                    thread, at = varint(payload, at)
                    time, cpu, stack, turned = block_time, 0, 0, 0
                    continue
                if record != 1:
                    size, at = varint(payload, at)
                    at += size
                    continue
                delta, at = varint(payload, at)
                time += -delta if tag & 64 else delta
                if tag & 8:
                    cpu, at = varint(payload, at)
                if tag & 16:
                    zigzag, at = varint(payload, at)
                    stack += (zigzag >> 1) ^ -(zigzag & 1)
                fields = dict.fromkeys(names, 0)
                for name in names[:1] if differs and tag & 128 else names:
                    fields[name], at = varint(payload, at)
                if differs:
                    zigzag = fields[names[0]]
                    turned = turned + ((zigzag >> 1) ^ -(zigzag & 1)) & (1 << 64) - 1
                    fields[names[0]] = (turned << 3 | turned >> 61) & (1 << 64) - 1
                yield Event(thread, time, cpu, 0 if tag & 32 else stack, fields)

    def stack(self, node):
        """([(pc, exact, heuristic), ...] from the leaf outwards, how it ends, generation)"""
        frames = []
        while node:
            pc, parent, flags = self.nodes[node]
            if flags & ROOT:
                return frames, ROOT_KINDS[(pc - 1) & 255], (pc - 1) >> 8
            frames.append((pc, bool(flags & EXACT), bool(flags & HEURISTIC)))
            node = parent
        return frames, "none", 0

    def _lines(self, name):
        """The elements of log.xml or map.xml: one a line; a cut last line is left out."""
        with open(os.path.join(self.path, name), encoding="utf-8", errors="replace") as stream:
            for line in stream:
                if re.match(r"\s*<(?![?/!])", line) and line.endswith("\n"):
                    try:
                        yield ElementTree.fromstring(line)
                    except ElementTree.ParseError:
                        continue  # an element that holds others: its start or end tag

    def _segments(self):
        return [dict(element.attrib) for element in self._lines("map.xml")]

    def counters(self):
        lines, start, data = read_file(os.path.join(self.path, "counters"))
        names = [line.split()[1] for line in lines if line.startswith("counter ")]
        if not lines:
            founder = Experiment(os.path.dirname(os.path.abspath(self.path)))
            head = next(element for element in founder._lines("log.xml") if element.tag == "counters")
            names = [child.get("name") for child in head]
        return {name: struct.unpack_from("<Q", data, start + 8 * i)[0] for i, name in enumerate(names)}


def experiments(founder):
    """The founder and its descendants."""
    inside = sorted(name for name in os.listdir(founder) if re.fullmatch(r"_.*\.er", name))
    return [Experiment(founder)] + [Experiment(os.path.join(founder, name)) for name in inside]


def completeness(founder):
    """Counts of clock events by how their stack ends: complete (known start, no guessed frame), flagged (known start,
    guessed frames), truncated, failed, none (no stack). Events that are no tick (modes 3, remainders, 4, the collector's, and 5, starts) are left out."""
    counts = {"complete": 0, "flagged": 0, "truncated": 0, "failed": 0, "none": 0}
    for experiment in experiments(founder):
        seen = {}
        for event in experiment.events("clock"):
            if event["mode"] in (3, 4, 5):
                continue
            if event.stack not in seen:
                frames, end, _generation = experiment.stack(event.stack)
                guessed = any(frame[2] for frame in frames)
                seen[event.stack] = end if end != "start" else "flagged" if guessed else "complete"
            counts[seen[event.stack]] += 1
    return counts
