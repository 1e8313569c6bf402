#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every kind of data has pictures of every shape, with a title, a total and a word that say what was measured. mpi-waits.sh and mpi-volume.sh have MPI's, and omp-waits.sh OpenMP's.
# measures waits for pages of a slow file, of which a busy machine may show none of one kind
. "$TESTS/end-to-end/pictures.bash"
cat >kinds.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void *volatile kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char bytes[100000];
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
__attribute__((noinline)) static void compute(void) { for (double end = now() + .2; now() < end;) ; }
__attribute__((noinline)) static void ask(void) { for (int i = 0; i < 2000; i++) close(open("/proc/self/stat", O_RDONLY)); }
__attribute__((noinline)) static void leak(void) { for (int i = 0; i < 10; i++) kept = malloc(1000); }
__attribute__((noinline)) static void spend(void) { for (int i = 0; i < 20; i++) { kept = malloc(300); free(kept); } }
__attribute__((noinline)) static void grow(void) { for (int i = 0; i < 8; i++) kept = memset(malloc(100000), 1, 100000); }
__attribute__((noinline)) static void touch(void) { char *p = mmap(0, 800 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); for (int i = 0; i < 800; i++) p[i << 12] = 1; }
__attribute__((noinline)) static void transfer(void)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < 50; i++)
		if (write(fd, bytes, sizeof bytes) < 0)
			_exit(1);
	lseek(fd, 0, SEEK_SET);
	for (int i = 0; i < 50; i++)
		if (read(fd, bytes, sizeof bytes) < 0)
			_exit(1);
	close(fd);
}
__attribute__((noinline)) static void fail(void) { for (int i = 0; i < 5000; i++) if (read(-1, bytes, 1) >= 0) _exit(1); }
__attribute__((noinline)) static void await(void) { for (int i = 0; i < 10; i++) poll(&(struct pollfd){.fd = eventfd(0, 0), .events = POLLIN}, 1, 5); }
static void *hold(void *unused) { pthread_mutex_lock(&mutex); usleep(100000); pthread_mutex_unlock(&mutex); return unused; }
static void *share(void *unused) { cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one); sched_setaffinity(0, sizeof one, &one); compute(); return unused; }
static void pass_on(int from, int to, int in) { if (fork() == 0) { usleep(100000); _exit(write(to, bytes, 1) != 1); } if (read(from, bytes, 1) != 1) _exit(1); close(in); wait(0); }
/* More waits by system calls of its own than the kernel has room to record: the time of some is unexplained. */
__attribute__((noinline)) static void own_calls(void)
{
	struct timespec time = {0, 1000};
	for (long i = 0, result; i < 1000; i++)
#if defined __x86_64__
		__asm__ volatile("syscall" : "=a"(result) : "0"((long)SYS_nanosleep), "D"(&time), "S"(0L) : "rcx", "r11", "memory");
#else
		syscall(SYS_nanosleep, &time, 0);
#endif
}
static void parts(void)
{
	pthread_t thread;
	int ends[2];
	if (pipe(ends) != 0)
		_exit(1);
	pass_on(ends[0], ends[1], ends[1]);
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	pass_on(ends[0], ends[1], ends[1]);
	if (fork() == 0) { usleep(100000); _exit(0); }
	wait(0);
	if (fork() == 0) { usleep(50000); kill(getppid(), SIGCONT); _exit(0); }
	raise(SIGSTOP);
	wait(0);
	pthread_create(&thread, 0, share, 0);
	share(0);
	pthread_join(thread, 0);
	own_calls();
}
int main(void)
{
	pthread_t thread;
	parts();
	compute(); ask(); leak(); spend(); grow(); touch(); transfer(); fail(); await();
	pthread_create(&thread, 0, hold, 0);
	usleep(30000);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return pthread_join(thread, 0);
}
C
gcc -O1 -g -fno-builtin -w -o kinds kinds.c -lpthread
rm -rf kinds.er
"$BUILD/bin/collect" -F off -p on -H on -s 0 -i on -h page-faults,1,context-switches,1 -O said -o kinds.er ./kinds
tool="$TESTS/tools/picture_kinds.py"
mpi='^mpi'
omp='^omp'
pages='^[a-z]*pfault$'
ours=$("$tool" -names | grep -v "$mpi" | grep -v "$omp" | grep -v "$pages")
"$tool" "$er_print" kinds.er ./kinds $ours
# Pages that are not in memory.
>slow
if "$PROGRAMS/slow_file" slow true; then
	cp "$PROGRAMS/page_waits" . # by a short name: titles are cut
	"$PROGRAMS/slow_file" slow "$BUILD/bin/collect" -O said -o pages.er ./page_waits slow >waits
	"$tool" "$er_print" pages.er "./page_waits slow" $("$tool" -names | grep "$pages")
fi
# Row 28: who issued I/O, by bytes and by calls.
frames iowritebytes.flamegraph.svg | grep -q ' transfer (5,000,000 bytes, 100.00%)$'
frames iowritecnt.flamegraph.svg | grep -q ' transfer (50 writes, [0-9.]*%)$'
frames ioreadbytes.flamegraph.svg | grep -q ' transfer (5,000,000 bytes, 100.00%)$'
frames heaptempcnt.flamegraph.svg | grep -q ' spend (20 temporary allocations, [0-9.]*%)$'
frames heapleakbytes.flamegraph.svg | grep -q ' leak (10,000 bytes, [0-9.]*%)$'
# Row 27: as many faults as pages were touched, in their function; leaks and temporary allocations likewise.
frames page-faults.flamegraph.svg | grep -q ' touch (80[0-9] page faults, [0-9.]*%)$'

# No metric of the table is forgotten.
diff <(sed -nE 's/^(METRIC|PASS)\(([a-z]+),.*/\2/p' "$TESTS/../er_print/aggregate/metrics.def" | sort) \
	<("$tool" -names | grep -v -- - | sort)
for metric in $("$tool" -names | grep "$mpi"); do
	grep -qw "$metric" "$TESTS/end-to-end/mpi-waits.sh" "$TESTS/end-to-end/mpi-volume.sh" || { echo "no test of MPI draws $metric"; exit 1; }
done
for metric in $("$tool" -names | grep "$omp"); do
	grep -qw "$metric" "$TESTS/end-to-end/omp-waits.sh" || { echo "omp-waits.sh does not draw $metric"; exit 1; }
done
