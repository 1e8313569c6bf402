#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No function of libc that does I/O on descriptors or streams is forgotten by I/O tracing: what libc exports under the names of
# these families is in io_calls.def, or stands here with its reason.
set -u
libc=$(ldd "$BUILD/lib/libcollector.so" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
[ -n "$libc" ] || { echo "libc is not found"; exit 77; }
families='^(_IO_|__|__isoc99_)?(p?(read|write)v?(64)?(v2)?|open(at)?(64)?|creat(64)?|close|send(to|m?msg)?|recv(from|m?msg)?|accept4?|connect|f(data)?sync|sync|syncfs|sync_file_range|l?l?seek(64)?|f?truncate(64)?|(posix_)?fallocate(64)?|p?poll|p?select|epoll_p?wait2?|fd?(re)?open(64)?|freopen(64)?|fcloseall|fclose|p(open|close)|closedir|tmpfile(64)?|f?(read|write|puts|putc|putw?c|getw?c|gets|getws|putws|flush)|get(c|char|wc|wchar|w|s|line|delim)|put(c|char|wc|wchar|w|s)|v?[fd]?w?printf|v?f?w?scanf|f(seek|tell)o?(64)?|rewind|f[gs]etpos(64)?|ungetw?c|sendfile(64)?|splice|vmsplice|tee|copy_file_range)(_unlocked)?(_chk|_2)?$'
explained='
_IO_popen popen        starts a process: wrapped by follow/, what its stream does is traced
fdopen _IO_fdopen      opens nothing: the descriptor is there
fcloseall              before the end of the program alone; a later use of a number is told by its open
rewind                 has no result
_IO_ftell _IO_getline _IO_vfscanf __vfscanf   no header declares them
llseek _IO_fgetpos _IO_fgetpos64 _IO_fsetpos _IO_fsetpos64   for programs that were linked before 1999
sync                   about no descriptor, and has no result
posix_fallocate posix_fallocate64   writes by fallocate, or byte by byte inside libc
vmsplice               in wrappers.c: it reads or writes, as the descriptor is open for
'
table=$(sed -nE 's/^(PLAIN|SOCKET|SENDING|WAIT|MASKED|ACCEPT|CONNECT|OPEN|CLOSE)\([^,]+, ([A-Za-z0-9_]+), .*/\2/p; s/^(ITEMS|OPEN_MODE|FORMAT|TRANSFER)\(([A-Za-z0-9_]+), .*/\2/p' libcollector/kinds/io/io_calls.def | sort)
[ "$(wc -l <<<"$table")" -gt 190 ] || { echo "the table has changed its form"; exit 1; }
exported=$(nm -D --defined-only "$libc" | awk '$2 ~ /[TWi]/ && $NF !~ /GLIBC_PRIVATE/ {print $NF}' | sed 's/@.*//' | sort -u)
forgotten=$(grep -E "$families" <<<"$exported" | grep -vxF -f <(echo "$table"; sed 's/   .*//' <<<"$explained" | tr -s ' \n' '\n\n' | sed '/^$/d'))
[ -z "$forgotten" ] || { echo "neither in io_calls.def nor explained:" $forgotten; exit 1; }
ours=$(nm -D --defined-only "$BUILD/lib/libcollector.so" | awk '{print $NF}' | sed 's/@.*//' | sort -u)
missing=$(grep -vxF -f <(echo "$ours") <<<"$table")
[ -z "$missing" ] || { echo "in io_calls.def and not exported:" $missing; exit 1; }
echo "$(grep -cE "$families" <<<"$exported") functions of libc"
