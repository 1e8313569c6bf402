/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How frames have changed, in a picture of a difference: picture_change.c writes the same words. */
"use strict";

/* What a picture's data has of each node about its change, in parts of the unit. */
function readChanges(tree, parts) {
	const [, before, after, within] = tree.columns;
	/* What is missing after has the width that it had before. */
	for (let node = tree.missing; node && node < tree.count; node++)
		before[node] = tree.self[node];
	const sums = (self) => ({ self, total: totalsOf(tree, self) });
	tree.changes = { parts, within, before: sums(before), after: sums(after) };
	for (const name of ["before", "after"])
		tree.changes[name].all = tree.changes[name].total[0] - (tree.missing ? tree.changes[name].total[tree.missing] : 0);
}

const isMissing = (tree, node) => Boolean(tree.missing) && node >= tree.missing;

/* Scaled sums that differ by rounding alone are equal. */
const rounding = 1e-10;
function changeOf(tree, node, sum) {
	const first = tree.changes.before[sum][node], second = tree.changes.after[sum][node], by = second - first;
	return { first, second, by: Math.abs(by) <= rounding * (first + second) ? 0 : by };
}

/* "self" or "total" of a node: "10 before, 16.67%; 40 after, 57.14%; +30, +300.00%". */
function changeText(tree, node, sum, unit) {
	const { parts, before, after, within } = tree.changes, { first, second, by } = changeOf(tree, node, sum);
	const said = (value) => amount(unit ? value / parts : Math.floor(value / parts + 0.5), unit);
	const noise = within[node] & (sum === "self" ? 2 : 1) ? ", within 2 standard errors" : "";
	const text = said(first) + " before, " + percent(first, before.all) + "; ";
	if (isMissing(tree, node))
		return text + "missing after" + noise;
	const sign = by > 0 ? "+" : "-", size = Math.abs(by);
	return text + said(second) + " after, " + percent(second, after.all) + "; " +
		(!by ? "no change" : sign + said(size) + ", " + (first ? sign + percent(size, first) : "new") + noise);
}

/* The sign before the name of a coloured frame. */
function changeSign(tree, node, exclusive) {
	const { by } = changeOf(tree, node, exclusive ? "self" : "total"), noise = tree.changes.within[node] & (exclusive ? 2 : 1);
	return !node || isMissing(tree, node) || !by || noise ? "" : by > 0 ? "+ " : "- ";
}
