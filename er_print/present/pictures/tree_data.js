/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a picture, read from its data (picture_data.h): arrays by node, in preorder; node 0 is <Total>. */
"use strict";

/* Whether white text is easier to read on a colour than black: the contrast of the Web Content Accessibility Guidelines 2. */
function isDark(red, green, blue) {
	const part = (byte) => byte / 255 <= 0.04045 ? byte / 255 / 12.92 : Math.pow((byte / 255 + 0.055) / 1.055, 2.4);
	const light = 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue) + 0.05;
	return light * light < 0.05 * 1.05;
}

const rgb = (bytes) => "rgb(" + bytes.join(",") + ")";

/* A kind of frames: a function in a colour. Kinds are in the order of their functions' names. */
function readKinds(reader) {
	const names = reader.texts(), kinds = new Array(reader.number());
	for (let i = 0; i < kinds.length; i++) {
		const name = names[reader.number()], colour = reader.colour();
		kinds[i] = { name, colour: rgb(colour), dark: isDark(...colour) };
	}
	return kinds;
}

/* Nodes with exclusive values of so many metrics, which are arrays in `columns`. */
function readNodes(reader, metrics) {
	const count = reader.number(), columns = Array.from({ length: metrics }, () => new Float64Array(count));
	const nodes = { count, kind: new Uint32Array(count), depth: new Uint32Array(count), parent: new Uint32Array(count), columns };
	const path = [];
	for (let node = 0; node < count; node++) {
		path.length -= Math.min(reader.number(), path.length);
		nodes.parent[node] = path.length ? path[path.length - 1] : 0;
		nodes.depth[node] = path.length;
		nodes.kind[node] = reader.number();
		for (const column of columns)
			column[node] = reader.number();
		path.push(node);
	}
	return nodes;
}

function totalsOf(tree, self) {
	const total = self.slice();
	for (let node = tree.count - 1; node > 0; node--)
		total[tree.parent[node]] += total[node];
	return total;
}

/* Sums inclusive values up. end[node]: the first node that is not below it. */
function sumUp(tree, self) {
	const { count, parent } = tree, end = new Uint32Array(count);
	for (let node = count - 1; node >= 0; node--) {
		end[node] = Math.max(end[node], node + 1);
		if (node)
			end[parent[node]] = Math.max(end[parent[node]], end[node]);
	}
	return Object.assign(tree, { self, total: totalsOf(tree, self), end });
}

/* Reads the tree of a chart by time: the second column says how far each node begins behind what is before it. A node's lane is the thread
   that it is of, whose node is a child of <Total>. */
function readChart(bytes) {
	const reader = new DataReader(bytes), kinds = readKinds(reader);
	return endChart(Object.assign(readNodes(reader, 2), { kinds }), reader);
}
function endChart(tree, reader) {
	const [self, lead] = tree.columns;
	sumUp(Object.assign(tree, { missing: 0, chart: true, lead, lanes: [], width: 0 }), self);
	for (let node = 1; node < tree.count; node++) {
		if (tree.depth[node] === 1) {
			tree.lanes.push(node);
			tree.width = Math.max(tree.width, lead[node] + tree.total[node]);
		}
	}
	tree.laneNames = reader.texts();
	return tree;
}

/* `compared`: the picture is of a difference. `missing`: the first node of what is missing after, which stands in the row of <Total>; 0: none. */
function readTree(bytes, compared) {
	const reader = new DataReader(bytes), kinds = readKinds(reader), tree = readNodes(reader, compared ? 4 : 1);
	return sumUp(Object.assign(tree, { kinds, missing: compared ? reader.number() : 0 }), tree.columns[0]);
}

/* Whether a node is a thread of a chart; whether it stands for all that is above it: <Total>, what is missing after, a thread, the function
   that a picture is around. */
const isLane = (tree, node) => Boolean(tree.chart) && tree.depth[node] === 1;
const isRoot = (tree, node) => node === 0 || node === tree.missing || (Boolean(tree.chart || tree.around) && tree.depth[node] === 1);
/* How wide <Total> is, or the root that is drawn in its place. */
const wholeOf = (tree) => tree.chart ? tree.width : tree.root ? tree.total[tree.root] : tree.total[0] - (tree.missing ? tree.total[tree.missing] : 0);

/* The name of the thread that a node of a chart stands for. */
const laneName = (tree, node) => tree.laneNames[tree.lanes.indexOf(node)];
/* Whether a frame of a chart is one of those that the view was zoomed into: rows say nothing about that. `within`: the node that was
   zoomed to, or one of those that are too thin; 0: none. */
const isAbove = (tree, { node, bundled }, within) => within > 0 && !bundled && node < within && tree.end[node] > within;

/* Lists the children of each node that have a value, from left to right, and says where each starts, in the metric's own units. A root is
   no child. */
function arrange(tree, heaviestFirst) {
	const { count, parent, total, kind } = tree;
	const first = new Uint32Array(count + 1), children = new Uint32Array(Math.max(0, count - 1)), start = new Float64Array(count);
	const has = (node) => total[node] > 0 && !isRoot(tree, node);
	for (let node = 1; node < count; node++)
		if (has(node))
			first[parent[node] + 1]++;
	for (let node = 0; node < count; node++)
		first[node + 1] += first[node];
	const next = first.slice();
	for (let node = 1; node < count; node++)
		if (has(node))
			children[next[parent[node]]++] = node;
	if (tree.missing)
		start[tree.missing] = wholeOf(tree);
	for (const lane of tree.lanes || [])
		start[lane] = tree.lead[lane];
	for (let node = 0; node < count; node++) {
		const mine = children.subarray(first[node], first[node + 1]);
		if (heaviestFirst && mine.length > 1)
			mine.sort((a, b) => total[b] - total[a] || kind[a] - kind[b]);
		let at = start[node];
		for (const child of mine) {
			start[child] = at + (tree.chart ? tree.lead[child] : 0);
			at = start[child] + total[child];
		}
	}
	return Object.assign(tree, { first, children, start });
}
