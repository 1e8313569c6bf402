/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of program that files are, told of files that are made here. */
#include "image.h"
#include "lineage.h"
#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/er-tools-image.XXXXXX";

static const char *write_file(const char *name, const void *bytes, size_t size, mode_t mode)
{
	static char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	unlink(path);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (int)size);
	close(fd);
	ck_assert_int_eq(chmod(path, mode), 0);
	return path;
}

#if defined(__x86_64__)
#define OURS       EM_X86_64
#define OTHER      EM_AARCH64
#define OUR_LOADER "/lib64/ld-linux-x86-64.so.2"
#else
#define OURS       EM_AARCH64
#define OTHER      EM_X86_64
#define OUR_LOADER "/lib/ld-linux-aarch64.so.1"
#endif

/* An ELF file of one program header, which is followed by the name of a loader. */
static const char *write_elf_of(
	const char *loader, const char *name, unsigned char class, unsigned machine, unsigned header_type, mode_t mode)
{
	struct {
		Elf64_Ehdr file;
		Elf64_Phdr segment;
		char loader[1024];
	} elf = {.file = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, class, ELFDATA2LSB},
			 .e_type = ET_DYN,
			 .e_machine = (Elf64_Half)machine,
			 .e_phoff = sizeof(Elf64_Ehdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 1},
		.segment = {.p_type = header_type,
			.p_offset = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
			.p_filesz = strlen(loader) + 1}};
	strncpy(elf.loader, loader, sizeof elf.loader - 1);
	return write_file(name, &elf, sizeof elf, mode);
}

static const char *write_elf(const char *name, unsigned char class, unsigned machine, unsigned header_type, mode_t mode)
{
	return write_elf_of(OUR_LOADER, name, class, machine, header_type, mode);
}

static enum image kind_of(const char *path, struct image_facts *facts)
{
	int fd = open(path, O_RDONLY);
	enum image image = image_of_file(fd, facts);
	close(fd);
	return image;
}

/* The kinds that collect tells apart, and what it says of them. */
START_TEST(kinds)
{
	struct image_facts facts;
	const char *file = write_elf("dynamic", ELFCLASS64, OURS, PT_INTERP, 0755);
	ck_assert_int_eq(kind_of(file, &facts), IMAGE_DYNAMIC);
	ck_assert_str_eq(facts.path, OUR_LOADER);
	ck_assert_int_eq(truncate(file, sizeof(Elf64_Ehdr) + 8), 0);
	ck_assert_int_eq(kind_of(file, &facts), IMAGE_DAMAGED);
	ck_assert_int_eq(truncate(file, 20), 0);
	ck_assert_int_eq(kind_of(file, &facts), IMAGE_DAMAGED);
	ck_assert_int_eq(kind_of(write_file("text", "echo\n", 5, 0755), &facts), IMAGE_TEXT);
	ck_assert_int_eq(kind_of(write_file("bytes", "a\0b", 3, 0755), &facts), IMAGE_OTHER);
	ck_assert_int_eq(kind_of(write_file("script", "#! \t/bin/x y\n", 13, 0755), &facts), IMAGE_SCRIPT);
	ck_assert_str_eq(facts.path, "/bin/x");
	ck_assert_int_eq(kind_of(write_file("nameless", "#!\n/bin/x\n", 10, 0755), &facts), IMAGE_TEXT);
	/* A path that is longer than facts have room for is cut at its front: the name of the loader is at its end. */
	char loader[800], *end = loader;
	memset(loader, '/', sizeof loader);
	strcpy(end + sizeof loader - 1 - strlen(OUR_LOADER), OUR_LOADER);
	ck_assert_int_eq(
		kind_of(write_elf_of(loader, "long", ELFCLASS64, OURS, PT_INTERP, 0755), &facts), IMAGE_DYNAMIC);
}

START_TEST(elf_files)
{
	ck_assert_int_eq(image_of(AT_FDCWD, write_elf("dynamic", ELFCLASS64, OURS, PT_INTERP, 0755)), IMAGE_DYNAMIC);
	ck_assert_int_eq(image_of(AT_FDCWD, write_elf("static", ELFCLASS64, OURS, PT_LOAD, 0755)), IMAGE_STATIC);
	ck_assert_int_eq(image_of(AT_FDCWD, write_elf("other", ELFCLASS64, OTHER, PT_INTERP, 0755)), IMAGE_FOREIGN);
	ck_assert_int_eq(image_of(AT_FDCWD, write_elf("small", ELFCLASS32, OURS, PT_INTERP, 0755)), IMAGE_FOREIGN);
	const char *file = write_elf_of("/lib/ld-musl-x86_64.so.1", "musl", ELFCLASS64, OURS, PT_INTERP, 0755);
	ck_assert_int_eq(image_of(AT_FDCWD, file), IMAGE_OTHER_LIBC);
	file = write_elf_of("/elsewhere" OUR_LOADER, "elsewhere", ELFCLASS64, OURS, PT_INTERP, 0755);
	ck_assert_int_eq(image_of(AT_FDCWD, file), IMAGE_DYNAMIC);
	ck_assert_int_eq(image_of(AT_FDCWD, write_elf("data", ELFCLASS64, OURS, PT_INTERP, 0644)), IMAGE_MISSING);
	ck_assert_int_eq(image_of(AT_FDCWD, "/nonexistent"), IMAGE_MISSING);
	ck_assert_int_eq(image_of(AT_FDCWD, folder), IMAGE_MISSING);
	/* Cut off: nothing but the kernel knows. */
	ck_assert_int_eq(image_of(AT_FDCWD, write_file("empty", "", 0, 0755)), IMAGE_DYNAMIC);
	ck_assert_int_eq(image_of(AT_FDCWD, write_file("text", "echo\n", 5, 0755)), IMAGE_DYNAMIC);
}
END_TEST

