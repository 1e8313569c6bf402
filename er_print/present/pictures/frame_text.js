/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, values and shares as pictures show them. */
"use strict";

const charWidth = 6.62; /* px, of the 11 px monospace font of frames */

/* A text if it has so many characters at most, else its beginning and an ellipsis. */
function cut(text, room) {
	if (text.length <= room)
		return text;
	const characters = Array.from(text);
	return characters.length <= room ? text : characters.slice(0, room - 1).join("") + "…";
}
/* The name if it fits, else its beginning and an ellipsis, else nothing. */
function fit(name, width, character = charWidth) {
	const room = Math.floor((width - 6) / character);
	return room < 3 ? "" : cut(name, room);
}

const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(2) : "0.00") + "%";
const thousands = (text) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
/* A value of a unit: "ns", "millionths", "bytes" or "". */
const amount = (value, unit) =>
	thousands(unit === "ns" ? (value / 1e9).toFixed(3) + " sec." : String(unit === "millionths" ? value / 1e6 : value));
/* Nanoseconds with their microseconds, as charts by time have them. */
const microseconds = (value) => thousands((value / 1e9).toFixed(6)) + " sec.";
/* A value that is shown as `factor` times as much, as picture_value.c writes it. */
function amountBy(value, unit, factor) {
	const shown = value * factor;
	if (factor === 1 || unit === "ns")
		return amount(shown, unit);
	return thousands((unit === "millionths" ? shown / 1e6 : shown).toFixed(3).replace(/\.?0+$/, ""));
}
const withWord = (text, word) => word ? text + " " + word : text;
