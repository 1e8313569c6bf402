/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a recurrence plot: says which two moments the mouse is at, and how alike they are. */
"use strict";

const names = Array.from(document.querySelectorAll("#names desc"), (name) => name.textContent);

/* How opaque each pixel is, from 0 to 255; 0: the browser does not tell. */
function opaqueness(image, side, ready) {
	const picture = new Image();
	picture.onload = () => {
		const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
		canvas.width = canvas.height = side;
		const context = canvas.getContext("2d");
		context.drawImage(picture, 0, 0);
		ready(context.getImageData(0, 0, side, side).data);
	};
	picture.src = image.getAttribute("href");
}

for (const panel of document.querySelectorAll(".panel")) {
	const image = panel.querySelector("image"), [right, up, alike] = panel.querySelectorAll(".details");
	const moments = panel.getAttribute("data-moments").split(" ").map((moment) => moment.split(",").map(Number));
	const from = Number(panel.getAttribute("data-from")), step = Number(panel.getAttribute("data-step")), side = moments.length;
	let pixels = null;
	opaqueness(image, side, (read) => { pixels = read; });
	const said = (moment) => {
		const [phase, space] = moments[moment];
		return ((from + moment * step) / 1e9).toFixed(6) + " s: " + (phase ? "phase " + phase + ", mostly " + names[space] : "nothing is known");
	};
	image.addEventListener("mousemove", (event) => {
		const box = image.getBoundingClientRect();
		const place = (at, length) => Math.max(0, Math.min(side - 1, Math.floor(at / length * side)));
		const x = place(event.clientX - box.left, box.width), y = place(event.clientY - box.top, box.height);
		right.textContent = "to the right " + said(x);
		up.textContent = "upwards " + said(side - 1 - y);
		alike.textContent = pixels ? "alike in " + (100 * pixels[4 * (y * side + x) + 3] / 255).toFixed(1) + " % of their time" : "";
	});
	image.addEventListener("mouseleave", () => {
		for (const line of [right, up, alike])
			line.textContent = "";
	});
}
