/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style and the script of a flame graph, as they are in this folder, inside the program. */
#include "flamegraph_files.h"

#define EMBED(name, file)                                                                                              \
	__asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n")

EMBED(flamegraph_style, "er_print/present/pictures/flamegraph.css");
EMBED(flamegraph_script, "er_print/present/pictures/flamegraph.js");
