/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From linkage names to the names of the source: C++, Rust (both manglings), D, and procedures of Fortran modules. */
#ifndef DEMANGLE_NAME_H
#define DEMANGLE_NAME_H

#include <stdbool.h>

/* The name with arguments, or, short, without. 0 if it is not mangled. The caller frees it. */
char *demangle_name(const char *mangled, bool with_arguments);

#endif
