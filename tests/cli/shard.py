# SPDX-License-Identifier: MIT
"""Runs a share of a file's tests: MOOREA_SHARD=1/3 is the second of three, so that several processes share a file."""
import os
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


def main():
    unittest.main(module="__main__", testLoader=Loader())
