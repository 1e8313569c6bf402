/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mouse, the keyboard, the link and the window of an SVG picture. */
"use strict";

/* Search terms are typed in a field of HTML, as SVG has none. */
let field = null;
function ask() {
	const html = (name) => document.createElementNS("http://www.w3.org/1999/xhtml", name);
	if (field) {
		field.focus();
		return;
	}
	const right = Number(svg.getAttribute("width")) - margin, width = Math.min(420, right - margin), box = make("foreignObject", { x: right - width, y: 4, width, height: 24, id: "ask" });
	field = html("input");
	field.setAttribute("type", "text");
	field.setAttribute("placeholder", "regular expression, Enter; Esc");
	field.setAttribute("aria-label", "Find functions by a regular expression");
	field.value = search ? search.term : "";
	field.addEventListener("keydown", (event) => {
		event.stopPropagation();
		if (event.key === "Enter")
			find(field.value).then((good) => good && leaveField());
		else if (event.key === "Escape")
			leaveField();
		else if (event.ctrlKey && event.key === "i")
			toggleCase();
		else
			return;
		event.preventDefault();
	});
	box.append(field);
	svg.append(box);
	field.focus();
}
function leaveField() {
	if (field)
		get("ask").remove();
	field = null;
}
function toggleCase() {
	ignoreCase = !ignoreCase;
	showMatched();
	if (search)
		find(search.term);
}
function resetAll() {
	if (isZoomed())
		zoomOut();
	else if (search)
		find("");
	point(null);
	explain(null);
}

/* The link has the zoom and the search: #zoom=12&search=foo&case=ignore, or in a chart #time=1000_500. A zoom into thin frames of other
   pictures is not remembered. */
function remember(views = panels.map(({ view }) => view)) {
	const parts = new URLSearchParams(), node = zoomedNode(views), [first] = views;
	if (node)
		parts.set("zoom", node);
	else if (charted && first !== panels[0].all)
		parts.set("time", timeText(first));
	if (search)
		parts.set("search", search.term);
	if (ignoreCase)
		parts.set("case", "ignore");
	const link = parts.toString() ? "#" + parts : location.pathname + location.search;
	try {
		history.replaceState(null, "", link);
	} catch (refused) {
		/* a document without a place of its own */
	}
}
function recall() {
	const parts = new URLSearchParams(location.hash.slice(1)), node = Number(parts.get("zoom"));
	ignoreCase = parts.get("case") === "ignore";
	if (Number.isInteger(node) && node > 0 && node < tree.count)
		viewsOf(node).forEach((view, p) => panels[p].view = view);
	else if (charted && parts.get("time"))
		panels[0].view = timeOf(parts.get("time"), panels[0].all);
	if (parts.get("search"))
		find(parts.get("search"));
}

function copy(text) {
	const byHand = () => {
		const area = document.createElementNS("http://www.w3.org/1999/xhtml", "textarea"), box = make("foreignObject", { width: 1, height: 1 });
		area.value = text;
		box.append(area);
		svg.append(box);
		area.select();
		document.execCommand("copy");
		box.remove();
	};
	get("details").textContent = "Copied: " + text;
	if (navigator.clipboard)
		navigator.clipboard.writeText(text).catch(byHand);
	else
		byHand();
}

/* From a frame to its caller, its first callee, or what stands beside it. */
function walk(key) {
	const up = icicle ? "ArrowDown" : "ArrowUp", down = icicle ? "ArrowUp" : "ArrowDown";
	const from = current || pointed;
	const shown = tree.around ? allShown() : (from ? from.panel : panels[0]).shown;
	const rank = (frame) => tree.around ? rowOf(frame.panel, frame.depth) : frame.depth;
	let next = from || (tree.around ? panels[1] : panels[0]).shown[0];
	const end = (frame) => frame.start + frame.value;
	const meets = (a, b) => a.x < b.x + b.width && a.x + a.width > b.x;
	const touches = (frame) => frame.panel === next.panel ? frame.start < end(next) && end(frame) > next.start : meets(place(frame), place(next));
	const beside = shown.filter((frame) => rank(frame) === rank(next)).sort((a, b) => a.start - b.start);
	if (from && key === up)
		next = shown.filter((frame) => rank(frame) === rank(next) + 1 && touches(frame)).sort((a, b) => a.start - b.start)[0];
	else if (from && key === down)
		next = shown.find((frame) => rank(frame) === rank(next) - 1 && touches(frame));
	else if (from)
		next = beside[beside.indexOf(next) + (key === "ArrowRight" ? 1 : -1)];
	if (next) {
		point(next);
		explain(next);
		next.rect.scrollIntoView({ block: "nearest" });
	}
}

