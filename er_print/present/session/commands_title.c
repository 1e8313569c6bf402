/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names what was run, for pictures and profiles. */
#include "commands_title.h"
#include "strings.h"

#include <string.h>

static const char *command_of(const struct data *data, uint32_t founder)
{
	const char *command = data_command(data, founder);
	const char *what = data->experiments[founder].imported.what;
	return *command ? command : what ? what : "(unknown command)";
}

/* Commands may have several lines, titles and the lines of other tools' files have one. */
static const char *in_one_line(struct table *texts, const char *title)
{
	char *copy = arena_string(&texts->arena, title, strlen(title));
	for (char *at = copy; (at = strpbrk(at, "\t\n\v\f\r"));)
		*at = ' ';
	return copy;
}

const char *commands_title(const struct session *session, struct table *texts)
{
	enum { NAMED = 2 };
	const struct data *data = session->data;
	const char *title = 0;
	struct strings names = {0};
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const char *command = data->experiments[e].founder == e ? command_of(data, e) : 0;
		uint32_t known = names.count;
		if (command && strings_number(&names, command) == known && known < NAMED)
			title = title ? table_text(texts, "%s; %s", title, command) : table_text(texts, "%s", command);
	}
	if (names.count > NAMED)
		title = table_text(texts, "%s; and %u more", title, names.count - NAMED);
	strings_free(&names);
	return title ? in_one_line(texts, title) : "";
}
