/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices of a page's reader, the trees that they make of the data, and the link that keeps them. */
"use strict";

const filterNames = {
	show: "Show stacks", hide: "Hide stacks", frames: "Hide frames", from: "Show from frame", focus: "Focus", highlight: "Highlight",
};

/* Those that there are: a chart has no other order of its frames. */
const filtersOf = (facts) => facts.chart ? { highlight: filterNames.highlight } : filterNames;

class State {
	constructor(base, facts) {
		this.base = base;
		this.facts = facts;
		this.metric = facts.chosen;
		this.palette = facts.compared ? "change" : facts.palette;
		this.shown = facts.compared in widthsOf ? facts.compared : "coloured";
		this.exclusiveChange = facts.exclusiveChange;
		this.scales = facts.compared ? [] : scalesOf(facts);
		this.by = this.scaleNamed(facts.by); /* place of a scale; -1: the metric that is drawn */
		this.icicle = facts.icicle;
		this.leafFirst = facts.leafFirst;
		this.heaviest = facts.heaviest;
		this.joined = facts.joined;
		this.mean = facts.mean;
		this.filters = facts.focus ? [{ what: "focus", value: facts.focus }] : []; /* {what: one of filterNames, value} */
		this.ignoreCase = false;
	}
	scaleNamed(name) {
		return this.scales.findIndex((scale) => scale.name === name);
	}
	/* The scale that colours show; null: they show no metric. */
	scale() {
		return this.facts.compared ? null : this.palette === "exclusive" || this.palette === "inclusive" ? this.scales[this.by < 0 ? this.metric : this.by] : null;
	}
	/* {panels: [{tree, up}], whole, found}: one tree, or two around a function; the value of all; by kind what is highlighted. */
	build() {
		return this.facts.chart ? this.buildChart() : this.buildTree();
	}
	/* A chart is as it was made, but for what is highlighted. */
	buildChart() {
		const { base, facts } = this, all = this.filters.map(({ value }) => kindsWith(base.kinds, value));
		const lit = all.length ? all.reduce((lit, found) => lit.map((is, kind) => is | found[kind])) : null;
		return { panels: [{ tree: base, up: false, total: true }], whole: base.width, lit, functions: [], metric: facts.metrics[0] };
	}
	buildTree() {
		const { base, facts } = this, scale = this.scale(), metric = facts.metrics[this.metric], sides = this.sides();
		const extras = sides || (scale ? scale.columns.map((column) => base.columns[column]) : []);
		let tree = sumUp({ ...base, extras }, sides ? sides[0].map((value, node) => value + sides[1][node]) : base.columns[this.metric]);
		let focus = -1, lit = null;
		const wholes = sides ? sides.map((side) => side.reduce((sum, value) => sum + value, 0)) : [tree.total[0]];
		for (const { what, value } of this.filters) {
			const found = kindsWith(base.kinds, value);
			if (what === "show" || what === "hide")
				tree = keepStacks(tree, found, what === "show");
			else if (what === "frames")
				tree = hideFrames(tree, found);
			else if (what === "from")
				tree = showFrom(tree, found);
			else if (what === "focus")
				focus = this.functionOf(value);
			else
				lit = lit ? lit.map((is, kind) => is | found[kind]) : found;
		}
		if (this.joined)
			tree = joinRecursion(tree);
		let panels = [{ tree, up: !this.icicle, total: true }];
		if (focus >= 0) {
			const { callers, callees } = around(tree, focus);
			panels = [{ tree: callers, up: true }, { tree: callees, up: false }];
		} else if (this.leafFirst) {
			panels = [{ tree: invert(tree), up: !this.icicle, total: true }];
		}
		for (const panel of panels) {
			if (sides) {
				panel.tree = differenceOf(panel.tree, this.shown, metric, wholes);
				panel.changes = new Changes(panel.tree, this.shown, this.exclusiveChange ? "self" : "total", facts);
			}
			arrange(panel.tree, this.heaviest);
			panel.scale = scale ? new Scale(scale, this.palette, panel.tree, tree) : null;
		}
		const whole = sides ? widthOfAll(sides, wholes, this.shown) : wholes[0];
		return { panels, whole, wholes, lit, functions: sides ? listChanges(tree) : listFunctions(tree), metric };
	}
	/* Exclusive values before and after, made comparable; null: the page is of no difference. */
	sides() {
		const { facts, metric } = this;
		return facts.compared ? facts.metrics[metric].sides.map(({ scale }, side) => this.base.columns[2 * metric + side].map((value) => value * scale)) : null;
	}
	/* The kind of a function of that name, or the first whose name has the text; -1: there is none. */
	functionOf(text) {
		const { kinds } = this.base, exact = kinds.findIndex((kind) => kind.name === text);
		return exact >= 0 ? exact : kinds.findIndex((kind) => kind.name.includes(text));
	}
	/* Text of the choices that are not as at the beginning, for the link. */
	toLink(search, zoom, time) {
		const parts = new URLSearchParams(), { facts } = this;
		const put = (name, value, initial) => value !== initial && parts.set(name, value);
		put("metric", facts.metrics[this.metric].name, facts.metrics[facts.chosen].name);
		put("palette", this.palette, facts.compared ? "change" : facts.palette);
		put("by", this.by < 0 ? "" : this.scales[this.by].name, facts.by || "");
		put("root", this.icicle ? "above" : "below", facts.icicle ? "above" : "below");
		put("first", this.leafFirst ? "leaf" : "root", facts.leafFirst ? "leaf" : "root");
		put("order", this.heaviest ? "heaviest" : "name", facts.heaviest ? "heaviest" : "name");
		put("recursion", this.joined ? "joined" : "apart", facts.joined ? "joined" : "apart");
		put("shown", this.shown, facts.compared in widthsOf ? facts.compared : "coloured");
		put("change", this.exclusiveChange ? "exclusive" : "inclusive", facts.exclusiveChange ? "exclusive" : "inclusive");
		put("experiments", this.mean ? "mean" : "sum", facts.mean ? "mean" : "sum");
		for (const { what, value } of this.filters)
			parts.append(what, value);
		put("search", search, "");
		put("case", this.ignoreCase ? "ignore" : "", "");
		put("zoom", zoom, "");
		put("time", time, "");
		return String(parts);
	}
	/* Takes what a link says; returns its search, its zoom and its time. */
	fromLink(text) {
		const parts = new URLSearchParams(text), has = (name, one, other, was) =>
			parts.get(name) === one ? true : parts.get(name) === other ? false : was;
		const metric = this.facts.metrics.findIndex(({ name }) => name === parts.get("metric"));
		this.metric = metric >= 0 ? metric : this.metric;
		if (allPalettes(this.facts).includes(parts.get("palette")))
			this.palette = parts.get("palette");
		this.by = parts.has("by") ? this.scaleNamed(parts.get("by")) : this.by;
		this.icicle = has("root", "above", "below", this.icicle);
		this.leafFirst = has("first", "leaf", "root", this.leafFirst);
		this.heaviest = has("order", "heaviest", "name", this.heaviest);
		this.joined = has("recursion", "joined", "apart", this.joined);
		this.shown = parts.get("shown") in widthsOf ? parts.get("shown") : this.shown;
		this.exclusiveChange = has("change", "exclusive", "inclusive", this.exclusiveChange);
		this.mean = has("experiments", "mean", "sum", this.mean);
		this.ignoreCase = parts.get("case") === "ignore";
		if (text)
			this.filters = Array.from(parts).filter(([what]) => what in filtersOf(this.facts)).map(([what, value]) => ({ what, value }));
		return { search: parts.get("search") || "", zoom: parts.get("zoom") || "", time: parts.get("time") || "" };
	}
}

const allPalettes = (facts) => facts.chart ? facts.palettes : facts.compared ? ["change"].concat(facts.palettes) : facts.palettes.concat("exclusive", "inclusive");
