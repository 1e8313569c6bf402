/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by which a C or C++ program speaks to the collector that records it: libcollector(3). Link with -lcollectorAPI;
   where nothing records the program, each of these calls returns at once. All are thread-safe. */
#ifndef COLLECTOR_API_H
#define COLLECTOR_API_H

#ifdef __cplusplus
extern "C" {
#endif

/* Notes what the process has used so far, under this label. Also while recording is paused. */
void collector_sample(const char *label);

/* Stops recording events in the whole process, and lets it go on. Without effect if it is so already. */
void collector_pause(void);
void collector_resume(void);

/* As the two above, for one thread: its number as gettid(2) gives it, 0 for the calling one. */
void collector_thread_pause(unsigned int thread);
void collector_thread_resume(unsigned int thread);

/* Ends the experiment of this process, which runs on; later calls are without effect. */
void collector_terminate_expt(void);

/* Where the code of a source line begins, in bytes from the function's start; it ends where the next one begins. */
typedef struct Lineno {
	unsigned int offset;
	unsigned int lineno;
} Lineno;

/* Names code that was made at run time and is ready: `size` bytes at `address`, which are copied. `name` without blanks (0:
   its address), `alias` any text or 0, `source` the path of its source or 0; `lines` is a table of `line_count` rows whose
   offsets rise, or 0. */
void collector_func_load(const char *name, const char *alias, const char *source, void *address, int size,
	int line_count, Lineno *lines);
/* The code there is gone. */
void collector_func_unload(void *address);

#ifdef __cplusplus
}
#endif

#endif
