#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Zoom, search and hover of flame graphs in a real browser, first on the document's example E (milliseconds: main 2000,
# main;foo1 1500, main;foo1;bar 2500, main;foo2 500, main;foo2;bar 2500; in all 9000).
set -u
browser=$(command -v chromium || command -v chromium-browser) || { echo "no chromium on this machine"; exit 77; }
"$BUILD/tests/unit/present/test_flamegraph" example >example.svg || exit 1

cat >checks.js <<'JS'
const fg = window.flamegraph, failed = [];
const by = (name, n = 0) => fg.frames.filter((f) => f.name === name)[n];
const width = (f) => Number(f.rect.getAttribute("width"));
const share = (pattern) => (100 * fg.search(pattern) / 9000).toFixed(1);
const check = (what, got, expected) => { if (String(got) !== String(expected)) failed.push(what + ": " + got + ", not " + expected); };
const near = (what, got, expected) => { if (!(Math.abs(got - expected) < 0.06)) failed.push(what + ": " + got + ", not " + expected); };
const body = () => fg.frames.map((f) => f.g.outerHTML).join("");
const before = body();
check("search bar", share("bar"), "55.6");
check("search ^foo", share("^foo"), "77.8");
check("search foo|bar, no double count", share("foo|bar"), "77.8");
check("search of a wrong expression", share("("), "0.0");
check("matched frames are marked", (share("bar"), document.querySelectorAll("g.matched").length), 2);
fg.draw(by("foo1"));
near("zoomed frame", width(by("foo1")), 1180);
near("its callee", width(by("bar")), 737.5);
near("its caller", width(by("main")), 1180);
check("its caller is faded", by("main").g.classList.contains("faded"), true);
check("foo2 is hidden", by("foo2").g.classList.contains("hidden"), true);
check("matched while zoomed", fg.matched(), "Matched: 55.56% (62.50% of the zoom)");
fg.draw(by("bar", 1));
check("zoom from a zoom", by("foo1").g.classList.contains("hidden"), true);
fg.search("");
by("foo2").g.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
const details = document.getElementById("details").textContent;
check("hover", details.includes("foo2") && details.includes("33.33%"), true);
by("main").g.dispatchEvent(new MouseEvent("click", { bubbles: true }));
check("click zooms", by("foo2").g.classList.contains("hidden"), false);
by("<Total>").g.dispatchEvent(new MouseEvent("click", { bubbles: true }));
check("reset restores every byte", body().replaceAll(' class="f "', ' class="f"'), before);
document.getElementById("title").textContent = failed.length ? "WRONG " + failed.join("; ") : "ALL AS EXPECTED";
JS
# look PICTURE CHECKS: the checks' verdict, in a browser.
look()
{
	/usr/bin/python3 - "$1" "$2" <<'PY'
import sys
picture = open(sys.argv[1]).read()
checks = open(sys.argv[2]).read()
end = picture.rindex("</svg>")
open("checked.svg", "w").write(picture[:end] + "<script><![CDATA[\n" + checks + "]]></script>\n</svg>\n")
PY
	timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/checked.svg" \
		>dom.txt 2>browser.txt
	grep -o 'id="title"[^<]*' dom.txt | head -1
	grep -q 'id="title"[^<]*>ALL AS EXPECTED<' dom.txt
}
look example.svg checks.js || exit 1

# One function in twenty places is one sum; with fractions, values are shown as they were read.
for ((i = 10; i < 30; i++)); do echo "main;f$i;spin_lock 1"; done >twenty
echo "main;other 80" >>twenty
"$BUILD/bin/er_print" -import twenty -flamegraph twenty.svg 2>/dev/null || exit 1
cat >twenty.js <<'JS'
const sum = window.flamegraph.search("spin_lock"), text = window.flamegraph.matched();
document.getElementById("title").textContent = sum === 20 && text === "Matched: 20.00%" ? "ALL AS EXPECTED" : "WRONG " + sum + " " + text;
JS
look twenty.svg twenty.js || exit 1
printf 'main 2\nmain;foo1 1.5\nmain;foo1;bar 2.5\n' >fractions
"$BUILD/bin/er_print" -import fractions -flamegraph fractions.svg 2>/dev/null || exit 1
cat >fractions.js <<'JS'
const foo1 = window.flamegraph.frames.filter((f) => f.name === "foo1")[0];
foo1.g.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
const details = document.getElementById("details").textContent;
document.getElementById("title").textContent = /foo1.*\b4\b.*66\.67%/.test(details) ? "ALL AS EXPECTED" : "WRONG " + details;
JS
look fractions.svg fractions.js || exit 1

# Without a width the picture is as wide as the window, and stays so: 20 pixels are margins. An icicle's callees are below.
"$BUILD/bin/er_print" -import fractions -icicle fluid.svg 2>/dev/null || exit 1
cat >fluid.js <<'JS'
const fg = window.flamegraph, by = (name) => fg.frames.filter((f) => f.name === name)[0], failed = [];
const at = (f, what) => Number(f.rect.getAttribute(what));
const check = (what, got, expected) => { if (!(Math.abs(got - expected) < 0.06)) failed.push(what + ": " + got + ", not " + expected); };
let full = window.innerWidth - 20;
check("the root", at(by("<Total>"), "width"), full);
check("foo1", at(by("foo1"), "width"), full * 4 / 6);
check("the page", document.documentElement.getBoundingClientRect().width, window.innerWidth);
check("rows", at(by("bar"), "y") - at(by("foo1"), "y"), 16);
fg.draw(by("bar"));
Object.defineProperty(window, "innerWidth", { value: 640 });
window.dispatchEvent(new Event("resize"));
check("bar in a smaller window", at(by("bar"), "width"), 620);
fg.reset();
check("foo1 after that", at(by("foo1"), "width"), 620 * 4 / 6);
document.getElementById("title").textContent = failed.length ? "WRONG " + failed.join("; ") : "ALL AS EXPECTED";
JS
look fluid.svg fluid.js
