# SPDX-License-Identifier: Apache-2.0
# Writes 1,500,000 folded stacks in the order of time: calls, returns, and other calls in their place, by chance.
import random
import sys

source = random.Random(1)
names = ["f%d" % number for number in range(300)]
path = ["main", "run"]
for _ in range(1500000):
    chance = source.random()
    if chance < 0.4 and len(path) < 14:
        path.append(source.choice(names))
    elif chance < 0.8 and len(path) > 3:
        path.pop()
    else:
        path[-1] = source.choice(names)
    sys.stdout.write(";".join(path) + " %d\n" % source.randrange(1, 4))
