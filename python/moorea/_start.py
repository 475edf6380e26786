# SPDX-License-Identifier: MIT
"""How a world begins."""

from __future__ import annotations

from typing import Any

from . import _moorea
from ._errors import UsageError
from ._pattern import Pattern
from ._states import cells_for


def engine_for(
    rule: _moorea.Rule,
    cells: Any,
    topology: str,
    shape: tuple[int, int] | None,
    mesh: str | None,
    adjacency: str,
    options: dict[str, Any],
) -> _moorea.Engine:
    pattern = cells if isinstance(cells, Pattern) else None
    if pattern is not None and pattern._file.has_states:  # which the rule has to have
        pattern = cells = Pattern(cells_for(pattern, rule.states), rule, position=pattern.position, generation=pattern.generation)
    if mesh is not None:
        return _moorea.Engine.of_mesh(rule, mesh, adjacency, (pattern or Pattern(cells, rule))._file, pattern is None, options)
    if topology == "unbounded":
        return _moorea.Engine.unbounded(rule, (pattern or Pattern(cells, rule, position=(0, 0)))._file, options)
    if pattern is not None and shape is not None:
        if topology not in ("torus", "plane"):
            raise UsageError(f'topology "{topology}": expected torus, plane or unbounded')
        placed = Pattern(cells_for(pattern, rule.states), f"{rule}:{topology[0].upper()}{shape[1]},{shape[0]}", position=pattern.position, generation=pattern.generation)
        return _moorea.Engine.of_pattern(placed._file, options)
    start = cells_for(cells, rule.states)
    of = _moorea.Engine.of_cells if isinstance(start, _moorea.PackedCells) else _moorea.Engine.of_world
    engine = of(rule, topology, start, options)  # type: ignore[arg-type]
    if pattern is not None:
        engine.set_generation(pattern.generation)
    return engine
