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
	SPREAD_MOST = 256      /* vectors by which the dimensions of a cluster are told */
};

struct cluster {
	double weight, error; /* error: the sum of squared distances from the centre */
	bool whole;           /* dividing it was tried */
};
struct clustering {
	const struct cluster_vectors *vectors;
	struct vector_clusters *made;
	struct cluster *clusters;
	double *square; /* by vector: its length, squared */
	uint32_t *of;   /* by vector: its cluster */
	uint32_t *members;
	double least;
};

static double *centre_of(const struct clustering *clustering, uint32_t cluster)
{
	return clustering->made->centres + (size_t)cluster * clustering->vectors->coordinates;
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
		own->weight += clustering->of[v] == cluster ? vectors->weight[v] : 0;
	if (own->weight <= 0)
		return;
	memset(centre, 0, vectors->coordinates * sizeof *centre);
	for (uint32_t v = 0; v < vectors->count; v++) {
		if (clustering->of[v] != cluster)
			continue;
		squares += vectors->weight[v] * clustering->square[v];
		for (size_t p = vectors->first[v]; p < vectors->first[v + 1]; p++)
			centre[vectors->parts[p].coordinate] +=
				vectors->weight[v] / own->weight * vectors->parts[p].value;
	}
	own->error = fmax(0, squares - own->weight * square_of(centre, vectors->coordinates));
}

/* Gives each vector of two clusters to the nearer one. False: no vector moved. */
static bool assign(struct clustering *clustering, uint32_t first, uint32_t second)
{
	uint32_t coordinates = clustering->vectors->coordinates;
	double first_square = square_of(centre_of(clustering, first), coordinates);
	double second_square = square_of(centre_of(clustering, second), coordinates);
	bool moved = false;
	for (uint32_t v = 0; v < clustering->vectors->count; v++) {
		if (clustering->of[v] != first && clustering->of[v] != second)
			continue;
		bool nearer = distance(clustering, v, centre_of(clustering, second), second_square) <
			      distance(clustering, v, centre_of(clustering, first), first_square);
		uint32_t to = nearer ? second : first;
		moved |= clustering->of[v] != to;
		clustering->of[v] = to;
	}
	return moved;
}

static uint32_t find_members(const struct clustering *clustering, uint32_t cluster)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < clustering->vectors->count; v++)
		if (clustering->of[v] == cluster)
			clustering->members[count++] = v;
	return count;
}

