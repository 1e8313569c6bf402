/* SPDX-License-Identifier: Apache-2.0 */
/* A question to the kernel's unix_diag and its answer: see unix_peer.h. */
#include "unix_peer.h"
#include "system_calls.h"
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>

struct question {
	struct nlmsghdr head;
	struct unix_diag_req request;
};

union answer {
	struct nlmsghdr head;
	char bytes[256];
};

static uint32_t peer_in(const union answer *answer, size_t size)
{
	const size_t start = NLMSG_SPACE(sizeof(struct unix_diag_msg));
	if (size < start || answer->head.nlmsg_len > size || answer->head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return 0;
	struct rtattr attribute;
	for (size_t at = start; at + sizeof attribute <= answer->head.nlmsg_len; at += RTA_ALIGN(attribute.rta_len)) {
		uint32_t peer;
		memcpy(&attribute, answer->bytes + at, sizeof attribute);
		if (attribute.rta_len < sizeof attribute)
			return 0;
		if (attribute.rta_type == UNIX_DIAG_PEER && attribute.rta_len >= RTA_LENGTH(sizeof peer)) {
			memcpy(&peer, answer->bytes + at + RTA_LENGTH(0), sizeof peer);
			return peer;
		}
	}
	return 0;
}

uint32_t unix_peer_of(uint32_t inode)
{
	struct question question = {
		.head = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
		.request = {.sdiag_family = AF_UNIX,
			.udiag_states = ~0u,
			.udiag_ino = inode,
			.udiag_show = UDIAG_SHOW_PEER,
			.udiag_cookie = {~0u, ~0u}}};
	union answer answer;
	int fd = (int)system_call(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd < 0)
		return 0;
	long size = system_call(SYS_sendto, fd, &question, sizeof question, 0, 0, 0);
	if (size == (long)sizeof question)
		size = system_call(SYS_recvfrom, fd, &answer, sizeof answer, MSG_DONTWAIT, 0, 0);
	else
		size = -1;
	sys_close(fd);
	return size > 0 ? peer_in(&answer, (size_t)size) : 0;
}
