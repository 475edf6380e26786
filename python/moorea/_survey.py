# SPDX-License-Identifier: MIT
"""Results of any number of worlds, of which few are in memory at a time, as columns of a table."""

from __future__ import annotations

import html
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import says_stop, seed_of
from ._ensemble import Rules, groups_of, shape_of
from ._errors import UsageError

RECORDS = ("seed", "population", "hash", "changed", "box", "period")

_PROGRESS_INTERVAL = 0.1  # seconds
_SHOWN_ROWS = 10
_ENOUGH_INTERVALS = 10  # between two searches of periods
_CHUNK = 65536  # worlds that are converted to arrays at a time
_MAX_READY_CHUNKS = 4


class Columns(dict[str, npt.NDArray[Any]]):
    """Table with a row for each world: arrays of one length by the names of the columns.

    ``pandas.DataFrame(columns)``, ``polars.DataFrame(columns)`` and ``numpy.savez(path, **columns)`` read it.
    """

    def __repr__(self) -> str:
        rows = [list(self)] + [[str(array[i]) for array in self.values()] for i in range(min(self.rows, _SHOWN_ROWS))]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self))]
        lines = ["  ".join(f"{text:>{width}}" for text, width in zip(row, widths)) for row in rows]
        return "\n".join(lines + [f"({self.rows} rows)"])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self)
        rows = ("<tr>" + "".join(f"<td>{array[i]}</td>" for array in self.values()) + "</tr>" for i in range(min(self.rows, _SHOWN_ROWS)))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table><p>{self.rows} rows</p>"

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.values()))) if self else 0


def _names(record: str | Sequence[str], rules: int, until_periodic: bool) -> list[str]:
    asked = [each.strip() for each in record.split(",")] if isinstance(record, str) else list(record)
    for each in asked:
        if each not in RECORDS:
            raise UsageError(f'a column "{each}": expected {", ".join(RECORDS)}')
    if until_periodic:
        asked.append("period")
    return ["world"] + ["rule"] * (rules > 1) + ["generation"] + [each for each in RECORDS if each in asked]


def _options(names: list[str], until_periodic: bool, **numbers: int) -> dict[str, object]:
    """Options of the survey by name; numbers are 0 or more, or 1 or more."""
    for name, number in numbers.items():
        least = 1 if name == "max_period" else 0
        if number < least:
            raise UsageError(f"{name} {number}: expected at least {least}")
    interval = _moorea.period_search_interval(numbers["max_period"])
    if "period" in names and 0 < numbers["generations"] < _ENOUGH_INTERVALS * interval:
        last = (numbers["generations"] - 1) // interval * interval
        warnings.warn(
            f"periods are searched from generations that are multiples of {interval}: worlds that become periodic after generation {last} have none here; "
            "Ensemble.periods() searches from the present state",
            stacklevel=3,
        )
    return {"until_periodic": until_periodic, "period": "period" in names, "changed": "changed" in names, **numbers}


def iterate_survey(
    rule: Rules = "Life",
    worlds: int | Sequence[int] = 1000,
    shape: tuple[int, int] | int = 64,
    *,
    generations: int = 1000,
    until_periodic: bool = False,
    max_period: int = 60,
    record: str | Sequence[str] = ("population", "hash"),
    topology: str = "torus",
    density: float = 0.5,
    seed: int = 0,
    first: int = 0,
    device: str = "cpu",
    kernel: str = "",
    threads: int = 0,
    chunk: int = _CHUNK,
) -> Iterator[Columns]:
    """Runs many soups and yields their results in parts, while others are computed.

    Parameters
    ----------
    rule, worlds, shape, generations, until_periodic, max_period, record, topology, density, seed, first, device, kernel, threads
        As of `survey`.
    chunk : int
        Worlds of a part. The survey waits when four parts are ready and not taken.

    Yields
    ------
    Columns
        As `survey` returns, of `chunk` worlds, the last one of fewer; in the order of the worlds.

    Raises
    ------
    KeyboardInterrupt, UsageError, UnavailableError, OutOfMemoryError
        As of `survey`; for wrong arguments at the call, before the first part.

    Notes
    -----
    The survey runs in threads of its own between two parts. It ends with the iterator: after ``break`` when
    the iterator is deleted, or closed by its method ``close()``.

    Examples
    --------
    >>> living = 0
    >>> for part in iterate_survey("Life", 1000, shape=16, generations=200, chunk=256):
    ...     living += int((part["population"] > 0).sum())
    >>> 0 < living <= 1000
    True
    """
    if chunk < 1:
        raise UsageError(f"chunk {chunk}: expected at least 1")
    groups = groups_of(rule, worlds)
    names = _names(record, len(groups), until_periodic)
    options = _options(names, until_periodic, generations=generations, max_period=max_period, first=first)
    noise = float(density), seed_of(seed)
    run = _moorea.SurveyRun.begin(groups, topology, shape_of(shape), noise, options, (device, kernel, threads), _MAX_READY_CHUNKS * chunk)
    return _parts(run, names, chunk)


