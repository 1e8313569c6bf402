/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axis above a chart by time, as svg_axis.c and pages draw it. */
"use strict";

const tickWidth = 110; /* px: from one tick to the next at least */

/* The least step of 1, 2 or 5 times a power of ten, at least 1, of which a span has so many at most. */
function axisStep(span, parts) {
	const power = Math.pow(10, Math.floor(Math.log10(Math.max(span / Math.max(parts, 1), 1))));
	return power * ([1, 2, 5].find((size) => span / (size * power) <= parts) || 10);
}

/* The ticks of a part of a chart that begins at `origin`: [{at, text}], from the part's left edge on. */
function axisTicks(view, origin, width, unit, say) {
	const begin = origin + view.start, step = axisStep(view.span, width / tickWidth), ticks = [];
	const decimals = Math.max(0, -Math.floor(Math.log10(step / 1e9) + 1e-9));
	for (let number = Math.ceil(begin / step); number * step <= begin + view.span; number++) {
		const at = number * step + 0; /* no -0 */
		ticks.push({ at: at - begin, text: unit === "ns" ? (at / 1e9).toFixed(decimals) + " s" : say(at) });
	}
	return ticks;
}
