# SPDX-License-Identifier: Apache-2.0
# Works with the page of a picture in a browser as its readers do: what the mouse finds at a place, what the fields, the buttons and
# the keys make of it, against arithmetic. The rows are those of the requirements on pictures.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import browser as driver
import picture_frames

failed = []
WIDTH = 1200
FULL = WIDTH - 20


def check(what, got, wanted):
    if got != wanted:
        failed.append("%s: %.300r, not %.300r" % (what, got, wanted))


def draw(name, folded, *settings, command="-flamegraph"):
    with open(name + ".folded", "wb") as stream:
        stream.write(folded.encode() if isinstance(folded, str) else folded)
    draw_from(name + ".html", "-import", name + ".folded", *settings, command=command)
    return name + ".html"


def draw_from(path, *arguments, command="-flamegraph"):
    subprocess.run([os.environ["ER_PRINT"], *arguments, command, path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


browser = driver.Browser(WIDTH, 900)
browser.media(prefers_reduced_motion="reduce")
text = lambda name: browser.js("document.getElementById('%s').textContent" % name)


def load(path, link=""):
    browser.open(path, link)
    check(path + " is ready", browser.until("document.body.classList.contains('ready')"), True)


def place(row, share):
    """A point of the picture: the row from the top, and how far from the left edge."""
    left, top, width = browser.js("(() => { const b = document.getElementById('canvas').getBoundingClientRect(); return [b.x, b.y, b.width]; })()")
    return left + 10 + (width - 20) * share, top + 16 * row + 8


def at(row, share):
    """What the mouse finds there, without the load object."""
    browser.move(5, 5)
    browser.move(*place(row, share))
    return re.sub(r" in \S+$", "", text("details"))[len("Function: "):]


def row(depth, rows=4):
    """The row from the top at which frames of a depth stand in a flame graph of so many rows."""
    return rows - 1 - depth


def edges(depth, share, rows=4):
    """The part of the width that the frame at a place has, to two pixels: [from, to]."""
    y, found, frame = row(depth, rows), [], at(row(depth, rows), share)
    for low, high in ((share, 0.0), (share, 1.0)):
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (middle, high) if at(y, middle) == frame else (low, middle)
        found.append(low)
    return found


def check_edges(what, got, wanted):
    if any(abs(a - b) > 2 / FULL for a, b in zip(got, wanted)):
        failed.append("%s: %r, not %r" % (what, got, wanted))


def set_field(name, value):
    browser.js("(() => { const f = document.getElementById('%s'); f.value = %r; f.dispatchEvent(new Event('change')); })()" % (name, value))


def add_filter(what, value):
    browser.js("document.getElementById('what').value = %r" % what)
    browser.js("document.getElementById('value').focus()")
    browser.type(value)
    browser.key("Enter")


def remove_filters():
    while browser.js("document.querySelectorAll('#active button').length"):
        browser.js("document.querySelector('#active button').click()")


def search(term):
    browser.key("/")
    browser.js("document.getElementById('find').value = ''")
    browser.type(term)
    browser.key("Enter")
    browser.until("document.body.hasAttribute('aria-busy')", False)
    browser.js("document.getElementById('canvas').focus()")
    return text("matched")


def functions():
    """The table: [name, exclusive, inclusive, places]."""
    return browser.js("""Array.from(document.querySelectorAll('#rows tr')).map((r) => { const c = Array.from(r.cells).map((d) => d.textContent);
        return [c[5], c[0], c[2], c[4]]; })""")


E = "main 2000\nmain;foo1 1500\nmain;foo1;bar 2500\nmain;foo2 500\nmain;foo2;bar 2500\n"
FOO1 = "foo1 (4,000, 44.44%; exclusive 1,500, 16.67%)"


def example():
    load(draw("example", E))
    check("subtitle", text("subtitle").split(",")[:2], ["Folded Count 9", "000"])
    check("13: hover", [at(row(0), .5), at(row(1), .9), at(row(2), .2), at(row(3), .1), at(row(3), .9)],
          ["<Total> (9,000, 100.00%; exclusive 0, 0.00%)", "main (9,000, 100.00%; exclusive 2,000, 22.22%)", FOO1,
           "bar (2,500, 27.78%; exclusive 2,500, 27.78%)", ""])
    check_edges("1: foo1", edges(2, .2), (0, 4000 / 9000))
    check_edges("1: foo2", edges(2, .6), (4000 / 9000, 7000 / 9000))
    # Rows 14, 35: zoom, without steps as the user wants none.
    browser.click(*place(row(2), .2))
    check("14: zoom", [at(row(2), .9), at(row(3), .5), at(row(1), .1)],
          ["foo1 (4,000, 44.44% of all, 100.00% of the zoom; exclusive 1,500, 16.67%)",
           "bar (2,500, 27.78% of all, 62.50% of the zoom; exclusive 2,500, 27.78%)",
           "main (9,000, 100.00% of all, 100.00% of the zoom; exclusive 2,000, 22.22%)"])
    check_edges("14: bar of foo1", edges(3, .3), (0, 2500 / 4000))
    check("15: search in a zoom", search("bar"), "Matched: 55.56% (62.50% of the zoom)")
    link = browser.js("location.hash")
    browser.js("document.getElementById('reset').click()")
    check("14: reset", at(row(2), .2), FOO1)
    check("15: search", [search("^foo"), search("foo|bar"), search("("), search("^nothing$")],
          ["Matched: 77.78%", "Matched: 77.78%", "Matched: 77.78%", "Matched: 0.00%"])
    load("example.html", link)
    check("the link", [at(row(2), .9), browser.until("document.getElementById('matched').textContent", "Matched: 55.56% (62.50% of the zoom)")],
          ["foo1 (4,000, 44.44% of all, 100.00% of the zoom; exclusive 1,500, 16.67%)", "Matched: 55.56% (62.50% of the zoom)"])
    # Row 46: the list.
    check("46: list", functions(), [["bar", "5,000", "5,000", "2"], ["main", "2,000", "9,000", "1"], ["foo1", "1,500", "4,000", "1"], ["foo2", "500", "3,000", "1"]])
    browser.js("document.getElementById('by-total').click()")
    check("46: by inclusive", [line[0] for line in functions()], ["main", "bar", "foo1", "foo2"])


def keyboard():
    load("example.html")
    seen = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowUp", "ArrowDown", "Enter"):
        browser.key(key)
        seen.append(text("details").split(" ")[1])
    check("keys", seen, ["<Total>", "main", "foo1", "foo2", "bar", "foo2", "foo2"])
    check("Enter zooms", at(row(2), .9), "foo2 (3,000, 33.33% of all, 100.00% of the zoom; exclusive 500, 5.56%)")
    browser.key("Home")
    check("Home", at(row(2), .2), FOO1)
    browser.key("c")
    check("c", text("details"), "Copied: foo1")
    search("bar")
    browser.key("n")
    check("n", browser.js("location.hash").endswith("zoom=0.3"), True)
    browser.key("n")
    check("n again", browser.js("location.hash").endswith("zoom=0.5"), True)
    browser.key("Escape")
    browser.key("Escape")
    check("Esc", [text("matched"), browser.js("location.hash")], ["", ""])
    browser.key("i")
    check("i turns it over", at(2, .2), FOO1)


def filters():
    """Rows 37 to 42: what is shown of E, and its share of all."""
    load("example.html")
    add_filter("show", "foo1")
    check("38: show", [at(row(1), .5), text("shown")], ["main (4,000, 44.44%; exclusive 0, 0.00%)", "Shown: 4,000, 44.44% of all"])
    remove_filters()
    add_filter("hide", "foo1")
    check("38: hide", [at(row(1), .5), text("shown")], ["main (5,000, 55.56%; exclusive 2,000, 22.22%)", "Shown: 5,000, 55.56% of all"])
    remove_filters()
    add_filter("frames", "oo")
    check("37, 39: hide frames", [at(row(1, 3), .9), at(row(2, 3), .3), functions()],
          ["main (9,000, 100.00%; exclusive 4,000, 44.44%)", "bar (5,000, 55.56%; exclusive 5,000, 55.56%)", [["bar", "5,000", "5,000", "1"], ["main", "4,000", "9,000", "1"]]])
    check("37: letter by letter", (remove_filters(), add_filter("frames", "FOO"), len(functions()))[2], 4)
    remove_filters()
    add_filter("from", "bar")
    check("40: show from", [at(row(1, 2), .5), text("shown")], ["bar (5,000, 55.56%; exclusive 5,000, 55.56%)", "Shown: 5,000, 55.56% of all"])
    remove_filters()
    # Rows 34 and 41: callers above, the function at its full width with its share, callees below.
    add_filter("focus", "foo1")
    check("41: focus", [at(0, .5), at(1, .5), at(2, .5)], ["main (4,000, 44.44%; exclusive 4,000, 44.44%)", FOO1, "bar (2,500, 27.78%; exclusive 2,500, 27.78%)"])
    remove_filters()
    add_filter("focus", "bar")
    check("34: around bar", [at(0, .2), at(1, .2), at(1, .7), at(2, .5)],
          ["main (2,500, 27.78%; exclusive 2,500, 27.78%)", "foo1 (2,500, 27.78%; exclusive 0, 0.00%)", "foo2 (2,500, 27.78%; exclusive 0, 0.00%)",
           "bar (5,000, 55.56%; exclusive 5,000, 55.56%)"])
    remove_filters()
    # Row 42: what matches keeps its colour, the rest fade.
    pixel = """((x, y) => Array.from(document.getElementById('canvas').getContext('2d').getImageData(x, y, 1, 1).data))(%d, %d)"""
    spots = [(600, 16 * row(depth) + 3) for depth in (0, 1, 2)] + [(100, 16 * row(3) + 3)]
    before = [browser.js(pixel % spot) for spot in spots]
    add_filter("highlight", "ba")
    check("42: highlight", [browser.js(pixel % spot) == was for spot, was in zip(spots, before)], [False, False, False, True])
    browser.events = [event for event in browser.events if "willReadFrequently" not in str(event)]  # that is about this test
    remove_filters()
    check("all filters are gone", at(row(2), .2), FOO1)
    # Row 33: leaf first, and heaviest first.
    set_field("first", "leaf")
    check("33: leaf first", [at(row(1), .3), at(row(2), .2), at(row(2), .4)],
          ["bar (5,000, 55.56%; exclusive 0, 0.00%)", "foo1 (2,500, 27.78%; exclusive 0, 0.00%)", "foo2 (2,500, 27.78%; exclusive 0, 0.00%)"])
    check("33: the link", browser.js("location.hash"), "#first=leaf")


def metrics():
    """Row 43: another metric of the same experiment, row 27: by bytes and by count. Source files are matched, too."""
    event = "app 1 10.0: %d %s: \n\t1000 %s+0x0 (/bin/app)\n\t2000 main+0x0 (/bin/app)\n\n"
    with open("counts.txt", "w") as stream:
        stream.write(event % (300, "bytes", "small") + event % (700, "bytes", "large") + event % (3, "objects", "small") + event % (1, "objects", "large"))
    draw_from("counts.html", "-import", "counts.txt", "-sort", "e.bytes")
    load("counts.html")
    check("44: one experiment", browser.js("document.getElementById('experiments').parentNode.hidden"), True)
    check("27: bytes", at(row(2, 3), .1), "large (700 bytes, 70.00%; exclusive 700 bytes, 70.00%)")
    set_field("metric", browser.js("Array.from(document.getElementById('metric').options).find((o) => o.textContent === 'objects').value"))
    with open("counts.html", encoding="utf-8") as stream:
        table = re.findall(r"<tr><td>([\d,]+)</td><td>([\d.]+%)</td><td>([\d,]+)</td><td>([\d.]+%)</td><td>(.*?)</td></tr>", stream.read())
    check("without a script", table, [("700", "70.00%", "700", "70.00%", "large"), ("300", "30.00%", "300", "30.00%", "small"), ("0", "0.00%", "1,000", "100.00%", "main")])
    check("43: objects", [at(row(2, 3), .1), at(row(2, 3), .9), functions()[0]],
          ["large (1 objects, 25.00%; exclusive 1 objects, 25.00%)", "small (3 objects, 75.00%; exclusive 3 objects, 75.00%)", ["small", "3", "3", "1"]])
    check("43: the title", [text("subtitle").split(",")[0], browser.js("document.querySelector('h1').textContent"), browser.js("document.title")],
          ["objects 4", "objects Flame Graph: app", "objects Flame Graph: app"])
    check("43: the link", browser.js("location.hash"), "#metric=objects")
    with open("three.folded", "w") as stream:
        stream.write("main;foo1;bar 3000\n")
    draw_from("both.html", "-import", "example.folded", "-import", "three.folded")
    load("both.html")
    check("44: sum", [text("subtitle").split(", ")[:2], at(row(1), .1)],
          [["Folded Count 12,000", "example.folded"], "main (12,000, 100.00%; exclusive 2,000, 16.67%)"])
    set_field("experiments", "mean")
    check("44: mean", [text("subtitle").split(", ")[:2], at(row(1), .1), functions()[0], browser.js("location.hash")],
          [["Folded Count 6,000", "mean of 2 experiments"], "main (6,000, 100.00%; exclusive 1,000, 16.67%)", ["bar", "4,000", "4,000", "2"], "#experiments=mean"])
    load(draw("recursion", "a;a 10\na;b;a;c 5\n"))
    check("46: recursion counts once", functions(), [["a", "10", "15", "3"], ["c", "5", "5", "1"], ["b", "0", "5", "1"]])
    browser.key("r")
    check("joined", [at(row(1, 3), .5), functions()[0], browser.js("location.hash")], ["a (15, 100.00%; exclusive 10, 66.67%)", ["a", "10", "15", "1"], "#recursion=joined"])
    draw_from("set.html", "-import", "example.folded", "-tree", "bottom_up", "-picture", "order=heaviest:palette=exclusive:title=<b>T</b>", command="-icicle")
    load("set.html")
    check("as it was set", [browser.js("['root', 'first', 'order', 'palette'].map((id) => document.getElementById(id).value).join()"), browser.js("document.title"),
                            at(1, .3)], ["above,leaf,heaviest,exclusive", "<b>T</b>", "bar (5,000, 55.56%; exclusive 0, 0.00%)"])


def colour_at(depth, share, rows):
    """The colour just below a frame's upper edge, where no letters are."""
    x, y = place(row(depth, rows), share)
    browser.move(5, 5)
    canvas = browser.js("(() => { const b = document.getElementById('canvas').getBoundingClientRect(); return [b.x, b.y]; })()")
    found = browser.js("Array.from(document.getElementById('canvas').getContext('2d').getImageData(%d, %d, 1, 1).data).slice(0, 3)" %
                       (x - canvas[0], y - canvas[1] - 7))
    browser.events = [event for event in browser.events if "willReadFrequently" not in str(event)]  # that is about this test
    return found


def scales():
    """Row 25 in the page: 60 cycles with 30 instructions are 2 each, 40 with 80 are 0.5, and 100 with 110 are 0.909. A colour's share is half of
    the binary logarithm of the part of that: 0.5688 and -0.4313."""
    event = "app 1 10.0: %d %s: \n\t1000 %s+0x0 (/bin/app)\n\t2000 main+0x0 (/bin/app)\n\n"
    with open("ratio.txt", "w") as stream:
        stream.write(event % (60, "cycles", "hot") + event % (40, "cycles", "cool") + event % (30, "instructions", "hot") + event % (80, "instructions", "cool"))
    draw_from("ratio.html", "-import", "ratio.txt", "-sort", "e.cycles", "-picture", "palette=exclusive:by=cpi")
    load("ratio.html")
    hot, cool = "hot (60 cycles, 60.00%; exclusive 60 cycles, 60.00%; exclusive Cycles Per Instruction ", [227, 140, 140]
    check("25: hot", [at(row(2, 3), .8), colour_at(2, .8, 3)], [hot + "2.000)", [227, 140, 140]])
    check("25: cool", [at(row(2, 3), .2)[-6:], colour_at(2, .2, 3)], ["0.500)", [167, 184, 227]])
    check("25: no value", at(row(1, 3), .5)[-3:], " -)")
    check("25: legend", text("legend"), "Colour: exclusive Cycles Per Instruction; grey is that of all, 0.909; red four times as much or more, blue a quarter or less")
    set_field("palette", "inclusive")
    check("25: all", [at(row(1, 3), .5)[-6:], colour_at(1, .5, 3)], ["0.909)", [228, 228, 228]])
    set_field("first", "leaf")
    check("25: leaves first", [at(row(1, 3), .9)[-6:], at(row(2, 3), .9)[-6:]], ["2.000)", "2.000)"])
    set_field("by", "instructions")
    check("26: by another metric", [at(row(1, 3), .9).split("; ")[2], colour_at(1, .9, 3), text("legend"), browser.js("location.hash")],
          ["inclusive instructions 30)", [243, 171, 148], "Colour: inclusive instructions, up to 80 in red", "#palette=inclusive&by=instructions&first=leaf"])
    add_filter("hide", "cool")
    check("26: only what is shown", text("legend"), "Colour: inclusive instructions, up to 30 in red")
    set_field("palette", "warm")
    check("no legend", [text("legend"), browser.js("document.getElementById('by').parentNode.hidden")], ["", True])
    load("ratio.html", "#palette=inclusive&by=instructions&first=leaf")
    check("26: the link", [at(row(1, 3), .9).split("; ")[2], text("legend")], ["inclusive instructions 30)", "Colour: inclusive instructions, up to 80 in red"])


D = "a;b;c 10 40\na;d 30 10\na;e 20 20\na;gone;x 7 0\na;gone;y 5 0\n"


def difference():
    """Rows 22 to 24 in the page: 72 before and 70 after. As wide as after and what is missing, 82, as their mean, 71, as the change, 62, and as
    before."""
    load(draw("change", D, "-compare", "on"))
    check("everything has a name", browser.nameless(), [])
    about = "before: change.folded (before), after: change.folded (after)"
    check("45: totals", [text("subtitle").rsplit(", ", 1)[0], browser.js("document.title")],
          ["Folded Count 72 before, 70 after, -2, -2.78%, " + about, "Differential Flame Graph: Folded stacks"])
    c, a = "c (10 before, 13.89%; 40 after, 57.14%; +30, +300.00%)", "a (72 before, 100.00%; 70 after, 100.00%; -2, -2.78%, within 2 standard errors)"
    check("22: words", [at(row(3), .2), at(row(2), .55), at(row(2), .7), at(row(1), .3)],
          [c, "d (30 before, 41.67%; 10 after, 14.29%; -20, -66.67%)", "e (20 before, 27.78%; 20 after, 28.57%; no change)", a])
    check("22: colours", [colour_at(depth, share, 4) for depth, share in ((3, .2), (2, .2), (2, .55), (2, .7), (1, .3))],
          [[255, 0, 0], [255, 0, 0], [70, 70, 255], [255, 255, 255], [255, 255, 255]])
    check("24: what is missing", [at(row(0), .95), at(row(1), .95), at(row(3), .89), at(row(3), .97)],
          ["missing (12 before, 16.67%; missing after)", "a (12 before, 16.67%; missing after)", "x (7 before, 9.72%; missing after)",
           "y (5 before, 6.94%; missing after)"])
    ends_at = lambda depth, share: [at(row(depth), share - 2 / FULL).split(" ")[0], at(row(depth), share + 2 / FULL).split(" ")[0]]
    check("22: widths", [ends_at(3, 40 / 82), ends_at(0, 70 / 82)], [["c", ""], ["<Total>", "missing"]])
    check("22: the legend", text("legend"),
          "Width: after, and what is missing. Colour: inclusive change, red more, blue less, at most 30; white none, or within 2 standard errors")
    check("46: differences", functions()[:5],
          [["c", "+30", "+30", "1"], ["d", "-20", "-20", "1"], ["x", "-7", "-7", "1"], ["y", "-5", "-5", "1"], ["a", "0", "-2", "1"]])
    check("15: nothing of what is missing", search("^(c|x)$"), "Matched: 57.14%")
    search("")
    for shown, wide, legend in (("mean", 25 / 71, "mean of before and after"), ("change", 30 / 62, "size of the change"), ("before", 10 / 72, "before")):
        set_field("width", shown)
        check(shown, [at(row(3), .05), text("legend").split(".")[0], text("shown"), browser.js("location.hash")], [c, "Width: " + legend, "", "#shown=" + shown])
        check(shown + ": width", ends_at(3, wide), ["c", ""])
    load("change.html", "#shown=mean&change=exclusive")
    check("exclusive", [at(row(2), .2), colour_at(2, .2, 4), colour_at(3, .2, 4)],
          ["b (10 before, 13.89%; 40 after, 57.14%; +30, +300.00%; exclusive: 0 before, 0.00%; 0 after, 0.00%; no change)", [255, 255, 255], [255, 0, 0]])
    load("change.html")
    add_filter("hide", "c")
    check("38: hide", [text("shown"), at(row(2, 4), .05)], ["Shown: 30, 42.86% of all", "d (30 before, 41.67%; 10 after, 14.29%; -20, -66.67%)"])
    remove_filters()
    add_filter("focus", "b")
    check("41: focus", [at(0, .5), at(1, .5), at(2, .5), text("shown")],
          ["a (10 before, 13.89%; 40 after, 57.14%; +30, +300.00%)", "b (10 before, 13.89%; 40 after, 57.14%; +30, +300.00%)", c, "Shown: 40, 57.14% of all"])
    load(draw("scaled", D, "-compare", "delta:by=folded", "-picture", "colours=safe"))
    check("scaled", [at(row(1), .3), colour_at(3, .2, 4), text("subtitle").split(", before:")[0]],
          ["a (72 before, 100.00%; 72 after, 100.00%; no change)", [239, 138, 98], "Folded Count 72 before, 72 after"])
    # A metric that one of them lacks; around a function.
    event = "app 1 10.0: %d %s: \n\t1000 f+0x0 (/bin/app)\n\t2000 main+0x0 (/bin/app)\n\n"
    for name, events in (("one", event % (60, "cycles")), ("two", event % (80, "cycles") + event % (9, "instructions"))):
        with open(name + ".txt", "w") as stream:
            stream.write(events)
    draw_from("lacks.html", "-import", "one.txt", "-import", "two.txt", "-compare", "on", "-sort", "e.cycles")
    load("lacks.html", "#metric=instructions")
    check("one lacks it", [text("subtitle").split(", before:")[0], at(row(1, 3), .5)],
          ["instructions 0 before, 9 after, +9", "main (0 instructions before, 0.00%; 9 instructions after, 100.00%; +9 instructions, new, within 2 standard errors)"])


def hostile():
    names = ["</script><script>window.broken = 1</script>", "]]>", "\"'&<b>", "a\x01\x1b[31mb", "\u202egnp.exe", "\U0001f525 fire", "T<" * 5000 + ">" * 5000,
             "a" * 60 + "!", "<!--", "<img src=x onerror='window.broken=1'>"]
    folded = b"".join(("main;" + name + " 10\n").encode() for name in names) + b"main;bad\xff\xfe byte 10\nmain;\xed\xa0\x80 10\n"
    load(draw("hostile", folded, "-picture", "title=</title><script>window.broken = 1</script>"))
    check("all are there", len(functions()), len(names) + 2 + 1)
    check("search", [search("</script>"), search("\U0001f525"), search("^(a+)+$")], ["Matched: 8.33%"] * 3)
    check("it is said", text("details").endswith("it takes too long"), True)
    for term in ("<img src=x onerror=window.broken=1>", "${window.broken = 1}"):
        add_filter("highlight", term)
    check("nothing ran", browser.js("String(window.broken)"), "undefined")


def around():
    """Row 34 as a command: the page begins with what is around the function, and shows the rest as well."""
    subprocess.run([os.environ["ER_PRINT"], "-import", "example.folded", "-sandwich", "bar", "around.html"], check=True, stderr=subprocess.DEVNULL)
    load("around.html")
    check("34: around bar", [at(0, .2), at(1, .7), at(2, .5)],
          ["main (2,500, 27.78%; exclusive 2,500, 27.78%)", "foo2 (2,500, 27.78%; exclusive 0, 0.00%)", "bar (5,000, 55.56%; exclusive 5,000, 55.56%)"])
    check("34: shown", text("shown"), "Shown: 5,000, 55.56% of all")
    remove_filters()
    check("34: all of it", at(1, .5), "main (9,000, 100.00%; exclusive 2,000, 22.22%)")
    load("around.html", "#show=foo1")
    check("34: a link has other filters", text("shown"), "Shown: 4,000, 44.44% of all")


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    return sum(weight * (part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4) for weight, part in zip((.2126, .7152, .0722), parts))


def windows():
    load("example.html")
    check("everything has a name", browser.nameless(), [])
    # The contrast that the Web Content Accessibility Guidelines 2 ask for, by what they call relative luminance.
    for scheme in ("light", "dark"):
        browser.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        for name in ("subtitle", "legend", "details", "list"):
            colours = browser.js("((e) => [getComputedStyle(e).color, getComputedStyle(document.body).backgroundColor])(document.getElementById('%s'))" % name)
            dim, light = sorted(luminance(colour) for colour in colours)
            check("%s in %s" % (name, scheme), (light + .05) / (dim + .05) >= 4.5, True)
    browser.media(prefers_reduced_motion="reduce")
    for width in (320, 1280):
        browser.resize(width, 700)
        check("no wider than a window of %d" % width, browser.js("document.documentElement.scrollWidth"), width)
        check("as wide as it is", browser.until("document.getElementById('canvas').getBoundingClientRect().width", width, 2), width)
    deep = ";".join("f%d" % i for i in range(3000))
    load(draw("deep", deep + " 7\n", command="-icicle"))
    check("3000 frames deep", at(0, .5), "<Total> (7, 100.00%; exclusive 0, 0.00%)")
    browser.js("document.getElementById('scroll').scrollTop = 16 * 1500")
    check("in the middle", browser.until("document.getElementById('scroll').scrollTop", 24000) and at(3, .5), "f1502 (7, 100.00%; exclusive 0, 0.00%)")
    # Where paths begin is in view: the root below, or the function in the middle.
    scroll = "((s) => %s)(document.getElementById('scroll'))"
    load(draw("deep", deep + " 7\n"))
    check("the root is in view", browser.js(scroll % "s.scrollHeight > 48000 && s.scrollHeight - s.clientHeight - s.scrollTop < 1"), True)
    bottom = browser.js("document.getElementById('scroll').getBoundingClientRect().bottom")
    browser.move(100, bottom - 9)
    check("it is the lowest row", text("details").split(" (")[0], "Function: <Total>")
    subprocess.run([os.environ["ER_PRINT"], "-import", "deep.folded", "-sandwich", "f500", "deep.html"], check=True, stderr=subprocess.DEVNULL)
    load("deep.html")
    check("the function is in view", browser.js(scroll % "Math.abs(s.scrollTop + s.clientHeight / 2 - 16 * 501) < 1"), True)


def chart():
    """Threads by time, on an axis of one row above."""
    browser.resize(WIDTH, 900)
    with open("chart.txt", "w") as stream:
        stream.write(picture_frames.TWO_THREADS)
    draw_from("chart.html", "-import", "chart.txt", command="-flamechart")
    load("chart.html")
    check("subtitle", text("subtitle").rsplit(",", 1)[0], "cycles 9,000, 2 threads, by time, chart.txt")
    lane7, main = "app, process 1, thread 7 (from -0.001000 sec., 0.012000 sec., 100.00%)", "main (from -0.001000 sec., 0.012000 sec., 100.00%)"
    a, b, late = ("a (from -0.001000 sec., 0.002000 sec., 16.67%)", "b (from 0.001000 sec., 0.001000 sec., 8.33%)", "a (from 0.008000 sec., 0.003000 sec., 25.00%)")
    lane8, w = "app, process 1, thread 8 (from 0.000500 sec., 0.003500 sec., 29.17%)", "w (from 0.000500 sec., 0.003500 sec., 29.17%)"
    check("32: by time", [at(1, .5), at(2, .5), at(3, .1), at(3, .2), at(3, .5), at(3, .9), at(5, .5), at(6, .2), at(6, .5), at(8, .3)],
          [lane7, main, a, b, "", late, "", lane8, "", w])
    check("no choice of what a chart has not", browser.js("['metric', 'root', 'first', 'order', 'recursion', 'palette', 'list'].map((id) => get_(id)).join()"
                                                         .replace("get_(id)", "document.getElementById(id).offsetParent ? 1 : 0")), "0,0,0,0,0,1,0")
    check("filters", browser.js("Array.from(document.getElementById('what').options).map((o) => o.value).join()"), "highlight")
    check("15: search", [search("^[aw]$"), search("^main$"), search("thread")], ["Matched: 54.84%", "Matched: 77.42%", "Matched: 0.00%"])
    browser.click(*place(3, .1))
    check("14: zoom to a time", [at(1, .2), at(2, .9), at(3, .5), at(5, .5), at(7, .9)],
          [lane7.replace("100.00%", "100.00% of all, 100.00% of the zoom"), main.replace("100.00%", "100.00% of all, 100.00% of the zoom"),
           a.replace("16.67%", "16.67% of all, 100.00% of the zoom"), "", w.replace("29.17%", "29.17% of all, 100.00% of the zoom")])
    check("search in a zoom", search("^[aw]$"), "Matched: 54.84% (100.00% of the zoom)")
    link = browser.js("location.hash")
    browser.key("Escape")
    check("and back", at(3, .9), late)
    load("chart.html", link)
    check("the link", [at(3, .5), at(5, .9)], [a.replace("16.67%", "16.67% of all, 100.00% of the zoom"), lane8.replace("29.17%", "29.17% of all, 100.00% of the zoom")])
    browser.key("Escape")
    seen = []
    browser.js("document.getElementById('canvas').focus()")
    browser.move(5, 5)
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "i", "f", "r"):
        browser.key(key)
        seen.append(text("details")[len("Function: "):].split(" (")[0])
    check("keys", seen, ["app, process 1, thread 7", "main", "a"] + ["b"] * 4)
    browser.key("Home")
    box = browser.js("(() => { const b = document.getElementById('canvas').getBoundingClientRect(); return [b.x, b.y]; })()")
    browser.drag(box[0] + 10 + FULL / 4, box[1] + 40, box[0] + 10 + FULL / 2, box[1] + 40)
    check("a line drawn with the mouse", [browser.js("location.hash"), at(5, .2), at(5, .7)], ["#time=3000000_3000000", start_zoomed := "start" + lane8[len("app, process 1, thread 8"):].replace("29.17%", "29.17% of all, 100.00% of the zoom"), ""])
    browser.key("-")
    browser.key("<")
    check("keys of the time", browser.js("location.hash"), "#time=0_6000000")
    load("chart.html", "#time=3000000_3000000")
    check("a time in the link", [at(5, .2), at(5, .7)], [start_zoomed, ""])
    browser.key("Escape")
    # 42: what is highlighted keeps its colour; the names of threads do.
    pixel = "((x, y) => Array.from(document.getElementById('canvas').getContext('2d').getImageData(x, y, 1, 1).data))(%d, %d)"
    spots = [(600, 16 * 1 + 3), (600, 16 * 2 + 3), (100, 16 * 3 + 3)]
    before = [browser.js(pixel % spot) for spot in spots]
    add_filter("highlight", "a")
    add_filter("highlight", "b")
    remove = "document.querySelector('#active button').click()"
    browser.js(remove)
    check("42: b alone", [browser.js(pixel % spot) == was for spot, was in zip(spots, before)], [True, False, False])
    browser.events = [event for event in browser.events if "willReadFrequently" not in str(event)]  # that is about this test
    browser.resize(320, 700)
    check("no wider than a window of 320", browser.js("document.documentElement.scrollWidth"), 320)


for part in (example, scales, difference, keyboard, filters, metrics, hostile, around, windows, chart):
    part()
    check(part.__name__ + ": the browser's complaints", browser.complaints(), [])
browser.close()
print("\n".join(failed) if failed else "all as expected")
sys.exit(bool(failed))
