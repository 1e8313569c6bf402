/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws trees on a canvas that is as large as the window's part of them, and finds what is at a point. */
"use strict";

const row = 16, margin = 10, thinnest = 1; /* px */
const fontOfFrames = '11px "DejaVu Sans Mono", Consolas, Menlo, monospace';

/* One tree with the part of it that is shown: view {start, span, depth, node}. */
class Panel {
	constructor({ tree, up, total, scale, changes }) {
		this.tree = tree;
		this.scale = scale;
		this.changes = changes;
		this.up = up;
		this.total = total;
		this.all = { start: 0, span: tree.missing ? tree.total[0] : wholeOf(tree), depth: 0, node: 0, within: 0 };
		this.view = this.all;
	}
	viewOf(frame) {
		const view = { start: frame.start, span: frame.value, depth: frame.depth, node: frame.bundled ? -1 : frame.node, within: frame.bundled ? frame.node + 1 : frame.node };
		return view.span === this.all.span ? this.all : view;
	}
	isZoomed() {
		return this.view !== this.all;
	}
	/* Lays out for a width; `deepest` is the height of the highest frame so far, so that rows stay where they are. */
	lay(full) {
		const laid = layOut(this.tree, this.view, Math.max(1, Math.floor(this.view.span * thinnest / full) + 1), 0);
		this.rows = [];
		for (const frame of laid.frames) {
			while (this.rows.length <= frame.depth)
				this.rows.push([]);
			this.rows[frame.depth].push(frame);
		}
		for (const frames of this.rows)
			frames.sort((a, b) => a.start - b.start);
		this.hidden = laid.hidden;
		this.deepest = Math.max(this.deepest || 0, laid.highest);
		this.full = full;
	}
	height() {
		return (this.deepest + 1) * row;
	}
	y(depth) {
		return (this.up ? this.deepest - depth : depth) * row;
	}
	place(frame) {
		const from = Math.max(0, (frame.start - this.view.start) / this.view.span);
		const to = Math.min(1, (frame.start + frame.value - this.view.start) / this.view.span);
		return { x: margin + this.full * from, width: this.full * (to - from) };
	}
	/* The frame at a point, y from the top of the panel; or null. */
	frameAt(x, y) {
		const at = Math.floor(y / row), depth = this.up ? this.deepest - at : at, frames = this.rows[depth];
		const value = this.view.start + (x - margin) / this.full * this.view.span;
		if (!frames || x < margin || x > margin + this.full)
			return null;
		const after = firstPlace(0, frames.length, (place) => frames[place].start > value), frame = frames[after - 1];
		return frame && value < frame.start + frame.value ? frame : null;
	}
	/* The frame of a node, if it is drawn by itself. */
	frameOf(node) {
		const rows = this.tree.chart ? this.rows : this.rows.slice(this.tree.depth[node], this.tree.depth[node] + 1);
		for (const frames of rows) {
			const found = frames.find((frame) => frame.node === node && !frame.bundled);
			if (found)
				return found;
		}
		return null;
	}
	isZoomedOut(frame) {
		return this.tree.chart ? isAbove(this.tree, frame, this.view.within) : frame.depth < this.view.depth;
	}
}

