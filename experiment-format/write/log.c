/* SPDX-License-Identifier: Apache-2.0 */
/* Building one XML line and appending it. */
#include "log.h"
#include "file_space.h"
#include "system_calls.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define CLOSING_MAX   128 /* kept free for what closes the line */
#define ATTRIBUTE_MIN 16  /* an attribute without room for this much besides its name is left out */

static void append(struct log_line *line, const char *bytes, size_t size, size_t capacity)
{
	struct text text = {.bytes = line->text, .size = line->size, .capacity = capacity, .cut = line->cut};
	text_append(&text, bytes, size);
	line->size = text.size;
	line->cut = text.cut;
}

static void append_string(struct log_line *line, const char *string)
{
	append(line, string, text_length(string), LOG_LINE_MAX - CLOSING_MAX);
}

static void append_closing(struct log_line *line, const char *string)
{
	append(line, string, text_length(string), LOG_LINE_MAX);
}

/* Bytes of the UTF-8 character of XML at `bytes`, 0 if there is none: control characters, overlong forms,
   surrogates and the two non-characters of XML are none. */
static unsigned character_size(const unsigned char *bytes)
{
	if (bytes[0] < 0x80)
		return bytes[0] >= 0x20 && bytes[0] != 0x7f;
	unsigned size = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
		return 0;
	uint32_t character = bytes[0] & (0xffu >> (size + 1));
	for (unsigned i = 1; i < size; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (bytes[i] & 0x3f);
	}
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	if (character < least[size] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000) ||
		character == 0xfffe || character == 0xffff)
		return 0;
	return size;
}

static const char *entity_of(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\\':
		return "\\\\";
	}
	return 0;
}

static void append_escaped(struct log_line *line, const char *value)
{
	/* Command lines and paths are bytes of any kind, and one bad byte would make the whole line unreadable as XML. */
	while (*value && !line->cut) {
		unsigned size = character_size((const unsigned char *)value);
		const char *entity = entity_of(*value);
		if (entity) {
			append_string(line, entity);
		} else if (size) {
			append(line, value, size, LOG_LINE_MAX - CLOSING_MAX);
		} else {
			unsigned char byte = (unsigned char)*value;
			char escape[] = {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15], 0};
			append_string(line, escape);
		}
		value += size ? size : 1;
	}
}

void log_begin(struct log_line *line, const char *element)
{
	line->size = 0;
	line->cut = false;
	line->has_children = false;
	line->element = element;
	append_string(line, "<");
	append_string(line, element);
}

/* An attribute is there whole or, if its value does not fit, with the start of its value; never half in
 * syntax. */
void log_text_attribute(struct log_line *line, const char *name, const char *value)
{
	if (line->size + text_length(name) + ATTRIBUTE_MIN > LOG_LINE_MAX - CLOSING_MAX) {
		line->cut = true;
		return;
	}
	append_string(line, " ");
	append_string(line, name);
	append_string(line, "=\"");
	append_escaped(line, value);
	append_closing(line, "\"");
}

void log_number_attribute(struct log_line *line, const char *name, uint64_t value)
{
	char digits[24];
	struct text text = {.bytes = digits, .capacity = sizeof(digits) - 1};
	text_number(&text, value, 10, 1);
	digits[text.size] = 0;
	log_text_attribute(line, name, digits);
}

void log_hex_attribute(struct log_line *line, const char *name, uint64_t value)
{
	char digits[24];
	struct text text = {.bytes = digits, .capacity = sizeof(digits) - 1};
	text_string(&text, "0x");
	text_number(&text, value, 16, 1);
	digits[text.size] = 0;
	log_text_attribute(line, name, digits);
}

void log_time_attribute(struct log_line *line, const char *name, uint64_t nanoseconds)
{
	char digits[32];
	struct text text = {.bytes = digits, .capacity = sizeof(digits) - 1};
	text_number(&text, nanoseconds / 1000000000, 10, 1);
	text_string(&text, ".");
	text_number(&text, nanoseconds % 1000000000, 10, 9);
	digits[text.size] = 0;
	log_text_attribute(line, name, digits);
}

void log_triple_attributes(struct log_line *line, const struct time_triple *triple)
{
	log_number_attribute(line, "raw", triple->raw);
	log_number_attribute(line, "monotonic", triple->monotonic);
	log_number_attribute(line, "realtime", triple->realtime);
}

void log_child(struct log_line *line, const char *element)
{
	append_closing(line, line->has_children ? "/>" : ">");
	append_closing(line, "<");
	append_closing(line, element);
	line->has_children = true;
}

