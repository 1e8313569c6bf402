/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside an MPI timeline: shows a part of the time, drawn again from all calls and messages, and says what is under the mouse. */
"use strict";

const byId = (id) => document.getElementById(id), rows = byId("rows"), area = byId("area"), canvas = byId("canvas"), axis = byId("axis");
const fact = (name) => Number(rows.getAttribute("data-" + name));
const pitch = fact("pitch"), thick = fact("thick"), bundle = fact("bundle"), pixels = fact("pixels"), left = fact("left"), above = fact("top");
const names = Array.from(document.querySelectorAll("#names desc"), (name) => name.textContent);
const kinds = Array.from(document.querySelectorAll("#kinds desc"), (kind) => ({
	title: kind.textContent, colour: kind.getAttribute("data-colour").split(",").map(Number) }));
const words = kinds.map(({ colour }) => (255 << 24 | colour[2] << 16 | colour[1] << 8 | colour[0]) >>> 0); /* as a pixel of an image */
const chunk = 32, linesMost = 1000, cellsMost = 1 << 16;

/* Lanes, pieces and lines (mpi_timeline.c), and the time of each kind in all pieces before each chunk of them. */
function readTimeline(bytes) {
	const reader = new DataReader(bytes), origin = reader.number(), span = reader.number();
	const laneCount = reader.number(), pieceCount = reader.number(), lineCount = reader.number(), lanes = [];
	const begins = new Float64Array(pieceCount), ends = new Float64Array(pieceCount), kind = new Uint8Array(pieceCount);
	const sums = new Float64Array((Math.ceil(pieceCount / chunk) + 1) * kinds.length), running = new Float64Array(kinds.length);
	let p = 0;
	for (let l = 0; l < laneCount; l++) {
		const begin = reader.number(), end = begin + reader.number(), last = p + reader.number();
		lanes.push({ begin, end, first: p, last });
		for (let at = begin; p < last; p++) {
			if (p % chunk === 0)
				sums.set(running, p / chunk * kinds.length);
			begins[p] = at + reader.number();
			ends[p] = at = begins[p] + reader.number();
			kind[p] = reader.number();
			running[kind[p]] += ends[p] - begins[p];
		}
	}
	if (p % chunk === 0)
		sums.set(running, p / chunk * kinds.length);
	const sent = new Float64Array(lineCount), received = new Float64Array(lineCount), from = new Uint32Array(lineCount), to = new Uint32Array(lineCount);
	let longest = 0;
	for (let i = 0, at = 0; i < lineCount; i++) {
		sent[i] = at += reader.number();
		received[i] = reader.number();
		from[i] = reader.number();
		to[i] = reader.number();
		longest = Math.max(longest, received[i] - sent[i]);
	}
	return { origin, span, lanes, begins, ends, kind, sums, sent, received, from, to, longest };
}

