/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside an SVG picture: draws its frames for the window and the zoom, and answers the mouse and the keyboard. Every number comes from
 * the tree's own values, never from pixels or labels. */
"use strict";

const margin = 10, gap = 12, narrowest = 200, framesMost = 20000, animation = 200; /* px, ms */
const svg = document.documentElement, get = (id) => document.getElementById(id);
const fact = (name) => svg.getAttribute("data-" + name);
const drawn = Number(svg.getAttribute("width")), top0 = Number(fact("top")), bottom = Number(fact("bottom"));
const icicle = fact("icicle") === "1", unit = fact("unit"), deepest = Number(fact("deepest")), least = Number(fact("least"));
const textSize = Number(fact("text")), row = Number(fact("row")), factor = Number(fact("factor")), word = fact("word");
const sayNumber = (value) => charted && unit === "ns" ? microseconds(value) : amountBy(value, unit, factor);
const say = (value) => withWord(sayNumber(value), word);
const compared = fact("parts") !== null, exclusiveChange = fact("exclusive-change") === "1";
const charted = fact("chart") === "1", origin = Number(fact("origin"));
const data = bytesOf(get("data").textContent.trim()), tree = charted ? readChart(data) : readTree(data, compared);
/* A picture around a function has two trees in one: its callers, and after them its callees. */
tree.around = fact("around") === "1";
if (compared)
	readChanges(tree, Number(fact("parts")));

/* Graphs side by side, or callers above callees: each has the tree with the sums that it draws, and its own part of it in view. */
function panelOf(name, change, parts) {
	const own = arrange({ ...tree, ...change }, fact("heaviest") === "1"), base = Number(fact("base")), total = Math.max(charted || own.root ? wholeOf(own) : own.total[0], base), all = { start: 0, span: total, depth: 0 };
	return { name, tree: own, parts, total, whole: tree.around ? Number(fact("whole")) : Math.max(wholeOf(own), base), matchedOf: Math.max(wholeOf(own), base), up: false, all, view: all, leastOfAll: Math.floor(total * Number(fact("share"))), shown: [] };
}
function panelsAround() {
	const callees = tree.end[1];
	return [Object.assign(panelOf("callers", { root: 1 }, 1), { up: true }), panelOf("callees", { root: callees }, 1)];
}
const panels = tree.around ? panelsAround() : Number(fact("panels")) > 1
	? [panelOf("before", tree.changes.before, tree.changes.parts), panelOf("after", tree.changes.after, tree.changes.parts), panelOf("change", {}, tree.changes.parts)]
	: [panelOf("", {}, compared ? Number(fact("drawn-parts")) : 1)];

let full, highest = Number(fact("highest")); /* px: the width of a panel */
let current = null, pointed = null; /* the frames that the keyboard and the mouse are at */
let search = null; /* {term, ignoreCase, found, matches} */
let ignoreCase = false;

const nameOf = (frame) => frame.bundled ? "(" + frame.bundled + " thin frames)" : isLane(tree, frame.node) ? laneName(tree, frame.node) : frame.node && frame.node === tree.missing ? "missing" : tree.kinds[tree.kind[frame.node]].name;
const isChanged = (frame) => compared && !frame.bundled;
const signOf = (frame) => isChanged(frame) ? changeSign(tree, frame.node, exclusiveChange) : "";
const looksLike = (frame) => tree.kinds[tree.kind[frame.bundled ? frame.like : frame.node]];
const fillOf = (frame, plain) => isMissing(tree, frame.node) && !frame.bundled ? "url(#missing)" : plain ? "rgb(200,200,200)" : looksLike(frame).colour;
const isPart = ({ view, all }) => view.start !== all.start || view.span !== all.span;
const isZoomed = () => panels.some(isPart);
const allShown = () => panels.flatMap(({ shown }) => shown);

function make(name, attributes, text) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes))
		element.setAttribute(key, value);
	if (text !== undefined)
		element.textContent = text;
	return element;
}

/* The row from the top of frames of a depth. Callers stand above the function that is the first row of its callees. */
function rowOf({ up }, depth) {
	const callers = tree.around ? panels[0].laid.highest : 0;
	return up ? callers - depth : icicle ? callers + depth : highest - depth;
}

/* Whether a frame is one of those that the view was zoomed into. */
const isZoomedOut = (frame) => charted ? isAbove(tree, frame, frame.panel.view.within) : frame.depth < frame.panel.view.depth;

/* Where a frame stands in the window, cut at the edges of its panel. */
function place({ panel, start, value }) {
	const { view, left } = panel, from = Math.max(0, (start - view.start) / view.span), to = Math.min(1, (start + value - view.start) / view.span);
	return { x: left + full * from, width: full * (to - from) };
}

