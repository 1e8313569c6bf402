#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function of the target's libc that libcollector.so calls is on this list: functions that keep no lock, allocate nothing and are no
# system call that we stand in front of (those go by system_calls.h), or are needed for what only libc can do.
set -u
library=$BUILD/lib/libcollector.so
[ -e "$library" ] || { echo "$library is not built"; exit 77; }
allowed='
memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strncpy stpcpy strchr strrchr strcspn strspn strstr
getauxval getenv gnu_get_libc_version environ __environ __errno_location clock_gettime clock_getres
dlsym dlvsym dladdr dladdr1 dl_iterate_phdr _dl_find_object _r_debug
__curbrk __libc_single_threaded malloc_usable_size
on_exit __cxa_at_quick_exit __register_atfork
pthread_key_create pthread_setspecific pthread_getspecific pthread_self pthread_attr_getsigmask_np
pthread_attr_getguardsize pthread_attr_getstack pthread_attr_getstacksize pthread_attr_init pthread_attr_setstacksize
_pthread_cleanup_push _pthread_cleanup_pop pthread_testcancel fileno_unlocked ferror_unlocked feof_unlocked dirfd stdin stdout
sigaddset sigemptyset sigfillset sigdelset sigismember sem_getvalue getcontext makecontext
fork setsid chdir posix_spawnattr_init posix_spawnattr_destroy posix_spawnattr_setflags posix_spawnattr_setsigdefault
posix_spawnattr_setsigmask
__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __sigsetjmp _setjmp
__rseq_offset __rseq_size
__cxa_finalize __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __tls_get_addr
'
foreign=$(nm -D --undefined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' | sort -u |
	grep -vxF -f <(tr -s ' \n' '\n\n' <<<"$allowed" | sed '/^$/d'))
[ -z "$foreign" ] || { echo "libcollector.so calls what is not on the list:" $foreign; exit 1; }
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vx -e libc.so.6 -e 'ld-linux-.*')
[ -z "$needed" ] || { echo "libcollector.so needs more than libc:" $needed; exit 1; }
