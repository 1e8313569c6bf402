/* SPDX-License-Identifier: Apache-2.0 */
/* The other end of a socket of the family AF_UNIX. */
#ifndef UNIX_PEER_H
#define UNIX_PEER_H

#include <stdint.h>

/* The inode of the socket that this one, an inode, is connected to, as the kernel tells by netlink (unix_diag); 0: not known.
   Async-signal-safe. */
uint32_t unix_peer_of(uint32_t inode);

#endif
