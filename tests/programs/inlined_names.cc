// SPDX-License-Identifier: Apache-2.0
// Algorithms and containers of the standard library over types and lambdas of this file alone: the debug information has a name for
// the linker of none of the functions that these make.
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
static volatile unsigned long sink;
namespace
{
struct point {
	int x, y;
	bool operator<(const point &other) const
	{
		return x < other.x || (x == other.x && y < other.y);
	}
	bool operator==(const point &other) const
	{
		return x == other.x && y == other.y;
	}
	point operator+(const point &other) const
	{
		return {x + other.x, y + other.y};
	}
	explicit operator bool() const
	{
		return x != 0;
	}
	operator long() const
	{
		return x + y;
	}
};
struct hash_point {
	std::size_t operator()(const point &p) const
	{
		return (std::size_t)p.x * 31 + (std::size_t)p.y;
	}
};
template <typename T, int N> struct ring {
	T items[N];
	int next = 0;
	void push(const T &item)
	{
		items[next++ % N] = item;
	}
	template <typename F> void each(F f) const
	{
		for (const T &item : items)
			f(item);
	}
	T &operator[](int i)
	{
		return items[i % N];
	}
};
enum class colour : unsigned char { red, green };
template <colour C, bool B = true> struct tagged {
	static int value(const char *text, ...)
	{
		return text[0] + (int)C + B;
	}
};
template <typename... Ts> long count(const Ts &...)
{
	return (long)sizeof...(Ts);
}
namespace inner
{
template <typename T> T twice(T value)
{
	return value + value;
}
static long pointers(int (*f)(int), const long *const *p, int (&a)[3], long point::*)
{
	return f(1) + **p + a[0];
}
} // namespace inner
} // namespace
static int plus_one(int i)
{
	return i + 1;
}
template <typename C> static void fill(C &c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		c.insert(c.end(), point{(int)(i * 7919u % 1000u), (int)i});
}
int main()
{
	std::vector<point> v;
	std::deque<point> d;
	std::list<point> l;
	std::set<point> s;
	fill(v, 20000), fill(d, 2000), fill(l, 2000), fill(s, 2000);
	std::map<point, std::string> m;
	std::unordered_map<point, point, hash_point> u;
	for (const point &p : v)
		m[p] = "x", u[p] = p + p;
	std::sort(v.begin(), v.end());
	std::sort(v.begin(), v.end(), [](const point &a, const point &b) { return a.y < b.y; });
	std::stable_sort(d.begin(), d.end(), std::greater<>());
	l.sort([](const auto &a, const auto &b) { return b < a; });
	std::nth_element(v.begin(), v.begin() + 50, v.end());
	std::make_heap(v.begin(), v.end(), [&](const point &a, const point &b) { return a.x + a.y < b.x + b.y; });
	sink += (unsigned long)std::accumulate(v.begin(), v.end(), point{0, 0}).x;
	sink += (unsigned long)std::count_if(d.begin(), d.end(), [k = 5](const point &p) { return p.x > k; });
	std::transform(v.begin(), v.end(), v.begin(), [](point p) -> point { return {p.y, p.x}; });
	v.erase(std::unique(v.begin(), v.end()), v.end());
	std::partition(v.begin(), v.end(), [](const point &p) { return bool(p); });
	sink += (unsigned long)(std::lower_bound(s.begin(), s.end(), point{3, 3}) != s.end());
	std::function<long(const point &)> f = [](const point &p) { return long(p); };
	sink += (unsigned long)f(v[0]);
	auto unique = std::make_unique<ring<point, 8>>();
	auto shared = std::make_shared<ring<point, 3>>();
	for (const point &p : v)
		unique->push(p), shared->push(p);
	unique->each([](const point &p) { sink += (unsigned long)p.x; });
	shared->each([&](auto p) { sink += (unsigned long)(*shared)[p.x & 1].y; });
	std::variant<point, long, std::string> variant = v[1];
	sink += std::visit([](auto &&value) { return (unsigned long)sizeof value; }, variant);
	std::optional<point> optional = v[2];
	sink += (unsigned long)optional.value_or(point{1, 1}).y;
	std::tuple<point, int, ring<int, 2>> tuple{v[3], 1, {}};
	sink += (unsigned long)std::get<0>(tuple).x + (unsigned long)std::get<2>(tuple)[1];
	int array[3] = {1, 2, 3};
	const long one = 1, *at = &one;
	sink += (unsigned long)inner::pointers(plus_one, &at, array, nullptr) + (unsigned long)inner::twice(2.5) +
		(unsigned long)inner::twice(v[4]).x + (unsigned long)tagged<colour::green>::value("a", 1) +
		(unsigned long)tagged<colour::red, false>::value("b") + (unsigned long)count(1, 2.0, v[0], "c");
}
