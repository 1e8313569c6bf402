/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an experiment's binary files, as structures. FORMAT.md is the specification; this is its C
   form, shared by the writer and the reader. All numbers are little-endian.

   An event file ("KIND.events"), the file of calling contexts ("stacks") and the tallies (file "counters") begin
   with a struct file_header and a description of the content in text, so that a reader needs no table of its
   own, padded to whole pages. In event files and "stacks", blocks follow: each starts at a multiple of 4096,
   is a multiple of 4096 and at most 64 KB long, and decodes alone. In "counters", the values follow, 64 bits
   each. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdint.h>

#define FORMAT_MAJOR 1 /* a reader refuses another major version */
#define FORMAT_MINOR 0 /* a reader ignores what a later minor version adds */

#define EVENT_FILE_SUFFIX   ".events"
#define STACKS_FILE         "stacks"
#define TALLIES_FILE        "counters"
#define MPI_FILE            "mpi"
#define WAITS_FILE          "waits"
#define SETTINGS_FILE       "settings"
#define LOG_FILE            "log.xml"
#define MAP_XML_FILE        "map.xml"
#define NOTES_FILE          "notes"
#define ANNOUNCED_CODE_FILE "dyntext"    /* instructions and lines of code that the program announced */
#define KERNEL_MAP_FILE     "kernel.map" /* the kernel's functions, in the form of a perf map */
#define PERF_MAP_FILE       "perf.map"   /* the process's own /tmp/perf-PID.map, saved at its end */
#define ARCHIVES_FOLDER     "archives"   /* copies of load objects and sources */
#define MPI_HOSTS_FOLDER    "mpi_hosts"  /* who compares clocks with rank 0 */

/* In the file "waits", which the recorded processes and collect share: */
#define WAITERS 1024u
#define STOPS   128u
#define WOKEN   1024u
/* A time during which all threads of a process, and perhaps of others, were stopped by signals, as its parent saw it: a little
   late. */
struct process_stop {
	uint64_t process;  /* pid */
	uint64_t group;    /* all its descendants in this process group were stopped with it; 0: not all */
	uint64_t from, to; /* CLOCK_MONOTONIC nanoseconds; to is 0 as long as the stop goes on */
};
struct shared_waits {
	uint32_t waiters[WAITERS]; /* how many threads wait for the objects of each slot */
	uint8_t polled[WAITERS]; /* 1: calls that wait for many descriptors are known to wait for one of its objects */
	uint8_t woken[WOKEN];    /* 1: who wakes a thread whose id, modulo WOKEN, is this place is to be recorded */
	uint64_t unknown_wait;   /* nanoseconds of waits in no call that the collector knows */
	uint32_t waking_event;   /* the kernel's number of its tracepoint sched_waking; 0: it may not be used */
	uint32_t waking_thread_at;        /* where in its data the woken thread's id is */
	uint64_t stop_count;              /* stored with release order after the stop itself */
	struct process_stop stops[STOPS]; /* the latest: number n, from 0, is at n % STOPS */
};
/* A bit of the numbers of objects that all processes know by the same number: no address is so high. */
#define OBJECT_SHARED (1ull << 63)
/* A thread, and its id: who is seen to wake it, whatever it waits for. */
#define OBJECT_THREAD (OBJECT_SHARED | 5ull << 60)

#define FILE_MAGIC      0x534c4f4f54524531ull /* "1ERTOOLS" */
#define BYTE_ORDER_MARK 0x01020304u
#define PAGE_UNIT       4096u
#define BLOCK_MAX       65536u
#define BLOCK_FIRST     4096u /* a thread's first block is small, so that many short threads stay cheap */

struct file_header {
	uint64_t magic;
	uint32_t byte_order;
	uint16_t major, minor;
	uint32_t header_size; /* a multiple of 4096: where the blocks or values start */
	uint32_t description_size;
	uint64_t process; /* pid */
	uint64_t reserved[3];
	uint64_t check; /* file_header_check() */
			/* description_size bytes of lines follow: see FORMAT.md, "Descriptions" */
};
_Static_assert(sizeof(struct file_header) == 64, "a file header is 64 bytes, then the description");
#define HEADER_SIZE_MAX (1u << 20) /* more is damage */

