#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function that libc exports in the families of signals, waits, descriptors and threads is one that we stand in front of,
# or has its reason here.
set -eu
library=$BUILD/lib/libcollector.so
libc=$(ldd "$BUILD/bin/collect" | awk '$1 == "libc.so.6" {print $3}')

# Names of the default versions: no program can be linked to others any more.
exports()
{
	nm -D --defined-only "$1" | awk '$2 ~ /[TWi]/ && $3 !~ /[^@]@[^@]/ && $3 !~ /@@GLIBC_PRIVATE/ {sub(/@.*/, "", $3); print $3}' | sort -u
}
exports "$library" >ours
exports "$libc" | grep -E '^_*(xpg_)?(sig[a-z]*(_chk)?|[bs]sd_signal|sysv_signal|ssignal|bsd_signal|p?poll|p?select|(p?poll)_chk|epoll_[a-z0-9]*wait[0-9]*|[a-z_]*sleep|sem_[a-z]*wait|pause|msg(rcv|snd)|sem(timed)?op|mq_(timed)?(receive|send)|(aio|gai)_suspend(64)?|thrd_create|pthread_create|pthread_(attr_setsigmask_np|sigmask|sigqueue|kill|exit)|close|closefrom|close_range|dup[23]?|(read|write)v?|p(read|write)v?[0-9]*(v2|v64v2)?|read_chk|recv[a-z]*(_chk)?|send(to|msg|mmsg|file|file64)?|accept4?|connect|splice|tee|vmsplice|[a-z]etsockopt|(sig)?longjmp(_chk)?)$' >families
cat >explained <<'REASONS'
__pread64      as pread64
__pwrite64     as pwrite64
__signbit      arithmetic
__signbitf     arithmetic
__signbitl     arithmetic
__sigsetjmp    saves the kernel's mask, in which ours is not blocked, and longjmp restores just that
dup            the lowest free number, never one of ours
getsockopt     shows what setsockopt set
mq_receive     restarted by the kernel
mq_send        restarted by the kernel
mq_timedreceive restarted by the kernel: wait-eintr.sh
mq_timedsend   restarted by the kernel
pread          not for sockets
pread64        not for sockets
preadv         not for sockets
preadv64       not for sockets
pthread_attr_setsigmask_np the new thread itself takes ours out and remembers it
pthread_exit   the thread's destructors tell its end
pthread_kill   sends
pthread_sigqueue sends
pwrite         not for sockets
pwrite64       not for sockets
pwritev        not for sockets
pwritev64      not for sockets
sem_trywait    does not wait
sem_wait       restarted by the kernel: wait-eintr.sh
sigaddset      sets only
sigaltstack    our handler runs on it
sigandset      sets only
sigblock       knows signals 1 to 32 only
sigdelset      sets only
sigemptyset    sets only
sigfillset     sets only
siggetmask     knows signals 1 to 32 only
sigisemptyset  sets only
sigismember    sets only
sigorset       sets only
sigqueue       sends
sigreturn      not implemented by libc
sigstack       not implemented by libc
tee            pipes only
vmsplice       pipes only
REASONS
missing=$(comm -23 families ours | grep -vxF -f <(awk '{print $1}' explained) || true)
[ -z "$missing" ] || { printf 'neither stood in front of nor explained:\n%s\n' "$missing"; exit 1; }
stale=$(comm -23 <(awk '{print $1}' explained | sort -u) <(comm -23 families ours))
[ -z "$stale" ] || printf 'not exported by this libc, or ours: %s\n' "$stale"
# A function that we export in these families must be one of this libc: else it would be seen as a feature that libc lacks.
extra=$(sed -n 's/^[A-Z_]*([^,]*, \([a-z_0-9]*\),.*/\1/p' "$TESTS/../libcollector/target/signals/waits.def" | sort -u | comm -23 - <(exports "$libc") | grep -v '^io_p\?getevents$' || true)
[ -z "$extra" ] || { printf 'rows of waits.def that libc does not have:\n%s\n' "$extra"; exit 1; }
[ "$(wc -l <families)" -ge 90 ] || { echo "only $(wc -l <families) functions found in libc"; exit 1; }
echo "$(wc -l <families) functions, $(comm -12 families ours | wc -l) of them ours"
