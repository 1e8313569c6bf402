/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters of vectors by k-means. The number of clusters is found as X-means does (Pelleg and Moore, 2000): a cluster is divided as
   long as the Bayesian information criterion of normal distributions is better for its parts. Nothing is left to chance: the next
   centre is the vector that lowers the error most (Likas, Vlassis and Verbeek, 2003). */
#ifndef VECTOR_CLUSTERS_H
#define VECTOR_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/* Vectors of which most coordinates are 0. */
struct cluster_vectors {
	uint32_t count, coordinates;
	struct vector_part {
		uint32_t coordinate;
		double value;
	} * parts;
	size_t *first;  /* by vector, and one more: its first part; parts are by coordinate, upwards */
	double *weight; /* as how many vectors it counts; above 0 */
};
struct vector_clusters {
	uint32_t count; /* 1 at least; some may have no vector */
	uint32_t *of;   /* by vector: its cluster */
};

/* least: variances below it, summed over the coordinates, are no reason to divide a cluster. most: clusters at most, up to
   VECTOR_CLUSTERS_MOST. There must be a vector. */
#define VECTOR_CLUSTERS_MOST 32u
void vector_clusters_find(
	struct vector_clusters *clusters, const struct cluster_vectors *vectors, double least, uint32_t most);
void vector_clusters_free(struct vector_clusters *clusters);

#endif