/* One moment on the three clocks; raw is what events carry (settings: time_source). */
struct time_triple {
	uint64_t raw, monotonic, realtime; /* raw ticks; CLOCK_MONOTONIC and CLOCK_REALTIME nanoseconds */
};

#define BLOCK_MAGIC 0x4b4c4245u /* "EBLK" */
enum { BLOCK_SEALED = 1 };      /* nothing more will be added: checksum holds */

struct block_header {
	uint32_t magic;          /* stored last, with release order */
	uint32_t size;           /* of the whole block, this header included */
	uint32_t used;           /* payload bytes that are committed; stored with release order after them */
	uint32_t flags;          /* BLOCK_*; stored with release order after the checksum */
	uint32_t sequence;       /* of this block in its file, from 0 in the order of offsets */
	uint32_t thread;         /* thread number in force at the start of the payload */
	struct time_triple time; /* at the start of the payload: the first event's delta counts from time.raw */
	uint64_t header_check;   /* block_header_check() */
	uint64_t checksum;       /* block_checksum() of the payload up to `used`, if sealed */
};
_Static_assert(sizeof(struct block_header) == 64, "a block header is 64 bytes, then the payload");
#define BLOCK_HEADER_SIZE 64u

/* Payload of an event file: records. Low three bits of a record's first byte, its tag: */
enum record_type {
	RECORD_END = 0,    /* nothing more in this block */
	RECORD_EVENT = 1,  /* see below */
	RECORD_THREAD = 2, /* varint thread number: what follows is that thread's; previous time, CPU and
			      stack are again those of the block's start */
	RECORD_TYPE_MASK = 7,
	/* 3 to 7: a varint length and as many bytes follow; a reader skips what it does not know */
};
/* RECORD_EVENT: tag, varint raw time minus the previous event's (block's time.raw at its start), [varint
   CPU], [zigzag varint stack id minus the previous stack id], then one varint per field of the file's
   description; a first field that is an address is written as a difference, field_difference(). Varints are
   LEB128 of 64-bit numbers: seven bits a byte, the least significant first, at most ten bytes. */
enum {
	TAG_CPU_FOLLOWS = 8,    /* else the CPU is the previous event's (0 at the start) */
	TAG_STACK_FOLLOWS = 16, /* else the stack is the previous event's (0 at the start) */
	TAG_NO_STACK = 32,      /* the event has no stack (id 0); the previous stack remains what it was */
	TAG_TIME_BACKWARD =
		64, /* the event is earlier than the previous one: the previous one's time minus this one's */
	TAG_FIRST_FIELD_ONLY =
		128, /* where the first field is an address: the fields after it are 0 and are not written */
};

/* Addresses that follow each other are near, and multiples of 8: their low three bits are moved to the top, so that the
   difference to the previous event's (at first 0) is small; then zigzag. */
static inline uint64_t field_difference(uint64_t address, uint64_t previous)
{
	uint64_t delta = (address >> 3 | address << 61) - (previous >> 3 | previous << 61);
	return delta << 1 ^ (uint64_t)((int64_t)delta >> 63);
}
static inline uint64_t field_after(uint64_t difference, uint64_t previous)
{
	uint64_t rotated = (previous >> 3 | previous << 61) + (difference >> 1 ^ -(difference & 1));
	return rotated << 3 | rotated >> 61;
}
#define VARINT_MAX 10 /* bytes */

/* Payload of "stacks": an array of nodes. A node's id is its place: ids count from 1 through all blocks in
   file order, each block (always BLOCK_MAX long) holding STACK_NODES_PER_BLOCK; id 0 is "no stack". A stack
   is the id of its leaf node. A node's parent has a smaller id than the node. */
