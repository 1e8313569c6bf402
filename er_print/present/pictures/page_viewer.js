/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page: the picture that its choices make, the mouse and the keyboard on it, and what it says of frames. */
"use strict";

const animation = 200; /* ms */
const get = (id) => document.getElementById(id);

class Viewer {
	constructor(base, facts) {
		this.facts = facts;
		this.state = new State(base, facts);
		this.painter = new Painter(get("canvas"), facts);
		this.searcher = new Searcher(base.kinds.map((kind) => kind.name), 1000);
		this.term = "";
		this.range = null;
		this.search = null; /* {found: by kind, of: matches by panel} */
		this.current = null; /* {panel, frame}: where the keyboard or the mouse is */
	}
	number(value, unit = this.built.metric.unit) {
		const { facts, state } = this;
		return facts.chart && unit === "ns" ? microseconds(value) : amountBy(value, unit, state.mean && facts.experiments ? 1 / facts.experiments : 1);
	}
	amount(value) {
		return withWord(this.number(value), this.built.metric.word);
	}
	/* Makes the trees anew, after a choice; the zoom is lost. */
	build() {
		this.built = this.state.build();
		this.panels = this.built.panels.map((panel) => new Panel(panel));
		this.current = null;
		this.markMatches();
		this.changed();
		this.lay();
		this.showRoot();
	}
	/* Scrolls to where paths begin: to the end, if the root is below, or to the function that the picture is around. */
	showRoot() {
		const scroll = get("scroll"), [first, second] = this.panels;
		scroll.scrollTop = second ? first.height() - scroll.clientHeight / 2 : first.up ? this.height : 0;
		this.paint();
	}
	lay() {
		const scroll = get("scroll"), width = Math.max(200, scroll.clientWidth), full = width - 2 * margin;
		let top = this.facts.chart ? row : 0;
		for (const panel of this.panels) {
			panel.lay(full);
			panel.top = top;
			top += panel.height() - (panel.up && this.panels.length > 1 ? row : 0); /* around a function, it is drawn once */
		}
		this.height = top;
		get("spacer").style.height = top + "px";
		const canvas = get("canvas"), height = Math.min(top, scroll.clientHeight), ratio = window.devicePixelRatio || 1;
		canvas.width = width * ratio;
		canvas.height = height * ratio;
		canvas.style.width = width + "px";
		canvas.style.height = height + "px";
		this.say();
		this.paint();
	}
	paint() {
		const dark = matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches;
		const { search, built } = this;
		this.painter.paint(this.panels, get("scroll").scrollTop, {
			palette: this.state.palette, ticks: this.ticks(), range: this.range, lines: dark ? "#444" : "#ccc", ink: dark ? "#e6e6e6" : "#111", current: this.current,
			nameOf: (panel, frame) => this.nameOf(panel, frame),
			signOf: ({ changes }, frame) => changes && !frame.bundled ? changes.sign(frame.node) : "",
			matches: (panel, frame) => Boolean(search) && frameMatches(panel.tree, search.of.get(panel), search.found, frame),
			dims: (panel, frame) => Boolean(built.lit) && !frame.bundled && !isLane(panel.tree, frame.node) && !built.lit[panel.tree.kind[frame.node]],
		});
	}
	/* The ticks of a chart, at parts of its width. */
	ticks() {
		const { chart, origin } = this.facts, [{ view, full }] = this.panels;
		return chart ? axisTicks(view, origin, full, this.built.metric.unit, (value) => this.number(value)).map(({ at, text }) => ({ at: at / view.span, text })) : [];
	}
	nameOf(panel, frame) {
		return frame.bundled ? "(" + frame.bundled + " thin frames)" : isLane(panel.tree, frame.node) ? laneName(panel.tree, frame.node) : panel.tree.kinds[panel.tree.kind[frame.node]].name;
	}
	describe({ panel, frame }) {
		const { whole } = this.built, kind = panel.tree.kinds[panel.tree.kind[frame.node]];
		if (panel.changes && !frame.bundled)
			return "Function: " + this.nameOf(panel, frame) + " (" + panel.changes.words(frame.node, (value) => this.amount(value)) + ")" + (kind.object ? " in " + kind.object : "");
		const { chart, origin } = this.facts, start = origin + frame.start;
		const from = chart ? "from " + (start < 0 ? "-" : "") + this.amount(Math.abs(start)) + ", " : "";
		let text = "Function: " + this.nameOf(panel, frame) + " (" + from + this.amount(frame.value) + ", " + percent(frame.value, whole);
		if (panel.isZoomed())
			text += " of all, " + percent(Math.min(frame.value, panel.view.span), panel.view.span) + " of the zoom";
		if (frame.bundled || isLane(panel.tree, frame.node))
			return text + ")";
		if (chart)
			return text + ")" + (kind.object ? " in " + kind.object : "");
		const self = panel.tree.self[frame.node];
		text += "; exclusive " + this.amount(self) + ", " + percent(self, whole);
		if (panel.scale && this.state.by >= 0)
			text += "; " + panel.scale.words(frame.node, (value, unit) => this.number(value, unit));
		return text + ")" + (kind.object ? " in " + kind.object : "");
	}
	point(to) {
		if (to && this.current && to.frame === this.current.frame)
			return;
		this.current = to;
		get("details").textContent = to ? this.describe(to) : "";
		get("canvas").title = to ? this.describe(to).replace("Function: ", "") : "";
		this.paint();
	}
	/* The line below: what matches, what is not drawn by itself. */
	say() {
		const { whole } = this.built, panel = this.panels[this.panels.length - 1];
		let matched = "";
		if (this.search) {
			/* A chart has parts of the time of all threads together. */
			const share = (view, all) => percent(this.matchedValue(panel, view), panel.tree.chart ? matchedValue(panel.tree, { outermost: panel.tree.lanes }, view) : all);
			matched = "Matched: " + share({ start: 0, span: wholeOf(panel.tree) }, whole); /* nothing of what is missing */
			if (panel.isZoomed())
				matched += " (" + share(panel.view, panel.view.span) + " of the zoom)";
		}
		get("matched").textContent = matched;
		const total = wholeOf(panel.tree);
		const { scale, changes } = panel, safe = this.facts.safe;
		get("legend").textContent = changes ? changes.legend((value) => this.amount(value)) : scale ? scale.legend(safe, (value, unit) => this.number(value, unit)) : "";
		get("shown").textContent = total === whole ? "" : "Shown: " + this.amount(total) + ", " + percent(total, whole) + " of all";
		get("reset").disabled = !this.panels.some((one) => one.isZoomed());
	}
	matchedValue(panel, view) {
		return matchedValue(panel.tree, this.search.of.get(panel), view);
	}
	zoom(panel, frame) {
		const from = panel.view, to = frame ? panel.viewOf(frame) : panel.all, begun = performance.now();
		const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
		cancelAnimationFrame(this.moving);
		const step = (now) => {
			const part = calm ? 1 : Math.min(1, (now - begun) / animation), mix = (a, b) => a + (b - a) * part;
			panel.view = part < 1 ? { start: mix(from.start, to.start), span: mix(from.span, to.span), depth: to.depth, node: -1, within: to.within } : to;
			this.lay();
			if (part < 1)
				this.moving = requestAnimationFrame(step);
			else
				this.arrived(to);
		};
		step(begun);
	}
	/* Shows a part of a chart's time, at once. */
	showTime(view) {
		cancelAnimationFrame(this.moving);
		this.panels[0].view = view;
		this.lay();
		this.arrived(view);
	}
	/* The line that is drawn with the mouse: {from, to} of the width, or null. */
	markTime(range) {
		this.range = range;
		this.paint();
	}
	arrived(view) {
		const at = this.current && this.panels.includes(this.current.panel) && this.current;
		if (at)
			this.current = { panel: at.panel, frame: at.panel.frameOf(at.frame.node) || at.frame };
		get("details").textContent = at ? this.describe(this.current) : "";
		this.remember(view);
		this.paint();
	}
	remember() {
		const panel = this.panels.findIndex((one) => one.isZoomed() && one.view.node > 0);
		const [{ view, all }] = this.panels, time = this.facts.chart && panel < 0 && view !== all ? timeText(view) : "";
		const link = this.state.toLink(this.term, panel < 0 ? "" : panel + "." + this.panels[panel].view.node, time);
		try {
			history.replaceState(null, "", link ? "#" + link : location.pathname + location.search);
		} catch (refused) {
			/* a document without a place of its own */
		}
	}
	recall() {
		const { search, zoom, time } = this.state.fromLink(location.hash.slice(1));
		this.build();
		const [index, node] = zoom.split(".").map(Number), panel = this.panels[index];
		if (zoom && panel && node > 0 && node < panel.tree.count) {
			panel.view = panel.viewOf({ start: panel.tree.start[node], value: panel.tree.total[node], depth: panel.tree.depth[node], node, bundled: 0 });
			this.lay();
		}
		if (this.facts.chart && time) {
			this.panels[0].view = timeOf(time, this.panels[0].all);
			this.lay();
		}
		get("find").value = search;
		return search ? this.find(search) : Promise.resolve();
	}
	markMatches() {
		if (this.search)
			this.search.of = new Map(this.panels.map((panel) => [panel, matchesOf(panel.tree, this.search.found)]));
	}
	/* Marks what matches; a wrong expression changes nothing but the line that says so. */
	async find(term) {
		const { ignoreCase } = this.state;
		if (term) {
			document.body.setAttribute("aria-busy", "true");
			const result = await this.searcher.find(term, ignoreCase);
			document.body.removeAttribute("aria-busy");
			if (result.wrong) {
				get("details").textContent = "Not found: " + term + ": " + result.wrong;
				return;
			}
			this.search = { found: result.found };
			this.markMatches();
		} else {
			this.search = null;
		}
		this.term = term;
		this.remember();
		this.say();
		this.paint();
	}
	/* Zooms to the next path with a match, or to the one before. */
	nextMatch(step) {
		const panel = this.panels[this.panels.length - 1], { tree } = panel;
		const nodes = this.search ? this.search.of.get(panel).outermost.filter((node) => tree.total[node]) : [];
		nodes.sort((a, b) => tree.start[a] - tree.start[b]);
		if (!nodes.length)
			return;
		const at = nodes.indexOf(panel.view.node);
		const node = nodes[at < 0 ? (step > 0 ? 0 : nodes.length - 1) : (at + step + nodes.length) % nodes.length];
		this.zoom(panel, { start: tree.start[node], value: tree.total[node], depth: tree.depth[node], node, bundled: 0 });
	}
	/* From a frame to its caller, its first callee, or what stands beside it. */
	walk(key) {
		const at = this.current, panel = at ? at.panel : this.panels[0];
		if (!at) {
			this.point({ panel, frame: panel.rows[0][0] });
			return;
		}
		const { frame } = at, deeper = panel.up ? "ArrowUp" : "ArrowDown", beside = panel.rows[frame.depth];
		const touches = (other) => other.start < frame.start + frame.value && other.start + other.value > frame.start;
		const step = key === deeper ? 1 : key === "ArrowUp" || key === "ArrowDown" ? -1 : 0;
		const next = step ? (panel.rows[frame.depth + step] || []).find(touches) : beside[beside.indexOf(frame) + (key === "ArrowRight" ? 1 : -1)];
		if (next)
			this.point({ panel, frame: next });
	}
	at(event) {
		const box = get("canvas").getBoundingClientRect(), y = event.clientY - box.top + get("scroll").scrollTop;
		for (const panel of this.panels.slice().reverse()) { /* the last is drawn over the others */
			const frame = y >= panel.top && y < panel.top + panel.height() ? panel.frameAt(event.clientX - box.left, y - panel.top) : null;
			if (frame)
				return { panel, frame };
		}
		return null;
	}
}
