/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.def and tallies.def as tables and as the descriptions that files carry. */
#include "kinds.h"
#include "scratch.h"

static unsigned lines_starting(const char *text, size_t size, const char *word)
{
	unsigned count = 0;
	for (size_t at = 0; at < size; at = (size_t)((char *)memchr(text + at, '\n', size - at) - text) + 1)
		count += !strncmp(text + at, word, strlen(word));
	return count;
}

START_TEST(fields_are_where_their_index_says)
{
	const struct kind_row *row = kind_row(KIND_CLOCK);
	ck_assert_str_eq(row->name, "clock");
	ck_assert_str_eq(row->fields[FIELD_INDEX(CLOCK, user)].name, "user");
	ck_assert_str_eq(row->fields[FIELD_INDEX(CLOCK, mode)].name, "mode");
	ck_assert_uint_eq(row->fields[FIELD_INDEX(CLOCK, mode)].unit, UNIT_STATE);
	ck_assert_str_eq(kind_row(KIND_THREAD)->fields[FIELD_INDEX(THREAD, missed)].name, "missed");
	unsigned sum = 0;
	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		for (unsigned i = 0; i < kind_row(kind)->field_count; i++)
			ck_assert_uint_eq(kind_row(kind)->fields[i].kind, kind);
		sum += kind_row(kind)->field_count;
	}
	unsigned fields = 0;
#define FIELD(kind, name, unit, title) fields++;
#include "kinds.def"
	ck_assert_uint_eq(sum, fields);
}
END_TEST

START_TEST(descriptions_fit_one_page_and_name_everything)
{
	char text[PAGE_UNIT - sizeof(struct file_header)];
	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		size_t size = kind_describe(kind, text, sizeof(text));
		ck_assert_uint_gt(size, 0);
		ck_assert_uint_eq(lines_starting(text, size, "events "), 1);
		ck_assert_uint_eq(lines_starting(text, size, "field "), kind_row(kind)->field_count);
	}
	size_t size = kind_describe(KIND_CLOCK, text, sizeof(text));
	static const char start[] = "events clock Clock Profiling\nfield user nanoseconds user CPU time since";
	ck_assert(size > sizeof(start) && !memcmp(text, start, sizeof(start) - 1));
	ck_assert_uint_eq(kind_describe(KIND_CLOCK, text, size - 1), 0);
	ck_assert_uint_gt(stacks_describe(text, sizeof(text)), 0);
	char tallies[65536];
	size = tallies_describe(tallies, sizeof(tallies));
	ck_assert_uint_eq(lines_starting(tallies, size, "counter "), TALLY_COUNT);
}
END_TEST

START_TEST(states_belong_to_fields_of_unit_state)
{
	unsigned count;
	const struct state_row *states = state_rows(&count);
	ck_assert_uint_gt(count, 0);
	for (unsigned i = 0; i < count; i++) {
		const struct kind_row *row = kind_row(states[i].kind);
		unsigned field = 0;
		while (field < row->field_count && strcmp(row->fields[field].name, states[i].field))
			field++;
		ck_assert_msg(field < row->field_count && row->fields[field].unit == UNIT_STATE, "%s", states[i].field);
	}
}
END_TEST

START_TEST(units_have_names_and_back)
{
	for (unsigned unit = 0; unit < UNIT_UNKNOWN; unit++)
		ck_assert_uint_eq(field_unit_of(field_unit_name(unit)), unit);
	ck_assert_uint_eq(field_unit_of("parsecs"), UNIT_UNKNOWN);
	ck_assert_uint_eq(field_unit_of(""), UNIT_UNKNOWN);
}
END_TEST

START_TEST(an_error_grows_in_front_and_stays_in_bounds)
{
	struct error error;
	ck_assert(!error_set(&error, "%s %d", "line", 3));
	ck_assert(!error_context(&error, "file %s", "x"));
	ck_assert_str_eq(error.text, "file x: line 3");
	char large[1000];
	memset(large, 'y', sizeof(large) - 1);
	large[sizeof(large) - 1] = 0;
	error_set(&error, "%s", large);
	error_context(&error, "%s", large);
	ck_assert_uint_eq(strlen(error.text), sizeof(error.text) - 1);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {fields_are_where_their_index_says, descriptions_fit_one_page_and_name_everything,
		states_belong_to_fields_of_unit_state, units_have_names_and_back,
		an_error_grows_in_front_and_stays_in_bounds};
	return RUN_TESTS("tables", tests);
}