struct stack_node {
	uint64_t pc;     /* 0: not (yet) in use; else stored last, with release order. NODE_ROOT: see below */
	uint32_t parent; /* the caller's node; 0 for a root */
	uint16_t flags;  /* NODE_* */
	uint16_t check;  /* stack_node_check(): finds flipped bits */
};
_Static_assert(sizeof(struct stack_node) == 16, "a stack node is 16 bytes");
#define STACK_NODES_PER_BLOCK ((BLOCK_MAX - BLOCK_HEADER_SIZE) / sizeof(struct stack_node))

enum {
	NODE_ROOT = 1,      /* where walks end. pc = 1 + ROOT_* + (address space generation << 8) */
	NODE_EXACT = 2,     /* pc is where the thread stood, not a return address: a sampled leaf, a frame under a
			   signal */
	NODE_HEURISTIC = 4, /* this frame was found without unwind information: it may be wrong */
	NODE_KERNEL = 8,    /* pc is in the kernel, which the frames below, the process's, have called */
	NODE_JOIN = 16,     /* no frame: see below */
	NODE_TASK = 32,     /* with NODE_JOIN: what follows is a task's */
	NODE_WAIT = 64,     /* no frame: see below */
};
enum root_kind {
	ROOT_START = 0,     /* the walk reached the thread's start */
	ROOT_TRUNCATED = 1, /* deeper than the limit: what is nearer to the root is missing */
	ROOT_FAILED = 2,    /* the walk could not go on */
};
/* A join: the frames on it, which a thread had on the node with the id pc, were called from the join's parent, in another thread
   or elsewhere in the same one.
   A wait: a thread with the stack of the node whose id is the lower half of pc waited in OpenMP's run-time, which the stack of the
   wait's parent had called. The upper half says at what (kinds.def: OPENMP, construct).
   A generation counts the changes of the address space that can give an address a new meaning (dlclose): a
   node under the root of generation g belongs to the load objects that map.xml shows as mapped in g. */

static inline uint16_t stack_node_check(uint64_t pc, uint32_t parent, uint16_t flags)
{
	uint64_t h = (pc ^ ((uint64_t)parent << 16 | flags)) * 0x9E3779B97F4A7C15ull;
	return (uint16_t)(h >> 48);
}

/* Four 64-bit multiply-xor chains (so that the multiplier's latency is hidden) over little-endian words, the
   tail padded with zeros. It finds damage; it is not for secrets. */
static inline uint64_t block_checksum(const unsigned char *bytes, uint32_t size)
{
	uint64_t h[4] = {
		0x9E3779B97F4A7C15ull ^ size, 0xC2B2AE3D27D4EB4Full, 0x165667B19E3779F9ull, 0x27D4EB2F165667C5ull};
	uint64_t word[4];
	uint32_t i = 0;
	for (; i + sizeof(word) <= size; i += sizeof(word)) {
		__builtin_memcpy(word, bytes + i, sizeof(word));
		for (unsigned k = 0; k < 4; k++) {
			h[k] = (h[k] ^ word[k]) * 0xD6E8FEB86659FD93ull;
			h[k] ^= h[k] >> 32;
		}
	}
	__builtin_memset(word, 0, sizeof(word));
	__builtin_memcpy(word, bytes + i, size - i);
	uint64_t sum = 0;
	for (unsigned k = 0; k < 4; k++) {
		h[k] = (h[k] ^ word[k]) * 0xD6E8FEB86659FD93ull;
		sum = (sum ^ h[k] ^ h[k] >> 32) * 0xD6E8FEB86659FD93ull;
	}
	return sum ^ sum >> 32;
}

/* Checksum of a file's header and its description. */
static inline uint64_t file_header_check(const struct file_header *header, const char *description)
{
	struct file_header fixed = *header;
	fixed.check = block_checksum((const unsigned char *)description, header->description_size);
	return block_checksum((const unsigned char *)&fixed, sizeof(fixed));
}

/* Checksum of the part of a block's header that does not change while it is filled. */
static inline uint64_t block_header_check(const struct block_header *block)
{
	uint64_t fixed[] = {(uint64_t)block->magic << 32 | block->size, (uint64_t)block->sequence << 32 | block->thread,
		block->time.raw, block->time.monotonic, block->time.realtime};
	return block_checksum((const unsigned char *)fixed, sizeof(fixed));
}

#endif
