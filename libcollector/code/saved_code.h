/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is in no file of its own and is gone with the process: the vdso and what run-times announce of their JIT
   code. Copied into the experiment. */
#ifndef SAVED_CODE_H
#define SAVED_CODE_H

#define VDSO_PATH "[vdso]"

/* Writes the vdso's image into the founder's archives (archive_name.h), if no process has yet. */
void vdso_save(const char *build_id);
/* Copies /tmp/perf-PID.map, if there is one. */
void perf_map_save(void);

#endif
