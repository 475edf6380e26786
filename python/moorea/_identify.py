# SPDX-License-Identifier: MIT
"""What patterns are, and when worlds repeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from . import _moorea
from ._arrays import packed
from ._errors import UsageError
from ._pattern import Pattern
from ._simulation import Simulation
from ._states import cells_for


@dataclass(frozen=True)
class ObjectCount:
    """Objects of one sort in a world: alike but for position, orientation and phase.

    Attributes
    ----------
    count : int
    kind : {"still life", "oscillator", "spaceship"}
    name : str
        ``"glider"``; empty if Moorea's list, which is one of Conway's Life, has none.
    apgcode : str
        As LifeWiki defines it, ``"xq4_153"``; empty for objects larger than 40 x 40 cells.
    period : int
        Generations.
    displacement : (int, int)
        Columns and rows in a period, of one of them; (0, 0) unless it is a spaceship.
    speed : str
        ``"c/4 diagonal"``; empty unless it is a spaceship.
    population : int
        Live cells in the phase that has the fewest.
    """

    count: int
    kind: str
    name: str
    apgcode: str
    period: int
    displacement: tuple[int, int]
    speed: str
    population: int


@dataclass(frozen=True)
class Identification:
    """What a pattern is or becomes on an unbounded plane; `identify` returns it.

    Attributes
    ----------
    kind : str
        ``"object"`` (one still life, oscillator or spaceship), ``"objects"`` (several that do not influence
        each other), ``"dies"``, ``"settles"``, ``"methuselah"``, ``"gun"``, ``"rake"``, ``"puffer"``, or
        ``"unknown"``: none of these within the limits, or more than a million live cells.
    settled : int
        First generation from which all objects evolve without influence on each other, for ever; 0 for guns,
        rakes, puffers and unknown patterns.
    period : int
        Of an object, or of the recurring part of a gun, rake or puffer; of several objects the least common
        multiple of those that do not move, 0 if it exceeds 2**64.
    displacement : (int, int)
        Columns and rows in a period, of an object or of the recurring part; (0, 0) if several parts move
        differently.
    apgcode : str
        Of an object that of `census`; of a gun, rake or puffer ``"yl144_1_16_..."``, from the growth of the
        recurring part with all that it emits, as in apgsearch (LifeWiki, "Apgcode"). Empty if its
        populations have no common period of up to 20,000 generations, or take too long to find; and for
        other patterns.
    name : str
        ``"Gosper glider gun"``; empty if the apgcode has none in Moorea's list, which is one of Life.
    speed : str
        ``"c/2 orthogonal"``; empty without a displacement.
    world_period : int
        Generations after which all cells of a settled world are the same again, displaced by
        `world_displacement`; 0 if that never happens, or exceeds 2**63.
    world_displacement : (int, int)
    initial_population : int
        Live cells of the pattern.
    population : int
        Live cells at generation `settled`; of an unknown pattern after `searched` generations.
    searched : int
        Generations that were computed.
    census : tuple of ObjectCount
        Objects at generation `settled`, the most frequent first; of guns, rakes and puffers those that one
        period leaves and emits.
    """

    kind: str
    settled: int
    period: int
    displacement: tuple[int, int]
    apgcode: str
    name: str
    speed: str
    world_period: int
    world_displacement: tuple[int, int]
    initial_population: int
    population: int
    searched: int
    census: tuple[ObjectCount, ...]


class WorldPeriod(NamedTuple):
    """From `generation` on, and not before, all cells of a world are the same after each `period` generations.

    `displacement` is how far they move in a period, in columns and rows; (0, 0) in worlds of fixed size.
    """

    generation: int
    period: int
    displacement: tuple[int, int]


def _limits(generations: int, max_period: int) -> tuple[int, int]:
    for name, value, least in (("generations", generations, 0), ("max_period", max_period, 1)):
        if not least <= value < 2**64:
            raise UsageError(f"{name}={value}: expected a number from {least} to 2**64 - 1")
    return generations, max_period


def identify(
    pattern: Pattern | Simulation | Any,
    *,
    rule: _moorea.Rule | str = "",
    generations: int = 100_000,
    max_period: int = 5_000,
    threads: int = 0,
) -> Identification:
    """Runs a pattern on an unbounded plane until it is clear what it is or becomes, as ``moorea identify`` does.

    Parameters
    ----------
    pattern : Pattern, Simulation or array_like
        Cells: of a pattern, the present ones of a simulation on an unbounded plane, which stays as it is, or an
        array with two dimensions, rows and columns.
    rule : Rule or str
        Default: that of the pattern or simulation, ``"Life"`` for an array. A simulation has its own.
    generations : int
        After which the search ends.
    max_period : int
        Largest period of an object or a recurring part.
    threads : int
        CPU threads; 0: all CPUs available to this process.

    Returns
    -------
    Identification

    Raises
    ------
    UsageError
        For rules with B0 and for bounded worlds.
    OutOfMemoryError
        If the plane does not fit in memory.
    KeyboardInterrupt
        Within 0.1 s after Ctrl-C.

    Notes
    -----
    That a pattern has settled is certain: objects are evolved alone and compared with it cell by cell. Of guns,
    rakes and puffers the recurrence of a part and what it emits are, but what is emitted may meet objects far
    away later. docs/identify.md has the method.

    Examples
    --------
    >>> found = identify(Pattern.bundled("acorn.rle"))
    >>> found.kind, found.settled, found.census[0].name, found.census[0].count
    ('methuselah', 5206, 'blinker', 41)
    >>> identify([[0, 1, 0], [0, 0, 1], [1, 1, 1]]).speed
    'c/4 diagonal'
    """
    limits = _limits(generations, max_period)
    if isinstance(pattern, Simulation):
        if str(rule):
            raise UsageError("rule: a simulation is identified under its own rule")
        named = _moorea.identify_plane(pattern._engine, *limits, threads)
    else:
        if not isinstance(pattern, Pattern):
            pattern = Pattern(packed(pattern))
        if str(rule):
            pattern = Pattern(cells_for(pattern, 2), rule, position=pattern.position)
        named = _moorea.identify_pattern(pattern._file, *limits, threads)
    census = tuple(ObjectCount(**entry) for entry in named.pop("census"))
    return Identification(census=census, **named)


def find_period(simulation: Simulation, *, generations: int = 100_000, max_period: int = 5_000) -> WorldPeriod | None:
    """Finds from which generation on a world repeats, by comparisons of all its cells.

    Parameters
    ----------
    simulation : Simulation
        It has the same cells and the same generation afterwards.
    generations : int
        By which the world has to repeat, counted from the present one.
    max_period : int
        Largest period that is searched. Longer ones of worlds of fixed size are found if the populations of the
        last third of the generations recur.

    Returns
    -------
    WorldPeriod or None
        None if the world does not repeat from one of the next `generations` on. An unbounded plane repeats if
        nothing is left but objects that do not move, or spaceships that all move alike.

    Raises
    ------
    OutOfMemoryError
        If two copies of the cells do not fit in memory.
    UsageError
        For unbounded planes under rules with B0.
    KeyboardInterrupt
        Within 0.1 s after Ctrl-C, unless a single pass over memory takes longer.

    Examples
    --------
    >>> torus = Simulation("Life", [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 0], [0] * 5, [0] * 5])
    >>> find_period(torus)
    WorldPeriod(generation=0, period=20, displacement=(0, 0))
    """
    found = _moorea.find_period(simulation._engine, *_limits(generations, max_period))
    return None if found is None else WorldPeriod(*found)
