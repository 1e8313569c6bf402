/* SPDX-License-Identifier: Apache-2.0 */
/* Walking only what changed since the last capture, verifying the rest, and naming the new frames in the tree. */
#include "incremental.h"
#undef incremental_walk
#include "own_code.h"
#include "pages.h"
#include <string.h>

#define TIPS_AFTER 64u /* captures of a thread before it gets memory for tips */
#define INLINE     inline __attribute__((always_inline))

uint64_t remembered_era;

struct progress {
	struct walk walk;
	struct remembered *stack;
	uint32_t top;   /* remembered frames from here on are still believed to be part of the stack */
	uint32_t fresh; /* frames walked */
	bool aside;     /* they are in stack->walked; else in stack->frames, where nothing is remembered */
	uint32_t limit;
	enum walk_end end;
};

static INLINE uint32_t kept(const struct progress *p)
{
	return p->stack->bottom - p->top;
}

/* Compares the first `count` slots, inner to outer, that is from the last; the index of one that differs, or -1. They are all
   above sp in this stack, so mapped: the order is free. */
static INLINE int64_t verify_mapped(const struct remembered *r, uint32_t count)
{
	const struct slot_check *c = r->checks;
	int64_t i = (int64_t)count - 1;
	for (; i >= 3; i -= 4)
		if ((MEMORY_LOAD(c[i].slot) ^ c[i].value) | (MEMORY_LOAD(c[i - 1].slot) ^ c[i - 1].value) |
			(MEMORY_LOAD(c[i - 2].slot) ^ c[i - 2].value) | (MEMORY_LOAD(c[i - 3].slot) ^ c[i - 3].value))
			break;
	for (; i >= 0; i--)
		if (MEMORY_LOAD(c[i].slot) != c[i].value)
			break;
	return i;
}

/* Compares them where some may lie elsewhere. */
static INLINE int64_t verify(struct memory *memory, const struct remembered *r, uint32_t count)
{
	const struct slot_check *c = r->checks;
	int64_t i = (int64_t)count - 1;
	uint64_t value;
	if (__builtin_expect(!r->probed, 1))
		return verify_mapped(r, count);
	for (; i >= 0; i--)
		if (!memory_read(memory, c[i].slot, &value) || value != c[i].value)
			break;
	return i;
}

/* Whether a frame is what one was whose pc, sp and fp are given, as far as what is outside it depends on them. */
static INLINE bool is_at(const struct frame *start, uint64_t pc, uint64_t sp, uint64_t fp, uint8_t outer)
{
	return start->sp == sp && start->pc == pc && (!(outer & OUTER_NEEDS_FP) || start->fp == fp) &&
	       !(outer & OUTER_UNMATCHABLE);
}

/* Is the rest of the walk from s remembered and still true? If a slot differs, the frames that it concerns are forgotten. */
static INLINE bool matches(struct progress *p, const struct frame *s)
{
	struct remembered *r = p->stack;
	while (p->top < r->bottom && r->frames[p->top].sp < s->sp)
		p->top++;
	if (p->top == r->bottom)
		return false;
	const struct frame *f = &r->frames[p->top];
	if (!is_at(s, f->pc, f->sp, f->fp, f->outer))
		return false;
	int64_t differs = verify(&p->walk.memory, r, f->checks);
	if (__builtin_expect(differs < 0, 1))
		return true;
	while (p->top < r->bottom && r->frames[p->top].checks > (uint32_t)differs)
		p->top++;
	return false;
}

static inline struct frame *fresh_frames(const struct progress *p)
{
	return p->aside ? p->stack->walked : p->stack->frames;
}

static bool grow(struct progress *p)
{
	ptrdiff_t known = p->walk.known - fresh_frames(p);
	if (!remembered_grow(p->stack))
		return false;
	p->walk.known = fresh_frames(p) + known;
	return true;
}

