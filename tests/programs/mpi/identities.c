/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators made in every way and order that MPI has, with messages on each. Each of three ranks sends to the next one of each
   communicator, and prints how many messages it sent and how many bytes. Arguments: the cases, by name. */
#include "exchange.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int rank;

static void need(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "identities: %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Communicators are kept, and let go at the end. Open MPI 4.1 kills processes that end while others have something in common with
   them; its MPI_Comm_disconnect of many communicators may hang. */
static MPI_Comm kept[256], spawning[2];
static int kept_count, spawning_count;

static MPI_Comm keep(MPI_Comm communicator)
{
	if (communicator != MPI_COMM_NULL)
		kept[kept_count++] = communicator;
	return communicator;
}

static void let_go(void)
{
	while (kept_count)
		MPI_Comm_free(&kept[--kept_count]);
	while (spawning_count)
		MPI_Comm_disconnect(&spawning[--spawning_count]);
}

/* Those of each place in this file have another size, so that a message of another communicator is seen to be one. */
#define exchange(communicator) exchange_bytes(communicator, __LINE__)

static MPI_Comm duplicate(MPI_Comm communicator)
{
	MPI_Comm made;
	MPI_Comm_dup(communicator, &made);
	return keep(made);
}

static MPI_Comm merge(MPI_Comm inter, int high)
{
	MPI_Comm made;
	MPI_Intercomm_merge(inter, high, &made);
	return keep(made);
}

/* `half` and those of rank `remote` of `peer`; our leader has rank `leader` of `half`. */
static MPI_Comm meet(MPI_Comm half, int leader, MPI_Comm peer, int remote)
{
	MPI_Comm made;
	MPI_Intercomm_create(half, leader, peer, remote, 11, &made);
	return keep(made);
}

static MPI_Comm split(MPI_Comm communicator, int colour, int key)
{
	MPI_Comm made;
	MPI_Comm_split(communicator, colour, key, &made);
	return keep(made);
}

/* Ranks `first` and `second` of MPI_COMM_WORLD, by a call of these two. */
static MPI_Comm of_two(int first, int second, int tag)
{
	int ranks[] = {first, second};
	MPI_Group world, group;
	MPI_Comm made = MPI_COMM_NULL;
	if (rank != first && rank != second)
		return made;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, ranks, &group);
	MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &made);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	return keep(made);
}

/* Makes one of four communicators of two or three ranks. */
static MPI_Comm make(int which)
{
	switch (which) {
	case 0:
		return of_two(0, 1, 5);
	case 1:
		return duplicate(MPI_COMM_WORLD);
	case 2:
		return of_two(2, 0, 5);
	default:
		return split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, -rank);
	}
}

/* Calls `with` for each order of `count` numbers, those from `fixed` on being free. */
static void each_order(int *order, int count, int fixed, void with(const int *))
{
	if (fixed == count)
		with(order);
	for (int i = fixed; i < count; i++) {
		int first = order[fixed];
		order[fixed] = order[i];
		order[i] = first;
		each_order(order, count, fixed + 1, with);
		order[i] = order[fixed];
		order[fixed] = first;
	}
}

static void made_in(const int *order)
{
	for (int i = 0; i < 4; i++)
		exchange_bytes(make(order[i]), 100 + 10 * order[i]);
}

static void groups(void)
{
	int order[] = {0, 1, 2, 3};
	each_order(order, 4, 0, made_in);
	exchange(of_two(1, 2, 5));
	exchange(of_two(1, 2, 6));
	exchange(of_two(1, 2, 5));
}

/* Three that are made at the same time are complete in this order. */
static void complete_in(const int *order)
{
	static MPI_Comm some;
	MPI_Comm made[3];
	MPI_Request requests[3];
	int count = rank ? 3 : 2;
	if (!some)
		some = split(MPI_COMM_WORLD, rank == 0, 0);
	if (rank)
		exchange(duplicate(some));
	MPI_Comm_idup(MPI_COMM_WORLD, &made[0], &requests[0]);
	exchange(duplicate(MPI_COMM_WORLD));
	MPI_Comm_idup(MPI_COMM_WORLD, &made[1], &requests[1]);
	if (rank)
		MPI_Comm_idup(some, &made[2], &requests[2]);
	else
		exchange(duplicate(some));
	for (int i = 0; i < 3; i++)
		for (int done = order[i] >= count; !done;)
			MPI_Test(&requests[order[i]], &done, MPI_STATUS_IGNORE);
	for (int i = 0; i < count; i++)
		exchange_bytes(keep(made[i]), 200 + 10 * i);
}

/* Those of a single process may be complete at once, and their requests the same. */
static void of_one(void)
{
	MPI_Comm made[2];
	MPI_Request requests[2];
	for (int i = 0; i < 2; i++)
		MPI_Comm_idup(MPI_COMM_SELF, &made[i], &requests[i]);
	for (int i = 1; i >= 0; i--) {
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
		exchange(keep(made[i]));
	}
}

