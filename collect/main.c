/* SPDX-License-Identifier: Apache-2.0 */
/* The program collect: options, target, name, experiment, run, end. */
#include "clock_sources.h"
#include "counter_list.h"
#include "counters.h"
#include "create.h"
#include "environment.h"
#include "finish.h"
#include "group.h"
#include "interrupt.h"
#include "member_path.h"
#include "message.h"
#include "mpi_family.h"
#include "mpi_launch.h"
#include "mpi_rank.h"
#include "options.h"
#include "overwrite.h"
#include "own_counters.h"
#include "own_malloc.h"
#include "parameters.h"
#include "preload.h"
#include "run.h"
#include "sanitizer.h"
#include "target.h"
#include "unwinder.h"
#include "waking_event.h"
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that is decided before anything is created. */
struct plan {
	struct options options;
	struct target target;
	struct experiment_name name;
	char group[PATH_MAX];
	char member[PATH_MAX]; /* the experiment, as the group file names it */
	bool joined;           /* the group has the experiment as its member */
	struct settings settings;
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
	unsigned counter_count;
	struct mpi_rank rank; /* what an MPI launcher made of this process */
};

#define USAGE_HINT "Run \"collect --help\" for a usage message."

static int fail(const struct error *error)
{
	message_error("%s", error->text);
	return EXIT_FAILURE;
}

static int fail_usage(const struct error *error)
{
	message_error("%s\n" USAGE_HINT, error->text);
	return EXIT_FAILURE;
}

static void answer(char *text)
{
	/* Line by line: one message is of limited length. */
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");
		length += line[length] == '\n';
		message_answer("%.*s", (int)length, line);
		line += length;
	}
	free(text);
}

static bool choose_counters(struct plan *plan, struct error *error)
{
	const struct options *options = &plan->options;
	if (!counters_choose(&options->counters, options->settings.clock_interval, plan->counters, &plan->counter_count,
		    error) ||
		!own_counters_check(plan->counters, plan->counter_count, &plan->settings, error))
		return false;
	return !plan->counter_count ||
	       overflow_counters_encode(
		       plan->counters, plan->counter_count, plan->settings.counters, sizeof plan->settings.counters) ||
	       error_set(error, "The descriptions of the HW counters do not fit: ask for fewer");
}

/* Without -o, what a launcher started is named by its rank. */
static void name_by_rank(struct plan *plan)
{
	struct experiment_name by_rank = plan->name;
	char path[PATH_MAX];
	plan->rank = mpi_rank_of_environment();
	if (!plan->rank.known || plan->options.mpi_launcher || plan->options.output)
		return;
	int n = snprintf(by_rank.stem, sizeof by_rank.stem, "%s.%" PRIu64, plan->name.stem, plan->rank.rank);
	by_rank.number = 0;
	by_rank.chosen = false;
	experiment_name_path(&by_rank, path, sizeof path);
	if (n > 0 && (size_t)n < sizeof by_rank.stem && access(path, F_OK) != 0)
		plan->name = by_rank;
}

static bool check_overwrite(const struct plan *plan, struct error *error)
{
	char path[PATH_MAX];
	if (!plan->options.overwritten)
		return true;
	if (plan->rank.known && !plan->options.mpi_launcher)
		return error_set(error,
			"Option -O %s: the ranks of an mpirun would overwrite each other's experiment; use -o",
			plan->options.overwritten);
	experiment_name_path(&plan->name, path, sizeof path);
	return overwrite_check(path, error);
}

/* Ranks are started through this program; without /proc they are not. */
static void find_ourselves(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	path[length > 0 ? length : 0] = '\0';
}

static bool make_plan(struct plan *plan, struct error *error)
{
	const struct options *options = &plan->options;
	char library[PATH_MAX];
	if (!target_find(options->target[0], &plan->target, error))
		return false;
	if (options->group && !group_path(options->group, options->directory, plan->group, sizeof plan->group, error))
		return false;
	if (!experiment_name_parse(&plan->name, options->output, options->directory, options->group, error))
		return false;
	if (options->group && !group_check(plan->group, error))
		return false;
	if (!preload_find_library(options->settings.mpi, library, sizeof library, error))
		return false;
	if (options->mpi_launcher &&
		(!mpi_family_check(options->mpi_family, options->target[0], plan->target.path, error) ||
			!mpi_launch_check(options->target, error)))
		return false;
	create_settings(options, library, &plan->settings);
	if (options->mpi_launcher || options->settings.mpi)
		find_ourselves(plan->settings.collect, sizeof plan->settings.collect);
	name_by_rank(plan);
	return check_overwrite(plan, error) &&
	       unwinder_choose(getenv(ENVIRONMENT_UNWINDER), &plan->settings.unwinder, error) &&
	       choose_counters(plan, error);
}