/* Walks until a remembered frame, the start, a failure or the limit. */
static INLINE void walk_out(struct progress *p)
{
	struct remembered *r = p->stack;
	struct frame *s = fresh_frames(p);
	uint64_t lookup = step_lookup(s->pc);
	uint32_t n = 0;
	for (;;) {
		if (p->top < r->bottom && matches(p, s)) {
			p->end = WALK_START;
			p->fresh = n;
			if (kept(p) + n <= p->limit)
				return;
			p->top = r->bottom; /* the frames nearest to the root are cut off: walk to where that is */
		}
		if (__builtin_expect(n == p->limit || n == r->capacity, 0)) {
			p->end = WALK_LIMIT;
			if (n == p->limit || !grow(p))
				break;
			s = fresh_frames(p) + n;
		}
		n++;
		p->end = step_out(&p->walk, s++, &lookup);
		if (__builtin_expect(p->end == WALK_GOES_ON, 1))
			continue;
		if (p->end != WALK_START) {
			p->end = step_rescue(&p->walk, fresh_frames(p), p->end, &n, &lookup);
			s = fresh_frames(p) + n;
		}
		if (p->end != WALK_GOES_ON)
			break;
	}
	p->top = r->bottom; /* none of the remembered frames was met */
	p->fresh = n;
}

static uint32_t root_of(struct remembered *r, enum walk_end end)
{
	if (end != WALK_START)
		return context_root(end == WALK_LIMIT ? ROOT_TRUNCATED : ROOT_FAILED, (uint32_t)r->era);
	if (!r->start_root)
		r->start_root = context_root(ROOT_START, (uint32_t)r->era);
	return r->start_root;
}

/* Makes the walked frames the innermost of the remembered ones: p->top becomes their first. */
static bool join(struct progress *p)
{
	struct remembered *r = p->stack;
	uint32_t keep = kept(p);
	struct frame *swap = r->walked;
	if (!keep) { /* they are all there is */
		if (p->aside) {
			r->walked = r->frames;
			r->frames = swap;
		}
		p->top = 0;
		r->bottom = p->fresh;
		return true;
	}
	if (p->top < p->fresh) {
		while (keep + p->fresh > r->capacity)
			if (!grow(p))
				return false;
		memmove(r->frames + r->capacity - keep, r->frames + p->top, keep * sizeof *r->frames);
		p->top = r->capacity - keep;
		r->bottom = r->capacity;
	}
	p->top -= p->fresh;
	for (uint32_t i = 0; i < p->fresh; i++)
		r->frames[p->top + i] = r->walked[i];
	return true;
}

/* Adds the slots that leaving s read, as far as what follows depends on them. s[1] is its caller. */
static INLINE struct slot_check *append_checks(struct slot_check *check, const struct frame *s)
{
	uint64_t slot;
	if (__builtin_expect(s->flags == 0, 1)) {
		slot = step_usual_return_slot(s);
		*check = (struct slot_check){slot, return_slot_value(slot, s[1].pc & CONTEXT_ADDRESS)};
		return check + 1;
	}
	if (s->flags & STEP_SAVED_FP && s[1].outer & OUTER_NEEDS_FP)
		*check++ = (struct slot_check){s->fp_slot, s[1].fp};
	if (!(s->flags & STEP_UNREPEATABLE)) {
		slot = s->flags & STEP_RETURN_SLOT ? s->return_slot : step_usual_return_slot(s);
		*check++ = (struct slot_check){slot, return_slot_value(slot, s[1].pc & CONTEXT_ADDRESS)};
	}
	if (s->flags & STEP_OTHER_SLOT)
		*check++ = (struct slot_check){s->other_slot, MEMORY_LOAD(s->other_slot)};
	return check;
}

static INLINE uint8_t outer_of(const struct frame *s, uint8_t outer)
{
	if (__builtin_expect(s->flags | s->pc >> 62, 0)) {
		if (s->flags & STEP_SAVED_FP)
			outer &= (uint8_t)~OUTER_NEEDS_FP;
		outer |= (uint8_t)((s->flags & STEP_NEEDS_FP ? OUTER_NEEDS_FP : 0) |
				   (s->flags & STEP_UNREPEATABLE ? OUTER_UNMATCHABLE : 0) |
				   (s->pc & CONTEXT_HEURISTIC ? OUTER_HEURISTIC : 0));
	}
	return outer;
}

/* The state of one capture while its frames are appended, outermost first. */
struct appending {
	struct frame *s;          /* appended last */
	struct slot_check *check; /* next free */
	const struct slot_check *checks;
	uint32_t depth, serial;
};