static void nonblocking(void)
{
	int order[] = {0, 1, 2};
	if (rank == 1) {
		MPI_Comm self = duplicate(MPI_COMM_SELF);
		exchange(self);
		kept_count--;
		MPI_Comm_free(&self);
		exchange(duplicate(MPI_COMM_SELF));
	}
	each_order(order, 3, 0, complete_in);
	of_one();
}

/* Makes what can be made of an intercommunicator; `high`: ours is the second group. */
static void descendants(MPI_Comm inter, int high)
{
	MPI_Comm merged, twice = duplicate(inter);
	int own;
	exchange(inter);
	exchange(twice);
	merged = merge(twice, high);
	exchange(merged);
	exchange(duplicate(merged));
	MPI_Comm_rank(merged, &own);
	exchange(split(merged, own % 2, -own));
	exchange(merge(inter, !high));
	exchange(split(inter, 0, 0));
}

static void between(void)
{
	MPI_Comm half = split(MPI_COMM_WORLD, rank == 2, 0);
	/* One side has made more of its own than the other. */
	if (rank == 2)
		exchange(duplicate(half));
	descendants(meet(half, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2), rank == 2);
	/* The two meet again: by another leader, by ranks of another communicator, and as the first time. */
	exchange(meet(half, rank == 2 ? 0 : 1, MPI_COMM_WORLD, rank == 2 ? 1 : 2));
	exchange(meet(half, 0, split(MPI_COMM_WORLD, 0, -rank), rank == 2 ? 2 : 0));
	exchange(meet(half, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2));
}

/* Those of both sides of an intercommunicator that have even and odd ranks in what it is merged to. */
static void mixed(MPI_Comm inter, int high)
{
	MPI_Comm merged = merge(inter, high);
	int own;
	MPI_Comm_rank(merged, &own);
	descendants(meet(split(merged, own % 2, 0), 0, merged, own % 2 ? 0 : 1), own % 2);
}

static void spawned(char *program)
{
	MPI_Comm child;
	char *arguments[] = {"child", 0}, *programs[] = {program, program}, **lists[] = {arguments, arguments};
	int counts[] = {1, 1};
	MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
	exchange(of_two(0, 1, 5));
	MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
	descendants(child, 0);
	mixed(child, 0);
	spawning[spawning_count++] = child;
	MPI_Comm_spawn_multiple(2, programs, lists, counts, infos, 2, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
	descendants(child, 0);
	mixed(child, 0);
	spawning[spawning_count++] = child;
}

static void child(MPI_Comm parent)
{
	exchange(duplicate(MPI_COMM_WORLD));
	descendants(parent, 1);
	mixed(parent, 1);
	spawning[spawning_count++] = parent;
}

/* Ranks 0 and 1 are the server, rank 2 the client, twice. */
static void ports(void)
{
	char port[MPI_MAX_PORT_NAME];
	MPI_Comm half = split(MPI_COMM_WORLD, rank == 2, 0), inter;
	if (rank == 0)
		MPI_Open_port(MPI_INFO_NULL, port);
	MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		if (rank == 2)
			MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter);
		else
			MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter);
		descendants(keep(inter), rank == 2);
	}
	if (rank == 0)
		MPI_Close_port(port);
}

/* Ranks 0 and 1 by a socket that they have. */
static void sockets(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	int own = socket(AF_INET, SOCK_STREAM, 0), connection = own;
	MPI_Comm inter;
	if (rank == 0) {
		need(!bind(own, (void *)&address, length) && !listen(own, 1), "listen");
		getsockname(own, (void *)&address, &length);
		MPI_Send(&address, sizeof address, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
		connection = accept(own, 0, 0);
	} else if (rank == 1) {
		MPI_Recv(&address, sizeof address, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		need(!connect(own, (void *)&address, length), "connect");
	} else {
		return;
	}
	if (rank == 0) {
		sent++;
		bytes += sizeof address;
	}
	MPI_Comm_join(connection, &inter);
	descendants(keep(inter), rank);
}

int main(int argc, char **argv)
{
	MPI_Comm parent;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL)
		child(parent);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "groups"))
			groups();
		else if (!strcmp(argv[i], "nonblocking"))
			nonblocking();
		else if (!strcmp(argv[i], "between"))
			between();
		else if (!strcmp(argv[i], "spawned"))
			spawned(argv[0]);
		else if (!strcmp(argv[i], "ports"))
			ports();
		else if (!strcmp(argv[i], "sockets"))
			sockets();
		exchange(MPI_COMM_WORLD);
	}
	printf("%ld %ld\n", sent, bytes);
	fflush(stdout);
	let_go();
	MPI_Finalize();
	return 0;
}
