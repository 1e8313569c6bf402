/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for malloc among a program's dynamic symbols: see own_malloc.h. */
#include "own_malloc.h"
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool section_defines(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, 0);
	GElf_Sym symbol;
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = symbol.st_shndx == SHN_UNDEF ? 0 : elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && strcmp(name, "malloc") == 0)
			return true;
	}
	return false;
}

bool own_malloc_defined(const char *path)
{
	bool defined = false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 ? 0 : elf_begin(fd, ELF_C_READ, 0);
	Elf_Scn *section = 0;
	while (elf && !defined && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			defined = section_defines(elf, section, &header);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return defined;
}
