/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For reports about OpenMP: the names of regions and tasks, and why there are none. */
#ifndef OMP_NAMES_H
#define OMP_NAMES_H

#include "omp_sites.h"
#include "session.h"

/* `what`: "parallel region" or "task". Owned by the table or the session. */
const char *omp_site_name(struct session *session, struct table *table, const struct omp_site *site, const char *what);
/* Likewise of a wait. */
const char *omp_wait_name(struct session *session, struct table *table, const struct omp_site *site, const char *what);
/* The error that nothing of the kind was recorded, of which `what` is the plural. Returns false. */
bool omp_refuse(struct session *session, const char *what);

#endif
