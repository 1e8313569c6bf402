/* SPDX-License-Identifier: Apache-2.0 */
/* The witness process and how it is asked: see witness.h. */
#include "witness.h"
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 200 /* milliseconds to wait for the answer of a process that may have been stopped */

/* How often each signal came since the last question. */
struct answer {
	unsigned char counts[_NSIG];
};

static void take_pending(struct answer *answer)
{
	const struct timespec now = {0};
	sigset_t all;
	memset(answer, 0, sizeof *answer);
	sigfillset(&all);
	for (int number; (number = sigtimedwait(&all, 0, &now)) > 0;)
		if (answer->counts[number] < 255)
			answer->counts[number]++;
}

/* Answers each question until collect is gone. It keeps nothing open: a pipe of the target's must end with the target. */
_Noreturn static void be_witness(int socket)
{
	char question;
	struct answer answer;
	prctl(PR_SET_NAME, "collect-witness", 0, 0, 0);
	dup2(socket, 0);
	close_range(1, ~0u, 0);
	while (recv(0, &question, 1, 0) == 1) {
		take_pending(&answer);
		if (send(0, &answer, sizeof answer, MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

void witness_start(struct witness *witness)
{
	int ends[2];
	*witness = (struct witness){.pid = 0};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return;
	witness->pid = fork();
	if (witness->pid == 0)
		be_witness(ends[1]);
	close(ends[1]);
	witness->socket = ends[0];
	if (witness->pid < 0) {
		close(ends[0]);
		witness->pid = 0;
	}
}

static bool ask(struct witness *witness, struct answer *answer)
{
	struct pollfd ready = {.fd = witness->socket, .events = POLLIN};
	return send(witness->socket, "?", 1, MSG_NOSIGNAL) == 1 && poll(&ready, 1, PATIENCE) == 1 &&
	       recv(witness->socket, answer, sizeof *answer, MSG_DONTWAIT) == (ssize_t)sizeof *answer;
}

bool witness_saw(struct witness *witness, int signal_number)
{
	struct answer answer;
	sigset_t pending;
	if (witness->pid == 0)
		return false;
	if (!ask(witness, &answer)) {
		/* An answer that comes too late would be taken for the next one's. */
		witness_end(witness);
		return false;
	}
	sigpending(&pending);
	for (int number = 1; number < _NSIG; number++) {
		witness->seen[number] += answer.counts[number];
		/* A signal that is not pending was taken before, or will never be seen: it must not hide a later one. */
		if (number != signal_number && sigismember(&pending, number) != 1)
			witness->seen[number] = 0;
	}
	if (witness->seen[signal_number] == 0)
		return false;
	witness->seen[signal_number] = sigismember(&pending, signal_number) == 1 ? witness->seen[signal_number] - 1 : 0;
	return true;
}

void witness_end(struct witness *witness)
{
	if (witness->pid == 0)
		return;
	close(witness->socket);
	kill(witness->pid, SIGKILL);
	waitpid(witness->pid, 0, 0);
	witness->pid = 0;
}
