// SPDX-License-Identifier: Apache-2.0
// Clusters of vectors: groups that lie apart are found, as many as there are; equal ones, and those that are scattered by chance
// around one place in few or many dimensions, are one cluster.
#include "chance.h"
#include "storage.h"
#include "vector_clusters.h"
#include <check.h>
#include <stdlib.h>

enum { VECTORS = 100, SEEDS = 50 };

/* Vectors scattered around `groups` places, 1 from the origin each in a direction of its own; vector v is of group v modulo
   groups. */
static struct vector_clusters cluster(uint32_t groups, uint32_t coordinates, double deviation, uint64_t seed)
{
	struct cluster_vectors vectors = {.count = VECTORS,
		.coordinates = coordinates,
		.parts = memory_new((size_t)VECTORS * coordinates, sizeof *vectors.parts),
		.first = memory_new(VECTORS + 1, sizeof *vectors.first),
		.weight = memory_new(VECTORS, sizeof *vectors.weight)};
	struct vector_clusters made;
	for (uint32_t v = 0; v < VECTORS; v++) {
		vectors.weight[v] = 1;
		vectors.first[v] = (size_t)v * coordinates;
		for (uint32_t c = 0; c < coordinates; c++)
			vectors.parts[(size_t)v * coordinates + c] =
				(struct vector_part){c, 5 + (c == v % groups ? 1 : 0) + deviation * normal(&seed)};
	}
	vectors.first[VECTORS] = (size_t)VECTORS * coordinates;
	vector_clusters_find(&made, &vectors, 1e-6, 20);
	free(vectors.parts);
	free(vectors.first);
	free(vectors.weight);
	return made;
}

/* How many of many trials found another number of clusters, or put two of one group apart. */
static unsigned misses(uint32_t groups, uint32_t coordinates, double deviation)
{
	unsigned missed = 0;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct vector_clusters made = cluster(groups, coordinates, deviation, seed * 7919);
		uint32_t apart = 0;
		for (uint32_t v = groups; v < VECTORS; v++)
			apart += made.of[v] != made.of[v % groups];
		missed += made.count != groups || apart > 2;
		vector_clusters_free(&made);
	}
	return missed;
}

START_TEST(groups_are_found)
{
	for (uint32_t groups = 1; groups <= 12; groups++) {
		struct vector_clusters made = cluster(groups, 12, 0, 1);
		ck_assert_uint_eq(made.count, groups);
		for (uint32_t v = 0; v < VECTORS; v++)
			ck_assert_uint_eq(made.of[v], made.of[v % groups]);
		vector_clusters_free(&made);
	}
}
END_TEST

START_TEST(scattered_groups_are_found)
{
	for (uint32_t groups = 2; groups <= 6; groups += 2) {
		unsigned missed = misses(groups, 6, .1);
		ck_assert_msg(missed <= 1, "%u groups: %u of 50", groups, missed);
	}
}
END_TEST

START_TEST(chance_makes_no_group)
{
	for (uint32_t coordinates = 1; coordinates <= 16; coordinates *= 4) {
		unsigned missed = misses(1, coordinates, .3);
		ck_assert_msg(missed <= 1, "%u dimensions: %u of 50", coordinates, missed);
	}
}
END_TEST

START_TEST(one_vector_is_one_cluster)
{
	struct vector_part part = {0, 1};
	size_t first[] = {0, 1};
	double weight = .25;
	struct cluster_vectors vectors = {1, 1, &part, first, &weight};
	struct vector_clusters made;
	vector_clusters_find(&made, &vectors, 1e-6, 20);
	ck_assert_uint_eq(made.count, 1);
	ck_assert_uint_eq(made.of[0], 0);
	vector_clusters_free(&made);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vector clusters");
	TCase *test = tcase_create("all");
	tcase_add_test(test, groups_are_found);
	tcase_add_test(test, scattered_groups_are_found);
	tcase_add_test(test, chance_makes_no_group);
	tcase_add_test(test, one_vector_is_one_cluster);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
