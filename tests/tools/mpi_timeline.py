#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Reads an MPI timeline: "ROW FROM-TO ABOVE+HEIGHT KIND" of each rectangle, in the order of rows and pixels, then "x y -> x y WIDTH" of each
# line, and all texts.
#   mpi_timeline.py FILE PITCH
import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
pitch, found = int(sys.argv[2]), []
groups = {group.get("id"): group for group in root.iter(SVG + "g")}
for path in groups["rows"].iter(SVG + "path"):
    whole = path.get("d")
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z", whole)
    assert "".join("M%s %sh%sv%sh-%sz" % run for run in runs) == whole, whole
    for x, y, width, height, back in (map(int, run) for run in runs):
        assert width == back and width and height
        found.append((y // pitch, x, y % pitch, x + width, height, path.get("class")))
for row, x, y, end, height, kind in sorted(found):
    print("%d %d-%d %d+%d %s" % (row, x, end, y, height, kind))
for path in groups["messages"].iter(SVG + "path"):
    for line in re.findall(r"M(\S+) (\S+)L(\S+) ([0-9.]+)", path.get("d")):
        print("%s %s -> %s %s" % line, path.get("stroke-width"))
print("; ".join(text.text for text in root.iter(SVG + "text") if text.text))
