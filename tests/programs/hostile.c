// SPDX-License-Identifier: Apache-2.0
// Works for so much CPU time, does something that is hard on a collector, works on, in threads too:
//   hostile WAY MILLISECONDS TRUTH [NUMBER]
// It prints what it would print alone. Into TRUTH, mapped before anything is done, go the nanoseconds of CPU time
// that it spent in before() and in after(), by its threads' own clocks.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, NOBODY = 65534 };

static volatile unsigned long sink;
static struct truth {
	uint64_t before, after;
} * truth;
static uint64_t amount;
static long number;

static uint64_t cpu_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline __attribute__((always_inline)) void work(uint64_t nanoseconds, uint64_t *spent)
{
	uint64_t start = cpu_time(), now;
	do
		for (int i = 0; i < 20000; i++)
			sink += (unsigned)i;
	while ((now = cpu_time()) - start < nanoseconds);
	__atomic_fetch_add(spent, now - start, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void before(uint64_t nanoseconds)
{
	work(nanoseconds, &truth->before);
}

__attribute__((noinline)) void after(uint64_t nanoseconds)
{
	work(nanoseconds, &truth->after);
}

static void say(const char *what, long result)
{
	printf("%s: %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
	fflush(stdout);
}

static void *part(void *unused)
{
	after(amount / 4);
	return unused;
}

static void go_on(size_t stack)
{
	pthread_t threads[THREADS];
	pthread_attr_t attributes;
	int made = 0;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, stack);
	while (made < THREADS && pthread_create(&threads[made], &attributes, part, 0) == 0)
		made++;
	printf("%d threads\n", made);
	after(amount / 4);
	for (int i = 0; i < made; i++)
		pthread_join(threads[i], 0);
	printf("joined\n");
	fflush(stdout);
}

static int in_child(void)
{
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		go_on(65536);
		exit(7);
	}
	after(amount / 4);
	waitpid(child, &status, 0);
	say("child", status);
	return 3;
}

static int drop_privileges(void)
{
	say("setgroups", setgroups(0, 0));
	say("setgid", setgid(NOBODY));
	say("setuid", setuid(NOBODY));
	go_on(65536);
	return in_child();
}

// Without privileges, another program.
static int become_another(void)
{
	say("setgid", setgid(NOBODY));
	say("setuid", setuid(NOBODY));
	execl("/bin/echo", "echo", "another", (char *)0);
	return 2;
}

static int change_root(void)
{
	say("chroot", chroot("jail"));
	say("chdir", chdir("/"));
	go_on(65536);
	return in_child();
}

static int own_namespaces(void)
{
	say("unshare", unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS));
	say("private", mount(0, "/", 0, MS_REC | MS_PRIVATE, 0));
	say("hide /proc", mount("none", "/proc", "tmpfs", 0, 0));
	say("hide this folder", mount("none", ".", "tmpfs", 0, 0));
	go_on(65536);
	return in_child();
}

// As many descriptors as the limit allows, and the first one's number.
static int few_descriptors(void)
{
	struct rlimit limit = {(rlim_t)number, (rlim_t)number};
	int count = 0, first = -1, last = -1, fd;
	say("setrlimit", setrlimit(RLIMIT_NOFILE, &limit));
	while ((fd = open("/dev/null", O_RDONLY)) >= 0) {
		first = count++ ? first : fd;
		last = fd;
	}
	printf("%d descriptors, from %d to %d: %s\n", count, first, last, strerror(errno));
	go_on(65536);
	for (fd = first; fd <= last; fd++)
		close(fd);
	return 3;
}

static int little_memory(void)
{
	struct rlimit limit;
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file || fscanf(file, "%lu", &pages) != 1)
		return 2;
	fclose(file);
	limit.rlim_cur = limit.rlim_max = pages * 4096 + (rlim_t)number * 1024;
	say("setrlimit", setrlimit(RLIMIT_AS, &limit));
	// All that there is, in pieces of a MB, of 64 KB and of a page: each holds its size and the one before it.
	struct block {
		struct block *earlier;
		size_t size;
	} *last = 0, *block;
	for (size_t size = 1 << 20; size >= 4096; size /= 16)
		while ((block = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) !=
			MAP_FAILED) {
			*block = (struct block){last, size};
			last = block;
		}
	printf("no more memory: %s\n", strerror(errno));
	after(amount / 4);
	while (last) {
		block = last->earlier;
		munmap(last, last->size);
		last = block;
	}
	printf("some again\n");
	go_on(16384);
	return 3;
}

