# SPDX-License-Identifier: MIT
"""Kernels, devices and speeds as tables: lists of dictionaries, which pandas.DataFrame reads."""

from __future__ import annotations

import html
import statistics
import time
from collections.abc import Sequence
from typing import Any

from . import _moorea
from ._errors import RunError, UnavailableError, UsageError
from ._grid import Grid, soup
from ._simulation import Simulation
from ._states import as_states, random_states

_REFERENCES = ("cpu/reference", "cpu/states/reference", "cpu/wide/reference", "cpu/blocks/reference")
_MAX_GENERATIONS = 12 << 20  # of a round: worlds that have settled take almost no time
_CHECKED_GENERATIONS = 32


class Table(list[dict[str, Any]]):
    """List of rows, each a dictionary with the same keys. ``pandas.DataFrame(table)`` reads it."""

    def __repr__(self) -> str:
        if not self:
            return "(no rows)"
        rows = [list(self[0])] + [[_text(value) for value in row.values()] for row in self]
        widths = [min(max(len(row[i]) for row in rows), 60) for i in range(len(rows[0]))]
        return "\n".join("  ".join(f"{text[:60]:{width}}" for text, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        if not self:
            return "<p>(no rows)</p>"
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self[0])
        rows = ("<tr>" + "".join(f"<td>{html.escape(_text(value))}</td>" for value in row.values()) + "</tr>" for row in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def kernels(rule: _moorea.Rule | str = "Life") -> Table:
    """All kernels of this build, and whether they run this rule on this machine.

    Returns
    -------
    Table
        With the columns name, backend, runs, reason (why it does not run), layout, max_steps (generations in
        one pass over memory), logic, skips, bits_moved_per_cell, operations_per_word, summary.
    """
    return Table(_moorea.kernel_rows(_moorea.Rule(rule) if isinstance(rule, str) else rule))


def devices() -> Table:
    """All devices of this machine that run kernels; the CPU is the first.

    Returns
    -------
    Table
        With the columns name, description, threads and memory (bytes available).
    """
    return Table(_moorea.device_rows())


def bench(
    rule: _moorea.Rule | str = "Life",
    cells: Any = (4096, 4096),
    *,
    kernel: str | Sequence[str] = "",
    device: str | Sequence[str] = "auto",
    topology: str = "torus",
    threads: int = 0,
    seconds: float = 0.5,
    rounds: int = 3,
) -> Table:
    """Times kernels on a world, after each one's cells were compared with those of the reference.

    Each round begins with the same cells; it has at most 12 * 2**20 generations, for a world that settles takes
    almost no time from then on.

    Parameters
    ----------
    rule : Rule or str
    cells : (int, int) or array_like
        Rows and columns of a soup of density 0.5, or cells; states under a rule with more than two.
    kernel, device : str or sequence of str
        All combinations are timed. By default the selected one.
    topology : {"torus", "plane"}
    threads : int
        As of `Simulation`.
    seconds : float
        Least duration of a round, unless it has the maximum number of generations.
    rounds : int
        Rounds, of which the median counts.

    Returns
    -------
    Table
        With the columns kernel, device, threads, rows, columns, generations (of a round), seconds (of a round),
        cells_per_second and note, which says if a round had all its generations in less than `seconds`, because
        most were skipped. A combination that cannot run has no numbers, and the reason as note.

    Raises
    ------
    UsageError
        For an unbounded plane, which has no number of cells.
    RunError
        If a kernel's cells differ from the reference.
    """
    if not seconds > 0:
        raise UsageError(f"rounds of {seconds} seconds: expected more than 0")
    if rounds < 1:
        raise UsageError(f"{rounds} rounds: expected at least 1")
    if topology not in ("torus", "plane"):
        raise UsageError(f'topology "{topology}": expected torus or plane, whose cells have a number')
    rule = _moorea.Rule(rule) if isinstance(rule, str) else rule
    start = _start(rule, cells)
    part = start[:256, :256]
    reference = _reference(rule, part, topology)
    reference.step(_CHECKED_GENERATIONS)
    table = Table()
    for name in [kernel] if isinstance(kernel, str) else kernel:
        for place in [device] if isinstance(device, str) else device:
            how: dict[str, Any] = dict(topology=topology, kernel=name, device=place, threads=threads)
            try:
                _compare(Simulation(rule, part, **how), reference)
                table.append(_timed(Simulation(rule, start, **how), start, seconds, rounds))
            except UnavailableError as error:
                nothing = dict.fromkeys(("threads", "rows", "columns", "generations", "seconds", "cells_per_second"))
                table.append({"kernel": name, "device": place, **nothing, "note": str(error)})
    return table


def _start(rule: _moorea.Rule, cells: Any) -> Any:
    """Cells as an array, or as a Grid."""
    if rule.states > 2:
        return random_states(cells, rule.states) if isinstance(cells, tuple) else as_states(cells, rule.states)
    return soup(cells) if isinstance(cells, tuple) else Grid(cells)


def _reference(rule: _moorea.Rule, cells: Any, topology: str) -> Simulation:
    """Under the reference of the rule's family, which all others refuse."""
    for name in _REFERENCES[:-1]:
        try:
            return Simulation(rule, cells, topology=topology, kernel=name, threads=1)
        except UnavailableError:
            pass
    return Simulation(rule, cells, topology=topology, kernel=_REFERENCES[-1], threads=1)


def _compare(simulation: Simulation, reference: Simulation) -> None:
    simulation.step(_CHECKED_GENERATIONS)
    if simulation.hash != reference.hash:
        raise RunError(f"{simulation.kernel} on {simulation.device}: its cells differ from those of {reference.kernel}")


def _timed(simulation: Simulation, start: Any, seconds: float, rounds: int) -> dict[str, Any]:
    generations = 1
    while True:  # also warms up
        duration = _duration(simulation, start, generations)
        if duration >= seconds / 4 or generations == _MAX_GENERATIONS:
            break
        generations = min(generations * (2 if duration > seconds / 64 else 8), _MAX_GENERATIONS)
    generations = min(max(round(generations * seconds / duration), 1), _MAX_GENERATIONS)
    median = statistics.median(_duration(simulation, start, generations) for _ in range(rounds))
    rows, columns = simulation.shape
    return {
        "kernel": simulation.kernel,
        "device": simulation.device,
        "threads": simulation.threads,
        "rows": rows,
        "columns": columns,
        "generations": generations,
        "seconds": median,
        "cells_per_second": rows * columns * generations / median,
        "note": "the world settles: most generations were skipped" if generations == _MAX_GENERATIONS and median < seconds else "",
    }


def _duration(simulation: Simulation, start: Any, generations: int) -> float:
    simulation.reset(start)
    begin = time.perf_counter()
    simulation.step(generations)
    return time.perf_counter() - begin
