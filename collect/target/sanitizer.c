/* SPDX-License-Identifier: Apache-2.0 */
/* AddressSanitizer and preloading: see sanitizer.h. */
#include "sanitizer.h"
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNTIME "libasan.so"
#define PERMIT  "verify_asan_link_order=0"

static bool section_needs_runtime(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, 0);
	GElf_Dyn entry;
	for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
		if (entry.d_tag == DT_NULL)
			break;
		const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header->sh_link, entry.d_un.d_val) : 0;
		if (name && strncmp(name, RUNTIME, strlen(RUNTIME)) == 0)
			return true;
	}
	return false;
}

bool sanitizer_needed(const char *path)
{
	bool needed = false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 ? 0 : elf_begin(fd, ELF_C_READ, 0);
	Elf_Scn *section = 0;
	while (elf && !needed && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
			needed = section_needs_runtime(elf, section, &header);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return needed;
}

bool sanitizer_permit_preload(void)
{
	const char *old = getenv("ASAN_OPTIONS");
	char *value;
	/* The last one counts. */
	if (asprintf(&value, "%s%s" PERMIT, old ? old : "", old && old[0] ? ":" : "") < 0)
		return false;
	bool ok = setenv("ASAN_OPTIONS", value, 1) == 0;
	free(value);
	return ok;
}