function frameElements(frame) {
	const { x, width } = place(frame), name = nameOf(frame), classes = [];
	const matched = search && frameMatches(frame.panel.tree, search.matches, search.found, frame);
	const plain = frame.bundled ? !frame.like : isRoot(tree, frame.node) && !tree.around;
	if (isZoomedOut(frame))
		classes.push("faded");
	if (matched)
		classes.push("matched");
	const rect = make("rect", { x: x.toFixed(1), width: width.toFixed(1), height: row - 1, fill: fillOf(frame, plain) });
	const label = fit(signOf(frame) + name, width, charWidth * textSize / 11), text = label ? make("text", { x: (x + 3).toFixed(1), y: textSize }, label) : null;
	if (classes.length)
		rect.setAttribute("class", classes.join(" "));
	if (!plain && !isMissing(tree, frame.node) && looksLike(frame).dark)
		classes.push("light");
	if (text && classes.length)
		text.setAttribute("class", classes.join(" "));
	return [rect, text];
}

/* The elements of a panel's frames, a group for each row. */
function rowsOf(panel) {
	const rows = [];
	for (const frame of panel.shown) {
		const [rect, text] = frameElements(frame);
		while (rows.length <= frame.depth)
			rows.push({ rects: [], texts: [] });
		rect.frame = frame;
		frame.rect = rect;
		rows[frame.depth].rects.push(rect);
		if (text)
			rows[frame.depth].texts.push(text);
	}
	return rows.map(({ rects, texts }, depth) => {
		const group = make("g", { transform: "translate(0," + (top0 + rowOf(panel, depth) * row) + ")" });
		group.append(...rects, ...texts);
		return group;
	});
}

function lay(panel) {
	panel.laid = layOutAtMost(panel.tree, panel.view, least / full, panel.leastOfAll, deepest, Math.floor(framesMost / panels.length));
	panel.shown = panel.total ? panel.laid.frames.filter(({ depth }) => depth || !panel.up) : [];
	for (const frame of panel.shown)
		frame.panel = panel;
	if (!tree.around)
		highest = Math.max(highest, panel.laid.highest);
}

/* The line about frames that are not drawn. */
function hiddenText() {
	const sum = panels.reduce((frames, { laid }) => frames + laid.hidden.frames, 0), [{ laid, view }] = panels;
	const part = panels.length > 1 ? "" : " " + (100 * laid.hidden.value / view.span).toFixed(4) + " %,";
	const thinnest = Math.max(...panels.map((panel) => panel.laid.share)) * full;
	const tooDeep = deepest && panels.some((panel) => panel.laid.highest === deepest);
	return sum ? sum + (sum === 1 ? " frame," : " frames,") + part + " not drawn: thinner than " + Number(thinnest.toPrecision(3)) + " px" + (tooDeep ? ", or too deep" : "") : "";
}

function drawAxis() {
	if (!charted)
		return;
	const [{ view, left }] = panels, elements = [];
	for (const { at, text } of axisTicks(view, origin, full, unit, sayNumber)) {
		const x = left + full * at / view.span;
		elements.push(make("path", { d: "M" + x.toFixed(1) + " " + (top0 - 12) + "v" + ((highest + 1) * row + 12) }));
		if (x + 3 + text.length * charWidth <= left + full)
			elements.push(make("text", { x: (x + 3).toFixed(1), y: top0 - 4 }, text));
	}
	get("axis").replaceChildren(...elements);
}

function draw() {
	panels.forEach(lay);
	if (tree.around)
		highest = panels[0].laid.highest + panels[1].laid.highest;
	get("frames").replaceChildren(...panels.flatMap(rowsOf));
	drawAxis();
	const height = top0 + (highest + 1) * row + bottom, width = Number(svg.getAttribute("width"));
	svg.setAttribute("height", height);
	svg.setAttribute("viewBox", "0 0 " + width + " " + height);
	get("bottom").setAttribute("transform", "translate(0," + (height - bottom) + ")");
	get("note").textContent = hiddenText();
	get("reset").classList.toggle("hidden", !isZoomed());
	pointed = pointed && allShown().find((frame) => sameFrame(frame, pointed)) || null;
	point(current && allShown().find((frame) => sameFrame(frame, current)) || null);
	showMatched();
}
const sameFrame = (a, b) => a.panel === b.panel && a.node === b.node && a.bundled === b.bundled && a.start === b.start;

/* Zoom of each panel to its part of `wanted`, in steps if the user likes that and the picture is small enough. */
let moving = 0;
function zoom(wanted) {
	const moves = panels.map((panel, p) => ({ panel, from: panel.view, to: wanted[p].span === panel.total ? panel.all : wanted[p] })), begun = performance.now();
	const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || allShown().length > 2000;
	cancelAnimationFrame(moving);
	remember(moves.map(({ to }) => to));
	const step = (now) => {
		const part = calm ? 1 : Math.min(1, (now - begun) / animation), mix = (a, b) => a + (b - a) * part;
		for (const { panel, from, to } of moves)
			panel.view = part < 1 ? { start: mix(from.start, to.start), span: mix(from.span, to.span), depth: to.depth, within: to.within } : to;
		draw();
		if (part < 1)
			moving = requestAnimationFrame(step);
	};
	step(begun);
}
/* The parts of all panels that show a node, or where it is not drawn, the nearest of its callers that is. */
const viewsOf = (node) => panels.map(({ tree: own, all, view }) => {
	if (own.root && (node < own.root || node >= own.end[own.root]))
		return view;
	let at = node;
	while (at && !own.total[at])
		at = own.parent[at];
	return at ? { start: own.start[at], span: own.total[at], depth: own.depth[at] - (own.root ? 1 : 0), node: at, within: at } : all;
});
const zoomOut = () => zoom(panels.map(({ all }) => all));
function zoomTo(frame) {
	const views = frame.node ? viewsOf(frame.node) : panels.map(({ all }) => all);
	if (frame.bundled)
		views[panels.indexOf(frame.panel)] = { start: frame.start, span: frame.value, depth: frame.depth, within: frame.node + 1 };
	zoom(views);
}

