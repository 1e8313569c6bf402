# SPDX-License-Identifier: Apache-2.0
# Measures what each of many events costs: overflow_cost.py ROUNDS EVENTS NAME COMMAND [NAME COMMAND]... The first command is the program
# alone; the others record it. Runs go in turn, each is compared with the first of its round, and the median is shown.
import statistics
import subprocess
import sys
import time

rounds, events = int(sys.argv[1]), int(sys.argv[2])
names, commands = sys.argv[3::2], sys.argv[4::2]
times = [[] for _ in commands]
for _ in range(rounds):
    for index, command in enumerate(commands):
        start = time.perf_counter()
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times[index].append(time.perf_counter() - start)
print("%-42s %8.3f s" % (names[0], statistics.median(times[0])))
for index in range(1, len(commands)):
    extra = statistics.median(taken - alone for taken, alone in zip(times[index], times[0]))
    print("%-42s %8.3f s  %8.3f us each" % (names[index], statistics.median(times[index]), extra / events * 1e6))
