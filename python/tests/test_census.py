# SPDX-License-Identifier: MIT
"""Censuses: counts are those of identify, of parts and of any number of threads; hauls, soups, progress, ends and errors."""
import os
import signal
import threading

import numpy as np
import pytest

import moorea
from test_ensembles import interruptible  # noqa: F401


def test_counts_are_those_of_identify():
    found = moorea.census(soups=40, seed="python")
    counts = {}
    for number in range(40):
        for each in moorea.identify(found.soup(number)).census:
            counts[each.apgcode] = counts.get(each.apgcode, 0) + each.count
    assert found.counts == counts
    assert found.objects == sum(counts.values())
    assert (found.soups, found.first, found.symmetry, found.seed, str(found.rule)) == (40, 0, "C1", "python", "B3/S23")
    assert [row["count"] for row in found] == sorted((row["count"] for row in found), reverse=True)
    assert found[0]["name"] == "block"
    assert "block" in repr(found)


@pytest.mark.parametrize(("rule", "symmetry"), [("Life", "D8_1"), ("B36/S23", "C2_2"), ("B2-a/S12", "C1")])
def test_parts_are_the_whole(rule, symmetry):
    whole = moorea.census(rule, 60, symmetry=symmetry, threads=1)
    parts = moorea.census(rule, 25, symmetry=symmetry).then(moorea.census(rule, 35, symmetry=symmetry, first=25, threads=2))
    assert list(parts) == list(whole)
    assert parts.haul() == whole.haul()
    assert f"@SYMMETRY {symmetry}" in whole.haul()
    with pytest.raises(ValueError, match="begins with soup 60"):
        whole.then(moorea.census(rule, 5, symmetry=symmetry, first=61))


def test_soups_are_cut_off():
    whole = moorea.census(soups=60, reach=64)
    parts = moorea.census(soups=25, reach=64).then(moorea.census(soups=35, first=25, reach=64))
    assert (whole.reach, parts.reach, moorea.census(soups=1).reach) == (64, 64, 0)
    assert list(parts) == list(whole)
    assert 10 < whole.counts["zz_CUT_OFF"] < 60
    assert "\n@REACH 64\n" in whole.haul()
    with pytest.raises(ValueError, match="seed and reach"):
        whole.then(moorea.census(soups=5, first=60))
    with pytest.raises(moorea.UsageError, match="a multiple of 16 from 64 to 1024"):
        moorea.census(soups=5, reach=100)


def test_samples_have_the_object():
    found = moorea.census(soups=100, seed="samples")
    for row in found[:5]:
        assert row["apgcode"] in {each.apgcode for each in moorea.identify(found.soup(row["soups"][0])).census}
    block = moorea.object_pattern("xs4_33")
    np.testing.assert_array_equal(block.cells, np.ones((2, 2), bool))


def test_progress():
    seen = []
    found = moorea.census(soups=10**9, progress=lambda completed: seen.append(completed) or len(seen) < 3)
    assert len(seen) == 3
    assert seen[-1] <= found.soups < 10**9
    with pytest.raises(ZeroDivisionError):
        moorea.census(soups=10**9, progress=lambda completed: 1 // 0)


def test_interruption(interruptible):  # noqa: F811
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        moorea.census(soups=10**9)
    timer.join()


def test_errors():
    with pytest.raises(moorea.UsageError, match="B0"):
        moorea.census("B0/S8", 5)
    with pytest.raises(moorea.UsageError, match="D9"):
        moorea.census(soups=5, symmetry="D9")
    for name in ("soups", "first", "max_generations"):
        with pytest.raises(moorea.UsageError, match=f"{name} -1: expected a whole number from 0 on"):
            moorea.census(**{"soups": 5, name: -1})
    with pytest.raises(moorea.UsageError, match=r"threads 1.5: expected a whole number"):
        moorea.census(soups=5, threads=1.5)
    with pytest.raises(moorea.UsageError, match="-1 threads"):
        moorea.census(soups=5, threads=-1)
    with pytest.raises(moorea.UsageError, match="soup -1"):
        moorea.census(soups=5).soup(-1)
    with pytest.raises(moorea.UsageError):
        moorea.object_pattern("xs4")
