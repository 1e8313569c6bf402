/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose which events count: filters, describe. */
#include "command_functions.h"
#include "facts.h"
#include "plain_text.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

bool command_filters(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	if (argc && !session_set_filter(session, argv[0], &error))
		return session_error(session, "Invalid filter specification `%s': %s", argv[0], error.text);
	if (session->filter_text)
		fprintf(session_said(session), "current filter setting: \"%s\"\n", session->filter_text);
	else
		fprintf(session_said(session), "current filter setting: <none>\n");
	return true;
}

static void describe_word(struct facts *facts, const char *name, const char *text)
{
	fprintf(facts->text, "  %-16s %s\n", name, text);
	fact_text(facts, name, text);
}

static void describe_section(struct facts *facts, const char *title)
{
	fprintf(facts->text, "\n%s\n", title);
	facts_subject(facts, "%s", title);
}

static void describe_words(const struct session *session, struct facts *facts)
{
	fprintf(facts->text, "------ Global Definitions ------\n");
	describe_section(facts, "Every event");
#define KEYWORD(name, text)                       describe_word(facts, #name, text);
#define STACK_KEYWORD(name, view, elements, text) describe_word(facts, #name, text);
#include "event_keywords.def"
	describe_section(facts, "Functions");
	describe_word(facts, "FNAME(\"regex\")", "the functions whose whole name matches");
#define OBJECT_TEST(name, of, also, text) describe_word(facts, #name "(\"regex\")", text);
#include "event_keywords.def"
	describe_word(facts, "HAS_PROP(name)", "1 if the event has the field, else 0");
	describe_section(facts, "Index Object Definitions");
	for (unsigned i = 0; i < session->index_objects.count; i++)
		describe_word(facts, session->index_objects.objects[i].name, session->index_objects.objects[i].text);
}

static void describe_field(struct facts *facts, const struct field_row *field)
{
	char name[64], text[256];
	size_t length = 0;
	for (; field->name[length] && length + 1 < sizeof name; length++)
		name[length] = field->name[length] >= 'a' && field->name[length] <= 'z'
				       ? (char)(field->name[length] - 'a' + 'A')
				       : field->name[length];
	name[length] = 0;
	snprintf(text, sizeof text, "%s (%s)", field->title, field_unit_name(field->unit));
	describe_word(facts, name, text);
	unsigned count;
	const struct state_row *states = state_rows(&count);
	for (unsigned s = 0; s < count; s++) {
		if (states[s].kind != field->kind || strcmp(states[s].field, field->name) != 0)
			continue;
		fprintf(facts->text, "  %-16s   (%" PRIu64 ") -> %s: %s\n", "", states[s].value, states[s].name,
			states[s].title);
		snprintf(text, sizeof text, "%s == %" PRIu64, name, states[s].value);
		fact_text(facts, text, states[s].title);
	}
}

static void describe_kind(struct facts *facts, const struct experiment *experiment, enum kind kind)
{
	const struct kind_row *row = kind_row(kind);
	for (unsigned s = 0; s < experiment->source_count; s++) {
		if (experiment->sources[s].kind != (int)kind)
			continue;
		describe_section(facts, row->title);
		for (unsigned f = 0; f < row->field_count; f++)
			describe_field(facts, &row->fields[f]);
#define FIELD_KEYWORD(word, field_)                                                                                    \
	for (unsigned f = 0; f < row->field_count; f++)                                                                \
		if (!strcmp(row->fields[f].name, #field_))                                                             \
			describe_word(facts, #word, "the same as " #field_);
#include "event_keywords.def"
	}
}

bool command_describe(struct session *session, unsigned argc, char **argv)
{
	struct facts facts;
	(void)argc;
	(void)argv;
	facts_begin(&facts, "Words of expressions");
	describe_words(session, &facts);
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *experiment = session->data->experiments[e].file;
		print_between(facts.text, "\n------ ", experiment->name, "");
		fprintf(facts.text, " [EXPGRID==%" PRIu32 "] ------\n", session->groups[e]);
		for (int kind = 0; kind < KIND_COUNT; kind++)
			describe_kind(&facts, experiment, (enum kind)kind);
	}
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}
