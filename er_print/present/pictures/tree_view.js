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

/* Where the run of children ends that are thinner than `least`, which begins at place `i`. No child that starts within one `least`
   after another is wide, but for the last of them. */
function endOfThin(tree, i, to, least) {
	const { children, start, total } = tree;
	while (i < to && total[children[i]] < least) {
		const reach = start[children[i]] + least;
		const next = firstPlace(i + 1, to, (place) => start[children[place]] >= reach);
		i = next - 1 > i && total[children[next - 1]] >= least ? next - 1 : next;
	}
	return i;
}

/* Frames from left to right, a frame before those it calls: {node, depth, start, value, bundled}. bundled > 0: so many children of
   `node`, from place `from` of its children on, that are too thin to be drawn by themselves. What is thinner even so is counted. */
function layOut(tree, view, least, deepest) {
	const { children, first, start, total, depth } = tree;
	const frames = [], waiting = [], end = view.start + view.span, hidden = { frames: 0, value: 0 };
	const whole = wholeOf(tree), wide = (node) => node ? total[node] : whole;
	let highest = 0;
	const isSeen = (root) => wide(root) >= least && start[root] < end && start[root] + wide(root) > view.start;
	waiting.push(...(tree.missing ? [tree.missing, 0].filter(isSeen) : [0]));
	while (waiting.length) {
		const node = waiting.pop();
		frames.push({ node, depth: depth[node], start: start[node], value: wide(node), bundled: 0 });
		highest = Math.max(highest, depth[node]);
		const base = waiting.length, to = first[node + 1];
		if (deepest && depth[node] === deepest) {
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
			const after = endOfThin(tree, i, to, least);
			const value = (after < to ? start[children[after]] : start[children[to - 1]] + total[children[to - 1]]) - start[child];
			if (value >= least) {
				frames.push({ node, depth: depth[node] + 1, start: start[child], value, bundled: after - i, from: i });
				highest = Math.max(highest, depth[node] + 1);
			} else {
				hidden.frames += after - i;
				hidden.value += value;
			}
			i = after;
		}
		for (let low = base, high = waiting.length - 1; low < high; low++, high--)
			[waiting[low], waiting[high]] = [waiting[high], waiting[low]];
	}
	return { frames, hidden, highest };
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
