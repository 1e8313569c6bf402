/* SPDX-License-Identifier: Apache-2.0 */
/* Walking a stopped thread's stack with libdwfl: see outside_walk.h. */
#include "outside_walk.h"
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static Dwfl *session;
static char *session_maps; /* the executable mappings that the session was told of */

struct frames {
	FILE *log;
	uint64_t leaf;
	bool first;
};

static int no_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
	const char *link, GElf_Word crc, char **path)
{
	(void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = no_debug_file, /* .eh_frame is enough, and quick */
};

/* The lines of /proc/PID/maps that are executable; the caller frees. */
static char *executable_maps(pid_t pid)
{
	char path[64], *text = 0, *line = 0;
	size_t size = 0, room = 0;
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	FILE *maps = fopen(path, "re"), *copy = open_memstream(&text, &size);
	while (maps && copy && getline(&line, &room, maps) > 0) {
		const char *rights = strchr(line, ' ');
		if (rights && rights[3] == 'x')
			fputs(line, copy);
	}
	free(line);
	if (maps)
		fclose(maps);
	if (copy)
		fclose(copy);
	return text;
}

void outside_walk_forget(void)
{
	if (session)
		dwfl_end(session);
	session = 0;
	free(session_maps);
	session_maps = 0;
}

/* Whether the session knows the process as it is now. */
static bool attach(pid_t pid)
{
	char *now = executable_maps(pid);
	if (session && now && session_maps && strcmp(now, session_maps) == 0) {
		free(now);
		return true;
	}
	outside_walk_forget();
	session_maps = now;
	session = dwfl_begin(&callbacks);
	if (session && dwfl_linux_proc_report(session, pid) == 0 && dwfl_report_end(session, 0, 0) == 0 &&
		dwfl_linux_proc_attach(session, pid, true) == 0)
		return true;
	outside_walk_forget();
	return false;
}

/* Whether unwind tables of the module describe the address; *trampoline: as the code that a signal's handler returns to. */
static bool described(Dwfl_Module *module, Dwarf_Addr address, bool *trampoline)
{
	*trampoline = false;
	Dwarf_Addr bias;
	Dwarf_Frame *frame;
	Dwarf_CFI *cfi = module ? dwfl_module_eh_cfi(module, &bias) : 0;
	if (!cfi || dwarf_cfi_addrframe(cfi, address - bias, &frame) != 0)
		return false;
	dwarf_frame_info(frame, 0, 0, trampoline);
	free(frame);
	return true;
}

static const char *file_name(Dwfl_Module *module)
{
	const char *name = module ? dwfl_module_info(module, 0, 0, 0, 0, 0, 0, 0) : 0;
	const char *slash = name ? strrchr(name, '/') : 0;
	return slash ? slash + 1 : name ? name : "";
}

static int each_frame(Dwfl_Frame *frame, void *argument)
{
	struct frames *frames = argument;
	Dwarf_Addr pc;
	bool exact;
	if (!dwfl_frame_pc(frame, &pc, &exact))
		return DWARF_CB_ABORT;
	bool leaf = frames->first;
	if (leaf)
		pc = frames->leaf;
	frames->first = false;
	Dwarf_Addr inside = pc - !exact;
	Dwfl_Module *module = dwfl_addrmodule(session, inside);
	bool ours = strcmp(file_name(module), "libcollector.so") == 0, trampoline;
	bool known = described(module, inside, &trampoline);
	fprintf(frames->log, " %" PRIx64 "%s%s%s", pc, exact && (leaf || !trampoline) ? "=" : "", ours ? "~" : "",
		known ? "" : "!");
	return DWARF_CB_OK;
}

void outside_walk(FILE *log, pid_t pid, pid_t tid, uint64_t leaf)
{
	struct frames frames = {log, leaf, true};
	if (!attach(pid)) {
		fprintf(log, " / not attached: %s\n", dwfl_errmsg(-1));
		return;
	}
	dwfl_errno();
	int result = dwfl_getthread_frames(session, tid, each_frame, &frames);
	fprintf(log, " / %s\n", result == 0 ? "end" : dwfl_errmsg(-1));
}
