/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How numbers look: times in seconds with three decimals, moments with nine, percentages with two, exact zero as "0.". */
#include "table_print.h"

#include <inttypes.h>
#include <string.h>

/* Times are rounded in integers: a double would lose nanoseconds of a total of some months. */
static void print_time(char text[CELL_TEXT_MAX], uint64_t nanoseconds, uint64_t unit)
{
	uint64_t last = unit / 1000, thousandths = nanoseconds / last + (last > 1 && nanoseconds % last >= last / 2);
	snprintf(text, CELL_TEXT_MAX, "%" PRIu64 ".%03u", thousandths / 1000, (unsigned)(thousandths % 1000));
}

static uint64_t time_unit(enum column_format format)
{
	return format == COLUMN_MILLI ? 1000000 : format == COLUMN_MICRO ? 1000 : 1000000000;
}

/* As many decimals as it has. */
static void print_millionths(char text[CELL_TEXT_MAX], uint64_t millionths)
{
	int size = snprintf(
		text, CELL_TEXT_MAX, "%" PRIu64 ".%06u", millionths / 1000000, (unsigned)(millionths % 1000000));
	while (text[size - 1] == '0')
		text[--size] = 0;
	if (text[size - 1] == '.')
		text[size - 1] = 0;
}

/* "~+", "-", "x " in front of a number that compares two; blanks before the number stay before that. */
static void mark_change(char text[CELL_TEXT_MAX], const struct cell *cell)
{
	static const char *const marks[] = {[NO_CHANGE] = "", [MORE] = "+", [LESS] = "-", [TIMES] = "x "};
	char number[CELL_TEXT_MAX];
	size_t blanks = strspn(text, " ");
	snprintf(number, sizeof number, "%s", text + blanks);
	snprintf(text, CELL_TEXT_MAX, "%s%s%.40s", cell->within_error ? "~" : "", marks[cell->change], number);
}

static const char *value_text(
	enum column_format format, const struct cell *cell, bool aligned, char text[CELL_TEXT_MAX])
{
	text[0] = 0;
	if (!cell->shown)
		return text;
	double part = cell->whole ? (double)cell->number / (double)cell->whole : 0;
	switch (format) {
	case COLUMN_TIME:
	case COLUMN_MILLI:
	case COLUMN_MICRO:
		if (cell->number)
			print_time(text, cell->number, time_unit(format));
		else
			snprintf(text, CELL_TEXT_MAX, aligned ? "0.   " : "0.");
		break;
	case COLUMN_MOMENT:
		snprintf(text, CELL_TEXT_MAX, "%" PRIu64 ".%09u", cell->number / 1000000000,
			(unsigned)(cell->number % 1000000000));
		break;
	case COLUMN_PERCENT:
		if (cell->number)
			snprintf(text, CELL_TEXT_MAX, aligned ? "%6.2f " : "%.2f", 100 * part);
		else
			snprintf(text, CELL_TEXT_MAX, aligned ? "  0.   " : "0.");
		break;
	case COLUMN_COUNT:
		snprintf(text, CELL_TEXT_MAX, "%" PRIu64, cell->number);
		break;
	case COLUMN_DECIMAL:
		print_millionths(text, cell->number);
		break;
	case COLUMN_RATIO:
		if (cell->whole)
			snprintf(text, CELL_TEXT_MAX, "%.3f", part);
		else
			snprintf(text, CELL_TEXT_MAX, "-");
		break;
	case COLUMN_ADDRESS:
		snprintf(text, CELL_TEXT_MAX, "%" PRIu64 ":0x%08" PRIx64, cell->whole, cell->number);
		break;
	case COLUMN_TEXT:
	case COLUMN_CODE:
		return cell->text ? cell->text : text;
	}
	return text;
}

const char *cell_text(enum column_format format, const struct cell *cell, bool aligned, char text[CELL_TEXT_MAX])
{
	const char *shown = value_text(format, cell, aligned, text);
	if (shown == text && *text && (cell->change != NO_CHANGE || cell->within_error) && strcmp(text, "-") != 0)
		mark_change(text, cell);
	return shown;
}

const char *column_unit(enum column_format format)
{
	switch (format) {
	case COLUMN_TIME:
	case COLUMN_MOMENT:
		return "sec.";
	case COLUMN_MILLI:
		return "ms";
	case COLUMN_MICRO:
		return "us";
	case COLUMN_PERCENT:
		return "%";
	default:
		return "";
	}
}

/* A stack of thousands of frames needs thousands of branches a line: written in pieces. */
void tree_branches(FILE *file, uint32_t depth)
{
	static const char piece[] =
		"|  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  ";
	enum { WIDTH = 3, LEVELS = (sizeof piece - 1) / WIDTH };
	if (depth)
		fputs("  ", file);
	for (uint32_t left = depth ? depth - 1 : 0; left;) {
		uint32_t levels = left < LEVELS ? left : LEVELS;
		fwrite(piece, WIDTH, levels, file);
		left -= levels;
	}
	fputs("+-", file);
}
