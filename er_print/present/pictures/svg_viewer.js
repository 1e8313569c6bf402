/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside an SVG picture: draws its frames for the window and the zoom, and answers the mouse and the keyboard. Every number comes from
 * the tree's own values, never from pixels or labels. */
"use strict";

const margin = 10, row = 16, narrowest = 200, framesMost = 20000, animation = 200; /* px, ms */
const svg = document.documentElement, get = (id) => document.getElementById(id);
const fact = (name) => svg.getAttribute("data-" + name);
const drawn = Number(svg.getAttribute("width")), top0 = Number(fact("top")), bottom = Number(fact("bottom"));
const icicle = fact("icicle") === "1", unit = fact("unit"), deepest = Number(fact("deepest")), least = Number(fact("least"));
const compared = fact("parts") !== null, exclusiveChange = fact("exclusive-change") === "1", drawnParts = Number(fact("drawn-parts"));
const tree = readTree(bytesOf(get("data").textContent.trim()), compared);
if (compared)
	readChanges(tree, Number(fact("parts")));
arrange(tree, fact("heaviest") === "1");
const total = tree.total[0], whole = wholeOf(tree), all = { start: 0, span: total, depth: 0 }, leastOfAll = Math.floor(total * Number(fact("share")));

let full = drawn - 2 * margin, view = all, laid, highest = Number(fact("highest")), shown = [];
let current = null, pointed = null; /* the frames that the keyboard and the mouse are at */
let search = null; /* {term, ignoreCase, found, matches} */
let ignoreCase = false;

const nameOf = (frame) => frame.bundled ? "(" + frame.bundled + " thin frames)" : frame.node && isRoot(tree, frame.node) ? "missing" : tree.kinds[tree.kind[frame.node]].name;
const isChanged = (frame) => compared && !frame.bundled;
const signOf = (frame) => isChanged(frame) ? changeSign(tree, frame.node, exclusiveChange) : "";
const fillOf = (frame, plain) => isMissing(tree, frame.node) && !frame.bundled ? "url(#missing)" : plain ? "rgb(200,200,200)" : tree.kinds[tree.kind[frame.node]].colour;
const isZoomed = () => view.start !== all.start || view.span !== all.span;

function make(name, attributes, text) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes))
		element.setAttribute(key, value);
	if (text !== undefined)
		element.textContent = text;
	return element;
}

const rowPlace = (depth) => top0 + (icicle ? depth : highest - depth) * row;

/* Where a frame stands in the window, cut at its edges. */
function place(frame) {
	const from = Math.max(0, (frame.start - view.start) / view.span), to = Math.min(1, (frame.start + frame.value - view.start) / view.span);
	return { x: margin + full * from, width: full * (to - from) };
}

function frameElements(frame) {
	const { x, width } = place(frame), name = nameOf(frame), classes = [];
	const matched = search && frameMatches(tree, search.matches, search.found, frame);
	const plain = frame.bundled || isRoot(tree, frame.node);
	if (frame.depth < view.depth)
		classes.push("faded");
	if (matched)
		classes.push("matched");
	const rect = make("rect", { x: x.toFixed(1), width: width.toFixed(1), height: row - 1, fill: fillOf(frame, plain) });
	const label = fit(signOf(frame) + name, width), text = label ? make("text", { x: (x + 3).toFixed(1), y: 11 }, label) : null;
	if (classes.length)
		rect.setAttribute("class", classes.join(" "));
	if (!plain && !isMissing(tree, frame.node) && tree.kinds[tree.kind[frame.node]].dark)
		classes.push("light");
	if (text && classes.length)
		text.setAttribute("class", classes.join(" "));
	return [rect, text];
}

function draw() {
	laid = layOutAtMost(tree, view, least / full, leastOfAll, deepest, framesMost);
	highest = Math.max(highest, laid.highest);
	const rows = [];
	shown = laid.frames;
	for (let i = 0; i < shown.length; i++) {
		const frame = shown[i], [rect, text] = frameElements(frame);
		while (rows.length <= frame.depth)
			rows.push({ rects: [], texts: [] });
		rect.frame = frame;
		frame.rect = rect;
		rows[frame.depth].rects.push(rect);
		if (text)
			rows[frame.depth].texts.push(text);
	}
	get("frames").replaceChildren(...rows.map(({ rects, texts }, depth) => {
		const group = make("g", { transform: "translate(0," + rowPlace(depth) + ")" });
		group.append(...rects, ...texts);
		return group;
	}));
	const height = top0 + (highest + 1) * row + bottom, width = full + 2 * margin;
	svg.setAttribute("width", width);
	svg.setAttribute("height", height);
	svg.setAttribute("viewBox", "0 0 " + width + " " + height);
	get("bottom").setAttribute("transform", "translate(0," + (height - bottom) + ")");
	get("note").textContent = laid.hidden.frames ? laid.hidden.frames + (laid.hidden.frames === 1 ? " frame" : " frames") + ", " +
		(100 * laid.hidden.value / view.span).toFixed(4) + " %, not drawn: thinner than " + Number((laid.share * full).toPrecision(3)) + " px" +
		(deepest && laid.highest === deepest ? ", or too deep" : "") : "";
	get("reset").classList.toggle("hidden", !isZoomed());
	pointed = pointed && shown.find((frame) => sameFrame(frame, pointed)) || null;
	point(current && shown.find((frame) => sameFrame(frame, current)) || null);
	showMatched();
}
const sameFrame = (a, b) => a.node === b.node && a.bundled === b.bundled && a.start === b.start;