const keys = {
	ArrowUp: () => walk("ArrowUp"), ArrowDown: () => walk("ArrowDown"), ArrowLeft: () => walk("ArrowLeft"), ArrowRight: () => walk("ArrowRight"),
	Enter: () => (current || pointed) && zoomTo(current || pointed), Escape: resetAll, Home: resetAll, "/": ask, F3: ask, n: () => nextMatch(1), N: () => nextMatch(-1),
	c: () => (current || pointed) && copy(nameOf(current || pointed)),
};
/* Shows a part of a chart's time, at once. */
function showTime(view) {
	cancelAnimationFrame(moving);
	panels[0].view = view;
	remember();
	draw();
}
/* The line that is drawn with the mouse. */
function markTime(from, to) {
	const old = get("range");
	if (old)
		old.remove();
	if (from !== undefined)
		svg.append(make("rect", { id: "range", x: panels[0].left + full * from, y: top0 - 12, width: full * (to - from), height: (highest + 1) * row + 12 }));
}
if (charted) {
	for (const [key, change] of Object.entries(timeKeys))
		keys[key] = () => showTime(change(panels[0].view, panels[0].all));
	listenForTimes(svg, {
		view: () => panels[0].view, all: () => panels[0].all, width: () => full, show: showTime, mark: markTime,
		shareAt: (event) => (event.clientX - svg.getBoundingClientRect().left - panels[0].left) / full,
	});
}

const controlKeys = { f: ask, i: toggleCase };
window.addEventListener("keydown", (event) => {
	const control = event.ctrlKey || event.metaKey, action = control ? controlKeys[event.key] : event.altKey ? null : keys[event.key];
	if (!action)
		return;
	event.preventDefault();
	action();
});
svg.addEventListener("mouseover", (event) => {
	pointed = event.target.frame || null;
	if (pointed)
		point(null);
	explain(pointed);
});
svg.addEventListener("click", (event) => {
	const id = event.target.id, frame = event.target.frame;
	if (id === "search" && search)
		find("");
	else if (id === "search")
		ask();
	else if (id === "case")
		toggleCase();
	else if (id === "reset")
		zoomOut();
	else if (frame)
		zoomTo(frame);
});

const titleCharWidth = 9.64, titleBeside = 380; /* px, as svg_picture.c has them */

const legend = get("legend") ? get("legend").textContent : "";

/* As wide as the window, if no width was asked for. */
function widen() {
	const width = fact("fluid") === "1" ? Math.max(narrowest, window.innerWidth) : drawn;
	const room = width - 2 * margin;
	full = tree.around ? room : (room - (panels.length - 1) * gap) / panels.length;
	panels.forEach((panel, p) => panel.left = margin + (tree.around ? 0 : p * (full + gap)));
	document.querySelectorAll(".panel").forEach((text, p) => text.setAttribute("x", panels[p].left));
	svg.setAttribute("width", width);
	for (const [id, fits] of [["title", (width - titleBeside) / titleCharWidth], ["subtitle", room / charWidth]]) {
		get(id).setAttribute("x", width / 2);
		get(id).textContent = fits < 3 ? "" : cut(fact(id), Math.floor(fits));
	}
	for (const id of ["search", "matched", "legend"])
		if (get(id))
			get(id).setAttribute("x", width - margin);
	if (legend)
		get("legend").textContent = cut(legend, Math.floor(room / charWidth));
	get("case").setAttribute("x", width - margin - 100);
	draw();
}
window.addEventListener("resize", widen);
recall();
widen();
for (const id of ["search", "case"])
	get(id).classList.remove("hidden");
if (!icicle)
	window.scrollTo(0, svg.getBoundingClientRect().height); /* the root is at the bottom */
