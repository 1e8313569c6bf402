/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a page (page_data.h): facts, functions, and nodes with several metrics. */
"use strict";

function readPage(bytes) {
	const reader = new DataReader(bytes), facts = JSON.parse(reader.texts()[0]);
	const names = reader.texts(), objects = reader.texts(), files = reader.texts(), kinds = new Array(reader.number());
	for (let i = 0; i < kinds.length; i++) {
		const kind = { function: reader.number(), name: names[reader.number()], object: objects[reader.number()], file: files[reader.number()] };
		kind.colours = facts.palettes.map(() => {
			const colour = reader.colour();
			return { css: rgb(colour), dark: isDark(...colour) };
		});
		kinds[i] = kind;
	}
	const columns = facts.compared ? 2 * facts.metrics.length : facts.metrics.length + (facts.chart ? 1 : 0);
	const base = Object.assign(readNodes(reader, columns), { kinds });
	return { facts, base: facts.chart ? arrange(endChart(base, reader), false) : base };
}