/* The first place in an array from `low` to before `high` whose value is more than `value`. */
function firstAbove(array, low, high, value) {
	while (low < high) {
		const middle = low + high >>> 1;
		if (array[middle] > value)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Adds `sign` times what all pieces before one have. */
function addBefore(data, piece, sign, times) {
	const start = piece - piece % chunk, base = start / chunk * kinds.length;
	for (let k = 0; k < kinds.length; k++)
		times[k] += sign * data.sums[base + k];
	for (let p = start; p < piece; p++)
		times[data.kind[p]] += sign * (data.ends[p] - data.begins[p]);
}

/* Adds the times of a lane from one time to another. Returns its first piece that ends later than `from`, to go on with. */
function addTimes(data, lane, piece, from, to, times) {
	let first = piece;
	if (first < lane.last && data.ends[first] <= from)
		first = firstAbove(data.ends, first, lane.last, from);
	const inside = Math.min(to, lane.end) - Math.max(from, lane.begin);
	if (inside <= 0)
		return first;
	times[0] += inside;
	let p = first;
	for (let steps = 0; p < lane.last && data.begins[p] < to; p++, steps++) {
		if (steps === 2 * chunk) {
			const end = Math.max(p, firstAbove(data.ends, p, lane.last, to));
			addBefore(data, end, 1, times);
			addBefore(data, p, -1, times);
			p = end;
			if (p === lane.last || data.begins[p] >= to)
				break;
		}
		const time = Math.min(to, data.ends[p]) - Math.max(from, data.begins[p]);
		times[data.kind[p]] += time;
	}
	return first;
}

function drawRows(data, view, image) {
	const pixel = new Uint32Array(image.data.buffer), rowCount = names.length, times = new Float64Array(kinds.length);
	const step = Math.max(1, Math.ceil(rowCount * pixels / cellsMost));
	pixel.fill(0);
	for (let row = 0; row < rowCount; row++) {
		const lanes = data.lanes.slice(row * bundle, (row + 1) * bundle), at = lanes.map((lane) => lane.first);
		for (let x = 0; x < pixels; x += step) {
			const from = view.start + x / pixels * view.span, to = view.start + Math.min(x + step, pixels) / pixels * view.span;
			const end = Math.min(x + step, pixels);
			times.fill(0);
			for (let l = 0; l < lanes.length; l++)
				at[l] = addTimes(data, lanes[l], at[l], from, to, times);
			for (let k = 1; k < kinds.length; k++)
				times[0] -= times[k];
			let sum = 0, y = row * pitch;
			for (let k = 0; k < kinds.length; k++) {
				if (times[k] <= 0)
					continue;
				sum += times[k];
				for (const under = row * pitch + Math.round(sum / (to - from) / lanes.length * thick); y < under; y++)
					for (let place = y * pixels + x; place < y * pixels + end; place++)
						pixel[place] = words[k];
			}
		}
	}
}

/* Where there are more lines than one could tell apart, each so many-th is drawn. */
function drawLines(data, view, context) {
	const end = firstAbove(data.sent, 0, data.sent.length, view.start + view.span);
	const first = firstAbove(data.sent, 0, end, view.start - data.longest - 1), seen = [];
	for (let i = first; i < end; i++)
		if (data.received[i] >= view.start)
			seen.push(i);
	const every = Math.ceil(seen.length / linesMost) || 1;
	const x = (time) => (time - view.start) / view.span * pixels, y = (lane) => Math.floor(lane / bundle) * pitch + thick / 2;
	context.strokeStyle = "rgba(34,34,34," + (seen.length > 100 ? 0.3 : 0.75) + ")";
	context.lineWidth = 0.7;
	context.beginPath();
	for (let i = 0; i < seen.length; i += every) {
		context.moveTo(x(data.sent[seen[i]]), y(data.from[seen[i]]));
		context.lineTo(x(data.received[seen[i]]), y(data.to[seen[i]]));
	}
	context.stroke();
	return every;
}

function drawAxis(data, view) {
	const make = (name, attributes) => {
		const element = axis.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
		Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
		return element;
	};
	axis.replaceChildren();
	for (const { at, text } of axisTicks(view, data.origin, pixels, "ns")) {
		const x = left + at / view.span * pixels;
		make("path", { class: "tick", d: "M" + x + " " + (above - 4) + "v" + (names.length * pitch + 4) });
		make("text", { class: "middle", x, y: above - 9 }).textContent = text;
	}
}

const seconds = (time) => (time / 1e9).toFixed(6) + " s";

/* The line of details for a place of the picture. */
function said(data, view, x, y) {
	const row = Math.floor(y / pitch), time = view.start + x / pixels * view.span, where = names[row] + " at " + seconds(data.origin + time) + ": ";
	if (!(row >= 0 && row < names.length && x >= 0 && x < pixels))
		return "";
	const lane = data.lanes[row * bundle];
	if (bundle > 1)
		return where + "several threads";
	if (time < lane.begin || time >= lane.end)
		return where + "nothing is known";
	const piece = firstAbove(data.ends, lane.first, lane.last, time);
	if (piece < lane.last && data.begins[piece] <= time)
		return where + kinds[data.kind[piece]].title + ", " + seconds(data.ends[piece] - data.begins[piece]);
	const from = piece > lane.first ? data.ends[piece - 1] : lane.begin, to = piece < lane.last ? data.begins[piece] : lane.end;
	return where + kinds[0].title + ", " + seconds(to - from);
}

function listen(data) {
	const all = { start: 0, span: data.span, depth: 0, node: 0, within: 0 }, context = canvas.getContext("2d");
	const details = byId("details"), range = byId("range"), reset = byId("reset"), stills = [rows, byId("messages")];
	const image = context.createImageData(pixels, names.length * pitch);
	let view = all;
	const place = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(area.getScreenCTM().inverse());
	const show = (next) => {
		view = next;
		const whole = view === all;
		drawRows(data, view, image);
		context.putImageData(image, 0, 0);
		const every = drawLines(data, view, context);
		drawAxis(data, view);
		canvas.parentNode.classList.toggle("hidden", whole);
		reset.classList.toggle("hidden", whole);
		stills.forEach((still) => still.classList.toggle("hidden", !whole));
		details.textContent = seconds(view.span) + " of " + seconds(all.span) + (every > 1 ? ", each " + every + "th message" : "");
	};
	const mark = (from, to) => {
		range.setAttribute("x", left + (from || 0) * pixels);
		range.setAttribute("width", from === undefined ? 0 : (to - from) * pixels);
	};
	listenForTimes(area, { view: () => view, all: () => all, width: () => pixels, shareAt: (event) => (place(event).x - left) / pixels, show, mark });
	area.addEventListener("mousemove", (event) => {
		const at = place(event);
		details.textContent = said(data, view, at.x - left, at.y - above);
	});
	reset.addEventListener("click", () => show(all));
	window.addEventListener("keydown", (event) => {
		if (event.key === "Escape" || event.key === "Home")
			show(all);
		else if (timeKeys[event.key])
			show(timeKeys[event.key](view, all));
	});
	/* The browser translates what runs often: so that the first zoom is not slow, it runs before. */
	for (let times = 0; times < 3; times++)
		show(all);
	details.textContent = "";
	area.setAttribute("data-ready", "");
}

inflated(bytesOf(byId("data").textContent)).then((bytes) => listen(readTimeline(bytes)));
