# SPDX-License-Identifier: Apache-2.0
# Measures what the record of a wait costs its program: switch_cost.py ROUNDS WAITS NAME COMMAND [NAME COMMAND]... The first command is
# the program alone; the others record it. Each writes the CPU time that the program itself used, in seconds, to the file `used`. Runs go
# in turn, each is compared with the first of its round, and the median is shown.
import statistics
import subprocess
import sys

rounds, waits = int(sys.argv[1]), int(sys.argv[2])
names, commands = sys.argv[3::2], sys.argv[4::2]
used = [[] for _ in commands]
for _ in range(rounds):
    for index, command in enumerate(commands):
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open("used") as file:
            used[index].append(float(file.read()))
print("%-42s %8.3f s" % (names[0], statistics.median(used[0])))
for index in range(1, len(commands)):
    extra = [(taken - alone) / waits * 1e6 for taken, alone in zip(used[index], used[0])]
    print("%-42s %8.3f s  %8.3f us each, %.1f %%" % (names[index], statistics.median(used[index]), statistics.median(extra),
        statistics.median(100 * (taken / alone - 1) for taken, alone in zip(used[index], used[0]))))
