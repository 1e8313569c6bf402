# SPDX-License-Identifier: Apache-2.0
# Runs modules of Python's own tests: python_results.py RESULTS MODULE... Writes a line for each test, "name outcome", to the file
# RESULTS, whatever the tests do with the standard streams. Resources that need a network, a sound card, minutes or gigabytes
# are not enabled.
"""The outcome of each test of modules of the standard library's own tests."""
import os
import sys
import unittest
from test import support


class Outcomes(unittest.TextTestResult):
    """Keeps what became of each test: the last of what a test and its subtests reported, failures before success."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.outcomes = {}

    def keep(self, test, outcome):
        # A subtest reports by its test; the text of a test has the addresses of objects in it, its name has not.
        name = getattr(test, "test_case", test).id()
        if not self.outcomes.get(name, "").startswith(("FAIL", "ERROR")):
            self.outcomes[name] = outcome

    def addSuccess(self, test):
        super().addSuccess(test)
        self.keep(test, "ok")

    def addError(self, test, error):
        super().addError(test, error)
        self.keep(test, "ERROR " + error[0].__name__)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.keep(test, "FAIL")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.keep(test, "skipped")

    def addExpectedFailure(self, test, error):
        super().addExpectedFailure(test, error)
        self.keep(test, "expected failure")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.keep(test, "FAIL unexpected success")

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.keep(test, "FAIL")


def main(results, modules):
    support.use_resources = ["subprocess", "decimal"]
    support.verbose = 1
    results = os.path.abspath(results)
    suite = unittest.TestSuite()
    for module in modules:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromName("test." + module))
    runner = unittest.TextTestRunner(stream=sys.stderr, verbosity=2, resultclass=Outcomes, warnings="default")
    outcome = runner.run(suite)
    with open(results, "w", encoding="utf-8", errors="replace") as stream:
        stream.writelines("%s %s\n" % pair for pair in sorted(outcome.outcomes.items()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
