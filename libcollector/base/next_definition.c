/* SPDX-License-Identifier: Apache-2.0 */
/* Searching the tables that the loader searches: DT_GNU_HASH (as binutils and glibc define it), and versions by the ELF
   supplement "Symbol Versioning". */
#include "next_definition.h"
#include "architecture.h"
#include "weak_libc.h"
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

enum { OBJECTS_MAX = 256 };
#define VERSION_NUMBER 0x7fffu
#define VERSION_HIDDEN 0x8000u /* only who names the version gets it */

struct symbol_table {
	uint32_t bucket_count, first, bloom_words, bloom_shift;
	const ElfW(Addr) * bloom;
	const uint32_t *buckets,
		*chain; /* chain[i - first]: hash of symbol i, its lowest bit set in the bucket's last */
};

static struct object {
	ElfW(Addr) base;
	struct symbol_table table;
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint16_t *versions;         /* by symbol; 0: there are none */
	const ElfW(Verdef) * definitions; /* of versions; 0: none */
} objects[OBJECTS_MAX];
static unsigned object_count;
static enum { UNKNOWN, KNOWN, NOT_ALL } state;

static void read_table(const uint32_t *header, struct symbol_table *table)
{
	table->bucket_count = header[0];
	table->first = header[1];
	table->bloom_words = header[2];
	table->bloom_shift = header[3];
	table->bloom = (const void *)(header + 4);
	table->buckets = (const void *)(table->bloom + table->bloom_words);
	table->chain = table->buckets + table->bucket_count;
}

/* The loader has made most addresses in its own copy absolute. */
static const void *address_of(const struct link_map *map, const ElfW(Dyn) * entry)
{
	ElfW(Addr) address = entry->d_un.d_ptr;
	return (const void *)(address < map->l_addr ? map->l_addr + address : address);
}

/* False: it has no table to search in. */
static bool note(const struct link_map *map, struct object *object)
{
	*object = (struct object){.base = map->l_addr};
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_GNU_HASH)
			read_table(address_of(map, entry), &object->table);
		else if (entry->d_tag == DT_SYMTAB)
			object->symbols = address_of(map, entry);
		else if (entry->d_tag == DT_STRTAB)
			object->strings = address_of(map, entry);
		else if (entry->d_tag == DT_VERSYM)
			object->versions = address_of(map, entry);
		else if (entry->d_tag == DT_VERDEF)
			object->definitions = address_of(map, entry);
	return object->table.bucket_count && object->table.bloom_words && object->symbols && object->strings;
}

/* The kernel's vdso is in the loader's list, but nothing is looked for in it. */
static bool is_vdso(const struct link_map *map)
{
	return map->l_addr && map->l_addr == getauxval(AT_SYSINFO_EHDR);
}

static bool note_all(void)
{
	const struct link_map *map = &_r_debug ? _r_debug.r_map : 0;
	/* The search begins behind our own library, as dlsym(RTLD_NEXT) does from within it. */
	while (map && map->l_ld != _DYNAMIC)
		map = map->l_next;
	if (!map)
		return false;
	while ((map = map->l_next)) {
		if (is_vdso(map))
			continue;
		if (object_count == OBJECTS_MAX || !note(map, &objects[object_count]))
			return false;
		object_count++;
	}
	return true;
}

bool next_definitions_known(void)
{
	if (state == UNKNOWN)
		state = note_all() ? KNOWN : NOT_ALL;
	return state == KNOWN;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static const void *after(const void *record, uint32_t distance)
{
	return (const char *)record + distance;
}

static bool version_is(const struct object *object, unsigned number, const char *version)
{
	const ElfW(Verdef) *definition = object->definitions;
	for (; definition && definition->vd_ndx != number; definition = after(definition, definition->vd_next))
		if (!definition->vd_next)
			return false;
	if (!definition || definition->vd_flags & VER_FLG_BASE) /* the file's own name is no version */
		return false;
	const ElfW(Verdaux) *names = after(definition, definition->vd_aux);
	return strcmp(object->strings + names->vda_name, version) == 0;
}

/* As glibc's dlsym and dlvsym decide (check_match in its dl-lookup.c). */
static bool fits(const struct object *object, uint32_t i, const char *name, const char *version)
{
	const ElfW(Sym) *symbol = &object->symbols[i];
	if ((!symbol->st_value && symbol->st_shndx != SHN_ABS) || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ||
		strcmp(object->strings + symbol->st_name, name) != 0)
		return false;
	if (!object->versions)
		return true;
	unsigned number = object->versions[i] & VERSION_NUMBER;
	if (version)
		return version_is(object, number, version);
	return number <= VER_NDX_GLOBAL || !(object->versions[i] & VERSION_HIDDEN);
}

static const ElfW(Sym) * search(const struct object *object, uint32_t hash, const char *name, const char *version)
{
	enum { BITS = 8 * sizeof(ElfW(Addr)) };
	const struct symbol_table *table = &object->table;
	/* Two bits of the Bloom filter: most libraries do not have the name, and this tells it without a look at their buckets.
	   */
	ElfW(Addr) word = table->bloom[hash / BITS & (table->bloom_words - 1)];
	if (!(word >> hash % BITS & word >> (hash >> table->bloom_shift) % BITS & 1))
		return 0;
	uint32_t i = table->buckets[hash % table->bucket_count];
	if (i < table->first)
		return 0;
	for (;; i++) {
		uint32_t there = table->chain[i - table->first];
		if ((there | 1) == (hash | 1) && fits(object, i, name, version))
			return &object->symbols[i];
		if (there & 1)
			return 0;
	}
}

void *next_definition(const char *name, const char *version)
{
	uint32_t hash = hash_of(name);
	for (unsigned i = 0; i < object_count; i++) {
		const ElfW(Sym) *symbol = search(&objects[i], hash, name, version);
		if (!symbol)
			continue;
		ElfW(Addr) address = (symbol->st_shndx == SHN_ABS ? 0 : objects[i].base) + symbol->st_value;
		return ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? indirect_function(address) : (void *)address;
	}
	return 0;
}