START_TEST(privileges)
{
	const char *path = write_elf("own", ELFCLASS64, OURS, PT_INTERP, 04755);
	ck_assert_int_eq(image_of(AT_FDCWD, path), IMAGE_DYNAMIC); /* set-user-id of the user itself changes nothing */
	if (geteuid() == 0) {
		ck_assert_int_eq(chown(path, 65534, 0), 0);
		ck_assert_int_eq(chmod(path, 04755), 0);
		ck_assert_int_eq(image_of(AT_FDCWD, path), IMAGE_PRIVILEGED);
		ck_assert_int_eq(chmod(path, 0755), 0);
		ck_assert_int_eq(image_of(AT_FDCWD, path), IMAGE_DYNAMIC);
	}
	ck_assert_ptr_nonnull(image_reason(IMAGE_PRIVILEGED));
	ck_assert_ptr_null(image_reason(IMAGE_DYNAMIC));
}
END_TEST

START_TEST(scripts_are_what_interprets_them)
{
	char script[4200];
	write_elf("interpreter", ELFCLASS64, OURS, PT_LOAD, 0755);
	snprintf(script, sizeof script, "#! \t%s/interpreter -x y\nrest", folder);
	ck_assert_int_eq(image_of(AT_FDCWD, write_file("script", script, strlen(script), 0755)), IMAGE_STATIC);
	snprintf(script, sizeof script, "#!%s/script", folder);
	ck_assert_int_eq(image_of(AT_FDCWD, write_file("second", script, strlen(script), 0755)), IMAGE_STATIC);
	/* One that names itself ends. */
	snprintf(script, sizeof script, "#!%s/loop\n", folder);
	ck_assert_int_eq(image_of(AT_FDCWD, write_file("loop", script, strlen(script), 0755)), IMAGE_DYNAMIC);
}
END_TEST

START_TEST(descriptors_and_commands)
{
	int fd = open(write_elf("by_fd", ELFCLASS64, OURS, PT_LOAD, 0755), O_RDONLY);
	ck_assert_int_eq(image_of(fd, ""), IMAGE_STATIC);
	close(fd);
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(image_of(fd, "by_fd"), IMAGE_STATIC);
	close(fd);
	char path[4200];
	snprintf(path, sizeof path, "/nonexistent:%s::/bin", folder);
	setenv("PATH", path, 1);
	ck_assert_int_eq(image_of_command("by_fd"), IMAGE_STATIC);
	ck_assert_int_eq(image_of_command("no such command"), IMAGE_MISSING);
	ck_assert_int_eq(image_of_command("sh"), IMAGE_DYNAMIC);
}
END_TEST

START_TEST(lineage_names)
{
	char name[16];
	struct text text = {.bytes = name, .capacity = sizeof name - 1};
	lineage_append(&text, 'f', 3);
	lineage_append(&text, 'x', 120);
	name[text.size] = 0;
	ck_assert_str_eq(name, "_f3_x120");
	lineage_reset();
	ck_assert_uint_eq(lineage_next_exec(), 1);
	ck_assert_uint_eq(lineage_next_exec(), 2);
	lineage_exec_failed(1); /* a later one was taken */
	ck_assert_uint_eq(lineage_next_exec(), 3);
	lineage_exec_failed(3);
	ck_assert_uint_eq(lineage_next_exec(), 3);
	ck_assert_uint_eq(lineage_next_fork(), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("follow_image");
	TCase *cases = tcase_create("images");
	if (!mkdtemp(folder))
		return 1;
	tcase_add_test(cases, kinds);
	tcase_add_test(cases, elf_files);
	tcase_add_test(cases, privileges);
	tcase_add_test(cases, scripts_are_what_interprets_them);
	tcase_add_test(cases, descriptors_and_commands);
	tcase_add_test(cases, lineage_names);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0 || failed != 0;
}
