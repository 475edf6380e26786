# SPDX-License-Identifier: MIT
"""Runs a share of a file's tests: MOOREA_SHARD=1/3 is the second of three, so that several processes share a file.
At the end it says which took longest."""
import os
import time
import unittest


class Loader(unittest.TestLoader):
    """Deals the methods of each class to the shards in turn."""

    number, shards = (int(part) for part in os.environ.get("MOOREA_SHARD", "0/1").split("/"))
    dealt = 0

    def getTestCaseNames(self, case):
        names = []
        for name in super().getTestCaseNames(case):
            if Loader.dealt % self.shards == self.number:
                names.append(name)
            Loader.dealt += 1
        return names


class TimedResult(unittest.TextTestResult):
    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.seconds = {}

    def startTest(self, test):
        self.seconds[test.id().removeprefix("__main__.")] = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        name = test.id().removeprefix("__main__.")
        self.seconds[name] = time.monotonic() - self.seconds[name]
        super().stopTest(test)

    def stopTestRun(self):
        super().stopTestRun()
        for name in sorted(self.seconds, key=self.seconds.get, reverse=True)[:8]:
            self.stream.writeln(f"{self.seconds[name]:7.1f} s  {name}")


def main():
    unittest.main(module="__main__", testLoader=Loader(), testRunner=unittest.TextTestRunner(resultclass=TimedResult, verbosity=2))
