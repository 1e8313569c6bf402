// SPDX-License-Identifier: Apache-2.0
// Touches PAGES fresh pages of shared memory, of System V and of its own: the kernel may have to wait for something in such a
// fault, and gives it up to be tried again when a signal is pending.
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

static long page;

__attribute__((noinline)) static void touch_shared(volatile char *memory, long count)
{
	for (long i = 0; i < count; i++)
		memory[i * page] = 1;
}

int main(int count, char **arguments)
{
	long pages = count > 1 ? atol(arguments[1]) : 64;
	page = sysconf(_SC_PAGESIZE);
	size_t size = (size_t)(pages * page);
	int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
	char *of_system = id < 0 ? (char *)-1 : shmat(id, 0, 0);
	if (id >= 0)
		shmctl(id, IPC_RMID, 0);
	char *own = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (of_system == (char *)-1 || own == MAP_FAILED)
		return 77;
	touch_shared(of_system, pages);
	touch_shared(own, pages);
	puts("done");
	return 0;
}
