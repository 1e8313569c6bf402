# SPDX-License-Identifier: Apache-2.0
# Holds what the bench printed against bounds, one line each for VERIFY.md; ends with status 1 if one is short.
import sys

_short = []


def bound(what, value, most, unit):
    if value > most:
        _short.append(what)
    print("bound: %s | %.2f %s | at most %g %s | %s" % (what, value, unit, most, unit, "SHORT" if value > most else "ok"))


def finish():
    sys.exit(len(_short) > 0)
