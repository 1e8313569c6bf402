/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the directory mpi_hosts, JOB and CLOCK being 16 hexadecimal digits: JOB=0 (all digits) holds rank 0's CLOCK, JOB-CLOCK
   the rank that speaks for that clock, and JOB-CLOCK.met whether it and rank 0 compare. Each is made by the process that was
   first. Hence .met is a decision on which both agree, whoever made it: rank 0, when it finds the other, or the other, when it
   gives up waiting. */
#include "clock_partners.h"
#include "collector.h"
#include "environment.h"
#include "identity.h"
#include "layout.h"
#include "proc_text.h"
#include "system_calls.h"
#include "text.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rank waits at most ten seconds for rank 0: the ranks of a job leave MPI_Init together but for the time that the library
   takes. */
enum { WORD_MAX = 64, HASH_DIGITS = 16, WAITS = 10000, WAIT_NANOSECONDS = 1000000 };

static struct experiment_directory hosts;
static uint64_t our_job, our_clock, our_rank;
static bool announced, speaking;

/* JOB, a sign, a number, and what follows. */
static const char *file_name(char name[WORD_MAX], const char *sign, uint64_t number, const char *after)
{
	struct text text = {.bytes = name, .capacity = WORD_MAX - 1};
	text_number(&text, our_job, 16, HASH_DIGITS);
	text_string(&text, sign);
	text_number(&text, number, 16, HASH_DIGITS);
	text_string(&text, after);
	name[text.size] = 0;
	return name;
}

/* Makes a file with one number in it. False: another process has made it, or it cannot be made. */
static bool make(const char *name, uint64_t value, unsigned base)
{
	char bytes[WORD_MAX], temporary[WORD_MAX];
	struct text text = {.bytes = bytes, .capacity = sizeof bytes};
	text_number(&text, value, base, 1);
	text_append(&text, "\n", 1);
	file_name(temporary, "+", our_rank, "");
	return experiment_directory_make_file(&hosts, name, temporary, bytes, text.size) == 0;
}

/* The number in a file; false: there is none. */
static bool read_number(const char *name, unsigned base, uint64_t *number)
{
	char bytes[WORD_MAX];
	int fd = experiment_directory_open_file(&hosts, name, O_RDONLY);
	long size = fd < 0 ? -1 : sys_read(fd, bytes, sizeof bytes - 1);
	if (fd >= 0)
		sys_close(fd);
	if (size < 2 || bytes[size - 1] != '\n')
		return false;
	bytes[size] = 0;
	*number = strtoull(bytes, 0, (int)base);
	return true;
}

static const char *variable(const char *const *names)
{
	for (; *names; names++)
		if (getenv(*names) && *getenv(*names))
			return getenv(*names);
	return 0;
}

/* The host's boot and the time namespace, in which CLOCK_MONOTONIC is one clock. 0: not known. */
static uint64_t clock_identity(void)
{
	char boot[WORD_MAX] = "", space[WORD_MAX] = "";
	size_t size = proc_text_read("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
	system_call(SYS_readlinkat, AT_FDCWD, "/proc/self/ns/time", space, sizeof space - 1);
	return size > 0 ? identity_mix(identity_of_text(boot), identity_of_text(space)) : 0;
}

static bool open_hosts(void)
{
	int code;
	return experiment_directory_open_inside(&hosts, &collector.founder, MPI_HOSTS_FOLDER, true, &code) ||
	       (code == EEXIST &&
		       experiment_directory_open_inside(&hosts, &collector.founder, MPI_HOSTS_FOLDER, false, &code));
}

void clock_partners_announce(const char *job)
{
	static const char *const ranks[] = {MPI_RANK_VARIABLES, 0};
	char name[WORD_MAX], *end;
	const char *rank = variable(ranks);
	announced = speaking = false;
	/* Without a name, only the first job of a founder is known: which ranks are of one that it spawned is not. */
	if (collector.lineage[0] != 'M' || !rank || (!*job && getenv("PMI_SPAWNED")))
		return;
	our_rank = strtoull(rank, &end, 10);
	our_job = identity_of_text(job);
	our_clock = clock_identity();
	if (*end || !our_clock || !open_hosts())
		return;
	announced = true;
	if (our_rank == 0)
		make(file_name(name, "=", 0, ""), our_clock, 16);
	else
		speaking = make(file_name(name, "-", our_clock, ""), our_rank, 10);
}

/* Rank 0: whether it compares with the one who speaks for a clock. */
static void invite(const char *name, struct clock_partners *partners)
{
	char met[WORD_MAX];
	uint64_t clock = strtoull(name + HASH_DIGITS + 1, 0, 16), rank;
	bool room = partners->count < CLOCK_PARTNERS_MAX;
	if (clock == our_clock)
		return;
	bool known = read_number(name, 10, &rank);
	if (!make(file_name(met, "-", clock, ".met"), known && room, 10) || !known)
		return;
	if (room)
		partners->ranks[partners->count++] = (uint32_t)rank;
	else
		partners->refused++;
}

/* The kernel's: what getdents64() fills in. */
struct entry {
	uint64_t inode, position;
	uint16_t size;
	uint8_t type;
	char name[];
};

static void invite_all(struct clock_partners *partners)
{
	static char bytes[32768] __attribute__((aligned(8))); /* static: stacks of targets may be small */
	char ours[WORD_MAX];
	file_name(ours, "-", 0, "");
	int fd = experiment_directory_open_file(&hosts, ".", O_RDONLY | O_DIRECTORY);
	long size;
	while (fd >= 0 && (size = system_call(SYS_getdents64, fd, bytes, sizeof bytes)) > 0)
		for (long at = 0; at < size; at += ((struct entry *)(bytes + at))->size) {
			const char *name = ((struct entry *)(bytes + at))->name;
			if (strncmp(name, ours, HASH_DIGITS + 1) == 0 && strlen(name) == HASH_DIGITS * 2 + 1)
				invite(name, partners);
		}
	if (fd >= 0)
		sys_close(fd);
}

/* Tells the speaker of a clock whether rank 0 will compare. */
static bool is_invited(void)
{
	char zero[WORD_MAX], met[WORD_MAX];
	uint64_t its_clock = 0, answer = 0;
	bool answered = false, there = read_number(file_name(zero, "=", 0, ""), 16, &its_clock);
	if (there && its_clock == our_clock)
		return false;
	file_name(met, "-", our_clock, ".met");
	for (unsigned i = 0; there && i < WAITS && !(answered = read_number(met, 10, &answer)); i++) {
		struct timespec wait = {.tv_nsec = WAIT_NANOSECONDS};
		system_call(SYS_nanosleep, &wait, 0);
	}
	if (!answered && make(met, 0, 10))
		return false;
	/* If rank 0 was faster after all, what it decided is there. */
	return (answered || read_number(met, 10, &answer)) && answer == 1;
}

void clock_partners_find(uint32_t rank, struct clock_partners *partners)
{
	*partners = (struct clock_partners){.count = 0};
	if (!announced)
		return;
	if (rank == 0 && our_rank == 0)
		invite_all(partners);
	else if (speaking && is_invited())
		partners->ranks[partners->count++] = 0;
	experiment_directory_close(&hosts);
}
