/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as JSON (RFC 8259): one object a report, a member a column in each row, numbers in full. */
#include "json_text.h"
#include "table_records.h"

#include <string.h>

enum { KEY_MAX = 256 };

static void print_member(FILE *file, const char *name, const char *text)
{
	fprintf(file, "\"%s\": ", name);
	if (text)
		print_json_text(file, text);
	else
		fputs("null", file);
}

static void print_strings(FILE *file, const char *name, const char *const *texts, unsigned count)
{
	fprintf(file, "\"%s\": [", name);
	for (unsigned i = 0; i < count; i++) {
		fputs(i ? ", " : "", file);
		print_json_text(file, texts[i]);
	}
	putc(']', file);
}

static const char *json_unit(enum column_format format)
{
	switch (format) {
	case COLUMN_TIME:
	case COLUMN_MOMENT:
		return "seconds";
	case COLUMN_PERCENT:
		return "percent";
	case COLUMN_COUNT:
	case COLUMN_DECIMAL:
		return "count";
	case COLUMN_RATIO:
		return "ratio";
	case COLUMN_ADDRESS:
		return "address";
	default:
		return "text";
	}
}

static void print_column(const char *key, const char *title, const char *unit, bool sorted, FILE *file)
{
	putc('{', file);
	print_member(file, "key", key);
	fputs(", ", file);
	print_member(file, "title", title);
	fputs(", ", file);
	print_member(file, "unit", unit);
	fprintf(file, ", \"sorted\": %s}", sorted ? "true" : "false");
}

/* "e.totalcpu@2.delta.error" beside "e.totalcpu@2.delta". */
static const char *error_key(const char *key, char text[KEY_MAX])
{
	snprintf(text, KEY_MAX, "%s.error", key);
	return text;
}

static void print_columns(const struct records *records, FILE *file)
{
	const struct table *table = records->table;
	fputs("\"columns\": [", file);
	for (unsigned c = 0; c < table->column_count; c++) {
		char title[256], key[KEY_MAX];
		const char *unit = json_unit(table->columns[c].format);
		column_title(table, c, title, sizeof title);
		fputs(c ? ",\n  " : "\n  ", file);
		print_column(records->keys[c], title, unit, table->groups[table->columns[c].group].sorted, file);
		if (!table->columns[c].errors)
			continue;
		column_error_title(table, c, title, sizeof title);
		fputs(",\n  ", file);
		print_column(error_key(records->keys[c], key), title, unit, false, file);
	}
	fputs("],\n", file);
}

static void print_record(const struct records *records, const struct record *record, FILE *file)
{
	const struct table *table = records->table;
	const char *between = "";
	putc('{', file);
	if (records->grouped)
		fprintf(file, "\"group\": %lu, ", record->group);
	if (records->parted) {
		print_member(file, "part", record->part);
		fputs(", ", file);
	}
	if (table->tree)
		fprintf(file, "\"depth\": %u, ", record->row->depth);
	if (table->marked)
		fprintf(file, "\"hot\": %s, ", record->row->mark == ROW_HOT ? "true" : "false");
	for (unsigned c = 0; c < table->column_count; c++, between = ", ") {
		char text[CELL_TEXT_MAX], key[KEY_MAX];
		enum column_format format = table->columns[c].format;
		const char *value = cell_exact(format, &record->cells[c], text);
		bool none = !record->cells[c].shown || (column_is_number(format) && !*value);
		fputs(between, file);
		if (column_is_number(format) && !none) {
			print_json_text(file, records->keys[c]);
			fprintf(file, ": %s", value);
		} else {
			print_member(file, records->keys[c], none ? 0 : value);
		}
		if (table->columns[c].errors)
			fprintf(file, ", \"%s\": %.9g", error_key(records->keys[c], key), record->cells[c].error);
	}
	putc('}', file);
}

void table_print_json(const struct table *table, const struct table_origin *origin, FILE *file)
{
	struct records records;
	struct record record;
	const char *between = "\n  ";
	records_begin(&records, table);
	fputs("{", file);
	print_member(file, "command", origin->command);
	fputs(",\n", file);
	print_member(file, "title", table->preamble_count ? table->preamble[0] : 0);
	fputs(",\n", file);
	print_strings(file, "experiments", origin->experiments, origin->experiment_count);
	fputs(",\n", file);
	print_member(file, "filter", origin->filter);
	fputs(",\n", file);
	print_columns(&records, file);
	fputs("\"rows\": [", file);
	for (; records_next(&records, &record); between = ",\n  ") {
		fputs(between, file);
		print_record(&records, &record, file);
	}
	fputs("],\n", file);
	print_strings(file, "notes", table->footnotes, table->footnote_count);
	fputs("}\n", file);
	records_end(&records);
}
