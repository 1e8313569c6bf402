/* SPDX-License-Identifier: Apache-2.0 */
/* The user's wish to end, while signals are blocked: before the target runs and after it has ended. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/* A pending signal that should end collect (SIGINT, SIGTERM, SIGHUP, SIGQUIT, if not ignored): its number, or 0. */
int interrupt_pending(void);
/* Forgets them: what came until now was the target's. */
void interrupt_forget(void);

#endif
