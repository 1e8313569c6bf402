/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of pthread_create and thrd_create: a new thread begins with us. Its end is noticed by a destructor
   (thread.c), so that pthread_exit and cancellation need nothing here. */
#include "collector.h"
#include "free_list.h"
#include "interpose.h"
#include "load_objects.h"
#include "threads.h"
#include "weak_libc.h"
#include <pthread.h>
#include <threads.h>

/* A new thread needs this from its creator. Its memory is used again, and is not malloc's: the target's malloc is none of our
   business. */
struct beginning {
	void *next; /* in the list of unused ones */
	union {
		void *(*posix)(void *);
		thrd_start_t c11;
	} routine;
	void *argument;
	bool blocks_our_signal;
	struct stack_wanted stack;
};

static struct free_list unused;

static struct beginning begin_thread(void *beginning)
{
	struct beginning copy = *(struct beginning *)beginning;
	free_list_give(&unused, beginning);
	struct thread *thread = thread_begin_on(stack_bounds_of_created(&copy.stack));
	if (thread && copy.blocks_our_signal)
		thread->target_blocks_our_signal = true;
	return copy;
}

static void *run_posix(void *beginning)
{
	struct beginning copy = begin_thread(beginning);
	return copy.routine.posix(copy.argument);
}

static int run_c11(void *beginning)
{
	struct beginning copy = begin_thread(beginning);
	return copy.routine.c11(copy.argument);
}

static bool attributes_have_mask(const pthread_attr_t *attributes)
{
	sigset_t mask;
	return attributes && pthread_attr_getsigmask_np(attributes, &mask) == 0;
}

/* 0: the thread is made without us. */
static struct beginning *prepare(void *argument, bool own_mask)
{
	struct beginning *beginning =
		collector_recording() ? free_list_take_or_map(&unused, sizeof(struct beginning)) : 0;
	if (!beginning)
		return 0;
	if (load_objects_may_ask_loader())
		load_objects_update(); /* what libc loads for itself nobody tells us */
	beginning->argument = argument;
	beginning->blocks_our_signal = !own_mask && current_thread && current_thread->target_blocks_our_signal;
	return beginning;
}

/* Our wrappers run on the thread's stack, whose size the target chose for itself: small ones get that much more. */
enum { SMALL_STACK = 128 * 1024, MORE_STACK = 32 * 1024 };

/* The target's attributes, or a copy with a larger stack. Not where the target brings the stack: the name of its start is
   then known. The copy shares what it points to, and is not destroyed. */
static const pthread_attr_t *with_room(
	const pthread_attr_t *attributes, pthread_attr_t *copy, struct stack_wanted *stack)
{
	if (!attributes || stack->start || stack->size >= SMALL_STACK)
		return attributes;
	*copy = *attributes;
	if (pthread_attr_setstacksize(copy, stack->size + MORE_STACK) != 0)
		return attributes;
	stack->size += MORE_STACK;
	return copy;
}

INTERPOSE int pthread_create(
	pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	struct beginning *beginning = prepare(argument, attributes_have_mask(attributes));
	if (!beginning)
		return REAL(pthread_create)(thread, attributes, routine, argument);
	beginning->routine.posix = routine;
	beginning->stack = stack_wanted(attributes);
	pthread_attr_t copy;
	int result =
		REAL(pthread_create)(thread, with_room(attributes, &copy, &beginning->stack), run_posix, beginning);
	if (result != 0)
		free_list_give(&unused, beginning);
	return result;
}

INTERPOSE int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	struct beginning *beginning = prepare(argument, false);
	if (!beginning)
		return REAL(thrd_create)(thread, routine, argument);
	beginning->routine.c11 = routine;
	beginning->stack = stack_wanted(0);
	int result = REAL(thrd_create)(thread, run_c11, beginning);
	if (result != thrd_success)
		free_list_give(&unused, beginning);
	return result;
}
