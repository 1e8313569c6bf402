/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides clusters in two, the one of the largest error first, and moves all centres at the end. */
#include "vector_clusters.h"
#include "storage.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOVES_MOST = 50,       /* of centres until they stay */
	CANDIDATES_MOST = 256, /* for a second centre */
	PARTS_MOST = 8,        /* that a cluster is divided into at once */
	SPREAD_MOST = 256      /* vectors by which the dimensions of a cluster are told */
};

/* So much of a vector; with a whole one, a phase of three windows in fifty is not told from the rest. */
#define FEWNESS 0.25

struct cluster {
	double weight, error; /* error: the sum of squared distances from the centre */
	bool whole;           /* dividing it was tried */
};
struct clustering {
	const struct cluster_vectors *vectors;
	struct vector_clusters *made;
	struct cluster *clusters;
	double *square;  /* by vector: its length, squared */
	double *centres; /* [cluster * coordinates + coordinate] */
	uint32_t *members;
	double least;
};

static double *centre_of(const struct clustering *clustering, uint32_t cluster)
{
	return clustering->centres + (size_t)cluster * clustering->vectors->coordinates;
}

static double square_of(const double *centre, uint32_t coordinates)
{
	double sum = 0;
	for (uint32_t i = 0; i < coordinates; i++)
		sum += centre[i] * centre[i];
	return sum;
}

static double product(const struct cluster_vectors *vectors, uint32_t vector, const double *centre)
{
	double sum = 0;
	for (size_t p = vectors->first[vector]; p < vectors->first[vector + 1]; p++)
		sum += vectors->parts[p].value * centre[vectors->parts[p].coordinate];
	return sum;
}

static double product_of_two(const struct cluster_vectors *vectors, uint32_t a, uint32_t b)
{
	const struct vector_part *x = vectors->parts + vectors->first[a],
				 *x_end = vectors->parts + vectors->first[a + 1];
	const struct vector_part *y = vectors->parts + vectors->first[b],
				 *y_end = vectors->parts + vectors->first[b + 1];
	double sum = 0;
	while (x < x_end && y < y_end) {
		if (x->coordinate == y->coordinate)
			sum += x->value * y->value;
		uint32_t at = x->coordinate;
		x += at <= y->coordinate;
		y += y->coordinate <= at;
	}
	return sum;
}

/* The square of the distance; centre_square is square_of() the centre. */
static double distance(const struct clustering *clustering, uint32_t vector, const double *centre, double centre_square)
{
	return fmax(0, clustering->square[vector] - 2 * product(clustering->vectors, vector, centre) + centre_square);
}

/* Puts the centre of a cluster in the middle of its vectors, and sums up their distances from there. */
static void settle(struct clustering *clustering, uint32_t cluster)
{
	const struct cluster_vectors *vectors = clustering->vectors;
	double *centre = centre_of(clustering, cluster);
	struct cluster *own = &clustering->clusters[cluster];
	double squares = 0;
	own->weight = own->error = 0;
	for (uint32_t v = 0; v < vectors->count; v++)
		own->weight += clustering->made->of[v] == cluster ? vectors->weight[v] : 0;
	if (own->weight <= 0)
		return;
	memset(centre, 0, vectors->coordinates * sizeof *centre);
	for (uint32_t v = 0; v < vectors->count; v++) {
		if (clustering->made->of[v] != cluster)
			continue;
		squares += vectors->weight[v] * clustering->square[v];
		for (size_t p = vectors->first[v]; p < vectors->first[v + 1]; p++)
			centre[vectors->parts[p].coordinate] +=
				vectors->weight[v] / own->weight * vectors->parts[p].value;
	}
	own->error = fmax(0, squares - own->weight * square_of(centre, vectors->coordinates));
}

static uint32_t find_members(const struct clustering *clustering, uint32_t cluster)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < clustering->vectors->count; v++)
		if (clustering->made->of[v] == cluster)
			clustering->members[count++] = v;
	return count;
}

/* Gives each of the vectors to the nearest of the clusters, of those that are as near to the one it has. False: none moved. */
static bool assign(struct clustering *clustering, const uint32_t *members, uint32_t count, const uint32_t *clusters,
	uint32_t cluster_count)
{
	double squares[VECTOR_CLUSTERS_MOST];
	bool moved = false;
	for (uint32_t c = 0; c < cluster_count; c++)
		squares[c] = square_of(centre_of(clustering, clusters[c]), clustering->vectors->coordinates);
	for (uint32_t m = 0; m < count; m++) {
		uint32_t *of = &clustering->made->of[members[m]], nearest = *of;
		double least = INFINITY;
		for (uint32_t c = 0; c < cluster_count; c++) {
			double away = distance(clustering, members[m], centre_of(clustering, clusters[c]), squares[c]);
			if (away < least || (away <= least && clusters[c] == *of)) {
				least = away;
				nearest = clusters[c];
			}
		}
		moved |= nearest != *of;
		*of = nearest;
	}
	return moved;
}

