#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tables as text, as HTML that parses, and as a list that csv readers parse, with the same numbers; names with
# everything that must be escaped.
set -eu
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p 0.2 -O collect.said -o test.1.er "$PROGRAMS/sort_shapes" >/dev/null
for command in functions callers-callees calltree lines pcs objects "source main" "disasm main" "csingle main"; do
	file=$(tr -c 'a-z' _ <<<"$command")
	# shellcheck disable=SC2086
	"$er_print" -limit 40 -$command test.1.er >"$file.text" 2>/dev/null
	# shellcheck disable=SC2086
	"$er_print" -limit 40 -printmode html -$command test.1.er >"$file.html" 2>/dev/null
	# shellcheck disable=SC2086
	"$er_print" -limit 40 -printmode , -$command test.1.er >"$file.csv" 2>/dev/null
done
/usr/bin/python3 - <<'PYTHON'
import csv
import glob
import html.parser
import re

class Page(html.parser.HTMLParser):
    """Rows of cells; fails on a tag that does not close."""
    def __init__(self):
        super().__init__()
        self.open, self.rows, self.pages = [], [], 0

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)
        if tag == "html":
            self.pages += 1
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

def numbers(cells):
    return [cell for cell in cells if re.fullmatch(r"\d+\.\d*", cell)]

compared = 0
for text_name in sorted(glob.glob("*.text")):
    stem = text_name[:-5]
    with open(stem + ".html") as stream:
        page = Page()
        page.feed(stream.read())
    assert not page.open and page.pages == 1, stem
    with open(stem + ".csv", newline="") as stream:
        rows = list(csv.reader(stream))
    from_html = [numbers(row) for row in page.rows if numbers(row)]
    from_csv = [numbers(row) for row in rows if numbers(row)]
    with open(text_name) as stream:
        # Up to four numbers begin a row of the text.
        matches = [re.match(r"(?:##|  )? *((?:\d+\.\d* +){1,4})(?=[^\d\s]|\d+\. |\[)", line) for line in stream]
    from_text = [match[1].split() for match in matches if match]
    if "source" not in stem and "disasm" not in stem:
        assert from_text == from_csv, (stem, [pair for pair in zip(from_text, from_csv) if pair[0] != pair[1]][:3])
    assert from_html == from_csv, stem
    assert len(from_csv) > 3, stem
    compared += len(from_csv)
    names_csv = [row[-1] for row in rows[3:] if len(row) > 1]
    names_html = [row[-1] for row in page.rows[2:] if len(row) > 1]
    if stem.startswith(("functions", "lines", "pcs", "objects")):
        assert names_csv == names_html, stem
    if stem.startswith("functions"):
        assert any("<" in name and "," in name for name in names_csv), "a template with a comma"
print(compared, "rows")
PYTHON
