/* SPDX-License-Identifier: Apache-2.0 */
/* Reading /proc/kallsyms: lines "ADDRESS TYPE NAME", of modules with "[MODULE]" behind; types t and w are code. */
#include "kernel_names.h"
#include "layout.h"
#include "message.h"
#include "search.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The size of a symbol that no other one ends, or that lies before a gap between modules. */
#define FUNCTION_MOST (1u << 20)

struct symbol {
	uint64_t address;
	char *name;
	bool local;
};

struct symbols {
	struct symbol *array;
	size_t count, capacity;
};

static void add_symbol(struct symbols *symbols, const struct symbol *symbol)
{
	if (symbols->count == symbols->capacity) {
		symbols->capacity = symbols->capacity ? 2 * symbols->capacity : 4096;
		symbols->array = realloc(symbols->array, symbols->capacity * sizeof *symbols->array);
		if (!symbols->array)
			abort();
	}
	symbols->array[symbols->count++] = *symbol;
}

static void read_line(struct symbols *symbols, char *line)
{
	char *end;
	uint64_t address = strtoull(line, &end, 16);
	if (!address || end == line || end[0] != ' ' || !end[1] || !strchr("tTwW", end[1]) || end[2] != ' ')
		return;
	bool local = end[1] == 't';
	char *name = end + 3, *module = strchr(name, '\t');
	name[strcspn(name, "\n")] = 0;
	if (module)
		*module = ' ';
	name = strdup(name);
	if (!name)
		abort();
	add_symbol(symbols, &(struct symbol){address, name, local});
}

/* Among several names of one function a global one is the last; else their spelling decides. */
static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return COMPARE(x->address, y->address) ?: COMPARE(y->local, x->local) ?: strcmp(x->name, y->name);
}

static void read_all(struct symbols *symbols)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char *line = 0;
	size_t size = 0;
	while (file && getline(&line, &size, file) > 0)
		read_line(symbols, line);
	free(line);
	if (file)
		fclose(file);
	if (symbols->count)
		qsort(symbols->array, symbols->count, sizeof *symbols->array, by_address);
}

/* The last name of each function. */
static void print(const struct symbols *symbols, FILE *out)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol *symbol = &symbols->array[i], *next = i + 1 < symbols->count ? symbol + 1 : 0;
		uint64_t size = next && next->address - symbol->address < FUNCTION_MOST
					? next->address - symbol->address
					: FUNCTION_MOST;
		if (size)
			fprintf(out, "%" PRIx64 " %" PRIx64 " %s\n", symbol->address, size, symbol->name);
	}
}

static bool write_map(struct experiment_directory *directory, const struct symbols *symbols)
{
	int fd = experiment_directory_open_file(directory, KERNEL_MAP_FILE, O_WRONLY | O_CREAT | O_TRUNC);
	FILE *out = fd < 0 ? 0 : fdopen(fd, "w");
	if (!out) {
		errno = fd < 0 ? -fd : errno;
		return false;
	}
	print(symbols, out);
	bool failed = ferror(out) != 0;
	return fclose(out) == 0 && !failed;
}

bool kernel_names_write(struct experiment_directory *directory, struct error *error)
{
	struct symbols symbols = {0};
	read_all(&symbols);
	bool written = true;
	if (symbols.count)
		written = write_map(directory, &symbols);
	else
		message_warning("Warning: the kernel's functions will have no names: /proc/kallsyms shows no addresses "
				"(sysctl kernel.kptr_restrict)");
	int code = errno;
	for (size_t i = 0; i < symbols.count; i++)
		free(symbols.array[i].name);
	free(symbols.array);
	return written || error_set(error, "Cannot write %s: %s", KERNEL_MAP_FILE, strerror(code));
}
