# SPDX-License-Identifier: MIT
"""Soups that run until they settle, and the objects that remain, by apgcode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _moorea
from ._errors import UsageError
from ._pattern import Pattern
from ._tables import Table

_MAX_SAMPLES = 10  # soups that an object names


def _rule(rule: _moorea.Rule | str) -> _moorea.Rule:
    return _moorea.Rule(rule) if isinstance(rule, str) else rule


class Census(Table):
    """Table of the objects of a census, the most frequent ones first; `census` returns it.

    The columns are apgcode, name (empty if Moorea's list, which is one of Conway's Life, has none), count, and
    soups, the numbers of the first ten soups that have one.

    Attributes
    ----------
    rule : Rule
    symmetry, seed : str
    first : int
        Number of the first soup.
    soups : int
        Number of soups.
    reach : int
        Columns and rows beyond which soups were cut off; 0: nowhere.
    """

    def __init__(
        self, rule: _moorea.Rule, symmetry: str, seed: str, first: int, soups: int, rows: list[dict[str, Any]], reach: int = 0
    ) -> None:
        super().__init__(sorted(rows, key=lambda row: (-row["count"], row["apgcode"])))
        self.rule, self.symmetry, self.seed, self.first, self.soups, self.reach = rule, symmetry, seed, first, soups, reach

    @property
    def objects(self) -> int:
        """Number of objects; one for each soup that was cut off."""
        return sum(row["count"] for row in self)

    @property
    def counts(self) -> dict[str, int]:
        """Number of objects of each apgcode."""
        return {row["apgcode"]: row["count"] for row in self}

    def soup(self, number: int) -> Pattern:
        """Soup of this number at generation 0, such as one of a row's `soups`. Raises UsageError for a negative one."""
        if number < 0:
            raise UsageError(f"soup {number}: expected 0 or more")
        return Pattern._of(_moorea.soup_pattern(self.rule, self.symmetry, f"{self.seed}{number}"))

    def haul(self) -> str:
        """Haul in the format of apgsearch, which ``moorea census --resume`` continues if the first soup is number 0."""
        return _moorea.haul_text(self.rule, self.symmetry, self.seed, self.soups, self.reach, list(self))

    def then(self, later: Census) -> Census:
        """Both as one census.

        Raises
        ------
        ValueError
            Unless the soups of `later` follow those of this one.
        """
        expected = (self.rule, self.symmetry, self.seed, self.reach, self.first + self.soups)
        if (later.rule, later.symmetry, later.seed, later.reach, later.first) != expected:
            raise ValueError(f"the census that follows begins with soup {expected[-1]} of the same rule, symmetry, seed and reach")
        rows = {row["apgcode"]: dict(row) for row in self}
        for row in later:
            mine = rows.setdefault(row["apgcode"], {**row, "count": 0, "soups": []})
            mine["count"] += row["count"]
            mine["soups"] = (mine["soups"] + row["soups"])[:_MAX_SAMPLES]
        return Census(self.rule, self.symmetry, self.seed, self.first, self.soups + later.soups, list(rows.values()), self.reach)


def census(
    rule: _moorea.Rule | str = "Life",
    soups: int = 10_000,
    *,
    symmetry: str = "C1",
    seed: str = "moorea",
    first: int = 0,
    max_generations: int = 100_000,
    reach: int = 0,
    device: str = "cpu",
    threads: int = 0,
    progress: Callable[[int], Any] | None = None,
) -> Census:
    """Runs soups of 16 x 16 cells on an unbounded plane until they settle, and counts their objects.

    Parameters
    ----------
    rule : Rule or str
        Isotropic, such as B36/S23 and B2-a/S12, without B0.
    soups : int
        Number of soups.
    symmetry : str
        ``"C1"`` (none), or another one of apgsearch, such as ``"D8_1"``.
    seed : str
        Soup n is that of the SHA-256 digest of ``f"{seed}{n}"``.
    first : int
        Number of the first soup: `Census.then` joins what was run in parts.
    max_generations : int
        A soup that has not settled by then counts once, as ``"PATHOLOGICAL"``.
    reach : int
        A soup that leaves the middle `reach` columns and rows, otherwise than by spaceships that fly outwards, counts
        once, as ``"zz_CUT_OFF"``, and its objects do not count. A multiple of 16 from 64 to 1024; 0: an unbounded plane.
    device : str
        ``"cpu"``, ``"cuda"`` or a CUDA device of `devices`.
    threads : int
        CPU threads, 0 for all. The counts do not depend on it.
    progress : callable, optional
        ``progress(completed)`` is called about ten times a second by this thread. Returning False ends the
        census, which has the soups that are complete then.

    Returns
    -------
    Census

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. A census in parts keeps those before it.
    UsageError, UnavailableError, OutOfMemoryError
        For a rule that is not isotropic or has B0, an unknown symmetry, an impossible reach, or a device that is not
        here.

    Examples
    --------
    >>> found = census(soups=100, seed="docs")
    >>> found.soups, found.counts["xs4_33"] > 100
    (100, True)
    >>> found.then(census(soups=50, first=100, seed="docs")).counts == census(soups=150, seed="docs").counts
    True
    """
    options: dict[str, object] = {
        "soups": soups,
        "first": first,
        "max_generations": max_generations,
        "reach": reach,
        "threads": threads,
        "device": device,
    }
    known = _rule(rule)
    done, rows = _moorea.census(known, symmetry, seed, options, progress)
    return Census(known, symmetry, seed, first, done, rows, reach)


def object_pattern(apgcode: str, rule: _moorea.Rule | str = "Life") -> Pattern:
    """Still life, oscillator or spaceship of an apgcode, in the phase and orientation of the code.

    Raises
    ------
    UsageError
        For other texts, and for a still life whose cells are not as many as its code says. That the cells are an
        object under the rule is not checked: `identify` does.

    Examples
    --------
    >>> int(object_pattern("xq4_153").cells.sum())
    5
    """
    return Pattern._of(_moorea.apgcode_pattern(apgcode, _rule(rule)))
