/* SPDX-License-Identifier: Apache-2.0 */
/* Names for what several processes must find equal without talking to each other: 64-bit hashes. Not against malice. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

static inline uint64_t identity_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9ull;
	return h ^ h >> 29;
}

/* FNV-1a. */
static inline uint64_t identity_of_text(const char *text)
{
	uint64_t h = 0xCBF29CE484222325ull;
	while (*text)
		h = (h ^ (unsigned char)*text++) * 0x100000001B3ull;
	return h;
}

#endif
