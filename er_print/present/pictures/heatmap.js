/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a heat map: says which two ranks the mouse is at, and what is between them. */
"use strict";

const grid = document.getElementById("grid"), area = document.documentElement, details = document.getElementById("details");
const numbers = (name) => grid.getAttribute(name).split(",").map(Number);
const cells = grid.getAttribute("data-cells").split(";").map((row) => row.split(","));
const names = Array.from(document.querySelectorAll("#names desc"), (name) => name.textContent);
const sources = numbers("data-sources"), destinations = numbers("data-destinations"), whole = Number(grid.getAttribute("data-whole"));
const divisor = Number(grid.getAttribute("data-divisor")), decimals = Number(grid.getAttribute("data-decimals"));
const word = grid.getAttribute("data-word"), adds = grid.getAttribute("data-adds") === "1";
const side = cells.length, step = Number(grid.getAttribute("data-step")), left = Number(grid.getAttribute("data-left")), above = Number(grid.getAttribute("data-top"));

function said(value) {
	if (!value)
		return "nothing";
	const number = (value / divisor).toLocaleString("en-US", {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
	return number + " " + word + (adds ? " (" + (100 * value / whole).toFixed(2) + " %)" : "");
}

area.addEventListener("mousemove", (event) => {
	const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(area.getScreenCTM().inverse());
	const x = Math.floor((point.x - left) / step), y = Math.floor((point.y - above) / step);
	if (x < 0 || y < 0 || (x >= side && y >= side))
		details.textContent = "";
	else if (x >= side)
		details.textContent = "from " + names[y] + ": " + said(sources[y]);
	else if (y >= side)
		details.textContent = "to " + names[x] + ": " + said(destinations[x]);
	else
		details.textContent = "from " + names[y] + " to " + names[x] + ": " + said(Number(cells[y][x] || 0));
});
area.addEventListener("mouseleave", () => { details.textContent = ""; });
