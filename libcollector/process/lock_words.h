/* SPDX-License-Identifier: Apache-2.0 */
/* The words in the memory of libc's locks (nptl/pthreadP.h; barriers and semaphores: nptl/internaltypes.h). */
#ifndef LOCK_WORDS_H
#define LOCK_WORDS_H

#include <pthread.h>
#include <stdbool.h>

static inline unsigned lock_word(const volatile void *lock, unsigned index)
{
	return ((const volatile unsigned *)lock)[index];
}

/* Whether a call seems to have to wait: by the first word, which says who has a mutex, how many read or write, and what a
   semaphore's value is. A thread that waits all the same is woken by nobody we know. */
static inline bool is_taken_mutex(const volatile void *lock)
{
	return lock_word(lock, 0) != 0;
}
static inline bool is_taken_read_lock(const volatile void *lock)
{
	return lock_word(lock, 0) != 0;
}
static inline bool is_taken_write_lock(const volatile void *lock)
{
	return lock_word(lock, 0) != 0;
}
static inline bool is_taken_semaphore(const volatile void *semaphore)
{
	return lock_word(semaphore, 0) == 0;
}
/* It does not sleep. */
static inline bool is_taken_spin_lock(const volatile void *lock)
{
	(void)lock;
	return false;
}

/* Whether it was made for several processes. C11's mutexes and conditions are like POSIX's, and never are. */
static inline bool is_shared_mutex(const volatile void *lock)
{
	enum { SHARED = 128 }; /* of the type */
	return ((const volatile pthread_mutex_t *)lock)->__data.__kind & SHARED;
}
static inline bool is_shared_read_lock(const volatile void *lock)
{
	return ((const volatile pthread_rwlock_t *)lock)->__data.__shared != 0;
}
static inline bool is_shared_write_lock(const volatile void *lock)
{
	return is_shared_read_lock(lock);
}
static inline bool is_shared_condition(const volatile void *condition)
{
	enum { SHARED = 1 };
	return ((const volatile pthread_cond_t *)condition)->__data.__wrefs & SHARED;
}
/* Those of before GLIBC_2.3.2 point to memory of the process's own. */
static inline bool is_shared_old_condition(const volatile void *condition)
{
	(void)condition;
	return false;
}
static inline bool is_shared_semaphore(const volatile void *semaphore)
{
	enum { SHARING = 2 }; /* behind the value and who waits, 8 bytes */
	return lock_word(semaphore, SHARING) != 0;
}
static inline bool is_shared_barrier(const volatile void *barrier)
{
	enum { SHARING = 3 }; /* behind how many came, the round and the count */
	return lock_word(barrier, SHARING) != 0;
}
static inline bool is_shared_spin_lock(const volatile void *lock)
{
	(void)lock;
	return false;
}
static inline bool is_shared_join(const volatile void *thread)
{
	(void)thread;
	return false;
}

#endif
