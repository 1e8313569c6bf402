/* SPDX-License-Identifier: Apache-2.0 */
/* Removing an experiment's directory: see remove_tree.h. */
#include "remove_tree.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A founder, a descendant in it, its archives: what is deeper is not an experiment's. */
#define DEPTH_MAX 4u

static void remove_level(int parent, const char *name, unsigned depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *directory = fd < 0 ? 0 : fdopendir(fd);
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) != 0 && depth < DEPTH_MAX)
			remove_level(fd, entry->d_name, depth + 1);
	}
	if (directory)
		closedir(directory);
	else if (fd >= 0)
		close(fd);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void remove_tree(int parent, const char *name)
{
	remove_level(parent, name, 0);
}
