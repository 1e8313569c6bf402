// SPDX-License-Identifier: Apache-2.0
// Throws COUNT exceptions through 20 frames with destructors and catches each: prints how many objects were destroyed,
// which is 20 for each exception.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static unsigned long destroyed;

struct witness {
	std::string name;
	explicit witness(int depth) : name("witness number " + std::to_string(depth))
	{
	}
	~witness()
	{
		destroyed += !name.empty();
	}
};

__attribute__((noinline)) static int descend(int depth)
{
	witness here(depth);
	if (depth == 1)
		throw std::runtime_error(here.name);
	return descend(depth - 1) + (int)here.name.size();
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000, caught = 0;
	for (int i = 0; i < count; i++) {
		try {
			descend(20);
		} catch (const std::exception &error) {
			caught += error.what()[0] == 'w';
		}
	}
	printf("%d caught, %lu destroyed\n", caught, destroyed);
	return caught != count || destroyed != 20ul * (unsigned)count;
}