/* The parts that a cluster is being divided into: itself, and clusters from `first` on. */
struct parts {
	uint32_t cluster, first, count;
	uint32_t members; /* vectors in all of them */
	double dimensions;
	struct cluster whole;
};

static uint32_t part_number(const struct parts *parts, uint32_t part)
{
	return part ? parts->first + part - 1 : parts->cluster;
}

/* The vector that would lower the error most if it were a centre too. */
static uint32_t another_centre(const struct clustering *clustering, const struct parts *parts)
{
	const struct cluster_vectors *vectors = clustering->vectors;
	uint32_t step = (parts->members - 1) / CANDIDATES_MOST + 1, found = clustering->members[0];
	double most = -1, *away = memory_new(parts->members, sizeof *away);
	for (uint32_t m = 0; m < parts->members; m++) {
		uint32_t v = clustering->members[m];
		const double *centre = centre_of(clustering, clustering->made->of[v]);
		away[m] = distance(clustering, v, centre, square_of(centre, vectors->coordinates));
	}
	for (uint32_t c = 0; c < parts->members; c += step) {
		uint32_t candidate = clustering->members[c];
		double gain = 0;
		for (uint32_t m = 0; m < parts->members; m++) {
			uint32_t v = clustering->members[m];
			double between = clustering->square[v] + clustering->square[candidate] -
					 2 * product_of_two(vectors, v, candidate);
			gain += vectors->weight[v] * fmax(0, away[m] - fmax(0, between));
		}
		if (gain > most) {
			most = gain;
			found = candidate;
		}
	}
	free(away);
	return found;
}

/* In how many dimensions a cluster's vectors differ: the square of the sum of the covariance's eigenvalues by the sum of their
   squares, from the products of all pairs of vectors. 1 at least. */
static double dimensions_of(const struct clustering *clustering, uint32_t cluster, uint32_t count)
{
	const struct cluster_vectors *vectors = clustering->vectors;
	const double *centre = centre_of(clustering, cluster);
	double square = square_of(centre, vectors->coordinates), trace = 0, squares = 0;
	uint32_t step = (count - 1) / SPREAD_MOST + 1;
	for (uint32_t i = 0; i < count; i += step)
		for (uint32_t j = 0; j <= i; j += step) {
			uint32_t a = clustering->members[i], b = clustering->members[j];
			double both = vectors->weight[a] * vectors->weight[b];
			double along = product_of_two(vectors, a, b) - product(vectors, a, centre) -
				       product(vectors, b, centre) + square;
			trace += i == j ? vectors->weight[a] * along : 0;
			squares += (i == j ? 1 : 2) * both * along * along;
		}
	return squares > 0 ? fmax(1, trace * trace / squares) : 1;
}

static double variance_of(const struct cluster *cluster)
{
	return cluster->weight > 1 ? cluster->error / (cluster->weight - 1) : 0;
}

/* The logarithm of the likelihood of a cluster, times -2 and by dimension, but for what all ways to divide it have in common. A
   part of a vector more, as far from the centre as is usual in the whole, keeps few vectors from being a cluster by that. */
static double misfit(const struct clustering *clustering, const struct cluster *cluster, double usual)
{
	double variance = (cluster->error + FEWNESS * usual) / fmax(cluster->weight, 1);
	return cluster->weight * log(fmax(variance, clustering->least));
}

/* How much better the criterion is for the parts than for the whole. */
static double gain_of(const struct clustering *clustering, const struct parts *parts)
{
	double usual = variance_of(&parts->whole), mixed = 0;
	double better = parts->whole.weight * log(fmax(usual, clustering->least));
	for (uint32_t p = 0; p < parts->count; p++) {
		const struct cluster *part = &clustering->clusters[part_number(parts, p)];
		if (part->weight <= 0)
			return -INFINITY;
		better -= misfit(clustering, part, usual);
		mixed += part->weight * log(parts->whole.weight / part->weight);
	}
	/* Each part has a centre, a variance and a share. */
	double parameters = (parts->count - 1) * (parts->dimensions + 2);
	return parts->dimensions / 2 * better - mixed - parameters / 2 * log(fmax(parts->whole.weight, 1));
}

