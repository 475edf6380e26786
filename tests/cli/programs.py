# SPDX-License-Identifier: MIT
"""The programs under test. Every test of this folder is run as NAME_test.py MOOREA MOOREA_FAULTY [unittest options];
MOOREA_FAULTY is the same program with further kernels, some of which are wrong on purpose (tests/faulty)."""
import os
import sys

MOOREA, FAULTY = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
