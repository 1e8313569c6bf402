/* SPDX-License-Identifier: Apache-2.0 */
/* The build-id of a mapped object. */
#include "build_id.h"
#include "segment_table.h"
#include <string.h>

static void write_hex(const unsigned char *bytes, size_t size, char *text)
{
	for (size_t i = 0; i < size; i++) {
		*text++ = "0123456789abcdef"[bytes[i] >> 4];
		*text++ = "0123456789abcdef"[bytes[i] & 15];
	}
	*text = 0;
}

/* Notes are padded to 4 bytes, or to 8 in segments that say so (properties, which hold no build-id). */
static size_t padded(size_t size, size_t alignment)
{
	return (size + alignment - 1) / alignment * alignment;
}

static bool search_notes(const unsigned char *at, size_t size, size_t alignment, char *text)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name = padded(note->n_namesz, alignment), content = padded(note->n_descsz, alignment);
		if (name > size || content > size || sizeof *note + name + content > size)
			return false;
		const unsigned char *id = at + sizeof *note + name;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
			memcmp(note + 1, "GNU", sizeof "GNU") == 0 && note->n_descsz <= BUILD_ID_MAX) {
			write_hex(id, note->n_descsz, text);
			return true;
		}
		at += sizeof *note + name + content;
		size -= sizeof *note + name + content;
	}
	return false;
}

void build_id_text(uintptr_t bias, const ElfW(Phdr) * headers, size_t count, char *text)
{
	text[0] = 0;
	for (size_t i = 0; i < count; i++)
		if (headers[i].p_type == PT_NOTE && search_notes((const unsigned char *)(bias + headers[i].p_vaddr),
							    headers[i].p_memsz, headers[i].p_align == 8 ? 8 : 4, text))
			return;
}

void build_id_of_image(const unsigned char *image, size_t size, char *text)
{
	ElfW(Ehdr) header;
	text[0] = 0;
	if (size < sizeof header)
		return;
	memcpy(&header, image, sizeof header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr)))
		return;
	for (size_t i = 0; i < header.e_phnum; i++) {
		ElfW(Phdr) segment;
		if (header.e_phoff + (i + 1) * sizeof segment > size)
			return;
		memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
		if (segment.p_type == PT_NOTE && segment.p_offset < size &&
			segment.p_filesz <= size - segment.p_offset &&
			search_notes(image + segment.p_offset, segment.p_filesz, segment.p_align == 8 ? 8 : 4, text))
			return;
	}
}
