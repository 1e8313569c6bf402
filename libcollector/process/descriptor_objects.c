/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of descriptors: a pipe is known by its file, an eventfd by the kernel's number for it, a socket by the addresses or
   files of both ends. */
#include "descriptor_objects.h"
#include "collector.h"
#include "descriptors.h"
#include "object_hash.h"
#include "proc_text.h"
#include "system_calls.h"
#include "target_memory.h"
#include "text.h"
#include "unix_peer.h"
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

struct descriptor_table descriptor_objects;

/* The number behind `name` in what /proc says of a descriptor. */
static bool number_in_fdinfo(int descriptor, const char *name, uint64_t *number)
{
	char path[64], found[256];
	struct text text = {.bytes = path, .capacity = sizeof path - 1};
	text_string(&text, "/proc/self/fdinfo/");
	text_number(&text, (uint64_t)descriptor, 10, 1);
	path[text.size] = 0;
	proc_text_read(path, found, sizeof found);
	const char *at = strstr(found, name);
	if (!at)
		return false;
	at += strlen(name);
	at += strspn(at, " ");
	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		*number = *number * 10 + (uint64_t)(*at - '0');
	return true;
}

static uint64_t of_anonymous_file(int descriptor)
{
	uint64_t number;
	return number_in_fdinfo(descriptor, "eventfd-id:", &number)
		       ? object_of_hash(hash_mix(hash_mix(0, HASH_EVENTFD), number))
		       : OBJECT_NONE;
}

/* The other form of an IPv4 address is that of a socket for both. 0: another family. */
static uint64_t hash_of_address(const struct sockaddr_storage *address)
{
	struct in6_addr bytes = {0};
	uint64_t halves[2], port;
	if (address->ss_family == AF_INET) {
		const struct sockaddr_in *of4 = (const struct sockaddr_in *)address;
		bytes.s6_addr[10] = bytes.s6_addr[11] = 0xff;
		memcpy(&bytes.s6_addr[12], &of4->sin_addr, sizeof of4->sin_addr);
		port = of4->sin_port;
	} else if (address->ss_family == AF_INET6) {
		const struct sockaddr_in6 *of6 = (const struct sockaddr_in6 *)address;
		bytes = of6->sin6_addr;
		port = of6->sin6_port;
	} else {
		return 0;
	}
	memcpy(halves, &bytes, sizeof halves);
	return hash_mix(hash_mix(halves[0], halves[1]), port) | 1;
}

/* Returns its size, 0 if there is none. */
static socklen_t address_of(int descriptor, bool remote, struct sockaddr_storage *address)
{
	socklen_t size = sizeof *address;
	memset(address, 0, sizeof *address);
	long failed = remote ? system_call(SYS_getpeername, descriptor, address, &size)
			     : system_call(SYS_getsockname, descriptor, address, &size);
	return failed ? 0 : size;
}

/* A socket that listens is known by its port, or by the name that it was bound to, so that a connect to that name finds it.
   0: none. */
static uint64_t of_listener(const struct sockaddr_storage *address, size_t size)
{
	uint64_t hash = hash_mix(hash_mix(0, HASH_LISTENER), address->ss_family == AF_UNIX);
	if (address->ss_family == AF_UNIX) {
		const char *name = ((const struct sockaddr_un *)address)->sun_path;
		size_t length = size - offsetof(struct sockaddr_un, sun_path);
		if (size <= offsetof(struct sockaddr_un, sun_path))
			return 0;
		/* A name in no directory begins with a zero and may have more of them. */
		for (size_t i = 0; i < length && (name[i] || !*name); i++)
			hash = hash_mix(hash, (unsigned char)name[i]);
	} else if (address->ss_family == AF_INET) {
		hash = hash_mix(hash, ((const struct sockaddr_in *)address)->sin_port);
	} else if (address->ss_family == AF_INET6) {
		hash = hash_mix(hash, ((const struct sockaddr_in6 *)address)->sin6_port);
	} else {
		return 0;
	}
	return (object_of_hash(hash) & ~1ull) | OBJECT_SOCKET;
}

uint64_t descriptor_object_of_listener(const void *address, unsigned size)
{
	struct sockaddr_storage copy;
	memset(&copy, 0, sizeof copy);
	if (size > sizeof copy || size < sizeof copy.ss_family || target_memory_read(address, size, &copy) != size)
		return 0;
	return of_listener(&copy, size);
}

static bool listens(int descriptor)
{
	int answer = 0;
	socklen_t size = sizeof answer;
	return system_call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) == 0 && answer;
}

/* One end is the other's with local and remote exchanged: the last bit says which is which. */
static uint64_t of_socket(int descriptor, const struct stat *status)
{
	struct sockaddr_storage here, there;
	socklen_t size = address_of(descriptor, false, &here);
	if (!size)
		return OBJECT_SOCKET | OBJECT_NONE;
	if (!address_of(descriptor, true, &there))
		return (listens(descriptor) ? of_listener(&here, size) : 0) ?: (OBJECT_SOCKET | OBJECT_NONE);
	bool is_unix = here.ss_family == AF_UNIX;
	uint64_t local = is_unix ? status->st_ino : hash_of_address(&here);
	uint64_t remote = is_unix ? unix_peer_of((uint32_t)status->st_ino) : hash_of_address(&there);
	if (!local || !remote)
		return OBJECT_SOCKET | OBJECT_NONE;
	uint64_t low = local < remote ? local : remote, high = local < remote ? remote : local;
	uint64_t hash = hash_mix(hash_mix(hash_mix(0, is_unix), low), high);
	return (object_of_hash(hash) & ~1ull) | OBJECT_SOCKET | (local < remote);
}

static uint64_t look_up(int descriptor)
{
	struct stat status;
	if (system_call(SYS_fstat, descriptor, &status) != 0)
		return 0;
	if (S_ISFIFO(status.st_mode))
		return object_of_hash(hash_mix(hash_mix(0, status.st_dev), status.st_ino));
	if (S_ISSOCK(status.st_mode))
		return of_socket(descriptor, &status);
	return status.st_mode & S_IFMT ? OBJECT_NONE : of_anonymous_file(descriptor);
}

/* The child of a vfork has descriptors of its own, in the memory of its parent. */
uint64_t descriptor_object_learn(int descriptor)
{
	uint32_t before = __atomic_load_n(&descriptor_objects.changes, __ATOMIC_ACQUIRE);
	if (!collector_is_recorded_process())
		return 0;
	uint64_t object = look_up(descriptor);
	if (object)
		descriptor_learn(&descriptor_objects, descriptor, object, before);
	return object;
}

void descriptor_object_opened(int descriptor, bool waited)
{
	uint64_t *place = descriptor >= 0 ? descriptor_place_made(&descriptor_objects, descriptor) : 0;
	if (place)
		__atomic_store_n(place, waited ? OBJECT_UNKNOWN : OBJECT_OPENED, __ATOMIC_RELAXED);
}

static void forget(unsigned first, unsigned last)
{
	descriptors_forget(&descriptor_objects, first, last);
}

void descriptor_objects_start(void)
{
	descriptors_watch(forget);
}
