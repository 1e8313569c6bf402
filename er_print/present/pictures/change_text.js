/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How frames have changed, in a picture of a difference: picture_change.c writes the same words. */
"use strict";

/* Reads each node's sums before and after, in parts of the unit, and whether their differences are noise. */
function readChanges(tree, parts) {
	const [, before, after, within] = tree.columns;
	/* A node that is missing after has the width that it had before. */
	for (let node = tree.missing; node && node < tree.count; node++)
		before[node] = tree.self[node];
	/* These nodes are below <Total> as well, which has them once already. */
	const sums = (self) => {
		const total = totalsOf(tree, self);
		total[0] -= tree.missing ? total[tree.missing] : 0;
		return { self, total, whole: total[0] };
	};
	tree.changes = { parts, within, before: sums(before), after: sums(after) };
}

const isMissing = (tree, node) => Boolean(tree.missing) && node >= tree.missing;

/* Scaled sums that differ by rounding alone are equal. */
const rounding = 1e-10;
function changeOf(tree, node, sum) {
	const { before, after, parts, scaled } = tree.changes, first = before[sum][node], second = after[sum][node], by = second - first;
	return { first, second, by: (parts > 1 || scaled) && Math.abs(by) <= rounding * (first + second) ? 0 : by };
}

/* "self" or "total" of a node: "10 before, 16.67%; 40 after, 57.14%; +30, +300.00%". */
function changeText(tree, node, sum, say) {
	const { parts, before, after, within } = tree.changes, { first, second, by } = changeOf(tree, node, sum);
	const said = (value) => say(Math.floor(value / parts + 0.5));
	const noise = within[node] & (sum === "self" ? 2 : 1) ? ", within 2 standard errors" : "";
	const text = said(first) + " before, " + percent(first, before.whole) + "; ";
	if (isMissing(tree, node))
		return text + "missing after" + noise;
	const sign = by > 0 ? "+" : "-", size = Math.abs(by);
	return text + said(second) + " after, " + percent(second, after.whole) + "; " +
		(!by ? "no change" : sign + said(size) + ", " + (first ? sign + percent(size, first) : "new") + noise);
}

/* The sign before the name of a coloured frame. */
function changeSign(tree, node, exclusive) {
	const { by } = changeOf(tree, node, exclusive ? "self" : "total"), noise = tree.changes.within[node] & (exclusive ? 2 : 1);
	return !node || isMissing(tree, node) || !by || noise ? "" : by > 0 ? "+ " : "- ";
}
