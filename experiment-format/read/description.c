/* SPDX-License-Identifier: Apache-2.0 */
/* Headers and descriptions of the binary files. */
#include "input.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>

static bool header_usable(const struct file_header *header, bool may_be_bare)
{
	bool pages = header->header_size >= PAGE_UNIT && header->header_size <= HEADER_SIZE_MAX &&
		     header->header_size % PAGE_UNIT == 0;
	bool bare = may_be_bare && header->header_size == sizeof(*header);
	return header->magic == FILE_MAGIC && header->byte_order == BYTE_ORDER_MARK && (pages || bare) &&
	       header->description_size <= header->header_size - sizeof(*header);
}

/* The description, 0 if the file is damaged. The caller frees. */
static char *read_text(int fd, const struct file_header *header)
{
	uint32_t size = header->description_size;
	char *text = memory_new(size + 1, 1);
	/* A zero within the text would end it early for all that read it as a string. */
	if (input_read(fd, text, size, sizeof(*header)) == size && !memchr(text, 0, size) &&
		file_header_check(header, text) == header->check)
		return text;
	free(text);
	return 0;
}

bool described_file_begun(int fd)
{
	uint64_t size = input_size(fd);
	return size && input_skip_hole(fd, 0, size) < size;
}

bool described_file_read(int fd, bool may_be_bare, struct described_file *file, struct error *error)
{
	file->text = 0;
	file->foreign = false;
	if (input_read(fd, &file->header, sizeof(file->header), 0) < sizeof(file->header))
		return error_set(error, "it is cut within its header");
	if (!header_usable(&file->header, may_be_bare))
		return error_set(error, "its header is damaged");
	if (input_size(fd) < file->header.header_size)
		return error_set(error, "it is cut within its header");
	char *text = read_text(fd, &file->header);
	if (!text)
		return error_set(error, "its header or description is damaged");
	/* The checksum is looked at before the version: a header that is damaged may claim any version. */
	if (file->header.major == FORMAT_MAJOR) {
		file->text = text;
		return true;
	}
	free(text);
	file->foreign = true;
	return error_set(error, "it has format version %u.%u, this program reads %u", file->header.major,
		file->header.minor, FORMAT_MAJOR);
}

bool description_line(char **text, const char **words, unsigned count)
{
	if (!**text)
		return false;
	char *line = *text;
	size_t length = strcspn(line, "\n");
	*text = line + length + (line[length] == '\n');
	line[length] = 0;
	for (unsigned i = 0; i < count; i++) {
		words[i] = line;
		if (i + 1 == count)
			break;
		line += strcspn(line, " ");
		if (*line)
			*line++ = 0;
	}
	return true;
}
