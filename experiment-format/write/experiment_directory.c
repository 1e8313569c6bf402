/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the experiment's directory again, whatever the target did to its descriptors and working directory.
 */
#include "experiment_directory.h"
#include "system_calls.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Above what programs count on for their own descriptors (the usual limit is 1024), and low enough that the
   kernel's table, which is copied by fork and as long as the highest number, stays small. */
#define DESCRIPTOR_CEILING 1024
#define DESCRIPTORS_ABOVE  24

static int open_by_path(const char *path)
{
	return sys_openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

static bool identity(int fd, uint64_t *device, uint64_t *inode)
{
	struct stat status;
	if (system_call(SYS_fstat, fd, &status) < 0)
		return false;
	*device = status.st_dev;
	*inode = status.st_ino;
	return true;
}

/* Programs close descriptors that they did not open, and open others in their place: a number alone proves nothing. */
static bool is_ours(const struct held_descriptor *held)
{
	uint64_t device, inode;
	int fd = __atomic_load_n(&held->fd, __ATOMIC_RELAXED);
	return fd >= 0 && identity(fd, &device, &inode) && device == held->device && inode == held->inode;
}

static long copy_from(int fd, long lowest)
{
	return system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest);
}

/* The copy's number below the limit on open files, which may be low. -1 or less: there is none. */
static long copy_below_limit(int fd)
{
	struct rlimit limit = {DESCRIPTOR_CEILING, DESCRIPTOR_CEILING};
	system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit);
	long ceiling = limit.rlim_cur < DESCRIPTOR_CEILING ? (long)limit.rlim_cur : DESCRIPTOR_CEILING;
	/* Where there are so few, the target needs each. */
	return ceiling > 2 * DESCRIPTORS_ABOVE ? copy_from(fd, ceiling - DESCRIPTORS_ABOVE) : -1;
}

/* Most limits are not low: they are asked for only where they are. */
static int move_high(int fd)
{
	long high = copy_from(fd, DESCRIPTOR_CEILING - DESCRIPTORS_ABOVE);
	if (high < 0)
		high = copy_below_limit(fd);
	sys_close(fd);
	return high < 0 ? -1 : (int)high;
}

/* Holds a fresh descriptor, which is closed if it cannot be held. 0 or errno. */
static int hold(struct held_descriptor *held, int fd)
{
	held->fd = -1;
	if (!identity(fd, &held->device, &held->inode)) {
		sys_close(fd);
		return EBADF;
	}
	held->fd = move_high(fd);
	return 0;
}

static void let_go(struct held_descriptor *held)
{
	if (is_ours(held))
		sys_close(held->fd);
	held->fd = -1;
}

/* Copies a path, in two parts; false: too long. */
static bool set_path(struct experiment_directory *directory, const char *path, const char *name)
{
	struct text text = {.bytes = directory->path, .capacity = sizeof(directory->path) - 1};
	directory->self.fd = -1;
	directory->file_count = 0;
	text_string(&text, path);
	if (name) {
		text_append(&text, "/", 1);
		text_string(&text, name);
	}
	directory->path[text.size] = 0;
	return !text.cut;
}

static bool hold_directory(struct experiment_directory *directory, int fd, int *code)
{
	*code = fd < 0 ? -fd : hold(&directory->self, fd);
	return !*code;
}

bool experiment_directory_open(struct experiment_directory *directory, const char *path, int *code)
{
	bool fits = set_path(directory, path, 0);
	if (path[0] != '/' || !fits) {
		*code = path[0] == '/' ? ENAMETOOLONG : EINVAL;
		return false;
	}
	return hold_directory(directory, open_by_path(path), code);
}

