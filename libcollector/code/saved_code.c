/* SPDX-License-Identifier: Apache-2.0 */
/* Copying the vdso and the map of JIT code into the experiment. */
#include "saved_code.h"
#include "archive_name.h"
#include "collector.h"
#include "system_calls.h"
#include "text.h"
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>

static char path[4096 + ARCHIVE_NAME_MAX + 16]; /* under the caller's lock, like the copy's buffer */

/* The image ends with its section headers or its segment. */
static size_t image_size(const ElfW(Ehdr) * header)
{
	const ElfW(Phdr) *segments = (const void *)((const char *)header + header->e_phoff);
	size_t size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	for (unsigned i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD && segments[i].p_offset + segments[i].p_filesz > size)
			size = segments[i].p_offset + segments[i].p_filesz;
	return size;
}

/* FOUNDER/archives or, with a name, FOUNDER/archives/NAME. */
static const char *in_archives(const char *name)
{
	struct text text = {.bytes = path, .capacity = sizeof path - 1};
	text_string(&text, collector.settings.founder);
	text_string(&text, "/" ARCHIVES_FOLDER);
	if (name)
		text_append(&text, "/", 1);
	text_string(&text, name ? name : "");
	path[text.size] = 0;
	return path;
}

void vdso_save(const char *build_id)
{
	static char name[ARCHIVE_NAME_MAX];
	const ElfW(Ehdr) *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	if (!image)
		return;
	archive_object_name(name, VDSO_PATH, build_id, "");
	system_call(SYS_mkdirat, AT_FDCWD, in_archives(0), 0755);
	int fd = sys_openat(AT_FDCWD, in_archives(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	sys_write(fd, image, image_size(image));
	sys_close(fd);
}

static const char *perf_map_path(void)
{
	struct text text = {.bytes = path, .capacity = sizeof path - 1};
	text_string(&text, "/tmp/perf-");
	text_number(&text, (uint64_t)collector.process, 10, 1);
	text_string(&text, ".map");
	path[text.size] = 0;
	return path;
}

/* Only a file of our own user is believed: /tmp is everybody's; and none that is older than the process. */
static int open_perf_map(void)
{
	struct stat status;
	int fd = sys_openat(AT_FDCWD, perf_map_path(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (system_call(SYS_fstat, fd, &status) < 0 || !S_ISREG(status.st_mode) ||
		status.st_uid != (uid_t)system_call(SYS_geteuid) ||
		(uint64_t)status.st_mtim.tv_sec < collector.start.realtime / 1000000000u) {
		sys_close(fd);
		return -1;
	}
	return fd;
}

void perf_map_save(void)
{
	static char buffer[16384];
	int from = open_perf_map();
	if (from < 0)
		return;
	int to = experiment_directory_open_file(&collector.directory, PERF_MAP_FILE, O_WRONLY | O_CREAT | O_TRUNC);
	for (long n; to >= 0 && (n = sys_read(from, buffer, sizeof buffer)) > 0;)
		sys_write(to, buffer, (size_t)n);
	if (to >= 0)
		sys_close(to);
	sys_close(from);
}