/* Zoom, in steps if the user likes that and the picture is small enough. */
let moving = 0;
function zoom(wanted) {
	const to = wanted.span === total ? all : wanted, from = view, begun = performance.now(), calm = matchMedia("(prefers-reduced-motion: reduce)").matches || shown.length > 2000;
	cancelAnimationFrame(moving);
	remember(to);
	const step = (now) => {
		const part = calm ? 1 : Math.min(1, (now - begun) / animation), mix = (a, b) => a + (b - a) * part;
		view = part < 1 ? { start: mix(from.start, to.start), span: mix(from.span, to.span), depth: to.depth } : to;
		draw();
		if (part < 1)
			moving = requestAnimationFrame(step);
	};
	step(begun);
}
const viewOf = (node) => ({ start: tree.start[node], span: tree.total[node], depth: tree.depth[node], node });
function zoomTo(frame) {
	zoom(!frame.node && !frame.bundled ? all : frame.bundled ? { start: frame.start, span: frame.value, depth: frame.depth } : viewOf(frame.node));
}

function describe(frame) {
	const self = frame.bundled ? 0 : tree.self[frame.node], shown = compared ? Math.floor(frame.value / drawnParts + 0.5) : frame.value;
	let text = "Function: " + nameOf(frame) + " (";
	if (isChanged(frame))
		return text + changeText(tree, frame.node, "total", unit) + "; exclusive: " + changeText(tree, frame.node, "self", unit) +
			(isZoomed() ? "; " + percent(Math.min(frame.value, view.span), view.span) + " of the zoom)" : ")");
	text += amount(shown, unit) + ", " + percent(frame.value, whole);
	if (isZoomed())
		text += " of all, " + percent(Math.min(frame.value, view.span), view.span) + " of the zoom";
	return text + (frame.bundled ? ")" : "; exclusive " + amount(self, unit) + ", " + percent(self, total) + ")");
}
/* The tooltip is made when it is needed: thousands of them would be half of the picture. */
function explain(frame) {
	get("details").textContent = frame ? describe(frame) : "";
	if (frame && frame.rect && !frame.rect.firstChild)
		frame.rect.append(make("title", {}, describe(frame).replace("Function: ", "")));
}
/* The frame that the keyboard is at. */
function point(frame) {
	for (const rect of document.querySelectorAll("#frames .current"))
		rect.classList.remove("current");
	current = frame;
	if (frame)
		frame.rect.classList.add("current");
}

function showMatched() {
	let text = "";
	if (search) {
		text = "Matched: " + percent(matchedValue(tree, search.matches, { start: 0, span: whole }), whole);
		if (isZoomed())
			text += " (" + percent(matchedValue(tree, search.matches, view), view.span) + " of the zoom)";
	}
	get("matched").textContent = text;
	get("search").textContent = search ? "Reset Search" : "Search";
	get("case").textContent = ignoreCase ? "Ignore case" : "Match case";
}

const searcher = new Searcher(tree.kinds.map((kind) => kind.name), 1000);
/* Marks what matches; a wrong expression changes nothing but the line that says so. */
async function find(term) {
	if (!term) {
		search = null;
		remember(view);
		draw();
		return 0;
	}
	const asked = ignoreCase;
	svg.setAttribute("aria-busy", "true");
	const result = await searcher.find(term, asked);
	svg.removeAttribute("aria-busy");
	if (result.wrong) {
		get("details").textContent = "Not found: " + term + ": " + result.wrong;
		return NaN;
	}
	search = { term, ignoreCase: asked, found: result.found, matches: matchesOf(tree, result.found) };
	remember(view);
	draw();
	return matchedValue(tree, search.matches, all);
}
/* Zooms to the next path with a match, or to the one before. */
function nextMatch(step) {
	const nodes = search ? search.matches.outermost.slice().sort((a, b) => tree.start[a] - tree.start[b]) : [];
	if (!nodes.length)
		return;
	const at = nodes.indexOf(view.node);
	const node = nodes[at < 0 ? (step > 0 ? 0 : nodes.length - 1) : (at + step + nodes.length) % nodes.length];
	zoom(viewOf(node));
}
