/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of an experiment as the recorded process reaches it: by a high descriptor if that still is
   that directory, else by its path (chdir, chroot and closefrom of the target must not matter). The files that it
   writes again and again are held open in the same way, so that a process that has given up its privileges or has no
   descriptors left can still write them. Raw system calls only; async-signal-safe. */
#ifndef EXPERIMENT_DIRECTORY_H
#define EXPERIMENT_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A descriptor of ours, which may have become the target's. */
struct held_descriptor {
	int fd;                 /* atomic: high, close-on-exec; -1: none */
	uint64_t device, inode; /* what fd must be */
};

#define HELD_FILES_MAX 12

struct experiment_directory {
	char path[4096]; /* absolute */
	struct held_descriptor self;
	struct held_file {
		char name[64];
		struct held_descriptor descriptor;
	} files[HELD_FILES_MAX];
	unsigned file_count; /* of files[]; set before other threads use the directory */
};

/* Opens the directory, which the caller made; `path` is absolute. False and *code, an errno value, on
   failure. A fork child opens its own experiment's in another struct. */
bool experiment_directory_open(struct experiment_directory *directory, const char *path, int *code);
/* As experiment_directory_open(), for NAME in `parent`, which need not be reachable by its path any more. With `make` it is made
   first. */
bool experiment_directory_open_inside(struct experiment_directory *directory, struct experiment_directory *parent,
	const char *name, bool make, int *code);
/* Closes its descriptors as far as they are still ours. */
void experiment_directory_close(struct experiment_directory *directory);

/* Opens a file in it: flags as open(2) (O_CLOEXEC is added), mode 0644. Returns the descriptor or -errno. */
int experiment_directory_open_file(struct experiment_directory *directory, const char *name, int flags);

/* Makes a file that appears with its whole content or not at all, by way of a file of the name `temporary`, which must be the
   caller's alone. 0, or -errno: -EEXIST if the name is taken. */
int experiment_directory_make_file(struct experiment_directory *directory, const char *name, const char *temporary,
	const void *bytes, size_t size);

/* Holds an existing file open from now on, unless descriptors are few. Not in handlers. */
void experiment_directory_hold_file(struct experiment_directory *directory, const char *name, int flags);
/* As that, for a file that is open already: its descriptor is held or closed. */
void experiment_directory_keep_file(struct experiment_directory *directory, const char *name, int fd);
/* The file's held descriptor, or a fresh one with these flags, or -errno; then experiment_directory_leave_file(). */
int experiment_directory_use_file(struct experiment_directory *directory, const char *name, int flags);
void experiment_directory_leave_file(struct experiment_directory *directory, int fd);

/* Whether the number is one of its descriptors, and still is. */
bool experiment_directory_holds(const struct experiment_directory *directory, int number);
/* The lowest number from `first` on that is one of its descriptors, and still is; -1: none. */
int experiment_directory_next_held(const struct experiment_directory *directory, int first);

#endif
