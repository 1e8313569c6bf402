/* SPDX-License-Identifier: Apache-2.0 */
/* The inlined function of known_lines.c. */
#ifndef KNOWN_LINES_H
#define KNOWN_LINES_H

static inline __attribute__((always_inline)) unsigned long step_inlined(unsigned long x)
{
	return (x * 6364136223846793005ul + 1442695040888963407ul) ^ (x / (x % 7 + 3)); /* line TWENTY */
}

#endif
