/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference of two groups in a page. A tree's extras are the exclusive values before and after, as they were counted, and both are
   multiplied by their scales; difference_tree.c and picture_change.c do the same for SVG pictures. */
"use strict";

const widthsOf = {
	coloured: "after, and what is missing", mean: "mean of before and after", change: "size of the change", before: "before",
};

/* The bits of what sampling alone makes: 1 of the inclusive, 2 of the exclusive change. */
function noiseOf(before, after, { sides, share }) {
	const variance = (side, value, whole) => {
		let samples = side.sample > 0 ? value / side.scale / side.sample : 0;
		samples *= share && whole > 0 ? Math.max(0, 1 - value / whole) : 1;
		return samples * Math.pow(side.sample * side.scale, 2);
	};
	const isNoise = (sum, node) => {
		const by = Math.abs(after[sum][node] - before[sum][node]);
		return by > 0 && by <= 2 * Math.sqrt(variance(sides[0], before[sum][node], before.whole) + variance(sides[1], after[sum][node], after.whole));
	};
	return (node) => (isNoise("total", node) ? 1 : 0) | (isNoise("self", node) ? 2 : 0);
}

/* A tree that has besides, below a node of its own beside all others, the paths with nothing after: as wide as they were before. */
function withMissing(tree) {
	const [before, after] = tree.extras, had = totalsOf(tree, before), has = totalsOf(tree, after);
	const kinds = tree.kinds.concat({ function: -1, name: "missing", object: "", file: "" });
	const growth = new Growth({ ...tree, kinds }, tree.kind[0]), places = new Uint32Array(tree.count), copies = new Int32Array(tree.count);
	for (let node = 1; node < tree.count; node++)
		places[node] = growth.child(places[tree.parent[node]], tree.kind[node]);
	for (let node = 0; node < tree.count; node++) {
		growth.self[places[node]] += after[node];
		growth.extras[0][places[node]] += before[node];
		growth.extras[1][places[node]] += after[node];
	}
	const copyOf = (node) => {
		if (!node)
			return growth.child(0, kinds.length - 1);
		if (!copies[node])
			copies[node] = growth.child(copyOf(tree.parent[node]), tree.kind[node]);
		return copies[node];
	};
	for (let node = 1; node < tree.count; node++)
		if (before[node] && had[node] > 0 && !(has[node] > 0)) {
			const copy = copyOf(node);
			growth.self[copy] += before[node];
			growth.extras[0][copy] += before[node];
		}
	const grown = growth.end();
	grown.missing = Math.max(0, grown.kind.lastIndexOf(kinds.length - 1));
	for (let node = grown.missing; node && node < grown.count; node++)
		grown.depth[node]--; /* it stands in the row of <Total> */
	return grown;
}

/* The tree as it is drawn, with its changes: change_text.js reads these. `wholes`: of all, before and after. */
function differenceOf(tree, shown, metric, wholes) {
	const [before, after] = tree.extras;
	const widths = { mean: (node) => (before[node] + after[node]) / 2, change: (node) => Math.abs(after[node] - before[node]), before: (node) => before[node] };
	const drawn = shown === "coloured" ? withMissing(tree) : sumUp({ ...tree }, tree.self.map((_, node) => widths[shown](node)));
	const sums = drawn.extras.map((self, side) => {
		const total = totalsOf(drawn, self);
		total[0] -= drawn.missing ? total[drawn.missing] : 0; /* <Total> has these once already */
		return { self, total, whole: wholes[side] };
	});
	const noise = noiseOf(sums[0], sums[1], metric), within = Uint8Array.from(drawn.self, (_, node) => noise(node));
	drawn.changes = { parts: 1, scaled: metric.sides.some(({ scale }) => scale !== 1), within, before: sums[0], after: sums[1] };
	return drawn;
}

/* How wide all is. */
function widthOfAll([before, after], [had, has], shown) {
	const widths = { coloured: () => has, mean: () => (had + has) / 2, before: () => had };
	return shown in widths ? widths[shown]() : before.reduce((sum, value, node) => sum + Math.abs(after[node] - value), 0);
}

/* The largest change of a frame that is drawn: it has the deepest colour. */
function mostChange(tree, sum) {
	let most = 0;
	for (let node = 1; node < tree.count && !isMissing(tree, node); node++)
		if (tree.total[node])
			most = Math.max(most, Math.abs(changeOf(tree, node, sum).by));
	return most;
}

/* The colour of a change: a frame that has changed is never white. The usual ones are flamegraph.pl's. */
function changeColour(by, most, safe) {
	const share = most ? Math.min(1, Math.abs(by) / most) : 0, rest = Math.trunc(210 * (1 - share));
	const mixed = (to) => [247, 247, 247].map((part, i) => Math.round(part + (to[i] - part) * share));
	const colour = safe ? mixed(by > 0 ? [239, 138, 98] : [103, 169, 207]) : !by ? [255, 255, 255] : by > 0 ? [255, rest, rest] : [rest, rest, 255];
	return { css: rgb(colour), dark: isDark(...colour) };
}

/* How a panel shows changes. */
class Changes {
	constructor(tree, shown, sum, facts) {
		Object.assign(this, { tree, shown, sum, safe: facts.safe, most: mostChange(tree, sum), exclusive: sum === "self" });
	}
	colour(node) {
		const noise = this.tree.changes.within[node] & (this.exclusive ? 2 : 1);
		return changeColour(noise ? 0 : changeOf(this.tree, node, this.sum).by, this.most, this.safe);
	}
	sign(node) {
		return changeSign(this.tree, node, this.exclusive);
	}
	/* `say` writes a value. */
	words(node, say) {
		const text = changeText(this.tree, node, "total", say);
		return this.exclusive ? text + "; exclusive: " + changeText(this.tree, node, "self", say) : text;
	}
	legend(say) {
		const [more, less, none] = this.safe ? ["orange", "light blue", "grey"] : ["red", "blue", "white"];
		return "Width: " + widthsOf[this.shown] + ". Colour: " + (this.exclusive ? "exclusive" : "inclusive") + " change, " + more + " more, " + less +
			" less, at most " + say(this.most) + "; " + none + " none, or within 2 standard errors";
	}
}

/* "60 before, 70 after, +10, +16.67%": the totals of all. */
function totalChange([first, second], say) {
	const by = second - first, sign = by > 0 ? "+" : "-";
	return say(first) + " before, " + say(second) + " after" +
		(by ? ", " + sign + say(Math.abs(by)) + (first ? ", " + sign + percent(Math.abs(by), first) : "") : "");
}

/* The functions with their changes in place of values; what they had before is in `was`. */
function listChanges(tree) {
	const sides = tree.extras.map((self) => new Map(listFunctions({ ...tree, self, total: totalsOf(tree, self) }).map((one) => [tree.kinds[one.kind].function, one])));
	return listFunctions(tree).map(({ kind, places }) => {
		const [first, second] = sides.map((side) => side.get(tree.kinds[kind].function) || { self: 0, total: 0 });
		return { kind, places, self: second.self - first.self, total: second.total - first.total, was: first };
	});
}
