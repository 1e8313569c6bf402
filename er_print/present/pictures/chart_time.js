/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a chart's time that are no frame's: chosen by the wheel, by keys, or by a line drawn with the mouse. */
"use strict";

const farthest = 4; /* px that the mouse may move in a click */

/* A part of `all`; all of it, if the part is as long. */
function timePart(all, start, span) {
	const whole = Math.max(1, Math.min(Math.round(span), all.span));
	return whole === all.span ? all : { start: Math.round(Math.max(0, Math.min(start, all.span - whole))), span: whole, depth: 0, node: 0, within: 0 };
}
/* A part that is `factor` times as long as `view`, in which the place at `share` of its width stays where it is. */
const stretched = (view, all, share, factor) => timePart(all, view.start + share * view.span * (1 - factor), view.span * factor);
const moved = (view, all, parts) => timePart(all, view.start + parts * view.span, view.span);

/* Keys, by what they make of a part of the time. */
const timeKeys = {
	"+": (view, all) => stretched(view, all, 0.5, 0.5), "-": (view, all) => stretched(view, all, 0.5, 2),
	"<": (view, all) => moved(view, all, -0.25), ">": (view, all) => moved(view, all, 0.25),
};

/* A part in a link, "1000_500": its start and how long it is. */
const timeText = ({ start, span }) => start + "_" + span;
function timeOf(text, all) {
	const [start, span] = text.split("_").map(Number);
	return start >= 0 && span > 0 ? timePart(all, start, span) : all;
}

/* Ctrl with the wheel shows a longer or a shorter time, Shift with the wheel goes along it; a line drawn with the mouse is the time that is
   shown. `chart` has view(), all(), width() in pixels, shareAt(event) of the width, show(view) and mark(from, to), two shares, or nothing. */
function listenForTimes(element, chart) {
	let from = null, drawn = false;
	const to = (event) => Math.max(0, Math.min(1, chart.shareAt(event)));
	const isFar = (event) => from !== null && Math.abs(to(event) - from) * chart.width() > farthest;
	element.addEventListener("wheel", (event) => {
		const by = event.deltaY || event.deltaX;
		if (!by || !(event.ctrlKey || event.shiftKey))
			return;
		event.preventDefault();
		chart.show(event.ctrlKey ? stretched(chart.view(), chart.all(), to(event), by > 0 ? 1.25 : 0.8) : moved(chart.view(), chart.all(), by > 0 ? 0.1 : -0.1));
	}, { passive: false });
	element.addEventListener("mousedown", (event) => {
		from = event.button === 0 ? to(event) : null;
		drawn = false;
	});
	window.addEventListener("mousemove", (event) => {
		if (isFar(event))
			chart.mark(Math.min(from, to(event)), Math.max(from, to(event)));
	});
	window.addEventListener("mouseup", (event) => {
		const view = chart.view(), low = Math.min(from, to(event)), high = Math.max(from, to(event));
		drawn = isFar(event);
		from = null;
		if (!drawn)
			return;
		chart.mark();
		chart.show(timePart(chart.all(), view.start + low * view.span, (high - low) * view.span));
	});
	/* The end of a line is no click. */
	element.addEventListener("click", (event) => {
		if (drawn)
			event.stopImmediatePropagation();
		drawn = false;
	}, true);
}
