// SPDX-License-Identifier: Apache-2.0
// Threads by attributes of every kind say how large their stacks are, in bytes.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *size_of_stack(void *result)
{
	pthread_attr_t attributes;
	void *start;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0 ||
		pthread_attr_getstack(&attributes, &start, &size) != 0)
		abort();
	pthread_attr_destroy(&attributes);
	*(size_t *)result = size;
	return 0;
}

static void make(const char *what, const pthread_attr_t *attributes)
{
	pthread_t thread;
	size_t size = 0;
	if (pthread_create(&thread, attributes, size_of_stack, &size) != 0)
		abort();
	pthread_join(thread, 0);
	printf("%s: %zu\n", what, size);
}

int main(void)
{
	pthread_attr_t plain, sized, brought;
	static char stack[1 << 20] __attribute__((aligned(4096)));
	make("no attributes", 0);
	pthread_attr_init(&plain);
	make("attributes of no size", &plain);
	pthread_attr_setguardsize(&plain, 8192);
	make("a guard alone", &plain);
	pthread_attr_init(&sized);
	pthread_attr_setstacksize(&sized, 1 << 20);
	make("a size", &sized);
	pthread_attr_init(&brought);
	pthread_attr_setstack(&brought, stack, sizeof(stack));
	make("a stack of its own", &brought);
	return 0;
}
