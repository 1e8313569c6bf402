#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Reads a recurrence plot, and prints of each panel its name, its moments and, for pairs of moments X,Y, the pixel.
#   recurrence_picture.py FILE X,Y...
"""A second reader of PNG: the filters of lines are undone as the standard says."""
import base64
import struct
import sys
import xml.etree.ElementTree
import zlib

SVG = "{http://www.w3.org/2000/svg}"


def pixels(data):
    """Lines of (red, green, blue, opaqueness), from above."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + content)
        if kind == b"IHDR":
            size = struct.unpack(">IIBBBBB", content)
            assert size[2:] == (8, 6, 0, 0, 0)
        packed += content if kind == b"IDAT" else b""
        at += 12 + length
    assert kind == b"IEND"
    raw, width, lines = zlib.decompress(packed), size[0] * 4, []
    assert len(raw) == size[1] * (width + 1)
    for y in range(size[1]):
        line = bytearray(raw[y * (width + 1) + 1:(y + 1) * (width + 1)])
        assert raw[y * (width + 1)] == 1
        for i in range(4, width):
            line[i] = (line[i] + line[i - 4]) % 256
        lines.append([tuple(line[i:i + 4]) for i in range(0, width, 4)])
    return lines


root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
names = [desc.text for desc in root.iter(SVG + "desc")]
for panel in (group for group in root.iter(SVG + "g") if group.get("class") == "panel"):
    lines = pixels(base64.b64decode(panel.find(SVG + "image").get("href").split(",", 1)[1]))
    moments = [tuple(map(int, moment.split(","))) for moment in panel.get("data-moments").split()]
    assert len(moments) == len(lines) == len(lines[0])
    print(panel.find(SVG + "text").text, "from", panel.get("data-from"), "step", panel.get("data-step"))
    for x in range(len(lines)):
        for y in range(x):
            a, b = lines[-1 - y][x], lines[-1 - x][y]
            assert a == b, (x, y, a, b)
    for pair in sys.argv[2:]:
        x, y = map(int, pair.split(","))
        phase, space = moments[x]
        print("%d,%d: %s, phase %d, %s" % (x, y, "rgb(%d,%d,%d) %d" % lines[-1 - y][x], phase, names[space] if phase else "-"))