static INLINE void append(struct appending *a, const struct frame_name *name)
{
	struct frame *s = --a->s;
	a->check = append_checks(a->check, s);
	a->depth += (name->node & NAME_HIDDEN) == 0;
	s->checks = (uint32_t)(a->check - a->checks);
	s->depth = a->depth;
	s->serial = a->serial;
	s->outer = outer_of(s, s[1].outer);
}

/* The outermost frame; what it read did not lead to another. */
static void append_outermost(struct appending *a, const struct frame_name *name)
{
	struct frame *s = --a->s;
	a->depth = (name->node & NAME_HIDDEN) == 0;
	s->checks = 0;
	s->depth = a->depth;
	s->serial = a->serial;
	s->outer = outer_of(s, 0);
}

/* The name of a frame under `parent`. Frames of our own code are hidden: they have their caller's name. */
static struct frame_name name_of(uint64_t pc, uint32_t parent)
{
	bool own = (pc & CONTEXT_ADDRESS) - own_code_start < own_code_size;
	return (struct frame_name){pc, own ? parent | NAME_HIDDEN : context_child(parent, pc)};
}

/* Names the walked frames, outermost first; `at`: frames below them. 0: the tree has no memory or disk. */
static INLINE uint32_t append_all(struct progress *p, uint32_t at)
{
	struct remembered *r = p->stack;
	struct frame *end = r->frames + p->top;
	struct frame_name *name = r->names + at, *known = r->names + r->named;
	struct appending a = {.s = end + p->fresh, .checks = r->checks, .check = r->checks, .serial = r->serial};
	uint32_t node;
	if (at) {
		a.check += a.s->checks;
		a.depth = a.s->depth;
		node = (uint32_t)name[-1].node;
	} else {
		node = root_of(r, p->end);
		if (node != r->root || !r->named)
			known = name;
		r->root = node;
		if (known == name || name->pc != a.s[-1].pc) {
			*name = name_of(a.s[-1].pc, node);
			known = name;
		}
		node = node ? (uint32_t)name->node : 0;
		append_outermost(&a, name++);
	}
	while (a.s > end && name < known && name->pc == a.s[-1].pc)
		append(&a, name++);
	if (a.s == end && name < known)
		return (uint32_t)name[-1].node; /* names of deeper frames stay true */
	if (name > r->names)
		node = node ? (uint32_t)name[-1].node : 0;
	for (; node && a.s > end; name++) {
		*name = name_of(a.s[-1].pc, node);
		node = (uint32_t)name->node;
		append(&a, name);
	}
	r->named = node ? (uint32_t)(name - r->names) : 0;
	return node;
}

static inline struct walk_tip *tip_of(const struct remembered *r, const struct frame *start)
{
	return &r->tips[(start->pc * ROW_HASH ^ start->sp * 0xD6E8FEB86659FD93ull) >> (64 - TIPS_BITS)];
}

static INLINE bool tip_matches(const struct remembered *r, const struct walk_tip *tip, const struct frame *start)
{
	if (!is_at(start, tip->pc, tip->sp, tip->fp, tip->outer) || !tip->base || tip->base > r->bottom - r->top)
		return false;
	const struct frame *base = &r->frames[r->bottom - tip->base];
	if (tip->serial != base->serial)
		return false;
	for (int i = tip->check_count - 1; i >= 0; i--)
		if (MEMORY_LOAD(tip->checks[i].slot) != tip->checks[i].value)
			return false;
	return verify_mapped(r, base->checks) < 0;
}

static void tip_remember(struct remembered *r, uint32_t base, uint32_t node)
{
	const struct frame *top = &r->frames[r->top], *below = &r->frames[r->bottom - base];
	if (!r->tips && r->serial % TIPS_AFTER)
		return;
	if (!r->tips && !(r->tips = pages_map(sizeof(struct walk_tip) << TIPS_BITS)))
		return;
	uint32_t n = top->checks - below->checks;
	struct walk_tip *tip = tip_of(r, top);
	*tip = (struct walk_tip){.pc = top->pc,
		.sp = top->sp,
		.fp = top->fp,
		.base = base,
		.serial = below->serial,
		.node = node,
		.depth = top->depth,
		.check_count = (uint8_t)n,
		.outer = top->outer};
	memcpy(tip->checks, r->checks + below->checks, n * sizeof *tip->checks);
}

