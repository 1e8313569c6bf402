// SPDX-License-Identifier: Apache-2.0
// Functions that no other unit sees, so that compilers give them no linkage name when they inline them all: of each kind that a
// name can have. Each works for 20 ms of CPU time. What is to be found is called "marked", or is a lambda.
#include <cstddef>
#include <iostream>
#include <string>
#include <time.h>
#include <vector>

static volatile unsigned long sink;

#ifdef __OPTIMIZE__
#define ALWAYS __attribute__((always_inline))
#else
#define ALWAYS
#endif
#define INLINE inline ALWAYS

// Where it is written, its time belongs to the function around.
#define WORK                                                                                                           \
	do {                                                                                                           \
		struct timespec begun, now;                                                                            \
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);                                                       \
		do {                                                                                                   \
			for (unsigned long i = 0; i < 30000; i++)                                                      \
				sink = sink + i;                                                                       \
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);                                                 \
		} while ((now.tv_sec - begun.tv_sec) * 1000000000 + now.tv_nsec - begun.tv_nsec < 20000000);           \
	} while (0)

namespace aa
{
static INLINE unsigned long marked_work(unsigned long n)
{
	WORK;
	return n;
}
} // namespace aa

namespace bb
{
static INLINE unsigned long marked_work(unsigned long n)
{
	WORK;
	return n + 1;
}
static INLINE unsigned long marked_work(short, long long, signed char, unsigned char, long double, bool)
{
	WORK;
	return 1;
}
} // namespace bb

namespace
{
enum class Kind { ONE, TWO };

struct Plain {
	int value;
	INLINE explicit Plain(int given) : value(given)
	{
	}
	INLINE int marked_constant(std::string const &text) const
	{
		WORK;
		return value + (int)text.size();
	}
	INLINE int marked_either(const char *const *, volatile int *, const volatile long &) volatile
	{
		WORK;
		return value;
	}
	INLINE int marked_moved(Plain &&other) &&
	{
		WORK;
		return other.value;
	}
	static INLINE int marked_static(Kind, std::nullptr_t)
	{
		WORK;
		return 3;
	}
	template <unsigned long N, bool B, char C, short S, unsigned U, Kind K>
	INLINE int marked_values(std::vector<int> *)
	{
		WORK;
		return (int)N + B + C + S + (int)U + (int)K;
	}
	template <class T> INLINE int marked_pairs(std::vector<std::pair<const T, long unsigned> const *> const &pairs)
	{
		WORK;
		return (int)pairs.size();
	}
	INLINE int operator<<(int marked)
	{
		WORK;
		return value << marked;
	}
};

struct marked_convertible {
	INLINE operator unsigned long() const
	{
		WORK;
		return 1;
	}
};

template <class T, int N> struct Holder {
	T array[N];
	INLINE T marked_sum(Holder<T, N> const &other) const
	{
		WORK;
		return array[0] + other.array[0];
	}
	struct Inner {
		INLINE int marked_inner(T) const
		{
			WORK;
			return N;
		}
	};
};

template <class T> INLINE T marked_twice(T const *first, int (&array)[3])
{
	WORK;
	return *first + array[1];
}

template <class... T> INLINE int marked_many(T... many)
{
	WORK;
	return (int)sizeof...(many);
}

INLINE int marked_kind(
	Kind, void (*)(int, char const *), int Plain::*member, int (Plain::*)(std::string const &) const, Plain *plain)
{
	WORK;
	return plain->*member;
}

INLINE void marked_stream(std::ostream &, std::vector<std::string> const &, __int128, unsigned __int128)
{
	WORK;
}

template <class T> INLINE int marked_with_lambda(T given)
{
	auto call = [&](int n) ALWAYS {
		WORK;
		return n + (int)given;
	};
	return call(1);
}
} // namespace

static void out(int, char const *)
{
}

int main(int argc, char **)
{
	auto first = [](unsigned long n) ALWAYS {
		WORK;
		return n;
	};
	auto second = [&](unsigned long n) ALWAYS {
		WORK;
		return n + (unsigned long)argc;
	};
	auto third = [](int n, std::string const &) ALWAYS {
		WORK;
		auto inner = [n](int m) ALWAYS {
			WORK;
			return n + m;
		};
		return inner(2);
	};
	struct Local {
		INLINE int marked_local(long x) const
		{
			WORK;
			return (int)x;
		}
	} local;
	int array[3] = {1, argc, 3};
	Plain plain(argc);
	volatile Plain either(argc);
	const volatile long number = 5;
	std::vector<int> numbers(3);
	Holder<int, 2> holder = {{1, 2}};
	sink = sink + aa::marked_work(1) + bb::marked_work(1) + bb::marked_work(1, 2, 3, 4, 5, true) + first(1) +
	       second(2);
	sink = sink + (unsigned long)(third(3, "x") + local.marked_local(4) + plain.marked_constant("q") +
				      either.marked_either(0, 0, number) + Plain(1).marked_moved(Plain(2)) +
				      Plain::marked_static(Kind::ONE, nullptr));
	sink = sink + (unsigned long)(marked_convertible() +
				      plain.marked_pairs(std::vector<std::pair<const Plain, unsigned long> const *>()) +
				      plain.marked_values<3, true, 'a', -2, 4, Kind::TWO>(&numbers) + (plain << 2) +
				      holder.marked_sum(holder) + Holder<int, 2>::Inner().marked_inner(1) +
				      marked_twice(&argc, array) + marked_many(1, 2L, 'c') + marked_many() +
				      marked_kind(Kind::ONE, out, &Plain::value, &Plain::marked_constant, &plain) +
				      marked_with_lambda(2L));
	marked_stream(std::cout, std::vector<std::string>(), 1, 2);
	return 0;
}
