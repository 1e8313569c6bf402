// SPDX-License-Identifier: Apache-2.0
// Shapes of C++ that make stacks hard to take: torture_cxx CASE [SECONDS], as torture.c does for C.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline))

static double seconds = 0.4;
static volatile unsigned long sink;

static double cpu_time()
{
	timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}
template <class F> static void repeat(F f)
{
	for (double end = cpu_time() + seconds; cpu_time() < end;)
		for (int i = 0; i < 20; i++)
			f(i);
}

static NOINLINE unsigned long spin(unsigned n)
{
	unsigned long x = n;
	for (unsigned i = 0; i < n; i++) {
		x = x * 6364136223846793005ul + 1;
		asm volatile("" : "+r"(x));
	}
	return x;
}

struct Destroyed {
	~Destroyed()
	{
		sink = sink + spin(10);
	}
};
static NOINLINE void thrower(int depth)
{
	Destroyed destroyed;
	if (depth == 0)
		throw std::runtime_error("thrown");
	thrower(depth - 1);
	asm volatile("");
}
extern "C" NOINLINE void outer_exceptions()
{
	repeat([](int i) {
		try {
			thrower(5 + i % 10);
		} catch (const std::exception &e) {
			sink = sink + spin(10) + std::strlen(e.what());
		}
	});
}

static NOINLINE void rethrower(int depth)
{
	try {
		thrower(depth);
	} catch (...) {
		sink = sink + spin(10);
		throw;
	}
}
extern "C" NOINLINE void outer_rethrow()
{
	repeat([](int i) {
		try {
			rethrower(i % 5);
		} catch (...) {
		}
	});
}

/* An exception thrown in a signal's handler, caught in what it interrupted. */
static void throwing_handler(int)
{
	Destroyed destroyed;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_UNBLOCK, &set, nullptr);
	throw 1;
}
static int (*volatile send)(int) = raise; /* through a pointer, which does not promise not to throw */
extern "C" NOINLINE void outer_throw_from_handler()
{
	std::signal(SIGUSR1, throwing_handler);
	repeat([](int) {
		try {
			send(SIGUSR1);
		} catch (int) {
			sink = sink + spin(100);
		}
	});
}

struct Shape {
	virtual ~Shape() = default;
	virtual unsigned long area(unsigned n) const = 0;
};
template <int N> struct Polygon : Shape {
	unsigned long area(unsigned n) const override
	{
		return spin(n + N);
	}
};
extern "C" NOINLINE void outer_virtual()
{
	std::vector<std::unique_ptr<Shape>> shapes;
	shapes.push_back(std::make_unique<Polygon<3>>());
	shapes.push_back(std::make_unique<Polygon<4>>());
	shapes.push_back(std::make_unique<Polygon<5>>());
	repeat([&](int i) {
		for (auto &shape : shapes)
			sink = sink + shape->area(20u + unsigned(i));
	});
}

extern "C" NOINLINE void outer_sort()
{
	std::vector<std::string> words;
	for (int i = 0; i < 500; i++)
		words.push_back("word number " + std::to_string(i * 7919 % 1009));
	repeat([&](int) {
		std::vector<std::string> copy = words;
		std::sort(copy.begin(), copy.end(), [](const std::string &a, const std::string &b) { return b < a; });
		sink = sink + copy[0].size();
	});
}

extern "C" NOINLINE void outer_cxx_threads()
{
	repeat([](int) { sink = sink + spin(1000); });
}
static void run_threads()
{
	std::vector<std::thread> threads;
	seconds /= 3;
	for (int i = 0; i < 3; i++)
		threads.emplace_back(outer_cxx_threads);
	for (auto &thread : threads)
		thread.join();
}

static const struct {
	const char *name;
	void (*run)();
} cases[] = {{"exceptions", outer_exceptions}, {"rethrow", outer_rethrow},
	{"throw_from_handler", outer_throw_from_handler}, {"virtual", outer_virtual}, {"sort", outer_sort},
	{"cxx_threads", run_threads}};

int main(int argc, char **argv)
{
	if (argc > 2)
		seconds = std::atof(argv[2]);
	for (const auto &c : cases) {
		if (argc < 2)
			std::puts(c.name);
		else if (std::strcmp(argv[1], c.name) == 0)
			return c.run(), 0;
	}
	if (argc > 1)
		std::fprintf(stderr, "torture_cxx: no case %s\n", argv[1]);
	return argc > 1;
}