/* A descriptor for *at() calls, to be given to leave(). */
static int enter(struct experiment_directory *directory)
{
	if (is_ours(&directory->self))
		return directory->self.fd;
	struct held_descriptor found;
	int fd = open_by_path(directory->path);
	if (fd < 0)
		return fd;
	if (identity(fd, &found.device, &found.inode) && found.device == directory->self.device &&
		found.inode == directory->self.inode)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

static void leave(struct experiment_directory *directory, int fd)
{
	if (fd >= 0 && fd != directory->self.fd)
		sys_close(fd);
}

bool experiment_directory_open_inside(struct experiment_directory *directory, struct experiment_directory *parent,
	const char *name, bool make, int *code)
{
	bool fits = set_path(directory, parent->path, name);
	int within = enter(parent), made = within < 0 ? within : fits ? 0 : -ENAMETOOLONG;
	if (made == 0 && make)
		made = (int)system_call(SYS_mkdirat, within, name, 0755);
	int fd = made < 0 ? made : sys_openat(within, name, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	leave(parent, within);
	return hold_directory(directory, fd, code);
}

void experiment_directory_close(struct experiment_directory *directory)
{
	for (unsigned i = 0; i < directory->file_count; i++)
		let_go(&directory->files[i].descriptor);
	let_go(&directory->self);
}

int experiment_directory_open_file(struct experiment_directory *directory, const char *name, int flags)
{
	int within = enter(directory);
	int fd = within < 0 ? within : sys_openat(within, name, flags | O_CLOEXEC, 0644);
	leave(directory, within);
	return fd;
}

int experiment_directory_make_file(
	struct experiment_directory *directory, const char *name, const char *temporary, const void *bytes, size_t size)
{
	int within = enter(directory);
	int fd = within < 0 ? within : sys_openat(within, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	long code = fd;
	if (fd >= 0) {
		code = sys_write(fd, bytes, size);
		code = code < 0 ? code : (size_t)code < size ? -ENOSPC : 0;
		sys_close(fd);
		if (!code)
			/* A link, since it fails where the name exists (rename would replace it), and the file has its content by
			   then. */
			code = system_call(SYS_linkat, within, temporary, within, name, 0);
		system_call(SYS_unlinkat, within, temporary, 0);
	}
	leave(directory, within);
	return (int)code;
}

static bool may_hold(const struct experiment_directory *directory)
{
	return directory->file_count < HELD_FILES_MAX && directory->self.fd >= 0;
}

void experiment_directory_keep_file(struct experiment_directory *directory, const char *name, int fd)
{
	if (!may_hold(directory)) {
		sys_close(fd);
		return;
	}
	struct held_file *file = &directory->files[directory->file_count];
	struct text text = {.bytes = file->name, .capacity = sizeof(file->name) - 1};
	text_string(&text, name);
	file->name[text.size] = 0;
	if (hold(&file->descriptor, fd) == 0)
		directory->file_count++;
}

void experiment_directory_hold_file(struct experiment_directory *directory, const char *name, int flags)
{
	int fd = may_hold(directory) ? experiment_directory_open_file(directory, name, flags) : -1;
	if (fd >= 0)
		experiment_directory_keep_file(directory, name, fd);
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

int experiment_directory_use_file(struct experiment_directory *directory, const char *name, int flags)
{
	for (unsigned i = 0; i < directory->file_count; i++)
		if (same(directory->files[i].name, name) && is_ours(&directory->files[i].descriptor))
			return directory->files[i].descriptor.fd;
	return experiment_directory_open_file(directory, name, flags);
}

static const struct held_descriptor *held_descriptor(const struct experiment_directory *directory, unsigned i)
{
	return i == directory->file_count ? &directory->self : &directory->files[i].descriptor;
}

void experiment_directory_leave_file(struct experiment_directory *directory, int fd)
{
	for (unsigned i = 0; i < directory->file_count; i++)
		if (directory->files[i].descriptor.fd == fd)
			return;
	sys_close(fd);
}

bool experiment_directory_holds(const struct experiment_directory *directory, int number)
{
	for (unsigned i = 0; number >= 0 && i <= directory->file_count; i++) {
		const struct held_descriptor *held = held_descriptor(directory, i);
		if (held->fd == number)
			return is_ours(held);
	}
	return false;
}

int experiment_directory_next_held(const struct experiment_directory *directory, int first)
{
	int lowest = -1;
	for (unsigned i = 0; i <= directory->file_count; i++) {
		const struct held_descriptor *held = held_descriptor(directory, i);
		if (held->fd >= first && (lowest < 0 || held->fd < lowest) && is_ours(held))
			lowest = held->fd;
	}
	return lowest;
}
