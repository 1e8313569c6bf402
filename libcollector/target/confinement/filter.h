/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a seccomp filter on a system call, by interpreting the filter's program. */
#ifndef FILTER_H
#define FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

/* Copies the program that the target hands to the kernel. False: it cannot be read, and the kernel will refuse it. */
bool filter_read(const struct sock_fprog *program, struct sock_filter *copy, unsigned *length);

/* Whether the kernel takes it for a filter (bpf_check_classic() and seccomp_check_filter() of Linux). */
bool filter_is_valid(const struct sock_filter *filter, unsigned length);

/* The filter's verdict, a SECCOMP_RET_* with its data. Kills where the program is wrong, as the kernel would. */
uint32_t filter_verdict(const struct sock_filter *filter, unsigned length, const struct seccomp_data *call);

#endif