function describe(frame) {
	const { panel } = frame, { view, whole } = panel, part = percent(Math.min(frame.value, view.span), view.span) + " of the zoom";
	let text = "Function: " + nameOf(frame) + " (";
	if (isChanged(frame))
		return text + changeText(tree, frame.node, "total", say) + "; exclusive: " + changeText(tree, frame.node, "self", say) + (isPart(panel) ? "; " + part + ")" : ")");
	text += charted ? "from " + (origin + frame.start < 0 ? "-" : "") + say(Math.abs(origin + frame.start)) + ", " : "";
	text += say(compared ? Math.floor(frame.value / panel.parts + 0.5) : frame.value) + ", " + percent(frame.value, whole) + (isPart(panel) ? " of all, " + part : "");
	if (charted)
		return text + ")";
	const self = frame.bundled ? 0 : tree.self[frame.node];
	return text + (frame.bundled ? ")" : "; exclusive " + say(self) + ", " + percent(self, whole) + ")");
}
/* Marks the frames of the other panels that are of the same node. */
function link(frame) {
	for (const rect of document.querySelectorAll("#frames .linked"))
		rect.classList.remove("linked");
	for (const other of frame && !frame.bundled && panels.length > 1 ? allShown() : [])
		if (other.node === frame.node && !other.bundled && other !== frame)
			other.rect.classList.add("linked");
}
/* The tooltip is made when it is needed: thousands of them would be half of the picture. */
function explain(frame) {
	get("details").textContent = frame ? describe(frame) : "";
	link(frame);
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

/* The matches that are in a panel. */
function matchesIn({ tree: { root, end } }) {
	const { outermost } = search.matches;
	return root ? { outermost: outermost.filter((node) => node > root && node < end[root]) } : search.matches;
}
/* Says what share of a panel matches, and of what is in view of it. */
function matchedText(panel) {
	const { name, tree: own, matchedOf, view } = panel, all = { start: 0, span: matchedOf };
	/* A chart has parts of the time of all threads together. */
	const share = (part) => percent(matchedValue(own, matchesIn(panel), part), charted ? matchedValue(own, { outermost: own.lanes }, part) : part.span);
	return (name ? name + " " : "") + share(all) + (isPart(panel) ? " (" + share(view) + " of the zoom)" : "");
}
function showMatched() {
	get("matched").textContent = search ? "Matched: " + panels.map(matchedText).join(", ") : "";
	get("search").textContent = search ? "Reset Search" : "Search";
	get("case").textContent = ignoreCase ? "Ignore case" : "Match case";
}

const searcher = new Searcher(tree.kinds.map((kind) => kind.name), 1000);
/* Marks what matches. Whether it can be looked for: a wrong expression changes nothing but the line that says so. */
async function find(term) {
	if (!term) {
		search = null;
		remember();
		draw();
		return true;
	}
	const asked = ignoreCase;
	svg.setAttribute("aria-busy", "true");
	const result = await searcher.find(term, asked);
	svg.removeAttribute("aria-busy");
	if (result.wrong) {
		get("details").textContent = "Not found: " + term + ": " + result.wrong;
		return false;
	}
	search = { term, ignoreCase: asked, found: result.found, matches: matchesOf(tree, result.found) };
	remember();
	draw();
	return true;
}
/* Zooms to the next path with a match, or to the one before. */
function nextMatch(step) {
	const { start } = panels[0].tree, isDrawn = (node) => panels.some(({ tree: own }) => own.total[node]);
	const nodes = search ? search.matches.outermost.filter(isDrawn).sort((a, b) => start[a] - start[b] || a - b) : [];
	if (!nodes.length)
		return;
	const at = nodes.indexOf(zoomedNode());
	zoom(viewsOf(nodes[at < 0 ? (step > 0 ? 0 : nodes.length - 1) : (at + step + nodes.length) % nodes.length]));
}
/* The node that all is zoomed to: the deepest of the panels'. A zoom into thin frames has none. */
function zoomedNode(views = panels.map(({ view }) => view)) {
	return views.reduce((found, { node }) => node && (!found || tree.depth[node] > tree.depth[found]) ? node : found, 0);
}
