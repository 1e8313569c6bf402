/* SPDX-License-Identifier: Apache-2.0 */
/* The definition of a function that comes after this library's, as dlsym(RTLD_NEXT) finds it among what was loaded before the
   program started, but without the loader: that takes a lock, which another thread may hold for ever in the child of a fork,
   changes what dlerror() says, may allocate, and must so be asked for every function before the program starts. This may be
   asked at any time: async-signal-safe. */
#ifndef NEXT_DEFINITION_H
#define NEXT_DEFINITION_H

#include <stdbool.h>

/* Notes what is loaded after this library, at the first call, which must be before there is a second thread. False: the objects
   are too many, or one has no table to search in: the loader must be asked. */
bool next_definitions_known(void);

/* The function's address, for one that the loader chooses at run time (STT_GNU_IFUNC) what it would choose. `version`: of the
   symbol; 0: the default one, which a program linked today gets. 0: there is none. Only if next_definitions_known(). */
void *next_definition(const char *name, const char *version);

#endif
