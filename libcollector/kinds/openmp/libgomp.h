/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libgomp that we stand in front of (libgomp.def), and finding those behind ours. */
#ifndef LIBGOMP_H
#define LIBGOMP_H

enum libgomp_function {
#define REGION(name, version, extra, reduces) LIBGOMP_##name,
#include "libgomp.def"
	LIBGOMP_FUNCTIONS
};
/* The function of the run-time that the object with this code was linked to; 0: none is found. A process may have several
   run-times, each in objects that others do not see. Takes the loader's locks at the first use. */
void *libgomp_real(enum libgomp_function function, const void *code);

#endif
