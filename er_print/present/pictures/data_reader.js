/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data of pictures (data_bytes.h). */
"use strict";

/* Inflates what zlib has deflated. */
async function inflated(bytes) {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* The bytes that a text in base64 stands for. */
function bytesOf(base64) {
	const text = atob(base64), bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

/* Reads the numbers of the data one after another. */
class DataReader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	number() {
		let value = 0, scale = 1, byte;
		do {
			byte = this.bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte >= 128);
		return value;
	}
	colour() {
		this.at += 3;
		return Array.from(this.bytes.subarray(this.at - 3, this.at));
	}
	/* Sorted texts: each says how many bytes it has of the one before. */
	texts() {
		const texts = new Array(this.number()), decoder = new TextDecoder();
		let last = new Uint8Array(0);
		for (let i = 0; i < texts.length; i++) {
			const shared = this.number(), own = this.number(), bytes = new Uint8Array(shared + own);
			bytes.set(last.subarray(0, shared));
			bytes.set(this.bytes.subarray(this.at, this.at + own), shared);
			this.at += own;
			last = bytes;
			texts[i] = decoder.decode(bytes);
		}
		return texts;
	}
}