/* The vector of the cluster that would lower the error most if it were a centre too. */
static uint32_t second_centre(const struct clustering *clustering, uint32_t cluster, uint32_t count)
{
	const double *centre = centre_of(clustering, cluster);
	double square = square_of(centre, clustering->vectors->coordinates), most = -1;
	uint32_t step = (count - 1) / CANDIDATES_MOST + 1, found = clustering->members[0];
	double *from_centre = memory_new(count, sizeof *from_centre);
	for (uint32_t m = 0; m < count; m++)
		from_centre[m] = distance(clustering, clustering->members[m], centre, square);
	for (uint32_t c = 0; c < count; c += step) {
		uint32_t candidate = clustering->members[c];
		double gain = 0;
		for (uint32_t m = 0; m < count; m++) {
			uint32_t v = clustering->members[m];
			double between = clustering->square[v] + clustering->square[candidate] -
					 2 * product_of_two(clustering->vectors, v, candidate);
			gain += clustering->vectors->weight[v] * fmax(0, from_centre[m] - fmax(0, between));
		}
		if (gain > most) {
			most = gain;
			found = candidate;
		}
	}
	free(from_centre);
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

/* The logarithm of the likelihood of a cluster, times -2 and by dimension, but for what all ways to divide it have in common. */
static double misfit(const struct clustering *clustering, const struct cluster *cluster)
{
	double variance = cluster->weight > 1 ? cluster->error / (cluster->weight - 1) : 0;
	return cluster->weight * log(fmax(variance, clustering->least));
}

/* How much better the criterion is for two clusters: of vectors in `dimensions` dimensions. */
static double gain_of(const struct clustering *clustering, double dimensions, const struct cluster *whole,
	const struct cluster *one, const struct cluster *other)
{
	double better =
		dimensions / 2 * (misfit(clustering, whole) - misfit(clustering, one) - misfit(clustering, other));
	double mixed =
		one->weight * log(whole->weight / one->weight) + other->weight * log(whole->weight / other->weight);
	double parameters = dimensions + 2; /* a centre, a variance and a share more */
	return better - mixed - parameters / 2 * log(fmax(whole->weight, 1));
}

static void take_back(struct clustering *clustering, uint32_t cluster, uint32_t second)
{
	for (uint32_t v = 0; v < clustering->vectors->count; v++)
		if (clustering->of[v] == second)
			clustering->of[v] = cluster;
	settle(clustering, cluster);
	clustering->clusters[cluster].whole = true;
}

static void try_to_divide(struct clustering *clustering, uint32_t cluster)
{
	const struct cluster_vectors *vectors = clustering->vectors;
	uint32_t second = clustering->made->count, count = find_members(clustering, cluster);
	struct cluster whole = clustering->clusters[cluster], *own = clustering->clusters;
	double dimensions = dimensions_of(clustering, cluster, count);
	uint32_t centre = second_centre(clustering, cluster, count);
	memset(centre_of(clustering, second), 0, vectors->coordinates * sizeof *clustering->made->centres);
	for (size_t p = vectors->first[centre]; p < vectors->first[centre + 1]; p++)
		centre_of(clustering, second)[vectors->parts[p].coordinate] = vectors->parts[p].value;
	for (unsigned move = 0; move < MOVES_MOST && assign(clustering, cluster, second); move++) {
		settle(clustering, cluster);
		settle(clustering, second);
	}
	settle(clustering, second);
	bool two = own[cluster].weight > 0 && own[second].weight > 0 &&
		   gain_of(clustering, dimensions, &whole, &own[cluster], &own[second]) > 0;
	if (!two) {
		take_back(clustering, cluster, second);
		return;
	}
	own[cluster].whole = own[second].whole = false;
	clustering->made->count++;
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

static bool assign_all(struct clustering *clustering)
{
	uint32_t coordinates = clustering->vectors->coordinates, count = clustering->made->count;
	double *squares = memory_new(count, sizeof *squares);
	bool moved = false;
	for (uint32_t c = 0; c < count; c++)
		squares[c] = square_of(centre_of(clustering, c), coordinates);
	for (uint32_t v = 0; v < clustering->vectors->count; v++) {
		uint32_t nearest = clustering->of[v];
		double least = distance(clustering, v, centre_of(clustering, nearest), squares[nearest]);
		for (uint32_t c = 0; c < count; c++) {
			double away = distance(clustering, v, centre_of(clustering, c), squares[c]);
			if (away < least) {
				least = away;
				nearest = c;
			}
		}
		moved |= nearest != clustering->of[v];
		clustering->of[v] = nearest;
	}
	free(squares);
	return moved;
}

void vector_clusters_find(
	struct vector_clusters *clusters, const struct cluster_vectors *vectors, double least, uint32_t most)
{
	struct clustering clustering = {.vectors = vectors,
		.made = clusters,
		.clusters = memory_new(most + 1, sizeof *clustering.clusters),
		.square = memory_new(vectors->count, sizeof *clustering.square),
		.of = memory_new(vectors->count, sizeof *clustering.of),
		.members = memory_new(vectors->count, sizeof *clustering.members),
		.least = least};
	*clusters = (struct vector_clusters){
		1, memory_new((size_t)(most + 1) * vectors->coordinates, sizeof *clusters->centres)};
	for (uint32_t v = 0; v < vectors->count; v++)
		clustering.square[v] = product_of_two(vectors, v, v);
	settle(&clustering, 0);
	for (uint32_t next; clusters->count < most && (next = next_to_divide(&clustering)) < clusters->count;)
		try_to_divide(&clustering, next);
	for (unsigned move = 0; move < MOVES_MOST && assign_all(&clustering); move++)
		for (uint32_t c = 0; c < clusters->count; c++)
			settle(&clustering, c);
	free(clustering.clusters);
	free(clustering.square);
	free(clustering.of);
	free(clustering.members);
}

void vector_clusters_free(struct vector_clusters *clusters)
{
	free(clusters->centres);
}
