/* SPDX-License-Identifier: Apache-2.0 */
/* Which loaded object an address belongs to, and where its unwind tables are: libc's _dl_find_object where there is one
   (glibc >= 2.35), else a table of our own. */
#ifndef MODULES_H
#define MODULES_H

#include <stdbool.h>
#include <stdint.h>

struct module {
	uint64_t start, end;               /* of its mapping, or of the part of it that holds the address */
	const unsigned char *eh_frame_hdr; /* 0: it has no unwind tables */
	uint64_t tables_start, tables_end; /* these lie between */
};

/* Set in the environment: the own table is used even where libc has _dl_find_object (for tests). */
#define ENVIRONMENT_OWN_MODULES "ER_TOOLS_OWN_MODULES"

/* The object mapped at pc. Async-signal-safe, lock-free. */
bool module_find(uint64_t pc, struct module *module);

/* Chooses the way and reads the table if it is needed. Not in handlers. */
void modules_start(void);
/* After dlopen and dlclose: reads the table again if it is in use. Not in handlers. */
void modules_refresh(void);

#endif
