/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a program can see of its environment: main's third argument, environ, the memory behind the arguments, and
   the auxiliary vector as it is found by walking past the environment, which must be what getauxval says. With arguments,
   execs them in the end. */
#include <elf.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

int main(int count, char **arguments, char **environment)
{
	static const unsigned long kinds[] = {AT_PHDR, AT_PHNUM, AT_PAGESZ, AT_ENTRY, AT_SYSINFO_EHDR, AT_RANDOM,
		AT_UID, AT_HWCAP, AT_EXECFN, AT_PLATFORM, AT_CLKTCK};
	char **at = arguments + count + 1;
	printf("same arrays: %d %d\n", environment == environ, at == environ);
	for (; *at; at++)
		puts(*at);
	at++;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const Elf64_auxv_t *entry = (const void *)at;
		while (entry->a_type != AT_NULL && entry->a_type != kinds[i])
			entry++;
		printf("auxv %lu: %s\n", kinds[i],
			entry->a_type == kinds[i] && entry->a_un.a_val == getauxval(kinds[i]) ? "same" : "differs");
	}
	fflush(stdout);
	if (count > 1)
		execv(arguments[1], arguments + 1);
	return count > 1;
}