def _parts(run: _moorea.SurveyRun, names: list[str], chunk: int) -> Iterator[Columns]:
    try:
        while not run.finished or run.ready:
            run.wait(chunk, math.inf)
            if run.ready:
                yield Columns(run.take(chunk, names))
        run.wait(0, 0)  # throws what ended the survey
    finally:
        run.stop()


def survey(
    rule: Rules = "Life",
    worlds: int | Sequence[int] = 1000,
    shape: tuple[int, int] | int = 64,
    *,
    generations: int = 1000,
    until_periodic: bool = False,
    max_period: int = 60,
    record: str | Sequence[str] = ("population", "hash"),
    topology: str = "torus",
    density: float = 0.5,
    seed: int = 0,
    first: int = 0,
    device: str = "cpu",
    kernel: str = "",
    threads: int = 0,
    progress: Callable[[int, int], Any] | None = None,
) -> Columns:
    """Runs many soups and returns a table with a row for each, as ``moorea ensemble`` writes it.

    Few worlds are in memory at a time: those that are complete make room for the next ones.

    Parameters
    ----------
    rule : Rule, str or sequence of them
        ``"B3/S23"``, or a name such as ``"Life"``. Of several rules the first worlds have the first rule.
    worlds : int or sequence of int
        Number of worlds of each rule, or a number for each rule.
    shape : (int, int) or int
        Rows and columns of each world, or the side of squares.
    generations : int
        Generations of each world; the maximum with `until_periodic`.
    until_periodic : bool
        Whether a world ends when its period is found. Its row is that of the generation at which the search
        began, and does not depend on the other worlds.
    max_period : int
        Largest period that is searched, in generations.
    record : str or sequence of str
        Columns in addition to `world` and `generation`, and to `rule` if there are several: ``"seed"``,
        ``"population"``, ``"hash"``, ``"changed"``, ``"box"``, ``"period"``; also in one string with commas.
    topology : {"torus", "plane"}
    density : float
        Probability that a cell of the soups is alive, 0 to 1.
    seed : int
        0 to 2**64 - 1, of the soups. World i begins as ``Ensemble(rule, worlds, shape, seed=seed).world(i)``.
    first : int
        First world of the table: rows before it are left out, to continue an earlier table.
    device : str
        ``"cpu"``, ``"cuda"`` or a CUDA device of `devices`. A GPU searches periods in worlds of up to
        256 x 256 cells, without counting changed cells.
    kernel, threads
        As of `Ensemble`.
    progress : callable, optional
        ``progress(completed, worlds)`` is called about ten times a second by this thread. Returning False
        ends the survey; the table has the worlds that are complete.

    Returns
    -------
    Columns
        Arrays of one entry for each world, in their order, uint64 but where stated:

        - `world`: from 0 on; `rule`: index in the sequence of rules; `generation`: that the row describes;
        - `seed`: ``soup(shape, density, seed)`` is the world at generation 0;
        - `population`: live cells; `hash`: as `Simulation.hash`;
        - `changed`: cells that were born or died in the last generation;
        - `x`, `y`, `width`, `height` (int64) with ``"box"``: smallest box with all live cells, 0 if there are none;
        - `period`: in generations, 0 if none was found; `period_generation`: where the search that found it began.

        Unsigned numbers wrap where a difference is negative: ``table["population"].astype(np.int64)``.

    Raises
    ------
    KeyboardInterrupt
        Within 100 ms after Ctrl-C, unless a single pass over a batch of worlds takes longer.
        `iterate_survey` gives the rows in parts, which an interruption does not lose.
    UsageError, UnavailableError, OutOfMemoryError
        As of `Ensemble`.

    Notes
    -----
    Periods are searched from the generations that are multiples of the larger of 64 and `max_period`, not from
    the generation of the row, whose state may be periodic where `period` is 0: `generations` should be several
    times as many, and a larger `max_period` alone finds fewer worlds. `Ensemble.periods` searches from the
    present state. There is a warning if `generations` are fewer than ten times that number.

    Examples
    --------
    >>> table = survey("Life", 500, shape=32, until_periodic=True, generations=5000, seed=1)
    >>> sorted(table)
    ['generation', 'hash', 'period', 'period_generation', 'population', 'world']
    >>> int(table["period"].max()) <= 60
    True
    """
    groups = groups_of(rule, worlds)
    names = _names(record, len(groups), until_periodic)
    options = _options(names, until_periodic, generations=generations, max_period=max_period, first=first)
    noise = float(density), seed_of(seed)
    run = _moorea.SurveyRun.begin(groups, topology, shape_of(shape), noise, options, (device, kernel, threads), _MAX_READY_CHUNKS * _CHUNK)
    total = sum(number for _, number in groups)
    parts: list[dict[str, npt.NDArray[Any]]] = []
    try:
        while not run.finished or run.ready:
            run.wait(_CHUNK, _PROGRESS_INTERVAL if progress is not None else math.inf)
            if run.ready >= _CHUNK or run.finished:
                parts.append(run.take(_CHUNK, names))
            if progress is not None and says_stop(progress(first + run.worlds, total)):
                run.stop()
        run.wait(0, 0)  # throws what ended the survey
    finally:
        run.stop()
    parts = parts or [run.take(0, names)]
    return Columns({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
