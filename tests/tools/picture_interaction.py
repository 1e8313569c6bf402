# SPDX-License-Identifier: Apache-2.0
# Works with pictures in a browser as their readers do, and holds what they show against arithmetic. The rows are those of the
# requirements on pictures.
import os
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(__file__))
import browser as driver
import picture_frames

failed = []


def check(what, got, wanted):
    if got != wanted:
        failed.append("%s: %.200r, not %.200r" % (what, got, wanted))


def near(what, got, wanted):
    if got is None or abs(got - wanted) > 0.06:
        failed.append("%s: %r, not %r" % (what, got, wanted))


def draw(name, folded, *settings, command="-flamegraph"):
    """A picture of folded stacks; returns its file."""
    with open(name + ".folded", "wb") as stream:
        stream.write(folded.encode() if isinstance(folded, str) else folded)
    subprocess.run([os.environ["ER_PRINT"], "-import", name + ".folded", *settings, command, name + ".svg"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return name + ".svg"


FRAMES = """Array.from(document.querySelectorAll("#frames rect")).map((r) => {
    const box = r.getBoundingClientRect(), y = r.parentNode.getAttribute("transform");
    return [Number(r.getAttribute("x")), Number(r.getAttribute("width")), r.frame.depth, r.frame.bundled,
            box.x + box.width / 2, box.y + box.height / 2, r.getAttribute("class") || "", r.frame.node, r.frame.value, y];
})"""
browser = driver.Browser(1200, 400)
text = lambda name: browser.js("document.getElementById('%s').textContent" % name)
frames = lambda: browser.js(FRAMES)
body = lambda: browser.js("document.documentElement.outerHTML.replace(/<title>.*?<.title>/g, '')")


def named(path):
    """{node: name} of a picture."""
    return {node: stack[0][-1] for node, stack in enumerate(picture_frames.stacks_of(path))}


class Picture:
    def __init__(self, path, link=""):
        browser.open(path, link)
        self.names = named(path)

    def frames(self, name):
        return [frame for frame in frames() if not frame[3] and self.names[frame[7]] == name]

    def widths(self, name):
        return [round(frame[1], 1) for frame in self.frames(name)]

    def end_widths(self, name, wanted):
        """The widths at the end of a zoom: frames that are narrower than a pixel then are hidden a moment after the others are still."""
        end = time.monotonic() + 10
        while self.widths(name) != wanted and time.monotonic() < end:
            time.sleep(0.02)
        return self.widths(name)

    def move(self, name, nth=0):
        browser.move(*self.frames(name)[nth][4:6])

    def click(self, name, nth=0):
        browser.click(*self.frames(name)[nth][4:6])

    def still(self, name, width, nth=0):
        """Waits for the end of a zoom."""
        return browser.until("""(%s).filter((f) => !f[3] && f[7] === %d).map((f) => f[1])[0]""" % (FRAMES, self.node(name, nth)), width)

    def node(self, name, nth=0):
        return [node for node, of in self.names.items() if of == name][nth]


def press(word):
    box = browser.js("(() => { const b = document.getElementById('%s').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()" % word)
    browser.click(*box)


def search(term, keys="/"):
    """Types a term into the field; returns what the picture says then."""
    if keys == "button":
        press("search")
    elif keys == "ctrl":
        browser.key("f", driver.CONTROL)
    else:
        browser.key(keys)
    browser.js("document.querySelector('#ask input').value = ''")
    browser.type(term)
    browser.key("Enter")
    browser.until("document.documentElement.hasAttribute('aria-busy')", False)
    return text("matched")


E = "main 2000\nmain;foo1 1500\nmain;foo1;bar 2500\nmain;foo2 500\nmain;foo2;bar 2500\n"


def example():
    path = draw("example", E, "-picture", "width=1200")
    picture = Picture(path)
    # The script draws what stands in the file.
    drawn = sorted((depth, x, width) for x, width, depth, *_ in frames())
    check("as in the file", drawn, sorted((frame.depth, frame.x, frame.width) for frame in picture_frames.read(path)[0]))
    shown = body()

    # Row 13: hover.
    picture.move("foo2")
    check("a name for the browser and for screen readers", [browser.js("document.title"), browser.nameless()], ["Flame Graph: Folded stacks", []])
    check("13: hover", text("details"), "Function: foo2 (3,000, 33.33%; exclusive 500, 5.56%)")
    check("13: tooltip", browser.js("(%s).length && document.querySelector('#frames title').textContent" % FRAMES), "foo2 (3,000, 33.33%; exclusive 500, 5.56%)")
    browser.move(600, 300)
    check("13: nothing under the mouse", text("details"), "")

    # Row 14: a click zooms, ancestors are as wide as the picture and faded, others are hidden; another click zooms anew.
    picture.click("foo1")
    near("14: zoomed frame", picture.still("foo1", 1180), 1180)
    check("14: its callee", picture.widths("bar"), [737.5])
    check("14: its caller", picture.widths("main"), [1180])
    check("14: faded", [frame[6] for frame in picture.frames("main") + picture.frames("foo1")], ["faded", ""])
    check("14: what is beside is hidden", picture.widths("foo2"), [])
    picture.move("bar")
    check("14: percent of the zoom", text("details"), "Function: bar (2,500, 27.78% of all, 62.50% of the zoom; exclusive 2,500, 27.78%)")
    picture.click("bar")
    near("14: zoom in a zoom", picture.still("bar", 1180), 1180)
    picture.click("main")
    near("14: zoom out by a caller", picture.still("foo1", 524.4), 524.4)
    picture.click("foo2")
    near("14: and into another", picture.still("foo2", 1180), 1180)
    check("14: the link says it", browser.js("location.hash"), "#zoom=%d" % picture.node("foo2"))
    press("reset")
    browser.until("document.getElementById('reset').classList.contains('hidden')")
    check("14: and that it is reset", browser.js("location.hash"), "")
    browser.move(600, 300)
    browser.until("document.querySelectorAll('#frames .faded').length", 0)
    check("14: reset restores every byte", body(), shown)

    # Row 15: search; what is on several matching frames counts once.
    check("15: bar", search("bar", "button"), "Matched: 55.56%")
    check("15: both are marked", [frame[6] for frame in picture.frames("bar")], ["matched", "matched"])
    check("15: the button", text("search"), "Reset Search")
    press("search")
    browser.until("document.getElementById('matched').textContent", "")
    check("15: ^foo", search("^foo", "ctrl"), "Matched: 77.78%")
    check("15: foo|bar, no double count", search("foo|bar", "F3"), "Matched: 77.78%")
    check("15: no match", search("FOO"), "Matched: 0.00%")
    browser.key("i", driver.CONTROL)
    check("15: ignoring case", browser.until("document.getElementById('matched').textContent", "Matched: 77.78%"), "Matched: 77.78%")
    check("15: the link", browser.js("location.hash"), "#search=FOO&case=ignore")
    browser.key("i", driver.CONTROL)
    search("bar")
    picture.click("foo1")
    picture.still("foo1", 1180)
    check("15: while zoomed", text("matched"), "Matched: 55.56% (62.50% of the zoom)")
    # A wrong expression, and one that never ends, change nothing.
    check("15: wrong", search("("), "Matched: 55.56% (62.50% of the zoom)")
    check("15: it is said", text("details").startswith("Not found: (: "), True)
    browser.key("Escape")
    browser.key("Escape")
    browser.until("document.getElementById('reset').classList.contains('hidden')")
    browser.key("Escape")
    check("Esc resets the zoom, then the search", browser.until("document.getElementById('matched').textContent", ""), "")

    # The keyboard: from a frame to what is on it, beside it and under it.
    browser.move(600, 300)
    for key, wanted in (("ArrowUp", "<Total>"), ("ArrowUp", "main"), ("ArrowUp", "foo1"), ("ArrowRight", "foo2"), ("ArrowUp", "bar"),
                        ("ArrowLeft", "bar"), ("ArrowDown", "foo1")):
        browser.key(key)
        check("key " + key, text("details").split(" ")[1], wanted)
    browser.key("c")
    check("c copies the name", text("details"), "Copied: foo1")
    browser.key("Enter")
    near("Enter zooms", picture.still("foo1", 1180), 1180)
    link = browser.js("location.hash")
    browser.key("Home")
    near("Home resets", picture.still("foo1", 524.4), 524.4)
    search("bar")
    browser.key("n")
    near("n zooms to the first match", picture.still("bar", 1180), 1180)
    browser.key("n")
    near("n zooms to the next", picture.still("bar", 1180, 1), 1180)

    # The link brings a zoom and a search back; a link that is none does nothing.
    picture = Picture(path, link + "&search=bar")
    near("a link zooms", picture.widths("foo1")[0], 1180)
    check("a link searches", browser.until("document.getElementById('matched').textContent !== ''") and text("matched"), "Matched: 55.56% (62.50% of the zoom)")
    picture = Picture(path, "#zoom=99&search=")
    near("a wrong link", picture.widths("foo1")[0], 524.4)


def transitions():
    """Row 35: a zoom takes steps, at most 300 ms, and none where motion is not wanted."""
    path = draw("steps", E, "-picture", "width=1200")
    count = """new Promise((done) => { let steps = 0; const begun = performance.now(), target = document.getElementById("frames");
        const watch = new MutationObserver(() => { steps++; last = performance.now(); }); let last = begun; watch.observe(target, { childList: true });
        target.querySelectorAll("rect")[2].dispatchEvent(new MouseEvent("click", { bubbles: true }));
        setTimeout(() => done([steps, last - begun]), 600); })"""
    Picture(path)
    steps, took = browser.js(count)
    check("35: steps", steps > 2 and took < 300 + 100, True)
    browser.media(prefers_reduced_motion="reduce")
    Picture(path)
    check("35: none with reduced motion", browser.js(count)[0], 1)
    browser.media()


def bundles():
    """What is too thin to be drawn is searched and can be zoomed into."""
    thin = "main;wide 10000\n" + "".join("main;t%03d;x 1\nmain;t%03d;target 1\n" % (i, i) for i in range(500))
    picture = Picture(draw("bundles", thin, "-picture", "width=1200:least=20px"))
    bundle = [frame for frame in frames() if frame[3]][0]
    check("a bundle", bundle[3], 500)
    check("search of its members", search("^t\\d"), "Matched: 9.09%")
    check("search of what they call", search("target"), "Matched: 4.55%")
    check("the bundle is marked", [frame[6] for frame in frames() if frame[3]], ["matched"])
    browser.click(*bundle[4:6])
    browser.until("document.querySelectorAll('#frames .faded').length >= 2")
    check("zoom into it", browser.until("(%s).filter((f) => f[3] && f[2] === 2).length" % FRAMES, 1), 1)
    picture = Picture(draw("bundles", thin, "-picture", "width=1200"))
    near("row 16: one sum of 500 places", float(search("target").split()[1][:-1]), 100 * 500 / 11000)
    # Rows 15 and 16 again, where matches are inside others: of z all, of the other half what is below lock.
    picture = Picture(draw("nested", "a;lock 40\nz 20\nz;lock 40\n", "-picture", "width=1200"))
    picture.click("z")
    picture.still("z", 1180)
    check("15: of the zoom", search("^lock"), "Matched: 80.00% (66.67% of the zoom)")


def windows():
    """As wide as the window, at any time; icicles have their callees below."""
    path = draw("window", E, command="-icicle")
    browser.resize(900, 300)
    picture = Picture(path)
    check("the picture is as wide as the window", (picture.widths("main"), browser.js("document.documentElement.scrollWidth")), ([880.0], 900))
    browser.resize(640, 300)
    near("a smaller window", picture.still("foo1", 275.6), 620 * 4 / 9)
    check("below", [int(picture.frames(name)[0][9][12:-1]) for name in ("<Total>", "main", "foo1", "bar")], [52, 68, 84, 100])
    browser.key("ArrowDown")
    browser.key("ArrowDown")
    check("keys of an icicle", text("details").split(" ")[1], "main")
    # A long title leaves the words beside it free, in any window.
    draw("long", E, "-picture", "palette=exclusive:title=" + "x" * 300)
    for width in (1600, 1200, 700, 320):
        browser.resize(width, 300)
        Picture("long.svg")
        boxes = browser.js("['title', 'case', 'subtitle', 'legend'].map((id) => { const b = document.getElementById(id).getBoundingClientRect(); return [b.left, b.right]; })")
        check("the title in %d" % width, (boxes[0][1] <= boxes[1][0], len(text("title")) > (10 if width > 500 else -1), boxes[2][0] >= 0, boxes[3][0] >= 0), (True, True, True, True))
    browser.resize(1200, 400)
    # The system's colours; on paper there are no buttons.
    colour = "getComputedStyle(document.getElementById('%s')).%s"
    light = browser.js(colour % ("back", "fill"))
    browser.media(prefers_color_scheme="dark")
    dark = browser.js(colour % ("back", "fill")), browser.js(colour % ("title", "fill"))
    beyond = browser.js("getComputedStyle(document.documentElement).backgroundColor")
    browser.media("print")
    paper = browser.js(colour % ("back", "fill")), browser.js(colour % ("search", "display"))
    browser.media()
    check("dark beyond the picture", beyond, dark[0])
    check("light, dark, paper", (light, dark, paper), ("rgb(248, 248, 244)", ("rgb(27, 28, 31)", "rgb(230, 230, 230)"), ("rgb(255, 255, 255)", "none")))


def hostile():
    """Names that would end the script, the data or the file; characters that XML has none of; 10 000 bytes; expressions without end."""
    names = ["</script><script>window.broken = 1</script>", "]]>", "\"'&<b>", "a\x01\x1b[31mb", "\u202egnp.exe", "\U0001f525 fire", "T<" * 5000 + ">" * 5000,
             "a" * 60 + "!", "</svg>", "<!--", "${window.broken = 1}", "javascript:window.broken=1"]
    folded = b"".join(("main;" + name + " 10\n").encode() for name in names) + b"main;bad\xff\xfe byte 10\nmain;\xed\xa0\x80 10\n"
    picture = Picture(draw("hostile", folded, "-picture", "width=1200:title=</text><script>window.broken = 1</script>"))
    xml.etree.ElementTree.parse("hostile.svg")
    check("nothing ran", browser.js("String(window.broken)"), "undefined")
    check("all are there", len(frames()), 2 + len(names) + 2)
    check("fire", search("\U0001f525"), "Matched: 7.14%")
    check("an expression without end", search("^(a+)+$"), "Matched: 7.14%")
    check("it is said", browser.until("document.getElementById('details').textContent.endsWith('it takes too long')", True, 5), True)
    browser.key("Escape")
    check("the next one works", search("^main$"), "Matched: 100.00%")
    check("terms", [search(term) for term in ("</svg>", "\\]\\]>", "&<b>")], ["Matched: 7.14%"] * 3)
    check("nothing ran of the terms", browser.js("String(window.broken)"), "undefined")
    picture.move("main")
    check("no complaints of the browser", browser.complaints(), [])


def difference():
    """What has changed: the words of the file, the zoom into what is missing, and a search that does not count that."""
    path = draw("difference", "a;b;c 10 40\na;d 30 10\na;e 20 20\na;gone;x 7 0\na;gone;y 5 0\n", "-compare", "on", "-picture",
                "width=1200:change=exclusive")
    picture = Picture(path)
    drawn = sorted((depth, x, width) for x, width, depth, *_ in frames())
    file = picture_frames.read(path)[0]
    check("as in the file", drawn, sorted((frame.depth, frame.x, frame.width) for frame in file))
    fills = "Array.from(document.querySelectorAll('#frames rect')).map((r) => r.getAttribute('fill'))"
    check("colours as in the file", sorted(fill.replace(" ", "") for fill in browser.js(fills)), sorted(frame.fill for frame in file))
    labels = "Array.from(document.querySelectorAll('#frames text')).map((t) => t.textContent)"
    check("labels as in the file", sorted(browser.js(labels)), sorted(frame.label for frame in file if frame.label))
    for frame in file:
        here = [f for f in frames() if f[0] == frame.x and f[2] == frame.depth][0]
        browser.move(*here[4:6])
        check("words of " + frame.name, text("details"), "Function: %s (%s)" % (frame.name, frame.said))
    check("nothing of what is missing is counted", search("^(c|x)$"), "Matched: 57.14%")
    check("but it is marked", [frame[6] for frame in picture.frames("x")], ["matched"])
    picture.click("gone")
    near("zoom into what is missing", picture.still("x", 688.3, 1), 688.3)
    check("others are hidden", picture.widths("c"), [])
    press("reset")
    near("and back", picture.still("c", 575.6), 575.6)


def beside():
    """Row 23: before, after and the change side by side; what is done in one of them is done in all."""
    path = draw("beside", "a;b;c 10 40\na;d 30 10\na;e 20 20\n", "-compare", "on", "-picture", "width=1200:difference=beside")
    picture = Picture(path)
    drawn = sorted((depth, x, width) for x, width, depth, *_ in frames())
    check("23: as in the file", drawn, sorted((frame.depth, frame.x, frame.width) for frame in picture_frames.read(path)[0]))
    check("23: their totals", browser.js("Array.from(document.querySelectorAll('.panel')).map((t) => t.textContent)"), ["before 60", "after 70", "change +10"])
    picture.move("c", 1)
    said = "10 before, 16.67%; 40 after, 57.14%; +30, +300.00%"
    check("23: hover", text("details"), "Function: c (%s; exclusive: %s)" % (said, said))
    check("23: the others are marked", [frame[6] for frame in picture.frames("c")], ["linked", "", "linked"])
    picture.move("e", 0)
    check("23: where it is drawn", [frame[6] for frame in picture.frames("e") + picture.frames("c")], ["", "linked", "", "", ""])
    check("23: search", search("^c$"), "Matched: before 16.67%, after 57.14%, change 60.00%")
    browser.key("Escape")
    picture.click("b", 1)
    picture.still("b", 385.3)
    check("23: zoom of all", picture.widths("b"), [385.3] * 3)
    check("23: the link", browser.js("location.hash"), "#zoom=%d" % picture.node("b"))
    again = Picture(path, "#zoom=%d" % picture.node("b"))
    check("23: from the link", again.widths("c"), [385.3] * 3)
    press("reset")
    picture.still("b", 64.2)
    # The change has no e: it shows e's caller.
    picture.click("e")
    picture.still("e", 385.3)
    check("23: zoom to what one of them lacks", (picture.widths("e"), picture.end_widths("d", [154.1])), ([385.3, 385.3], [154.1]))
    browser.key("Escape")
    picture.still("e", 128.4)
    browser.move(600, 300)
    for _ in range(4):
        browser.key("ArrowUp")
    browser.key("ArrowRight")
    check("23: keys stay in a panel", [(f[0], f[6]) for f in frames() if "current" in f[6]], [(10.0, "current")])


def scaled():
    """Larger names, a larger total, another unit."""
    path = draw("scaled", E, "-picture", "width=1200:text=20:total=18000:factor=0.5:count=bytes")
    picture = Picture(path)
    file = picture_frames.read(path, 28)[0]
    check("as in the file", sorted((depth, x, width) for x, width, depth, *_ in frames()), sorted((frame.depth, frame.x, frame.width) for frame in file))
    check("half as wide", picture.widths("main"), [590])
    picture.move("foo2")
    check("the unit", text("details"), "Function: foo2 (1,500 bytes, 16.67%; exclusive 250 bytes, 2.78%)")
    check("matched of the total", search("^bar$"), "Matched: 27.78%")
    check("rows", sorted({frame[9] for frame in frames()}), sorted("translate(0,%d)" % (52 + 28 * n) for n in range(4)))
    picture.click("main")
    near("zoomed", picture.still("main", 1180), 1180)
    browser.key("Home")
    picture.still("main", 590)


def around():
    """Row 34: callers above a function, callees below it; each side is zoomed and searched by itself."""
    with open("around.folded", "w") as stream:
        stream.write("m;a;f 10\nm;b;f 30\nm;b;f;x 20\nm;b;f;y;z 20\nm 20\n")
    subprocess.run([os.environ["ER_PRINT"], "-import", "around.folded", "-picture", "width=1200", "-sandwich", "f", "around.svg"], check=True, stderr=subprocess.DEVNULL)
    picture = Picture("around.svg")
    file = picture_frames.read("around.svg")[0]
    drawn = lambda: sorted(((int(frame[9][12:-1]) - 52) // 16, frame[0], frame[1]) for frame in frames())
    whole = sorted((frame.depth, frame.x, frame.width) for frame in file)
    check("34: as in the file", (drawn(), len(whole)), (whole, 8))
    fills = "Array.from(document.querySelectorAll('#frames rect')).map((r) => r.getAttribute('fill').replace(/ /g, ''))"
    check("34: colours as in the file", sorted(browser.js(fills)), sorted(frame.fill for frame in file))
    picture.move("f")
    check("34: the function", text("details"), "Function: f (80, 80.00%; exclusive 40, 40.00%)")
    picture.move("b")
    check("34: a caller", text("details").split(";")[0], "Function: b (70, 70.00%")
    check("34: search", [search("^[bx]$"), search("^m$"), search("y|z")],
          ["Matched: callers 87.50%, callees 25.00%", "Matched: callers 100.00%, callees 0.00%", "Matched: callers 0.00%, callees 25.00%"])
    browser.key("Escape")
    picture.click("b")
    near("34: zoom of the callers", picture.still("b", 1180), 1180)
    check("34: the callees stay", drawn(), [(0, 10, 1180), (1, 10, 1180), (2, 10, 1180), (3, 10, 295), (3, 305, 295), (4, 305, 295)])
    check("34: the link", browser.js("location.hash"), "#zoom=%d" % picture.node("b"))
    picture.click("y")
    near("34: zoom of the callees", picture.still("y", 1180), 1180)
    check("34: both are zoomed, and what is above is pale", [frame[6] for frame in frames()], ["", "", "faded", "", ""])
    press("reset")
    picture.still("y", 295)
    check("34: reset", drawn(), whole)
    again = Picture("around.svg", "#zoom=%d" % picture.node("y"))
    near("34: from the link", again.widths("z")[0], 1180)
    browser.key("Home")
    again.still("y", 295)
    browser.move(600, 300)
    said = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown"):
        browser.key(key)
        said.append(text("details").split(" ")[1])
    check("34: keys", said, ["f", "a", "m", "m", "b", "f", "x", "y", "z"])
    # A function without callers.
    subprocess.run([os.environ["ER_PRINT"], "-import", "around.folded", "-sandwich", "m", "around.svg"], check=True, stderr=subprocess.DEVNULL)
    Picture("around.svg")
    check("34: the root", [frame[0:3] for frame in frames()][:1], [[10, 1180, 0]])


def chart():
    """Threads by time: what is zoomed to is a time, in all of them."""
    picture = Picture(draw("aba", "a 1000\nb 1000\na 1000\n", "-picture", "width=1200", command="-flamechart"))
    check("32: three frames", (picture.widths("a"), picture.widths("b")), ([393.3, 393.3], [393.3]))
    check("32: matches", search("a"), "Matched: 66.67%")
    path = draw("chart", picture_frames.TWO_THREADS, "-picture", "width=1200", command="-flamechart")
    picture = Picture(path)
    file = picture_frames.read(path)[0]
    axis = "Array.from(document.querySelectorAll('#axis text')).map((t) => t.textContent)"
    drawn = lambda: sorted((depth, x, width) for x, width, depth, *_ in frames())
    check("as in the file", drawn(), sorted((frame.depth, frame.x, frame.width) for frame in file))
    with open(path, encoding="utf-8") as stream:
        ticks = stream.read().split('<g id="axis">')[1].split("</g>")[0]
    check("the axis of the file", browser.js("document.getElementById('axis').innerHTML.replace(/ xmlns=\"[^\"]*\"/g, '').replace(/><.path>/g, '/>')"),
          ticks.replace("\n", ""))
    for frame in file:
        here = [f for f in frames() if f[0] == frame.x and f[2] == frame.depth][0]
        browser.move(*here[4:6])
        check("words of " + frame.name, text("details"), "Function: %s (%s)" % (frame.name, frame.said))
    # a of 2 of 12 ms: the other thread began in the midst of it, what is later is hidden.
    picture.click("a")
    near("zoom", picture.still("a", 1180), 1180)
    check("frames of that time", drawn(), [(0, 10, 1180), (1, 10, 1180), (2, 10, 1180), (4, 895, 295), (5, 895, 295), (6, 895, 295)])
    check("faded", [frame[6] for frame in frames()], ["faded", "faded", "", "", "", ""])
    check("the axis", browser.js(axis), ["-0.0010 s", "-0.0008 s", "-0.0006 s", "-0.0004 s", "-0.0002 s", "0.0000 s", "0.0002 s", "0.0004 s", "0.0006 s", "0.0008 s"])
    check("matches of both threads", search("^[aw]$"), "Matched: 54.84% (100.00% of the zoom)")
    check("the link", browser.js("location.hash"), "#zoom=%d&search=%%5E%%5Baw%%5D%%24" % picture.node("a"))
    again = Picture(path, "#zoom=%d" % picture.node("a", 1))
    check("from the link", (drawn(), again.widths("c")), ([(0, 10, 1180), (1, 10, 1180), (2, 10, 1180), (3, 403.3, 393.3)], [393.3]))
    press("reset")
    again.still("a", 196.7)
    check("reset", drawn(), sorted((frame.depth, frame.x, frame.width) for frame in file))
    browser.move(600, 300)
    said = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"):
        browser.key(key)
        said.append(text("details").split(" (")[0].removeprefix("Function: "))
    check("keys", said, ["app, process 1, thread 7", "main", "a", "b", "a", "c", "c", "a"])
    # A time is chosen with the mouse, by keys and by the wheel. 10 to 1190 px are 12 ms from -1 ms on.
    seconds = lambda: [round(float(t.split()[0]), 7) for t in browser.js(axis)]
    check("the axis before", seconds(), [0, .002, .004, .006, .008, .01])
    browser.drag(10 + 1180 / 4, 90, 10 + 1180 / 2, 90)
    check("3 to 6 ms", drawn(), [(0, 10, 1180), (1, 10, 1180), (3, 10, 786.7), (4, 10, 786.7), (5, 10, 786.7)])
    check("no line is left", browser.js("document.getElementById('range')"), None)
    check("the link has the time", browser.js("location.hash"), "#time=3000000_3000000")
    check("nothing is faded", "".join(frame[6] for frame in frames()), "")
    browser.key("-")
    check("twice as long", browser.js("location.hash"), "#time=1500000_6000000")
    browser.key("<")
    check("a quarter back", browser.js("location.hash"), "#time=0_6000000")
    browser.key(">")
    browser.key("+")
    check("forth, and half as long", browser.js("location.hash"), "#time=3000000_3000000")
    wheel = "document.documentElement.dispatchEvent(new WheelEvent('wheel', { deltaY: %d, %s: true, clientX: 10, clientY: 90, cancelable: true }))"
    check("wheels are used", browser.js(wheel % (-100, "ctrlKey")), False)
    check("less time from the left edge on", browser.js("location.hash"), "#time=3000000_2400000")
    browser.js(wheel % (100, "shiftKey"))
    check("a tenth further", browser.js("location.hash"), "#time=3240000_2400000")
    check("a wheel alone scrolls", browser.js(wheel % (100, "altKey")), True)
    Picture(path, "#time=3000000_3000000")
    check("from the link", drawn(), [(0, 10, 1180), (1, 10, 1180), (3, 10, 786.7), (4, 10, 786.7), (5, 10, 786.7)])
    for wrong in ("#time=x", "#time=5", "#time=-1_5", "#time=0_99999999999999999999"):
        Picture(path, wrong)
        check("a wrong link " + wrong, drawn(), sorted((frame.depth, frame.x, frame.width) for frame in file))
    # Many samples: neighbours that are too thin are together, with the colour of the one in the middle, and are found there.
    many = "".join(picture_frames.sample(1, n / 8, "f%d" % (n % 7), "main") for n in range(8000))
    picture = Picture(draw("many", many, "-picture", "width=1200:least=1px", command="-flamechart"))
    file = picture_frames.read("many.svg")[0]
    pairs = list(zip(drawn(), sorted((frame.depth, frame.x, frame.width) for frame in file)))
    check("as in the file, but for rounding", (len(pairs), all(max(abs(a - b) for a, b in zip(*pair)) < 0.11 for pair in pairs)), (len(file), True))
    fills = "Array.from(document.querySelectorAll('#frames rect')).map((r) => r.getAttribute('fill'))"
    check("colours as in the file", [fill.replace(" ", "") for fill in browser.js(fills)], [frame.fill for frame in file])
    bundles_of = [frame for frame in frames() if frame[3]]
    check("bundles", (sum(frame[3] for frame in bundles_of), len(bundles_of) > 300, max(frame[1] for frame in bundles_of) < 1180 * 0.0025 + 1), (8000, True, True))
    check("of all colours", len({frame.fill for frame in file if frame.name.startswith("(")}), 7)
    near("what is in them", float(search("^f0$").split()[1][:-1]), 100 * 1143 / 8000)


for part in (example, transitions, bundles, windows, hostile, difference, beside, scaled, around, chart):
    part()
    check(part.__name__ + ": the browser's complaints", browser.complaints(), [])
browser.close()
print("\n".join(failed) if failed else "all as expected")
sys.exit(bool(failed))
