/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions that an expression matches, and adds up what is on paths with one of them, each path once. */
"use strict";

/* Runs in a thread of its own, which can be ended: an expression may take longer than anybody waits. */
const searchWorker = `
let names = [];
onmessage = (event) => {
	if (event.data.names) {
		names = event.data.names;
		return;
	}
	const { id, term, ignoreCase } = event.data;
	try {
		const expression = new RegExp(term, ignoreCase ? "i" : "");
		postMessage({ id, found: Uint8Array.from(names, (name) => expression.test(name) ? 1 : 0) });
	} catch (wrong) {
		postMessage({ id, wrong: wrong.message });
	}
};`;

class Searcher {
	constructor(names, patience) {
		this.names = names;
		this.patience = patience; /* milliseconds */
		this.id = 0;
	}
	begin() {
		const url = URL.createObjectURL(new Blob([searchWorker], { type: "text/javascript" }));
		this.worker = new Worker(url);
		URL.revokeObjectURL(url);
		this.worker.postMessage({ names: this.names });
	}
	end() {
		if (this.worker)
			this.worker.terminate();
		this.worker = null;
	}
	/* Where there are no threads, the words of the term are looked for as they are. */
	findWords(term, ignoreCase) {
		const same = (text) => ignoreCase ? text.toLowerCase() : text;
		return { found: Uint8Array.from(this.names, (name) => same(name).includes(same(term)) ? 1 : 0) };
	}
	/* Promises {found: by name whether it matches} or {wrong: why not}. A new search ends the one before, which then says nothing. */
	find(term, ignoreCase) {
		try {
			if (this.busy)
				this.end();
			if (!this.worker)
				this.begin();
		} catch (none) {
			return Promise.resolve(this.findWords(term, ignoreCase));
		}
		const id = ++this.id;
		this.busy = true;
		return new Promise((resolve) => {
			const done = (result) => {
				if (id !== this.id)
					return;
				clearTimeout(timer);
				this.busy = false;
				resolve(result);
			};
			const timer = setTimeout(() => {
				if (id === this.id)
					this.end();
				done({ wrong: "it takes too long" });
			}, this.patience);
			this.worker.onmessage = (event) => event.data.id === id && done(event.data);
			this.worker.onerror = () => done(this.findWords(term, ignoreCase));
			this.worker.postMessage({ id, term, ignoreCase });
		});
	}
}

/* The outermost matches of each path, [{node}], and how many matching nodes there are before each node. */
function matchesOf(tree, found) {
	const before = new Uint32Array(tree.count + 1), outermost = [];
	let end = 0;
	for (let node = 0; node < tree.count; node++) {
		const matches = !isRoot(tree, node) && found[tree.kind[node]];
		before[node + 1] = before[node] + (matches ? 1 : 0);
		if (matches && node >= end) {
			outermost.push(node);
			end = tree.end[node];
		}
	}
	return { before, outermost };
}

/* Adds up what is on paths with a match in a part of the picture. */
function matchedValue(tree, matches, view) {
	let sum = 0;
	for (const node of matches.outermost) {
		const from = Math.max(tree.start[node], view.start), to = Math.min(tree.start[node] + tree.total[node], view.start + view.span);
		if (to > from)
			sum += to - from;
	}
	return sum;
}

/* Whether a frame of the layout matches; of a bundle: whether something in it does. */
function frameMatches(tree, matches, found, frame) {
	if (!frame.bundled)
		return !isRoot(tree, frame.node) && Boolean(found[tree.kind[frame.node]]);
	for (let i = frame.from; i < frame.from + frame.bundled; i++) {
		const node = tree.children[i];
		if (matches.before[tree.end[node]] > matches.before[node])
			return true;
	}
	return false;
}