/* Whether events are recorded, or statistics alone. */
static bool is_recording(const struct settings *settings)
{
	struct tracing tracings[TRACINGS];
	bool any = settings->clock_interval != 0 || settings->counters[0];
	settings_tracings(settings, tracings);
	for (unsigned i = 0; i < TRACINGS; i++)
		any |= tracings[i].on;
	return any;
}

static void warn_of_options(const struct plan *plan)
{
	const struct options *options = &plan->options;
	if (options->clock_note[0])
		message_warning("%s", options->clock_note);
	if (!is_recording(&plan->settings))
		message_warning("Warning: No function level data requested; only statistics will be collected.");
	if (plan->name.unused_directory)
		message_warning(
			"Warning: Experiment name is an absolute path; directory name %s ignored.", options->directory);
}

static int show_usage(const struct options *options)
{
	answer(usage_text());
	if (!options->help) {
		struct settings settings;
		char library[PATH_MAX];
		struct error error;
		if (!preload_find_library(false, library, sizeof library, &error))
			return fail(&error);
		create_settings(options, library, &settings);
		message_answer("\nDefault experiment: test.1.er, or the next number that is free\n");
		answer(parameters_text(&settings));
		message_answer("\n");
		answer(clock_sources_text());
		message_answer("\nRun \"collect -h\" with no other arguments for the HW counters of this system.\n");
	}
	return EXIT_SUCCESS;
}

static int dry_run(struct plan *plan)
{
	struct error error;
	char path[PATH_MAX];
	bool changed;
	if (!plan->options.overwritten && !experiment_name_next_free(&plan->name, &changed, &error))
		return fail(&error);
	experiment_name_path(&plan->name, path, sizeof path);
	answer(version_text());
	answer(parameters_text(&plan->settings));
	message_answer("Creating experiment directory %s (Process ID: not started) ...\nExec argv[] = ", path);
	for (char **argument = plan->options.target; *argument; argument++)
		message_answer("%s%s", *argument, argument[1] ? " " : "\n");
	return EXIT_SUCCESS;
}

/* The target did not run. */
static void undo(const struct plan *plan, const struct created *created)
{
	if (plan->joined)
		group_leave(plan->group, plan->member);
	create_undo(created);
}

static int fail_created(const struct plan *plan, const struct created *created, const struct error *error)
{
	undo(plan, created);
	return fail(error);
}

static int interrupted(const struct plan *plan, const struct created *created)
{
	int number = interrupt_pending();
	interrupt_forget();
	undo(plan, created);
	message_error("User interrupt");
	if (number != SIGINT)
		run_end_by_signal(number);
	return EXIT_SUCCESS;
}

/* The target's environment is ours. */
static bool set_environment(const struct plan *plan, const struct created *created, struct error *error)
{
	bool was_there;
	/* An mpirun is not recorded; what it starts is. */
	if (plan->options.mpi_launcher)
		return true;
	if (!preload_set_environment(created->settings.library, created->settings.founder, "", &was_there, error))
		return false;
	if (was_there)
		message_warning("Warning: libcollector.so is already defined in LD_PRELOAD; it was replaced");
	if (plan->settings.heap && own_malloc_defined(plan->target.path))
		message_warning("Warning: heap tracing: %s has a malloc of its own: its blocks are not recorded",
			plan->target.path);
	if (plan->target.kind.sanitized && !sanitizer_permit_preload())
		return error_set(error, "Out of memory");
	return true;
}

/* mpirun's, with ourselves in front of each program. 0: *error says why not. */
static char **launcher_arguments(char **argv, const struct settings *settings, struct error *error)
{
	char **rewritten = 0;
	if (!settings->collect[0]) {
		error_set(error, "Cannot find the path of collect itself");
		return 0;
	}
	rewritten = mpi_launch_rewrite(argv, settings->collect, settings->founder);
	if (!rewritten)
		error_set(error, "Out of memory");
	return rewritten;
}

/* "--rank-of FOUNDER PROGRAM ARGUMENTS", by which an mpirun starts us, or "--spawned-rank-of FOUNDER NUMBER PROGRAM ARGUMENTS",
   by which a rank does. */
static int be_rank(char **argv, bool spawned)
{
	struct error error;
	struct settings settings;
	struct mpi_rank rank = mpi_rank_of_environment();
	rank.spawned = spawned && argv[0] ? argv[1] : 0;
	char **program = argv + (rank.spawned ? 2 : 1);
	if (!argv[0] || !*program)
		error_set(&error, "Option " MPI_RANK_OPTION " is for the mpirun that collect -M starts");
	else if (!rank.known)
		error_set(&error,
			"%s: no MPI launcher that is known says which rank this is (OMPI_COMM_WORLD_RANK, PMI_RANK)",
			*program);
	else if (mpi_founder_settings(argv[0], &rank, &settings, &error))
		mpi_rank_become(argv[0], &settings, &rank, program, &error);
	return fail(&error);
}