class Painter {
	constructor(canvas, facts) {
		this.canvas = canvas;
		this.context = canvas.getContext("2d");
		this.facts = facts;
	}
	/* Stripes for what is missing. */
	hatch() {
		const tile = document.createElement("canvas"), context = tile.getContext("2d");
		tile.width = tile.height = 7;
		context.fillStyle = this.facts.safe ? "#eaf2f7" : "#ececff";
		context.fillRect(0, 0, 7, 7);
		context.strokeStyle = this.facts.safe ? "#b5d3e6" : "#c2c2ff";
		context.lineWidth = 2;
		for (const from of [-7, 0, 7]) {
			context.beginPath();
			context.moveTo(from, 7);
			context.lineTo(from + 7, 0);
			context.stroke();
		}
		return { css: this.context.createPattern(tile, "repeat"), dark: false };
	}
	colourOf(panel, frame, palette) {
		const { tree, scale } = panel, like = frame.bundled ? frame.like : frame.node;
		if (tree.missing && like >= tree.missing)
			return this.striped;
		if (frame.bundled ? !frame.like : isLane(tree, frame.node) || (!frame.depth && panel.total))
			return { css: "rgb(200,200,200)", dark: false };
		if (palette === "change")
			return panel.changes.colour(like);
		return scale ? scale.colour(like, this.facts.safe) : tree.kinds[tree.kind[like]].colours[this.facts.palettes.indexOf(palette)];
	}
	/* Draws what of the panels is between `top` and the canvas's height below it. */
	paint(panels, top, look) {
		const { context, canvas } = this, ratio = window.devicePixelRatio || 1;
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, canvas.width, canvas.height);
		context.font = fontOfFrames;
		context.textBaseline = "alphabetic";
		const height = canvas.height / ratio;
		this.striped = this.striped || this.hatch();
		this.paintLines(panels[0], height, look);
		for (const panel of panels)
			for (let depth = 0; depth < panel.rows.length; depth++) {
				const y = panel.top + panel.y(depth) - top;
				if (y > -row && y < height)
					this.paintRow(panel, depth, y, look);
			}
		this.paintTimes(panels[0], look);
		if (look.range) {
			context.fillStyle = "rgba(0, 102, 204, 0.2)";
			context.fillRect(margin + panels[0].full * look.range.from, 0, panels[0].full * (look.range.to - look.range.from), height);
		}
	}
	/* The axis of a chart: lines behind the frames, and times in the first row, whatever is below it. */
	paintLines({ full }, height, look) {
		this.context.strokeStyle = look.lines;
		this.context.lineWidth = 1;
		for (const { at } of look.ticks) {
			this.context.beginPath();
			this.context.moveTo(margin + full * at, 0);
			this.context.lineTo(margin + full * at, height);
			this.context.stroke();
		}
	}
	paintTimes({ full }, look) {
		if (look.ticks.length)
			this.context.clearRect(0, 0, full + 2 * margin, row - 1);
		this.context.fillStyle = look.ink;
		for (const { at, text } of look.ticks)
			if (full * at + 3 + text.length * charWidth <= full)
				this.context.fillText(text, margin + full * at + 3, 11);
	}
	paintRow(panel, depth, y, look) {
		const { context } = this;
		for (const frame of panel.rows[depth]) {
			const { x, width } = panel.place(frame), matched = look.matches(panel, frame), dim = panel.isZoomedOut(frame) || look.dims(panel, frame);
			const colour = matched ? { css: "rgb(230,0,230)", dark: true } : this.colourOf(panel, frame, look.palette);
			context.globalAlpha = dim ? 0.4 : 1;
			context.fillStyle = colour.css;
			context.fillRect(x, y, Math.max(0.5, width - (width > 3 ? 0.7 : 0)), row - 1);
			if (panel.changes && width > 3) {
				context.strokeStyle = "#999";
				context.lineWidth = 0.5;
				context.strokeRect(x, y, width - 0.7, row - 1);
			}
			const sign = look.signOf(panel, frame), name = fit(look.nameOf(panel, frame), width - sign.length * charWidth), label = name && sign + name;
			if (label) {
				context.globalAlpha = dim ? 0.75 : 1;
				context.fillStyle = dim ? look.ink : colour.dark ? "#fff" : "#111";
				context.fillText(label, x + 3, y + 11);
			}
			if (look.current && look.current.frame === frame) {
				context.globalAlpha = 1;
				context.strokeStyle = look.ink;
				context.lineWidth = 2;
				context.strokeRect(x + 1, y + 1, Math.max(1, width - 2), row - 3);
			}
		}
		context.globalAlpha = 1;
	}
}
