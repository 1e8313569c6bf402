/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that choose which events count: filters, describe. */
#include "command_functions.h"
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

static void describe_word(FILE *file, const char *name, const char *text)
{
	fprintf(file, "  %-16s %s\n", name, text);
}

static void describe_words(const struct session *session, FILE *file)
{
	fprintf(file, "------ Global Definitions ------\n\nEvery event\n");
#define KEYWORD(name, text)             describe_word(file, #name, text);
#define STACK_KEYWORD(name, view, text) describe_word(file, #name, text);
#include "event_keywords.def"
	fprintf(file, "\nFunctions\n");
	describe_word(file, "FNAME(\"regex\")", "the functions whose whole name matches");
	describe_word(file, "DNAME(\"regex\")", "1 if the whole name of the event's data object matches, else 0");
	describe_word(file, "HAS_PROP(name)", "1 if the event has the field, else 0");
	fprintf(file, "\nIndex Object Definitions\n");
	for (unsigned i = 0; i < session->index_objects.count; i++)
		describe_word(file, session->index_objects.objects[i].name, session->index_objects.objects[i].text);
}

static void describe_field(FILE *file, const struct field_row *field)
{
	char name[64];
	size_t length = 0;
	for (; field->name[length] && length + 1 < sizeof name; length++)
		name[length] = field->name[length] >= 'a' && field->name[length] <= 'z'
				       ? (char)(field->name[length] - 'a' + 'A')
				       : field->name[length];
	name[length] = 0;
	fprintf(file, "  %-16s %s (%s)\n", name, field->title, field_unit_name(field->unit));
	unsigned count;
	const struct state_row *states = state_rows(&count);
	for (unsigned s = 0; s < count; s++)
		if (states[s].kind == field->kind && !strcmp(states[s].field, field->name))
			fprintf(file, "  %-16s   (%" PRIu64 ") -> %s: %s\n", "", states[s].value, states[s].name,
				states[s].title);
}

static void describe_kind(const struct experiment *experiment, enum kind kind, FILE *file)
{
	const struct kind_row *row = kind_row(kind);
	for (unsigned s = 0; s < experiment->source_count; s++) {
		if (experiment->sources[s].kind != (int)kind)
			continue;
		fprintf(file, "\n%s\n", row->title);
		for (unsigned f = 0; f < row->field_count; f++)
			describe_field(file, &row->fields[f]);
#define FIELD_KEYWORD(word, field_)                                                                                    \
	for (unsigned f = 0; f < row->field_count; f++)                                                                \
		if (!strcmp(row->fields[f].name, #field_))                                                             \
			describe_word(file, #word, "the same as " #field_);
#include "event_keywords.def"
	}
}

bool command_describe(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	FILE *file = session->out;
	describe_words(session, file);
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const struct experiment *experiment = session->data->experiments[e].file;
		fprintf(file, "\n------ ");
		print_plain(file, experiment->name);
		fprintf(file, " [EXPGRID==%" PRIu32 "] ------\n", session->groups[e]);
		for (int kind = 0; kind < KIND_COUNT; kind++)
			describe_kind(experiment, (enum kind)kind, file);
	}
	return true;
}
