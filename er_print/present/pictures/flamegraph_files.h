/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style and the script of a flame graph: flamegraph.css and flamegraph.js as text. */
#ifndef FLAMEGRAPH_FILES_H
#define FLAMEGRAPH_FILES_H

extern const char flamegraph_style[], flamegraph_script[];

#endif
