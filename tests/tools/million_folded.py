# SPDX-License-Identifier: Apache-2.0
# Folded stacks that make a tree of a million frames below <Total>, 57 deep, of 20,000 functions.
import random

FRAMES, DEEPEST = 1000000, 57
source = random.Random(3)
names = ["fn%d" % i for i in range(20000)]
paths, seen = [("main",)], {("main",)}
print("main 1")
while len(seen) < FRAMES:
    path = paths[-1] if source.random() > .3 and len(paths[-1]) < DEEPEST else source.choice(paths)
    if len(path) == DEEPEST:
        continue
    path = path + (source.choice(names),)
    if path not in seen:
        seen.add(path)
        paths.append(path)
        print(";".join(path), source.randrange(1, 50))