static int small_files(void)
{
	static char bytes[10000];
	struct rlimit limit = {4096, 4096};
	signal(SIGXFSZ, SIG_IGN);
	say("setrlimit", setrlimit(RLIMIT_FSIZE, &limit));
	int fd = open("small", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	say("write", write(fd, bytes, sizeof bytes));
	say("write", write(fd, bytes, sizeof bytes));
	signal(SIGXFSZ, SIG_DFL);
	go_on(65536);
	return 3;
}

static volatile sig_atomic_t handled;
static void on_signal(int signal)
{
	(void)signal;
	after(amount / 4);
	handled++;
}

static void *with_small_alternate_stack(void *unused)
{
	stack_t small = {.ss_size = number ? (size_t)number : (size_t)sysconf(_SC_MINSIGSTKSZ)}, now;
	small.ss_sp = (char *)mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 16384;
	mprotect((char *)small.ss_sp - 16384, 16384, PROT_NONE);
	say("sigaltstack", sigaltstack(&small, 0));
	after(amount / 4);
	sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, 0);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sigaltstack(0, &now);
	printf("%zu bytes, the same %d, flags %d, handled %d\n", now.ss_size, now.ss_sp == small.ss_sp, now.ss_flags,
		(int)handled);
	return unused;
}

static int small_alternate_stack(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, now;
	pthread_t thread;
	sigaction(SIGUSR1, &action, 0);
	with_small_alternate_stack(0);
	pthread_create(&thread, 0, with_small_alternate_stack, 0);
	pthread_join(thread, 0);
	sigaction(SIGUSR1, 0, &now);
	printf("mask of the handler has 61: %d\n", sigismember(&now.sa_mask, 61));
	go_on(65536);
	return 3;
}

// Uses most of what a plain run leaves of the smallest stack.
static void *on_tiny_stack(void *unused)
{
	volatile char used[9000];
	for (unsigned i = 0; i < sizeof used; i++)
		used[i] = 1;
	after(amount / 8);
	for (unsigned i = 0; i < sizeof used; i++)
		if (used[i] != 1)
			return (void *)&sink;
	return unused;
}

static int tiny_stacks(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	void *result = 0;
	pthread_attr_init(&attributes);
	say("size", pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)));
	for (int i = 0; i < 4; i++) {
		say("create", pthread_create(&thread, &attributes, on_tiny_stack, 0));
		pthread_join(thread, &result);
		printf("%s\n", result ? "wrong" : "right");
	}
	go_on((size_t)sysconf(_SC_THREAD_STACK_MIN));
	return 3;
}

