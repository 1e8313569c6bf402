// SPDX-License-Identifier: Apache-2.0
// A C++ program for -O2 -g: templates, lambdas, virtual calls, inlined functions of its own and of the standard library.
// Its time goes into sort_by_area, count_names and render in about these parts: most, some, some. Prints a checksum.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace geometry
{

struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
	virtual std::string name() const = 0;
};

template <int sides> struct polygon : shape {
	double length;
	explicit polygon(double side) : length(side)
	{
	}
	double area() const override
	{
		return length * length * sides / (4 * std::tan(M_PI / sides));
	}
	std::string name() const override
	{
		return "polygon with " + std::to_string(sides) + " sides";
	}
};

static inline double squared(double x)
{
	return x * x;
}

struct circle : shape {
	double radius;
	explicit circle(double r) : radius(r)
	{
	}
	double area() const override
	{
		return M_PI * squared(radius);
	}
	std::string name() const override
	{
		return "circle";
	}
};

using shapes = std::vector<std::unique_ptr<shape>>;

static shapes make(int count)
{
	shapes made;
	for (int i = 0; i < count; i++) {
		double size = 1 + i * 7919 % 1009;
		switch (i % 3) {
		case 0:
			made.push_back(std::make_unique<polygon<3>>(size));
			break;
		case 1:
			made.push_back(std::make_unique<polygon<6>>(size));
			break;
		default:
			made.push_back(std::make_unique<circle>(size));
		}
	}
	return made;
}

__attribute__((noinline)) static double sort_by_area(shapes &all)
{
	std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a->area() < b->area(); });
	return all.front()->area() + all.back()->area();
}

__attribute__((noinline)) static size_t count_names(const shapes &all)
{
	std::map<std::string, int> seen;
	for (const auto &one : all)
		seen[one->name()]++;
	return seen.size();
}

__attribute__((noinline)) static double render(std::vector<double> &picture)
{
	double sum = 0;
	for (size_t i = 1; i < picture.size(); i++) {
		picture[i] = squared(picture[i - 1] - 0.5) + 0.25;
		sum += picture[i];
	}
	return sum;
}

} // namespace geometry

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 10;
	std::vector<double> picture(200000, 0.3);
	double checksum = 0;
	for (int turn = 0; turn < turns; turn++) {
		geometry::shapes all = geometry::make(20000);
		checksum += geometry::sort_by_area(all);
		checksum += (double)geometry::count_names(all);
		checksum += geometry::render(picture);
	}
	printf("%.6g\n", checksum);
}