static INLINE struct captured result(const struct frame *top, enum walk_end end, uint32_t node)
{
	return (struct captured){.stack = node,
		.depth = top->depth,
		.heuristic = (top->outer & OUTER_HEURISTIC) != 0,
		.end = end == WALK_START   ? ROOT_START
		       : end == WALK_LIMIT ? ROOT_TRUNCATED
					   : ROOT_FAILED};
}

/* Serials begin anew: tips that remember one from before would be taken for true. */
static void begin_serials(struct remembered *r)
{
	if (r->tips)
		memset(r->tips, 0, sizeof(struct walk_tip) << TIPS_BITS);
	r->top = r->bottom = 0;
	r->serial = 1;
}

static void begin_era(struct remembered *r, uint64_t era)
{
	begin_serials(r);
	r->named = r->root = r->start_root = 0;
	r->era = era;
}

/* The stack of this start, if it is that of the last capture or a tip: most calls of a loop are. */
static INLINE bool known_at_once(
	const struct remembered *r, const struct frame *start, uint32_t limit, struct captured *found)
{
	if (__builtin_expect(r->probed, 0))
		return false;
	uint32_t depth = r->bottom - r->top;
	const struct frame *top = &r->frames[r->top];
	if (depth && depth <= limit && is_at(start, top->pc, top->sp, top->fp, top->outer) &&
		verify_mapped(r, top->checks) < 0) {
		*found = result(top, WALK_START, (uint32_t)r->names[depth - 1].node);
		return true;
	}
	if (!r->tips)
		return false;
	const struct walk_tip *tip = tip_of(r, start);
	if (!tip_matches(r, tip, start))
		return false;
	*found = (struct captured){.stack = tip->node,
		.depth = tip->depth,
		.end = ROOT_START,
		.heuristic = (tip->outer & OUTER_HEURISTIC) != 0};
	return true;
}

/* Apart from the short way, for whose sake the registers need not be saved. */
static __attribute__((hot, noinline)) struct captured walk_changed(struct remembered *r, struct stack_bounds bounds,
	const struct frame *start, const uint64_t *registers, uint32_t limit)
{
	struct progress p;
	p.stack = r;
	p.top = r->top;
	p.limit = limit;
	p.walk.memory = (struct memory){.stack_low = bounds.low, .stack_high = bounds.high};
	memory_bounds(&p.walk.memory, start->sp);
	p.aside = p.top < r->bottom;
	p.walk.registers = registers;
	p.walk.known = fresh_frames(&p);
	p.walk.stale = false;
	p.walk.run_time_sp = 0;
	p.walk.scanned = 0;
	p.walk.holds_code = false;
	p.walk.sp_unknown = !RETURN_BELOW_CFA && !registers;
	p.walk.known->pc = start->pc;
	p.walk.known->sp = start->sp;
	p.walk.known->fp = start->fp;
	walk_out(&p);
	step_release_code(&p.walk);
	uint32_t base = kept(&p), node;
	r->probed = p.walk.memory.probed || (base && r->probed);
	node = join(&p) ? append_all(&p, base) : 0;
	if (__builtin_expect(!node, 0)) {
		r->top = r->bottom = 0;
		return (struct captured){.end = ROOT_FAILED};
	}
	const struct frame *top = &r->frames[p.top];
	/* Why a walk failed is not a function of the slots alone. */
	r->top = p.end == WALK_START ? p.top : r->bottom;
	if (p.fresh && base && !r->probed && !(top->outer & OUTER_UNMATCHABLE) &&
		top->checks - r->frames[r->bottom - base].checks <= TIP_CHECKS)
		tip_remember(r, base, node);
	return result(top, p.end, node);
}

__attribute__((hot)) struct captured incremental_walk(struct remembered *r, struct stack_bounds bounds,
	const struct frame *start, const uint64_t *registers, uint32_t limit)
{
	uint64_t era = __atomic_load_n(&remembered_era, __ATOMIC_RELAXED);
	struct captured found;
	if (__builtin_expect(r->era != era, 0))
		begin_era(r, era);
	if (__builtin_expect(++r->serial == 0, 0))
		begin_serials(r);
	if (__builtin_expect(known_at_once(r, start, limit, &found), 1))
		return found;
	return walk_changed(r, bounds, start, registers, limit);
}