/* Moves vectors to the nearest part, and the parts to their vectors, until they stay. */
static void move_parts(struct clustering *clustering, const struct parts *parts)
{
	uint32_t number[PARTS_MOST];
	for (uint32_t p = 0; p < parts->count; p++)
		number[p] = part_number(parts, p);
	for (unsigned move = 0; move < MOVES_MOST; move++) {
		if (!assign(clustering, clustering->members, parts->members, number, parts->count))
			break;
		for (uint32_t p = 0; p < parts->count; p++)
			settle(clustering, number[p]);
	}
}

static void add_part(struct clustering *clustering, struct parts *parts)
{
	const struct cluster_vectors *vectors = clustering->vectors;
	uint32_t vector = another_centre(clustering, parts);
	double *centre = centre_of(clustering, part_number(parts, parts->count++));
	memset(centre, 0, vectors->coordinates * sizeof *centre);
	for (size_t p = vectors->first[vector]; p < vectors->first[vector + 1]; p++)
		centre[vectors->parts[p].coordinate] = vectors->parts[p].value;
	move_parts(clustering, parts);
}

static void give_members(struct clustering *clustering, const struct parts *parts, const uint32_t *of)
{
	for (uint32_t m = 0; m < parts->members; m++)
		clustering->made->of[clustering->members[m]] = of[m];
	for (uint32_t p = 0; p < parts->count; p++)
		settle(clustering, part_number(parts, p));
}

/* Divides a cluster into as many parts as are best. Two may be no better than one where three are. */
static void try_to_divide(struct clustering *clustering, uint32_t cluster, uint32_t most)
{
	struct parts parts = {cluster, clustering->made->count, 1, find_members(clustering, cluster), 0,
		clustering->clusters[cluster]};
	uint32_t *best = memory_new(parts.members, sizeof *best), best_count = 1;
	double gain = 0;
	parts.dimensions = dimensions_of(clustering, cluster, parts.members);
	for (uint32_t m = 0; m < parts.members; m++)
		best[m] = cluster;
	while (parts.count < PARTS_MOST && parts.count < parts.members && parts.first + parts.count <= most) {
		add_part(clustering, &parts);
		double now = gain_of(clustering, &parts);
		if (now <= gain)
			continue;
		gain = now;
		best_count = parts.count;
		for (uint32_t m = 0; m < parts.members; m++)
			best[m] = clustering->made->of[clustering->members[m]];
	}
	give_members(clustering, &parts, best);
	clustering->made->count += best_count - 1;
	for (uint32_t p = 0; p < best_count; p++)
		clustering->clusters[part_number(&parts, p)].whole = best_count == 1;
	free(best);
}

/* The cluster with the largest error of those which may be divided still; the count: there is none. */
static uint32_t next_to_divide(const struct clustering *clustering)
{
	uint32_t found = clustering->made->count;
	double most = 0;
	for (uint32_t c = 0; c < clustering->made->count; c++)
		if (!clustering->clusters[c].whole && clustering->clusters[c].error > most) {
			most = clustering->clusters[c].error;
			found = c;
		}
	return found;
}

/* Moves all clusters together, as vectors may be nearer to one that was divided off another. */
static void move_all(struct clustering *clustering)
{
	uint32_t number[VECTOR_CLUSTERS_MOST], count = clustering->made->count;
	for (uint32_t v = 0; v < clustering->vectors->count; v++)
		clustering->members[v] = v;
	for (uint32_t c = 0; c < count; c++)
		number[c] = c;
	for (unsigned move = 0; move < MOVES_MOST; move++) {
		if (!assign(clustering, clustering->members, clustering->vectors->count, number, count))
			break;
		for (uint32_t c = 0; c < count; c++)
			settle(clustering, c);
	}
}

void vector_clusters_find(
	struct vector_clusters *clusters, const struct cluster_vectors *vectors, double least, uint32_t most)
{
	struct clustering clustering = {.vectors = vectors,
		.made = clusters,
		.clusters = memory_new(most + 1, sizeof *clustering.clusters),
		.square = memory_new(vectors->count, sizeof *clustering.square),
		.centres = memory_new((size_t)(most + 1) * vectors->coordinates, sizeof *clustering.centres),
		.members = memory_new(vectors->count, sizeof *clustering.members),
		.least = least};
	*clusters = (struct vector_clusters){1, memory_new(vectors->count, sizeof *clusters->of)};
	for (uint32_t v = 0; v < vectors->count; v++)
		clustering.square[v] = product_of_two(vectors, v, v);
	settle(&clustering, 0);
	for (uint32_t next; (next = next_to_divide(&clustering)) < clusters->count;)
		try_to_divide(&clustering, next, most);
	move_all(&clustering);
	free(clustering.clusters);
	free(clustering.square);
	free(clustering.centres);
	free(clustering.members);
}

void vector_clusters_free(struct vector_clusters *clusters)
{
	free(clusters->of);
}
