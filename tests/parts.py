# SPDX-License-Identifier: MIT
"""Which items of a long list this run takes: all, or with MOOREA_TEST_PART = 0, 1 or 2 each third one from that one on."""
import os

PARTS = 3 if "MOOREA_TEST_PART" in os.environ and "MOOREA_TEST_ALL" not in os.environ else 1


def in_part(item):
    """Whether this run takes the item of this number."""
    return item % PARTS == int(os.environ.get("MOOREA_TEST_PART", 0)) % PARTS
