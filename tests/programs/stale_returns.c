/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are in code without unwind information, with addresses of a library on their stacks, while another thread loads that
   library and unloads it, again and again: whoever looks for a return address may take one of those.
   stale_returns SECONDS FUNCTION LIBRARY OTHER...   Others stay loaded: whoever looks what was unloaded has to look at them all. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	THREADS = 4,
	LOADED_NANOSECONDS = 200000
}; /* more than CPUs, so that a walk is interrupted while it is unloaded */

/* spin(stop, address): puts the address on the stack eight times, and returns when *stop is not 0. It is long, so that each tick
   hits an instruction of which nothing is known yet. */
void spin(const atomic_int *stop, uintptr_t address);
#if defined __x86_64__
__asm__(".text\n.type spin, @function\nspin:\n"
	"push %rsi\npush %rsi\npush %rsi\npush %rsi\npush %rsi\npush %rsi\npush %rsi\npush %rsi\n"
	"1: .rept 20000\nnop\n.endr\ncmpl $0, (%rdi)\nje 1b\n"
	"add $64, %rsp\nret\n.size spin, .-spin\n");
#elif defined __aarch64__
__asm__(".text\n.type spin, %function\nspin:\n"
	"stp x1, x1, [sp, -16]!\nstp x1, x1, [sp, -16]!\nstp x1, x1, [sp, -16]!\nstp x1, x1, [sp, -16]!\n"
	"1: .rept 20000\nnop\n.endr\nldr w2, [x0]\ncbz w2, 1b\n"
	"add sp, sp, 64\nret\n.size spin, .-spin\n");
#endif

static atomic_int stop;
static uintptr_t address;

static void *spin_with_address(void *unused)
{
	(void)unused;
	spin(&stop, address);
	return 0;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	for (int i = 4; i < argc; i++)
		if (!dlopen(argv[i], RTLD_NOW))
			return 3;
	unsigned loaded = 0;
	pthread_t threads[THREADS];
	double end = now() + atof(argv[1]);
	do {
		void *library = dlopen(argv[3], RTLD_NOW);
		char *function = library ? dlsym(library, argv[2]) : 0;
		if (!function)
			return 3;
		address = (uintptr_t)function + 16;
		for (unsigned i = 0; !loaded && i < THREADS; i++)
			pthread_create(&threads[i], 0, spin_with_address, 0);
		nanosleep(&(struct timespec){.tv_nsec = LOADED_NANOSECONDS}, 0);
		dlclose(library);
		loaded++;
	} while (now() < end);
	stop = 1;
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	printf("loaded %s often\n", loaded > 10 ? "it" : "nothing");
	return 0;
}