/* 0 or errno. A write beyond RLIMIT_FSIZE would raise SIGXFSZ. */
static int append_to_file(int fd, const char *bytes, size_t size)
{
	struct stat status;
	if (file_space_is_limited() && system_call(SYS_fstat, fd, &status) == 0 &&
		file_space_over_limit((uint64_t)status.st_size + size))
		return EFBIG;
	while (size) {
		long n = sys_write(fd, bytes, size);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			return n ? (int)-n : ENOSPC;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

static int append_to_file_named(
	struct experiment_directory *directory, const char *file, int flags, const char *bytes, size_t size)
{
	int fd = experiment_directory_use_file(directory, file, O_WRONLY | O_APPEND | flags);
	if (fd < 0)
		return -fd;
	int code = append_to_file(fd, bytes, size);
	experiment_directory_leave_file(directory, fd);
	return code;
}

/* Lines that are kept until they are written at once. Those of a brief process are in one page, so that it has one fault. */
static __attribute__((aligned(PAGE_UNIT))) struct {
	struct experiment_directory *directory; /* 0: none are */
	const char *file;
	int flags, code;
	size_t size;
	char bytes[2 * LOG_LINE_MAX];
} gathered;

static bool is_gathered(const struct experiment_directory *directory, const char *file)
{
	/* There are two such files, log.xml and map.xml, which their first letters tell apart. */
	return gathered.directory == directory && gathered.file[0] == file[0];
}

static int gather(const char *bytes, size_t size)
{
	struct text text = {.bytes = gathered.bytes, .size = gathered.size, .capacity = sizeof gathered.bytes};
	if (text.capacity - text.size < size) {
		int code = append_to_file_named(
			gathered.directory, gathered.file, gathered.flags, gathered.bytes, gathered.size);
		gathered.code = gathered.code ? gathered.code : code;
		gathered.flags = 0;
		text.size = 0;
	}
	text_append(&text, bytes, size);
	gathered.size = text.size;
	return gathered.code;
}

void log_gather(struct experiment_directory *directory, const char *file, int flags)
{
	gathered.directory = directory;
	gathered.file = file;
	gathered.flags = flags;
	gathered.code = 0;
	gathered.size = 0;
}

int log_write_gathered(void)
{
	struct experiment_directory *directory = gathered.directory;
	int fd = experiment_directory_open_file(directory, gathered.file, O_WRONLY | O_APPEND | gathered.flags);
	gathered.directory = 0;
	if (fd < 0)
		return -fd;
	int code = append_to_file(fd, gathered.bytes, gathered.size);
	experiment_directory_keep_file(directory, gathered.file, fd);
	return gathered.code ? gathered.code : code;
}

int log_append(struct experiment_directory *directory, const char *file, const char *bytes, size_t size)
{
	if (is_gathered(directory, file))
		return gather(bytes, size);
	return append_to_file_named(directory, file, 0, bytes, size);
}

int log_end(struct log_line *line, const char *content, struct experiment_directory *directory, const char *file)
{
	if (line->has_children) {
		append_closing(line, "/>");
	} else if (content) {
		append_closing(line, ">");
		append_escaped(line, content);
	}
	if (line->has_children || content) {
		append_closing(line, "</");
		append_closing(line, line->element);
		append_closing(line, ">\n");
	} else {
		append_closing(line, "/>\n");
	}
	return log_append(directory, file, line->text, line->size);
}

static int write_root(struct experiment_directory *directory, const char *file, int flags, const char *attribute)
{
	char bytes[128];
	struct text text = {.bytes = bytes, .capacity = sizeof(bytes)};
	text_string(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<experiment version=\"");
	text_number(&text, FORMAT_MAJOR, 10, 1);
	text_string(&text, ".");
	text_number(&text, FORMAT_MINOR, 10, 1);
	text_string(&text, "\"");
	text_string(&text, attribute);
	text_string(&text, ">\n");
	if (is_gathered(directory, file))
		return gather(text.bytes, text.size);
	return append_to_file_named(directory, file, flags, text.bytes, text.size);
}

int log_create(struct experiment_directory *directory)
{
	int code = write_root(directory, LOG_FILE, O_CREAT | O_EXCL, "");
	return code ? code : write_root(directory, MAP_XML_FILE, O_CREAT | O_EXCL, "");
}

int log_write_root(struct experiment_directory *directory, const char *file, bool founders_head)
{
	return write_root(directory, file, 0, founders_head ? " head=\"founder\"" : "");
}

void log_hold(struct experiment_directory *directory)
{
	experiment_directory_hold_file(directory, LOG_FILE, O_WRONLY | O_APPEND);
	experiment_directory_hold_file(directory, MAP_XML_FILE, O_WRONLY | O_APPEND);
}
