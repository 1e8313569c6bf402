#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function that libc exports in the family of the heap is one that we stand in front of, or has its reason here.
set -eu
library=$BUILD/lib/libcollector.so
libc=$(ldd "$BUILD/bin/collect" | awk '$1 == "libc.so.6" {print $3}')
exports()
{
	nm -D --defined-only "$1" | awk '$2 ~ /[TWi]/ && $3 !~ /@@GLIBC_PRIVATE/ {sub(/@.*/, "", $3); print $3}' | sort -u
}
exports "$library" >ours
exports "$libc" | grep -E 'alloc|free|memalign|mmap|mremap|munmap|brk$' >family
cat >explained <<'REASONS'
_IO_default_doallocate  a stream's buffer, by malloc
_IO_doallocbuf          a stream's buffer, by malloc
_IO_file_doallocate     a stream's buffer, by malloc
_IO_free_backup_area    a stream's buffer, by free
_IO_free_wbackup_area   a stream's buffer, by free
_IO_wdefault_doallocate a stream's buffer, by malloc
_IO_wdoallocbuf         a stream's buffer, by malloc
__freelocale            as freelocale
__libc_allocate_rtsig   a signal's number
__libc_calloc           libc's own allocator, by a name for those who replace it
__libc_free             likewise
__libc_freeres          at the end of a process that a checker asked to give everything back
__libc_malloc           libc's own allocator, by a name for those who replace it
__libc_memalign         likewise
__libc_pvalloc          likewise
__libc_realloc          likewise
__libc_valloc           likewise
__sbrk                  libc's own growth
__sched_cpualloc        by malloc
__sched_cpufree         by free
_obstack_allocated_p    asks
_obstack_free           by free
fallocate               space of a file
fallocate64             space of a file
freeaddrinfo            by free
freeifaddrs             by free
freelocale              by free
globfree                by free
globfree64              by free
if_freenameindex        by free
inet6_option_alloc      room in the caller's buffer
malloc_info             asks
malloc_stats            asks
malloc_trim             gives back what is free already
malloc_usable_size      asks
obstack_free            by free
pkey_alloc              a key of memory protection
pkey_free               a key of memory protection
posix_fallocate         space of a file
posix_fallocate64       space of a file
reallocarray            by realloc
regfree                 by free
strpbrk                 searches a text
wcspbrk                 searches a text
wordfree                by free
xdr_free                by free
REASONS
missing=$(comm -23 family ours | grep -vxF -f <(awk '{print $1}' explained) || true)
[ -z "$missing" ] || { printf 'neither stood in front of nor explained:\n%s\n' "$missing"; exit 1; }
[ "$(comm -12 family ours | wc -l)" -ge 16 ]
echo "$(wc -l <family) functions, $(comm -12 family ours | wc -l) of them ours"
