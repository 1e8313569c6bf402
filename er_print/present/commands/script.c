/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads commands line by line and runs them. */
#include "script.h"
#include "clean_output.h"
#include "commands.h"
#include "interruption.h"
#include "progress.h"
#include "script_words.h"

#include <editline/readline.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRIPT_DEPTH_MAX = 16 };
static const char prompt_text[] = "(er_print) ";

struct input {
	FILE *file;
	bool prompt, edit;
	bool echo_comments;
	bool rc;          /* .er.rc: settings only, nothing is repeated */
	const char *name; /* for messages; 0 at the prompt */
	unsigned line;
	unsigned long limit; /* the setting before the command that runs */
};

/* One physical line without its newline; the caller frees it. 0 at the end. */
static char *read_line(struct input *input, const char *prompt)
{
	input->line++;
	if (input->edit)
		return readline(prompt);
	if (input->prompt) {
		fputs(prompt, stdout);
		fflush(stdout);
	}
	char *line = 0;
	size_t size = 0;
	ssize_t length = getline(&line, &size, input->file);
	if (length < 0) {
		free(line);
		return 0;
	}
	if (length && line[length - 1] == '\n')
		line[length - 1] = 0;
	return line;
}

/* A command's line with the lines that continue it. */
static char *read_command(struct input *input)
{
	char *text = read_line(input, prompt_text);
	while (text && words_unfinished(text)) {
		char *more = read_line(input, "> ");
		if (!more)
			break;
		size_t length = strlen(text);
		/* A "\" at the end goes; inside quotes the newline stays. */
		bool continued = length && text[length - 1] == '\\';
		size_t kept = continued ? length - 1 : length;
		text = memory_resize(text, kept + strlen(more) + 2, 1);
		text[kept] = continued ? ' ' : '\n';
		strcpy(text + kept + 1, more);
		free(more);
	}
	return text;
}

static void run_command(struct session *session, const struct input *input, unsigned count, char **words)
{
	struct error error;
	const struct command *command = command_find(words[0], &error);
	bool index = !command && !input->rc && index_object_find(&session->index_objects, words[0]);
	bool misplaced = command && input->rc && command->where != WHERE_ALSO_RC && command->where != WHERE_RC_ONLY;
	if (index)
		command_run(session, command_find("indxobj", &error), 1, words);
	else if (!command)
		session_error(session, "%s", error.text);
	else if (misplaced)
		session_error(session, "this command does not stand in .er.rc");
	else
		command_run(session, command, count - 1, words + 1);
}

static void run_line(struct session *session, const struct input *input, char *line)
{
	char *words[WORDS_MAX];
	char *start = line + strspn(line, " \t");
	progress_checkpoint();
	if (*start == '#') {
		if (input->echo_comments && session_said(session) == stdout) {
			session_part(session);
			fprintf(session->out, "%s\n", start);
		}
		return;
	}
	int count = words_split(line, words);
	if (count == 0)
		return;
	fflush(session->out);
	const char *outer = session->script;
	unsigned outer_line = session->script_line;
	session->script = input->name;
	session->script_line = input->line;
	if (count < 0)
		session_error(session, "a quotation mark is not closed, or there are too many words");
	else
		run_command(session, input, (unsigned)count, words);
	session->script = outer;
	session->script_line = outer_line;
	fflush(stdout);
	fflush(session->out);
}

/* A line to run; at the prompt Ctrl-C gives it up. */
static char *next_command(struct input *input)
{
	interruption_reading(input->prompt);
	char *line = read_command(input);
	interruption_reading(false);
	if (line && input->edit && *line)
		add_history(line);
	return line;
}

/* A command was given up at the prompt: what it changed for itself is put back, what it computed in part is forgotten. */
static void recover(struct session *session, const struct input *input)
{
	session->out = session->tables ? session->tables : session->out;
	session->tables = 0;
	session->captured = 0;
	session->only_group = 0;
	session->limit = input->limit;
	session->script_depth = 0;
	session->script = session->command = 0;
	session->quiet = session->on_command_line = session->reported = false;
	session_forget_sums(session);
}

/* Goes on at the prompt after an interruption, with a line that says so. */
static void recover_at_prompt(struct session *session, const struct input *input)
{
	/* As long as it is not taken, what was printed of the command and waits in buffers is dropped. */
	fflush(session->out);
	fflush(stdout);
	if (!interruption_take())
		return;
	recover(session, input);
	fputs("Interrupted\n", stderr);
}

static void run_input(struct session *session, struct input *input)
{
	bool on_command_line = session->on_command_line;
	session->on_command_line = false;
	char *line;
	if (input->prompt && sigsetjmp(*interruption_place(), 1))
		recover_at_prompt(session, input);
	while (!session->quit && (line = next_command(input))) {
		input->limit = session->limit;
		run_line(session, input, line);
		free(line);
		if (input->prompt)
			recover_at_prompt(session, input);
	}
	session->quit = false;
	session->on_command_line = on_command_line;
}

bool script_run_file(struct session *session, const char *name)
{
	if (session->script_depth == SCRIPT_DEPTH_MAX)
		return session_error(
			session, "Script file cannot be opened: %s: scripts call scripts too deeply", name);
	struct input input = {.file = fopen(name, "re"), .echo_comments = true, .name = name};
	if (!input.file)
		return session_error(session, "Script file cannot be opened: %s: %s", name, strerror(errno));
	session->script_depth++;
	run_input(session, &input);
	session->script_depth--;
	fclose(input.file);
	return true;
}

void script_run_rc(struct session *session, FILE *file, const char *name)
{
	struct input input = {.file = file, .name = name, .rc = true};
	session->quiet = true;
	run_input(session, &input);
	session->quiet = false;
}

void script_run_input(struct session *session, bool prompt)
{
	struct input input = {.file = stdin, .prompt = prompt, .name = prompt ? 0 : "standard input"};
	input.edit = prompt && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (input.edit)
		rl_outstream = clean_output_terminal();
	input.echo_comments = !prompt;
	run_input(session, &input);
	if (prompt && !input.edit)
		putchar('\n');
}
