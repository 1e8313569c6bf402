/* SPDX-License-Identifier: Apache-2.0 */
/* Which code is mapped, where and when: map.xml. Main program, shared objects (dlopen, dlclose), vdso, and at close the
   process's /tmp/perf-PID.map. Not in handlers. */
#ifndef LOAD_OBJECTS_H
#define LOAD_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a map line for every executable segment mapped now. In a fork child: for what the parent knew, without asking
   the loader, whose locks another thread may have held. */
void load_objects_start(void);
/* Writes what is new or gone since the last call; unmapped code starts a new generation (capture.h). Cheap if the loader
   did nothing meanwhile. */
void load_objects_update(void);
/* Also finds code that the loader does not list: other namespaces (dlmopen) and what run-times map themselves. */
void load_objects_update_all(void);
/* Looks in a handler of ours whether code of a file is mapped at an address that is no listed object's, and notes it. False:
   there is none, so that the next look may wait. */
bool load_objects_look_in_handler(uint64_t address);
/* Code that the loader does not list was never outside this range. Atomic; zero: there was none. */
extern struct unlisted_range {
	uint64_t low, high;
} load_objects_unlisted;
/* Memory is not what it was: if it had such code, that is noted to be gone. */
void load_objects_unmapped(uint64_t address, uint64_t size);
/* Updates, and saves /tmp/perf-PID.map into the experiment. */
void load_objects_close(void);

/* Around fork, so that the table is whole in the child, and around other changes of what addresses mean. The first says whether
   the second is to follow (not in a handler of the target that interrupted our own work); in a fork child it always is. */
bool load_objects_hold(void);
void load_objects_release(void);
/* In the child, instead: the loader is not asked any more. */
void load_objects_in_child(void);
/* Whether dl_iterate_phdr may be called: not in a fork child. */
bool load_objects_may_ask_loader(void);

#endif