static int confine(const struct sock_filter *filter, size_t count)
{
	struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)filter};
	say("no new privileges", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (number)
		return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#define LOAD_NUMBER       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ON(call, action)  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, action)
#define ALL_OTHER(action) BPF_STMT(BPF_RET | BPF_K, action)

// Whoever asks for a clock now is killed.
static int kill_clocks(void)
{
	const struct sock_filter filter[] = {LOAD_NUMBER, ON(perf_event_open, SECCOMP_RET_KILL_PROCESS),
		ON(timer_create, SECCOMP_RET_KILL_PROCESS), ON(timer_settime, SECCOMP_RET_KILL_PROCESS),
		ALL_OTHER(SECCOMP_RET_ALLOW)};
	say("filter", confine(filter, sizeof filter / sizeof *filter));
	go_on(65536);
	return in_child();
}

// The calls that this program needs, and nothing else.
#define NEEDED(action)                                                                                                 \
	LOAD_NUMBER, ON(write, SECCOMP_RET_ALLOW), ON(futex, SECCOMP_RET_ALLOW), ON(mmap, SECCOMP_RET_ALLOW),          \
		ON(munmap, SECCOMP_RET_ALLOW), ON(mprotect, SECCOMP_RET_ALLOW), ON(madvise, SECCOMP_RET_ALLOW),        \
		ON(clone, SECCOMP_RET_ALLOW), ON(clone3, SECCOMP_RET_ALLOW), ON(brk, SECCOMP_RET_ALLOW),               \
		ON(rseq, SECCOMP_RET_ALLOW), ON(set_robust_list, SECCOMP_RET_ALLOW), ON(exit, SECCOMP_RET_ALLOW),      \
		ON(exit_group, SECCOMP_RET_ALLOW), ON(clock_gettime, SECCOMP_RET_ALLOW),                               \
		ON(rt_sigprocmask, SECCOMP_RET_ALLOW), ON(rt_sigreturn, SECCOMP_RET_ALLOW),                            \
		ON(rt_sigaction, SECCOMP_RET_ALLOW), ON(newfstatat, SECCOMP_RET_ALLOW),                                \
		ON(getrandom, SECCOMP_RET_ALLOW), ALL_OTHER(action)

static int only_needed(void)
{
	const struct sock_filter killing[] = {NEEDED(SECCOMP_RET_KILL_PROCESS)};
	say("filter", confine(killing, sizeof killing / sizeof *killing));
	go_on(65536);
	return 3;
}

static int refused(void)
{
	const struct sock_filter refusing[] = {NEEDED(SECCOMP_RET_ERRNO | EPERM)};
	say("filter", confine(refusing, sizeof refusing / sizeof *refusing));
	go_on(65536);
	return 3;
}

// Signals are not for this program.
static int no_signals(void)
{
	const struct sock_filter filter[] = {
		LOAD_NUMBER, ON(rt_sigreturn, SECCOMP_RET_KILL_PROCESS), ALL_OTHER(SECCOMP_RET_ALLOW)};
	say("filter", confine(filter, sizeof filter / sizeof *filter));
	after(amount / 4);
	return 3;
}

static int strict(void)
{
	say("strict", prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
	for (int i = 0; i < 20000000; i++)
		sink += (unsigned)i;
	if (write(1, "computed\n", 9) == 9)
		syscall(SYS_exit, 3);
	return 2;
}

// Questions by which libraries find out what the kernel can do, and calls that it refuses.
static int probe(void)
{
	const struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
	const struct sock_filter wrong[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), all[0]};
	const struct sock_fprog good = {1, (struct sock_filter *)all}, bad = {2, (struct sock_filter *)wrong};
	const struct sock_fprog endless = {1, (struct sock_filter *)wrong};
	say("strict", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, 0));
	say("strict", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, &good));
	say("none", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 0));
	say("none", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0));
	say("wrong", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &bad));
	say("endless", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &endless));
	say("flags", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			     SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_NEW_LISTENER, &good));
	if (geteuid() == 0)
		say("setuid", setresuid(NOBODY, NOBODY, NOBODY));
	say("privileges", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &good));
	go_on(65536);
	return 3;
}

static int change_folder(void)
{
	say("mkdir", mkdir("elsewhere", 0755));
	say("chdir", chdir("elsewhere"));
	say("rmdir", rmdir("../elsewhere"));
	go_on(65536);
	return in_child();
}

static const struct way {
	const char *name;
	int (*function)(void);
} ways[] = {{"fork", in_child}, {"setuid", drop_privileges}, {"exec", become_another}, {"chroot", change_root},
	{"unshare", own_namespaces}, {"descriptors", few_descriptors}, {"memory", little_memory},
	{"files", small_files}, {"alternate", small_alternate_stack}, {"tiny", tiny_stacks},
	{"kill_clocks", kill_clocks}, {"only_needed", only_needed}, {"refused", refused}, {"no_signals", no_signals},
	{"strict", strict}, {"probe", probe}, {"chdir", change_folder}};

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	int fd = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || ftruncate(fd, sizeof *truth) != 0)
		return 2;
	truth = mmap(0, sizeof *truth, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (truth == MAP_FAILED)
		return 2;
	amount = strtoull(argv[2], 0, 10) * 1000000;
	number = argc > 4 ? atol(argv[4]) : 0;
	say(argv[1], number); // also: stdio has what it needs
	before(amount / 4);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, argv[1]) == 0)
			return ways[i].function();
	return 2;
}
