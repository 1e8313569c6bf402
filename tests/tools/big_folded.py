# SPDX-License-Identifier: Apache-2.0
# Folded stacks as many as those of the article on flame graphs: 27,053 unique stacks, 348,427 samples, of a made server.
import random

UNIQUE, SAMPLES, DEEPEST = 27053, 348427, 45
source = random.Random(1)
classes = ["JOIN::", "Item_func_", "handler::", "row_search_", "btr_cur_", "ha_innobase::", "THD::", "sub_select_"]
names = ["mysqld`%s%s%d" % (source.choice(classes), source.choice(["exec", "read", "next", "search", "mvcc", "store"]), i) for i in range(1500)]
paths, stacks = [("mysqld`start_thread",)], set()
while len(stacks) < UNIQUE:
    path = source.choice(paths)
    for _ in range(source.randrange(1, 4)):
        if len(path) < DEEPEST:
            path = path + (source.choice(names),)
            paths.append(path)
    stacks.add(path)
ordered = sorted(stacks)
counts = [1] * UNIQUE
for _ in range(SAMPLES - UNIQUE):
    counts[int(source.paretovariate(0.6)) % UNIQUE] += 1
for stack, count in zip(ordered, counts):
    print(";".join(stack), count)
