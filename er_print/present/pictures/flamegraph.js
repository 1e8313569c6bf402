/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a flame graph: hover, click to zoom, search. Every number comes from the frames' own values (data-s start, data-v
 * value, data-x exclusive value, data-d depth), never from pixels or labels. */
"use strict";
(function () {
	const svg = document.documentElement, get = (id) => document.getElementById(id);
	const margin = 10, drawn = Number(svg.getAttribute("data-width")), height = svg.getAttribute("height");
	const fluid = svg.getAttribute("data-fluid") === "1", narrowest = 200;
	let full = drawn - 2 * margin;
	const total = Number(svg.getAttribute("data-total")), unit = svg.getAttribute("data-unit");
	const charWidth = 6.62, faded = "faded", hidden = "hidden";
	const frames = Array.from(document.querySelectorAll("g.f")).map((g) => ({
		g, rect: g.querySelector("rect"), text: g.querySelector("text"), name: g.getAttribute("data-n"),
		start: Number(g.getAttribute("data-s")), value: Number(g.getAttribute("data-v")),
		self: Number(g.getAttribute("data-x")), depth: Number(g.getAttribute("data-d")),
	}));
	const root = frames[0];
	let zoomed = root, pattern = null;

	const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(2) : "0.00") + "%";
	const thousands = (text) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
	const amount = (v) => thousands(unit === "ns" ? (v / 1e9).toFixed(3) + " sec." : String(unit === "millionths" ? v / 1e6 : v));
	const inside = (f, z) => f.depth >= z.depth && f.start >= z.start && f.start + f.value <= z.start + z.value;
	const above = (f, z) => f.depth < z.depth && f.start <= z.start && f.start + f.value >= z.start + z.value;

	function fit(name, width) {
		const room = Math.floor((width - 6) / charWidth);
		return room < 3 ? "" : name.length <= room ? name : name.slice(0, room - 1) + "…";
	}
	function place(f, x, width) {
		f.rect.setAttribute("x", x);
		f.rect.setAttribute("width", width);
		f.text.setAttribute("x", x + 3);
		f.text.textContent = fit(f.name, width);
	}
	function draw(z) {
		zoomed = z;
		for (const f of frames) {
			const ancestor = above(f, z);
			f.g.classList.toggle(faded, ancestor);
			f.g.classList.toggle(hidden, !ancestor && !inside(f, z));
			if (ancestor)
				place(f, margin, full);
			else if (inside(f, z))
				place(f, margin + full * (f.start - z.start) / z.value, full * f.value / z.value);
		}
		get("reset").classList.toggle(hidden, z === root);
		showMatched();
	}
	function reset() {
		if (full !== drawn - 2 * margin) {
			draw(root);
			return;
		}
		for (const f of frames) {
			f.g.classList.remove(faded, hidden);
			for (const [element, attribute, value] of f.original)
				element.setAttribute(attribute, value);
			f.text.textContent = f.label;
		}
		zoomed = root;
		get("reset").classList.add(hidden);
		showMatched();
	}
	for (const f of frames) {
		f.label = f.text.textContent;
		f.original = [[f.rect, "x", f.rect.getAttribute("x")], [f.rect, "width", f.rect.getAttribute("width")],
			[f.text, "x", f.text.getAttribute("x")]];
	}

	/* The share of the paths with a match: the outermost match on each path, counted once. */
	function matchedValue(z) {
		const matches = frames.filter((f) => f.matched && inside(f, z))
			.sort((a, b) => a.start - b.start || a.depth - b.depth);
		let sum = 0, end = -1;
		for (const f of matches)
			if (f.start >= end) {
				sum += f.value;
				end = f.start + f.value;
			}
		return sum;
	}
	function showMatched() {
		let text = "";
		if (pattern) {
			text = "Matched: " + percent(matchedValue(root), total);
			if (zoomed !== root)
				text += " (" + percent(matchedValue(zoomed), zoomed.value) + " of the zoom)";
		}
		get("matched").textContent = text;
		get("search").textContent = pattern ? "Reset Search" : "Search";
	}
	function search(term) {
		pattern = null;
		if (term) {
			try {
				pattern = new RegExp(term);
			} catch (wrong) {
				get("details").textContent = "Not a regular expression: " + term;
			}
		}
		for (const f of frames) {
			f.matched = Boolean(pattern) && pattern.test(f.name);
			f.g.classList.toggle("matched", f.matched);
		}
		showMatched();
		return pattern ? matchedValue(root) : 0;
	}
	function ask() {
		search(pattern ? "" : window.prompt("Find functions (regular expression):", ""));
	}

	function describe(f) {
		let text = "Function: " + f.name + " (" + amount(f.value) + ", " + percent(f.value, total);
		if (zoomed !== root)
			text += " of all, " + percent(f.value, zoomed.value) + " of the zoom";
		return text + "; exclusive " + amount(f.self) + ", " + percent(f.self, total) + ")";
	}
	const frameOf = (node) => {
		const g = node.closest && node.closest("g.f");
		return g ? frames.find((f) => f.g === g) : null;
	};
	svg.addEventListener("mouseover", (e) => {
		const f = frameOf(e.target);
		get("details").textContent = f ? describe(f) : " ";
	});
	svg.addEventListener("click", (e) => {
		const f = frameOf(e.target);
		if (e.target.id === "search")
			ask();
		else if (e.target.id === "reset" || (f === root))
			reset();
		else if (f)
			draw(f);
	});
	window.addEventListener("keydown", (e) => {
		if (e.key === "F3" || ((e.ctrlKey || e.metaKey) && e.key === "f")) {
			e.preventDefault();
			ask();
		} else if (e.key === "Escape") {
			reset();
		}
	});
	/* As wide as the window, if no width was asked for. */
	function widen() {
		const width = Math.max(narrowest, window.innerWidth);
		if (!fluid || width === full + 2 * margin)
			return;
		full = width - 2 * margin;
		svg.setAttribute("width", width);
		svg.setAttribute("viewBox", "0 0 " + width + " " + height);
		for (const id of ["title", "subtitle"])
			get(id).setAttribute("x", width / 2);
		for (const id of ["search", "matched", "legend"])
			if (get(id))
				get(id).setAttribute("x", width - margin);
		if (zoomed === root)
			reset();
		else
			draw(zoomed);
	}
	window.addEventListener("resize", widen);
	widen();
	get("search").classList.remove(hidden);
	if (svg.getAttribute("data-icicle") !== "1")
		window.scrollTo(0, svg.getBoundingClientRect().height); /* the root is at the bottom */
	/* for tests and for pages that embed the picture */
	window.flamegraph = { frames, search, draw, reset, describe, widen, matched: () => get("matched").textContent };
})();
