/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of a part of the picture: {start, span, depth}, where frames less deep than `depth` are what was zoomed out of. */
"use strict";

/* The first place in [from, to) of a sorted list for which `is` holds, or `to`. */
function firstPlace(from, to, is) {
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (is(middle))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* The frames of a bundle in a chart begin within so much of what is shown. */
const bundleShare = 0.0025;

/* Where the run of children ends that are thinner than `least`, which begins at place `i`: at a wide one, at a gap that is as wide, at a
   child that begins at `limit` or later. No child that starts within one `least` after another is wide, but for the last of them. */
function endOfThin(tree, i, to, least, limit) {
	const { children, start, total } = tree, endAt = (place) => start[children[place]] + total[children[place]];
	while (i < to && total[children[i]] < least) {
		const reach = Math.min(start[children[i]] + least, limit);
		const next = firstPlace(i + 1, to, (place) => start[children[place]] >= reach);
		i = next - 1 > i && total[children[next - 1]] >= least ? next - 1 : next;
		if (i < to && (start[children[i]] - endAt(i - 1) >= least || start[children[i]] >= limit))
			break;
	}
	return i;
}

/* The child in the middle of a bundle, or the last before it. */
function middleOf(tree, from, to) {
	const { children, start, total } = tree, last = children[to - 1], begin = start[children[from]];
	const middle = begin + Math.floor((start[last] + total[last] - begin) / 2);
	return children[firstPlace(from + 1, to, (place) => start[children[place]] > middle) - 1];
}

/* Adds the frames of what waits to `laid`, from left to right, a frame before those it calls; `row` is that of the waiting nodes. */
function layRoots(tree, view, least, deepest, laid, waiting, row) {
	const { children, first, start, total, depth } = tree;
	const { frames, hidden } = laid, end = view.start + view.span, whole = wholeOf(tree);
	const most = tree.chart ? Math.max(Math.floor(view.span * bundleShare), least) : Infinity;
	const down = row - depth[waiting[0]], deepestDepth = deepest ? deepest + depth[waiting[0]] : 0;
	while (waiting.length) {
		const node = waiting.pop();
		frames.push({ node, depth: depth[node] + down, start: start[node], value: node ? total[node] : whole, bundled: 0 });
		laid.highest = Math.max(laid.highest, depth[node] + down);
		const base = waiting.length, to = first[node + 1];
		if (deepestDepth && depth[node] === deepestDepth) {
			hidden.frames += to - first[node];
			continue;
		}
		let i = firstPlace(first[node], to, (place) => start[children[place]] + total[children[place]] > view.start);
		while (i < to && start[children[i]] < end) {
			const child = children[i];
			if (total[child] >= least) {
				waiting.push(child);
				i++;
				continue;
			}
			const after = endOfThin(tree, i, to, least, start[child] + most), last = children[after - 1];
			const value = start[last] + total[last] - start[child];
			if (value >= least) {
				frames.push({ node, depth: depth[node] + 1 + down, start: start[child], value, bundled: after - i, from: i, like: tree.chart ? middleOf(tree, i, after) : 0 });
				laid.highest = Math.max(laid.highest, depth[node] + 1 + down);
			} else {
				hidden.frames += after - i;
				hidden.value += value;
			}
			i = after;
		}
		for (let low = base, high = waiting.length - 1; low < high; low++, high--)
			[waiting[low], waiting[high]] = [waiting[high], waiting[low]];
	}
}

/* Frames from left to right, a frame before those it calls: {node, depth, start, value, bundled}. bundled > 0: so many children of
   `node`, from place `from` of its children on, that are too thin to be drawn by themselves; in a chart they look like `like`. What is thinner even so is counted. The lanes
   of a chart stand one below another, with an empty row between. */
function layOut(tree, view, least, deepest) {
	const { start, total, missing } = tree, laid = { frames: [], hidden: { frames: 0, value: 0 }, highest: 0 };
	const whole = wholeOf(tree), wide = (node) => node ? total[node] : whole, end = view.start + view.span;
	const isInView = (root) => start[root] < end && start[root] + wide(root) > view.start;
	const isSeen = (root) => wide(root) >= least && isInView(root);
	if (!tree.chart) {
		layRoots(tree, view, least, deepest, laid, tree.root ? [tree.root] : missing ? [missing, 0].filter(isSeen) : [0], 0);
		return laid;
	}
	for (const lane of tree.lanes.filter(isInView)) {
		if (isSeen(lane)) {
			layRoots(tree, view, least, deepest, laid, [lane], laid.frames.length ? laid.highest + 2 : 0);
		} else {
			laid.hidden.frames++;
			laid.hidden.value += total[lane];
		}
	}
	return laid;
}

/* Lays out at most so many frames: the least value grows until they are so few. */
function layOutAtMost(tree, view, share, leastOfAll, deepest, most) {
	for (;;) {
		const least = Math.max(Math.floor(view.span * share), leastOfAll) + 1, laid = layOut(tree, view, least, deepest);
		if (laid.frames.length <= most)
			return Object.assign(laid, { share });
		share *= 1.2;
	}
}
