/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields, buttons, keys and the table of a page. */
"use strict";

const rowsMost = 500;

class Controls {
	constructor(viewer) {
		this.viewer = viewer;
		this.sorted = "self";
		const { state, facts } = viewer;
		const choose = (id, values, get_, set) => this.select(id, values, get_, set);
		choose("metric", facts.metrics.map(({ title }, index) => [index, title]), () => state.metric, (value) => state.metric = Number(value));
		choose("root", [["below", "below"], ["above", "above"]], () => state.icicle ? "above" : "below", (value) => state.icicle = value === "above");
		choose("first", [["root", "callers"], ["leaf", "leaves"]], () => state.leafFirst ? "leaf" : "root", (value) => state.leafFirst = value === "leaf");
		choose("order", [["name", "name"], ["heaviest", "heaviest"]], () => state.heaviest ? "heaviest" : "name", (value) => state.heaviest = value === "heaviest");
		choose("recursion", [["apart", "apart"], ["joined", "joined"]], () => state.joined ? "joined" : "apart", (value) => state.joined = value === "joined");
		choose("palette", allPalettes(facts).map((name) => [name, name]), () => state.palette, (value) => state.palette = value);
		choose("by", [["", "metric drawn"]].concat(state.scales.map(({ name, title }) => [name, title])), () => state.by < 0 ? "" : state.scales[state.by].name, (value) => state.by = state.scaleNamed(value));
		choose("width", Object.entries(widthsOf), () => state.shown, (value) => state.shown = value);
		choose("change", [["inclusive", "inclusive"], ["exclusive", "exclusive"]], () => state.exclusiveChange ? "exclusive" : "inclusive", (value) => state.exclusiveChange = value === "exclusive");
		for (const id of ["width", "change"])
			get(id).parentNode.hidden = !facts.compared;
		if (facts.compared)
			for (const [id, title] of [["self", "Exclusive change"], ["total", "Inclusive change"]])
				get("by-" + id).textContent = title;
		choose("experiments", [["sum", "sum of " + facts.experiments], ["mean", "mean of " + facts.experiments]], () => state.mean ? "mean" : "sum", (value) => state.mean = value === "mean");
		get("experiments").parentNode.hidden = !facts.experiments;
		this.fill(get("what"), Object.entries(filtersOf(facts)));
		if (facts.chart)
			this.simplify();
		get("filters").addEventListener("submit", (event) => this.addFilter(event));
		get("search").addEventListener("submit", (event) => {
			event.preventDefault();
			viewer.find(get("find").value);
		});
		get("case").addEventListener("change", () => {
			state.ignoreCase = get("case").checked;
			viewer.find(get("find").value);
		});
		get("reset").addEventListener("click", () => this.showAll());
		viewer.changed = () => this.show();
		this.pictureEvents();
		for (const name of ["self", "total", "places", "name"])
			get("by-" + name).addEventListener("click", () => {
				this.sorted = name;
				this.list();
			});
	}
	/* Takes away what a chart has no use for. */
	simplify() {
		for (const id of ["metric", "root", "first", "order", "recursion"])
			get(id).parentNode.hidden = true;
		get("list").hidden = true;
		const { viewer } = this, panel = () => viewer.panels[0];
		listenForTimes(get("canvas"), {
			view: () => panel().view, all: () => panel().all, width: () => panel().full, show: (view) => viewer.showTime(view),
			shareAt: (event) => (event.clientX - get("canvas").getBoundingClientRect().left - margin) / panel().full,
			mark: (from, to) => viewer.markTime(from === undefined ? null : { from, to }),
		});
		get("canvas").setAttribute("aria-label", "Flame chart: arrows go from frame to frame, Enter zooms, Home shows all, / searches, c copies the name, plus and minus show a shorter or a longer time, < and > go along it");
	}
	fill(select, values) {
		select.replaceChildren(...values.map(([value, text]) => {
			const option = document.createElement("option");
			option.value = value;
			option.textContent = text;
			return option;
		}));
	}
	select(id, values, value, set) {
		this.fill(get(id), values);
		this.fields = (this.fields || []).concat({ id, value });
		get(id).addEventListener("change", () => {
			set(get(id).value);
			this.viewer.build();
			this.viewer.remember();
		});
	}
	addFilter(event) {
		event.preventDefault();
		const value = get("value").value;
		if (value)
			this.filter(get("what").value, value);
		get("value").value = "";
	}
	filter(what, value) {
		const { state } = this.viewer;
		state.filters = what === "focus" ? state.filters.filter((filter) => filter.what !== "focus") : state.filters;
		state.filters.push({ what, value });
		this.viewer.build();
		this.viewer.remember();
	}
	/* The choices as they are, the filters with a button each, and the list. */
	show() {
		const { state, facts } = this.viewer;
		for (const { id, value } of this.fields)
			get(id).value = value();
		get("case").checked = state.ignoreCase;
		get("by").parentNode.hidden = !state.scale();
		const metric = facts.metrics[state.metric], say = (value) => withWord(this.viewer.number(value), metric.unit === "bytes" ? metric.word : "");
		get("subtitle").textContent = facts.chart ? facts.subtitle : metric.title + " " + (facts.compared ? totalChange(this.viewer.built.wholes, say) : say(this.viewer.built.whole)) +
			(state.mean && facts.experiments ? ", mean of " + facts.experiments + " experiments" : "") + facts.about;
		if (facts.titled)
			document.title = document.querySelector("h1").textContent = (metric.kind ? metric.kind + " " : "") + facts.titled;
		get("active").replaceChildren(...state.filters.map((filter, index) => {
			const button = document.createElement("button");
			button.type = "button";
			button.textContent = filterNames[filter.what] + ": " + filter.value + " ×";
			button.addEventListener("click", () => {
				state.filters.splice(index, 1);
				this.viewer.build();
				this.viewer.remember();
			});
			return button;
		}));
		this.list();
	}
	/* A value and its part of all, or a change and its part of what was before. */
	cells(one, sum, whole) {
		const { viewer } = this, value = one[sum], sign = value > 0 ? "+" : value < 0 ? "-" : "";
		if (!one.was)
			return [viewer.number(value), percent(value, whole)];
		return [sign + viewer.number(Math.abs(value)), !value ? "" : one.was[sum] ? sign + percent(Math.abs(value), one.was[sum]) : "new"];
	}
	list() {
		const { built, state } = this.viewer, { whole } = built, { kinds } = state.base, by = this.sorted;
		const compare = by === "name" ? (a, b) => a.kind - b.kind : (a, b) => Math.abs(b[by]) - Math.abs(a[by]) || a.kind - b.kind;
		const rows = built.functions.sort(compare).slice(0, rowsMost).map((one) => {
			const line = document.createElement("tr"), { viewer } = this, kind = kinds[one.kind];
			const cells = [...this.cells(one, "self", whole), ...this.cells(one, "total", whole), thousands(String(one.places))];
			for (const text of cells) {
				const cell = document.createElement("td");
				cell.textContent = text;
				line.append(cell);
			}
			const name = document.createElement("td"), button = document.createElement("button");
			button.type = "button";
			button.textContent = kind.name;
			button.title = "Focus: what calls it, and what it calls" + (kind.object ? "; in " + kind.object : "");
			button.addEventListener("click", () => this.filter("focus", kind.name));
			name.append(button);
			line.append(name);
			return line;
		});
		get("rows").replaceChildren(...rows);
		get("more").textContent = built.functions.length > rowsMost ? thousands(String(built.functions.length - rowsMost)) + " more functions" : "";
		for (const name of ["self", "total", "places", "name"])
			get("by-" + name).parentNode.setAttribute("aria-sort", name !== by ? "none" : name === "name" ? "ascending" : "descending");
	}
	showAll() {
		const { viewer } = this, zoomed = viewer.panels.find((panel) => panel.isZoomed());
		if (zoomed) {
			for (const panel of viewer.panels)
				if (panel !== zoomed)
					panel.view = panel.all;
			viewer.zoom(zoomed, null);
			return;
		}
		get("find").value = "";
		viewer.find("");
		viewer.point(null);
	}
	copy(text) {
		const byHand = () => {
			const area = document.createElement("textarea");
			area.value = text;
			document.body.append(area);
			area.select();
			document.execCommand("copy");
			area.remove();
			get("canvas").focus();
		};
		get("details").textContent = "Copied: " + text;
		if (navigator.clipboard)
			navigator.clipboard.writeText(text).catch(byHand);
		else
			byHand();
	}
	pictureEvents() {
		const { viewer } = this, canvas = get("canvas");
		canvas.addEventListener("mousemove", (event) => viewer.point(viewer.at(event)));
		canvas.addEventListener("mouseleave", () => viewer.point(null));
		canvas.addEventListener("click", (event) => {
			const at = viewer.at(event);
			if (at) {
				viewer.current = at;
				viewer.zoom(at.panel, at.frame);
			}
		});
		get("scroll").addEventListener("scroll", () => viewer.paint());
		window.addEventListener("resize", () => viewer.lay());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => viewer.paint());
		window.addEventListener("keydown", (event) => this.key(event));
	}
	key(event) {
		const { viewer } = this, { current } = viewer, typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.nodeName);
		const ask = () => {
			get("find").focus();
			get("find").select();
		};
		const onButton = document.activeElement.nodeName === "BUTTON";
		const keys = {
			Enter: () => current && !onButton && viewer.zoom(current.panel, current.frame), Escape: () => this.showAll(), Home: () => this.showAll(),
			"/": ask, F3: ask, n: () => viewer.nextMatch(1), N: () => viewer.nextMatch(-1),
			c: () => current && this.copy(viewer.nameOf(current.panel, current.frame)),
			f: () => current && !current.frame.bundled && this.filter("focus", viewer.nameOf(current.panel, current.frame)),
			i: () => this.toggle("icicle"), r: () => this.toggle("joined"),
		};
		for (const arrow of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
			keys[arrow] = () => viewer.walk(arrow);
		const control = event.ctrlKey || event.metaKey;
		if (viewer.facts.chart) {
			for (const key of ["f", "i", "r"])
				delete keys[key];
			for (const [key, change] of Object.entries(timeKeys))
				keys[key] = () => viewer.showTime(change(viewer.panels[0].view, viewer.panels[0].all));
		}
		const action = control ? (event.key === "f" ? ask : null) : event.altKey ? null : typing ? (event.key === "Escape" ? () => get("canvas").focus() : null) : keys[event.key];
		if (!action || (event.key === "Enter" && onButton))
			return;
		event.preventDefault();
		action();
	}
	toggle(choice) {
		this.viewer.state[choice] = !this.viewer.state[choice];
		this.viewer.build();
		this.viewer.remember();
	}
}

(async function () {
	const { facts, base } = readPage(await inflated(bytesOf(get("data").textContent.trim())));
	const viewer = new Viewer(base, facts);
	new Controls(viewer);
	await viewer.recall();
	document.body.classList.add("ready");
})();
