/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of a page by a metric, or by a ratio of two, as colour_scale.c and frame_colour.c have them. */
"use strict";

/* All that colours can show: the metrics, and ratios of them. columns: of the page's data, of a ratio the divided and the divisor. */
function scalesOf(facts) {
	const metrics = facts.metrics.map((metric, column) => ({ ...metric, columns: [column] }));
	return metrics.concat((facts.ratios || []).map((ratio) => ({ ...ratio, columns: [ratio.numerator, ratio.denominator] })));
}

const doublings = 2; /* from the middle of a ratio's scale to its ends */

/* The colour of a share: from 0 to 1, of a ratio from -1 to 1. */
function scaleColour(share, isRatio, safe) {
	const mixed = (from, to) => from.map((part, i) => Math.round(part + (to[i] - part) * Math.abs(share)));
	const ends = safe ? [[230, 97, 1], [123, 95, 175]] : [[227, 74, 74], [86, 125, 225]];
	const colour = isRatio ? mixed([228, 228, 228], ends[share > 0 ? 0 : 1]) : mixed([255, 247, 214], safe ? [8, 69, 148] : [222, 45, 38]);
	return { css: rgb(colour), dark: isDark(...colour) };
}

/* The values of a scale in a tree, whose extras are the scale's columns. `all`: the tree that has all that is shown, from which a ratio
   takes its middle. */
class Scale {
	constructor(scale, flavour, tree, all) {
		this.title = scale.title;
		this.flavour = flavour;
		this.unit = scale.unit;
		this.word = scale.word;
		const sums = flavour === "exclusive" ? tree.extras : tree.extras.map((extra) => totalsOf(tree, extra));
		[this.values, this.divisors] = sums;
		if (this.divisors) {
			const [whole, divisor] = all.extras.map((extra) => extra.reduce((sum, value) => sum + value, 0));
			this.whole = whole / divisor;
		} else {
			this.whole = 0;
			for (let node = 1; node < tree.count; node++)
				this.whole = Math.max(this.whole, this.values[node]);
		}
	}
	value(node) {
		return this.divisors ? this.values[node] / this.divisors[node] : this.values[node];
	}
	share(node) {
		const part = this.value(node) / this.whole;
		if (!this.divisors)
			return this.whole ? Math.min(1, part) : 0;
		const share = Math.log2(part) / doublings;
		return Number.isNaN(share) ? 0 : Math.max(-1, Math.min(1, share));
	}
	colour(node, safe) {
		return scaleColour(this.share(node), Boolean(this.divisors), safe);
	}
	/* "exclusive Cycles Per Instruction 2.000"; `say` writes a value of a unit. */
	words(node, say) {
		const text = !this.divisors ? say(this.values[node], this.unit) : this.divisors[node] ? this.value(node).toFixed(3) : "-";
		return this.flavour + " " + this.title + " " + text;
	}
	legend(safe, say) {
		const about = "Colour: " + this.flavour + " " + this.title;
		if (!this.divisors)
			return about + ", up to " + say(this.whole, this.unit) + " in " + (safe ? "blue" : "red");
		return about + "; grey is that of all, " + this.whole.toFixed(3) + "; " +
			(safe ? "orange four times as much or more, purple a quarter or less" : "red four times as much or more, blue a quarter or less");
	}
}
