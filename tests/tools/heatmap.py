#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Reads a heat map: "ROW,COLUMN COLOUR" of each cell that is drawn, and all texts. With pixels, X,Y of cells (a side more: the totals),
# a browser tells what the picture says of them.
#   heatmap.py FILE [X,Y...]
import os
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(__file__))
import browser as driver

SVG = "{http://www.w3.org/2000/svg}"
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
grid = next(group for group in root.iter(SVG + "g") if group.get("id") == "grid")
cells = {}
for path in grid.iter(SVG + "path"):
    whole = path.get("d")
    found = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", whole)
    assert "".join("M%s %sh%sv1h-%sz" % one for one in found) == whole, whole
    for x, y, width, back in found:
        assert width == back
        for column in range(int(x), int(x) + int(width)):
            assert (int(y), column) not in cells
            cells[int(y), column] = path.get("fill")
for row, column in sorted(cells):
    print("%d,%d %s" % (row, column, cells[row, column]))
print("; ".join(text.text for text in root.iter(SVG + "text") if text.text))
if sys.argv[2:]:
    browser = driver.Browser(900, 900)
    browser.open(sys.argv[1])
    step, left, top = (int(grid.get("data-" + name)) for name in ("step", "left", "top"))
    for pair in sys.argv[2:]:
        x, y = map(int, pair.split(","))
        browser.move(left + (x + 0.5) * step, top + (y + 0.5) * step)
        print(browser.js("document.getElementById('details').textContent"))
