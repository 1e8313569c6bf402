/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other trees made of a tree {kinds, count, kind, parent, depth, self, total, end, extras}: parts of it, and other orders of its frames.
   extras: exclusive values of other metrics, by node. What is not on a path any more is lost; every other value keeps its sum. */
"use strict";

/* A tree that grows by paths, and then gets its nodes into preorder, siblings in the order of their kinds. */
class Growth {
	constructor(tree, rootKind) {
		this.kinds = tree.kinds;
		this.kind = [rootKind];
		this.parent = [0];
		this.self = [0];
		this.extras = tree.extras.map(() => [0]);
		this.known = new Map();
	}
	child(parent, kind) {
		const key = parent * this.kinds.length + kind, known = this.known.get(key);
		if (known !== undefined)
			return known;
		const node = this.kind.length;
		this.kind.push(kind);
		this.parent.push(parent);
		this.self.push(0);
		for (const extra of this.extras)
			extra.push(0);
		this.known.set(key, node);
		return node;
	}
	end() {
		const count = this.kind.length, old = { count, parent: this.parent, kind: this.kind };
		const first = new Uint32Array(count + 1), children = new Uint32Array(count);
		for (let node = 1; node < count; node++)
			first[old.parent[node] + 1]++;
		for (let node = 0; node < count; node++)
			first[node + 1] += first[node];
		const next = first.slice();
		for (let node = 1; node < count; node++)
			children[next[old.parent[node]]++] = node;
		const tree = { kinds: this.kinds, count, kind: new Uint32Array(count), depth: new Uint32Array(count), parent: new Uint32Array(count) };
		const waiting = [0], place = new Uint32Array(count);
		for (let at = 0; waiting.length; at++) {
			const node = waiting.pop(), parent = place[old.parent[node]];
			place[node] = at;
			tree.kind[at] = old.kind[node];
			tree.parent[at] = parent;
			tree.depth[at] = at ? tree.depth[parent] + 1 : 0;
			const mine = children.subarray(first[node], first[node + 1]).sort((a, b) => old.kind[b] - old.kind[a]);
			for (const child of mine)
				waiting.push(child);
		}
		const placed = (values) => {
			const all = new Float64Array(count);
			for (let node = 0; node < count; node++)
				all[place[node]] = values[node];
			return all;
		};
		tree.extras = this.extras.map(placed);
		return sumUp(tree, placed(this.self));
	}
}

/* A tree in which each node's exclusive value goes to place(growth, node, places); -1: nowhere. The root's goes to `root`. */
function regrow(tree, rootKind, place, root = 0) {
	const growth = new Growth(tree, rootKind), places = new Int32Array(tree.count);
	places[0] = root;
	for (let node = 1; node < tree.count; node++)
		places[node] = place(growth, node, places);
	const add = (sums, values) => {
		for (let node = 0; node < tree.count; node++)
			if (places[node] >= 0)
				sums[places[node]] += values[node];
	};
	add(growth.self, tree.self);
	growth.extras.forEach((sums, extra) => add(sums, tree.extras[extra]));
	return growth.end();
}

/* By kind: whether the function's name or its source file's contains a text, letter by letter. */
function kindsWith(kinds, text) {
	return Uint8Array.from(kinds, (kind) => kind.name.includes(text) || kind.file.includes(text) ? 1 : 0);
}

/* By node: whether it or one of its callers is of these kinds. */
function nodesUnder(tree, found) {
	const under = new Uint8Array(tree.count);
	for (let node = 1; node < tree.count; node++)
		under[node] = under[tree.parent[node]] || found[tree.kind[node]];
	return under;
}

/* Only stacks with a match, or only those without. */
function keepStacks(tree, found, keep) {
	const under = nodesUnder(tree, found);
	const kept = (values) => values.map((value, node) => Boolean(under[node]) === keep ? value : 0);
	return sumUp({ ...tree, extras: tree.extras.map(kept) }, kept(tree.self));
}

/* Frames that match are taken out: their callers have what they had. */
function hideFrames(tree, found) {
	return regrow(tree, tree.kind[0], (growth, node, places) => {
		const parent = places[tree.parent[node]];
		return found[tree.kind[node]] ? parent : growth.child(parent, tree.kind[node]);
	});
}

/* Stacks begin with their first match; those without are left out. */
function showFrom(tree, found) {
	const under = nodesUnder(tree, found);
	return regrow(tree, tree.kind[0], (growth, node, places) => {
		const parent = under[tree.parent[node]] ? places[tree.parent[node]] : 0;
		return under[node] ? growth.child(parent, tree.kind[node]) : -1;
	}, -1);
}

/* Recursion as one frame: a function that is on the path already is the frame that it has there. */
function joinRecursion(tree) {
	const same = tree.kinds.map((kind) => kind.function);
	return regrow(tree, tree.kind[0], (growth, node, places) => {
		const parent = places[tree.parent[node]];
		for (let at = parent; at; at = growth.parent[at])
			if (same[growth.kind[at]] === same[tree.kind[node]])
				return at;
		return growth.child(parent, tree.kind[node]);
	});
}

/* Leaf first: below the root the functions with exclusive values, below each its callers. */
function invert(tree) {
	return regrow(tree, tree.kind[0], (growth, node) => {
		let at = 0;
		if (!tree.self[node] && !tree.extras.some((extra) => extra[node]))
			return -1;
		for (let caller = node; caller; caller = tree.parent[caller])
			at = growth.child(at, tree.kind[caller]);
		return at;
	});
}

/* Around a function: what it calls from its outermost frames on, and who called those, leaf first. Both begin with the function. */
function around(tree, kind) {
	const is = tree.kinds[kind].function, same = Uint8Array.from(tree.kinds, (other) => other.function === is ? 1 : 0);
	const under = nodesUnder(tree, same), growth = new Growth(tree, kind), totals = tree.extras.map((extra) => totalsOf(tree, extra));
	const outermost = (node) => under[node] && !under[tree.parent[node]];
	const callees = regrow(tree, kind, (grown, node, places) =>
		outermost(node) ? 0 : under[node] ? grown.child(places[tree.parent[node]], tree.kind[node]) : -1, -1);
	for (let node = 1; node < tree.count; node++) {
		if (!outermost(node))
			continue;
		let at = 0;
		for (let caller = tree.parent[node]; caller; caller = tree.parent[caller])
			at = growth.child(at, tree.kind[caller]);
		growth.self[at] += tree.total[node];
		totals.forEach((total, extra) => growth.extras[extra][at] += total[node]);
	}
	return { callees, callers: growth.end() };
}

/* The functions with their exclusive and inclusive values, and in how many places they are; recursion counts once. */
function listFunctions(tree) {
	const functions = new Map(), depth = new Map(), ends = [];
	for (let node = 1; node < tree.count; node++) {
		while (ends.length && ends[ends.length - 1].end <= node) {
			const left = ends.pop();
			depth.set(left.is, depth.get(left.is) - 1);
		}
		if (!tree.total[node])
			continue;
		const is = tree.kinds[tree.kind[node]].function, inside = depth.get(is) || 0;
		const row = functions.get(is) || { kind: tree.kind[node], self: 0, total: 0, places: 0 };
		row.self += tree.self[node];
		row.places++;
		if (!inside)
			row.total += tree.total[node];
		functions.set(is, row);
		depth.set(is, inside + 1);
		ends.push({ is, end: tree.end[node] });
	}
	return Array.from(functions.values());
}
