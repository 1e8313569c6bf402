// SPDX-License-Identifier: Apache-2.0
// C++ as compilers inline it: templates, lambdas, constructors, callees of callees from headers. Prints a checksum; the
// resolver's tests look at its addresses, they do not run it.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace shapes
{
struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};
template <typename number> struct square final : shape {
	explicit square(number s) : side(s)
	{
		if (s < 0)
			throw std::invalid_argument("negative side");
	}
	double area() const override
	{
		return static_cast<double>(side * side);
	}
	number side;
};
struct registry {
	std::map<std::string, std::unique_ptr<shape>> by_name;
	std::unordered_map<int, std::vector<double>> cache;
	template <typename number> void add(const std::string &name, number side)
	{
		by_name[name] = std::make_unique<square<number>>(side);
		cache[static_cast<int>(side)].push_back(by_name[name]->area());
	}
	double total() const
	{
		double sum = 0;
		for (const auto &entry : by_name)
			sum += entry.second->area();
		return sum;
	}
};
} // namespace shapes

static inline int twice(int x)
{
	return x * 2 + 1;
}

static int apply(const std::function<int(int)> &f, int x)
{
	return f(twice(x));
}

int main(int argc, char **argv)
{
	shapes::registry all;
	for (int i = 0; i < 100 * argc; i++) {
		all.add(std::to_string(i), i);
		all.add(std::string(argv[0]) + std::to_string(i), i * 0.5);
	}
	std::vector<int> numbers;
	for (int i = 0; i < 1000; i++)
		numbers.push_back(apply([argc](int x) { return (x * 7919 + argc) % 1000; }, i));
	std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return twice(a) > twice(b); });
	std::stable_sort(numbers.begin(), numbers.end());
	printf("%f %d\n", all.total(), numbers[500]);
}