/* Several ranks that were given one name by -o: the first to come makes the founder, and each records into it. */
static int share_founder(struct plan *plan)
{
	struct error error;
	struct created created;
	struct settings settings;
	char path[PATH_MAX], founder[PATH_MAX];
	experiment_name_path(&plan->name, path, sizeof path);
	plan->settings.parent = 0;
	snprintf(plan->settings.mpi_job, sizeof plan->settings.mpi_job, "%s", plan->rank.job);
	bool there = access(path, F_OK) == 0;
	struct experiment_name name = plan->name;
	if (!there && !create_experiment_named(&plan->options, &name, &plan->settings, &created, &there, &error))
		return fail(&error);
	if (!realpath(path, founder))
		error_set(&error, "The experiment %s cannot be reached", path);
	else if (mpi_founder_settings(founder, &plan->rank, &settings, &error))
		mpi_rank_become(founder, &settings, &plan->rank, plan->options.target, &error);
	return fail(&error);
}

static int record_target(struct plan *plan)
{
	struct error error;
	struct inherited inherited;
	struct created created;
	struct outcome outcome;
	char **argv = plan->options.target;
	const char *launch = getenv(ENVIRONMENT_LAUNCH);
	/* A launcher watches the process that it started. */
	bool over_ourselves = (launch && strcmp(launch, "exec") == 0) ||
			      (plan->rank.known && plan->settings.mpi && !plan->options.mpi_launcher);

	if (over_ourselves && plan->options.for_debugger) {
		error_set(
			&error, "Option -x does not go with " ENVIRONMENT_LAUNCH "=exec: nobody could stop the target");
		return fail(&error);
	}
	plan->settings.parent = over_ourselves ? 0 : (uint64_t)getpid();
	run_block_signals(&inherited);
	plan->settings.held_signals = run_hold_signal(&inherited, (int)plan->settings.pause_signal) |
				      run_hold_signal(&inherited, (int)plan->settings.sample_signal);
	if (!create_experiment(&plan->options, &plan->name, &plan->settings, &created, &error))
		return fail(&error);
	if (plan->options.mpi_launcher)
		mpi_launch_note(&created, argv);
	if (plan->options.mpi_launcher && !(argv = launcher_arguments(argv, &created.settings, &error)))
		return fail_created(plan, &created, &error);
	if (!set_environment(plan, &created, &error))
		return fail_created(plan, &created, &error);
	if (plan->options.group) {
		plan->joined = member_path(plan->group, created.path, plan->member, &error) &&
			       group_join(plan->group, plan->member, &error);
		if (!plan->joined && !interrupt_pending())
			return fail_created(plan, &created, &error);
	}
	if (interrupt_pending())
		return interrupted(plan, &created);
	if (over_ourselves) {
		run_over_ourselves(&plan->target, argv, created.path, &inherited, &error);
		return fail_created(plan, &created, &error);
	}
	int held_event = waking_event_hold(created.waking_event);
	if (!run_child(&plan->target, argv, &created, &inherited, plan->options.for_debugger, &outcome, &error))
		return fail_created(plan, &created, &error);
	finish_experiment(&created, &outcome);
	waking_event_let_go(held_event);
	if (plan->options.mpi_launcher)
		mpi_launch_end(created.settings.founder);
	run_end_like(outcome.status);
}

/* A standard descriptor that is closed would be the first file that we open, and messages would go there. The target
   finds it closed again. */
static void fill_standard_descriptors(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", O_RDWR | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	static struct plan plan; /* not on the stack: `ulimit -s` may be low, and the target gets the same */
	struct error error;
	(void)argc;
	fill_standard_descriptors();
	if (argv[0] && argv[1] && strcmp(argv[1], MPI_RANK_OPTION) == 0)
		return be_rank(argv + 2, false);
	if (argv[0] && argv[1] && strcmp(argv[1], MPI_SPAWNED_OPTION) == 0)
		return be_rank(argv + 2, true);
	const char *file = options_find_file(argv);
	if (file && !message_set_file(file, &error))
		return fail(&error);
	if (!options_parse(argv, &plan.options, &error))
		return plan.options.refused ? fail(&error) : fail_usage(&error);
	if (plan.options.version) {
		answer(version_text());
		return EXIT_SUCCESS;
	}
	if (plan.options.list_counters) {
		answer(counter_list_text(plan.options.verbose));
		return EXIT_SUCCESS;
	}
	if (plan.options.help || !argv[0] || !argv[1])
		return show_usage(&plan.options);
	if (!plan.options.target) {
		error_set(&error, "Name of target must be specified");
		return fail_usage(&error);
	}
	if (!make_plan(&plan, &error))
		return fail(&error);
	warn_of_options(&plan);
	if (plan.options.dry_run)
		return dry_run(&plan);
	if (plan.options.verbose) {
		char *version = version_text(), *parameters = parameters_text(&plan.settings);
		message_information("%s%s", version, parameters);
		free(version);
		free(parameters);
	}
	if (plan.rank.known && plan.settings.mpi && !plan.options.mpi_launcher && plan.options.output)
		return share_founder(&plan);
	return record_target(&plan);
}
