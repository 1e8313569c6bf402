/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a picture, read from its data (picture_data.h): arrays by node, in preorder; node 0 is <Total>. */
"use strict";

/* The bytes that a text in base64 stands for. */
function bytesOf(base64) {
	const text = atob(base64), bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

/* Reads the numbers of the data one after another. */
class DataReader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	number() {
		let value = 0, scale = 1, byte;
		do {
			byte = this.bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte >= 128);
		return value;
	}
	/* Sorted texts: each says how many bytes it has of the one before. */
	texts() {
		const texts = new Array(this.number()), decoder = new TextDecoder();
		let last = new Uint8Array(0);
		for (let i = 0; i < texts.length; i++) {
			const shared = this.number(), own = this.number(), bytes = new Uint8Array(shared + own);
			bytes.set(last.subarray(0, shared));
			bytes.set(this.bytes.subarray(this.at, this.at + own), shared);
			this.at += own;
			last = bytes;
			texts[i] = decoder.decode(bytes);
		}
		return texts;
	}
}

/* Whether white text is easier to read on a colour than black: the contrast of the Web Content Accessibility Guidelines 2. */
function isDark(red, green, blue) {
	const part = (byte) => byte / 255 <= 0.04045 ? byte / 255 / 12.92 : Math.pow((byte / 255 + 0.055) / 1.055, 2.4);
	const light = 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue) + 0.05;
	return light * light < 0.05 * 1.05;
}

/* A kind of frames: a function in a colour. Kinds are in the order of their functions' names. */
function readKinds(reader) {
	const names = reader.texts(), kinds = new Array(reader.number());
	for (let i = 0; i < kinds.length; i++) {
		const name = names[reader.number()], [red, green, blue] = reader.bytes.subarray(reader.at, reader.at += 3);
		kinds[i] = { name, colour: "rgb(" + red + "," + green + "," + blue + ")", dark: isDark(red, green, blue) };
	}
	return kinds;
}

function readTree(bytes) {
	const reader = new DataReader(bytes), kinds = readKinds(reader), count = reader.number();
	const tree = {
		kinds, count, kind: new Uint32Array(count), depth: new Uint32Array(count), parent: new Uint32Array(count),
		end: new Uint32Array(count), self: new Float64Array(count), total: new Float64Array(count),
	};
	const path = [];
	for (let node = 0; node < count; node++) {
		const up = reader.number();
		path.length -= Math.min(up, path.length);
		tree.parent[node] = path.length ? path[path.length - 1] : 0;
		tree.depth[node] = path.length;
		tree.kind[node] = reader.number();
		tree.total[node] = tree.self[node] = reader.number();
		path.push(node);
	}
	tree.end.fill(0);
	for (let node = count - 1; node >= 0; node--) {
		tree.end[node] = Math.max(tree.end[node], node + 1); /* the first node that is not below it */
		if (node) {
			const parent = tree.parent[node];
			tree.total[parent] += tree.total[node];
			tree.end[parent] = Math.max(tree.end[parent], tree.end[node]);
		}
	}
	return tree;
}

/* Lists the children of each node from left to right, and says where each frame starts, in the metric's own units. */
function arrange(tree, heaviestFirst) {
	const { count, parent, total, kind } = tree;
	const first = new Uint32Array(count + 1), children = new Uint32Array(Math.max(0, count - 1)), start = new Float64Array(count);
	for (let node = 1; node < count; node++)
		first[parent[node] + 1]++;
	for (let node = 0; node < count; node++)
		first[node + 1] += first[node];
	const next = first.slice();
	for (let node = 1; node < count; node++)
		children[next[parent[node]]++] = node;
	for (let node = 0; node < count; node++) {
		const mine = children.subarray(first[node], first[node + 1]);
		if (heaviestFirst && mine.length > 1)
			mine.sort((a, b) => total[b] - total[a] || kind[a] - kind[b]);
		let at = start[node];
		for (const child of mine) {
			start[child] = at;
			at += total[child];
		}
	}
	Object.assign(tree, { first, children, start });
}
