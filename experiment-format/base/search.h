/* SPDX-License-Identifier: Apache-2.0 */
/* Order, and searching what is in order. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

/* Less than 0, 0 or more than 0, as a comparator of qsort returns it, for numbers or pointers. COMPARE(a, b) ?: COMPARE(c, d)
   goes on to the second pair where the first is equal. The arguments are evaluated more than once. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* The first `index` from 0 to count - 1 for which the condition, an expression of `index`, is true; `count` if there is none. It
   must be true for all after the first. The condition is evaluated about log2(count) times. */
#define FIRST_WHERE(index, count, condition)                                                                           \
	__extension__({                                                                                                \
		uint64_t first_low_ = 0, first_high_ = (count);                                                        \
		while (first_low_ < first_high_) {                                                                     \
			const uint64_t index = first_low_ + (first_high_ - first_low_) / 2;                            \
			if (condition)                                                                                 \
				first_high_ = index;                                                                   \
			else                                                                                           \
				first_low_ = index + 1;                                                                \
		}                                                                                                      \
		first_low_;                                                                                            \
	})

#endif
