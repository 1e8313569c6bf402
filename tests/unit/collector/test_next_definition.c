// SPDX-License-Identifier: Apache-2.0
// Every function of every library that this program is linked to, in every version that its library defines: found where the
// loader finds it, which is the oracle.
#include "next_definition.h"
#include <check.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

enum { VERSIONS_MAX = 128 };

struct library {
	Elf *elf;
	Elf_Scn *symbols, *definitions;
	GElf_Shdr header;                   // of symbols
	const char *versions[VERSIONS_MAX]; // that it defines
	unsigned version_count;
};

static unsigned compared, found; // (function, version)

static void compare(const char *name, const char *version)
{
	void *expected = version ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
	void *got = next_definition(name, version);
	ck_assert_msg(
		got == expected, "%s, version %s: %p, the loader: %p", name, version ? version : "none", got, expected);
	compared++;
	found += got != 0;
}

static void find_sections(struct library *library)
{
	Elf_Scn *section = 0;
	while ((section = elf_nextscn(library->elf, section))) {
		GElf_Shdr header;
		gelf_getshdr(section, &header);
		if (header.sh_type == SHT_DYNSYM)
			library->symbols = section, library->header = header;
		if (header.sh_type == SHT_GNU_verdef)
			library->definitions = section;
	}
}

static void read_versions(struct library *library)
{
	Elf_Data *data = library->definitions ? elf_getdata(library->definitions, 0) : 0;
	GElf_Verdef definition = {.vd_next = 1};
	for (int at = 0; data && definition.vd_next && library->version_count < VERSIONS_MAX;
		at += (int)definition.vd_next) {
		GElf_Verdaux name;
		gelf_getverdef(data, at, &definition);
		gelf_getverdaux(data, at + (int)definition.vd_aux, &name);
		library->versions[library->version_count++] =
			elf_strptr(library->elf, library->header.sh_link, name.vda_name);
	}
}

static void compare_all(struct library *library)
{
	Elf_Data *data = elf_getdata(library->symbols, 0);
	GElf_Sym symbol;
	for (int i = 1; gelf_getsym(data, i, &symbol); i++) {
		unsigned type = GELF_ST_TYPE(symbol.st_info);
		if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		const char *name = elf_strptr(library->elf, library->header.sh_link, symbol.st_name);
		compare(name, 0);
		for (unsigned k = 0; k < library->version_count; k++)
			compare(name, library->versions[k]);
	}
}

static int compare_library(struct dl_phdr_info *info, size_t size, void *count)
{
	struct library library = {0};
	int fd = strstr(info->dlpi_name, ".so") ? open(info->dlpi_name, O_RDONLY) : -1; // not the program, not the vdso
	(void)size;
	library.elf = fd < 0 ? 0 : elf_begin(fd, ELF_C_READ_MMAP, 0);
	if (!library.elf)
		return 0;
	find_sections(&library);
	read_versions(&library);
	compare_all(&library);
	elf_end(library.elf);
	close(fd);
	++*(unsigned *)count;
	return 0;
}

START_TEST(as_the_loader)
{
	unsigned libraries = 0;
	elf_version(EV_CURRENT);
	ck_assert(next_definitions_known());
	dl_iterate_phdr(compare_library, &libraries);
	ck_assert_uint_ge(libraries, 3); // libc, ld.so and Check's, at least
	ck_assert_uint_gt(found, 2000);
	ck_assert_uint_gt(compared, found); // most functions do not have most versions
}
END_TEST

START_TEST(absent)
{
	ck_assert(next_definitions_known());
	ck_assert_ptr_null(next_definition("er_tools_has_no_such_function", 0));
	ck_assert_ptr_null(next_definition("malloc", "GLIBC_9.9"));
	ck_assert_ptr_null(next_definition("", 0));
	ck_assert_ptr_null(next_definition("main", 0)); // it is this program's, not after it
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("next_definition");
	TCase *all = tcase_create("all");
	tcase_add_test(all, as_the_loader);
	tcase_add_test(all, absent);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
