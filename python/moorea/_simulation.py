# SPDX-License-Identifier: MIT
"""Worlds that are advanced, observed, read and edited."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import require_memory
from ._errors import UsageError
from ._grid import soup
from ._pattern import Pattern
from ._states import cells_for, packed_random
from ._world import World, whole_generations

Result = TypeVar("Result")
Observer = Callable[["Simulation"], Any]


class Observation:
    """Handle of an observer. It observes until `remove` is called, or until the end of a ``with`` block."""

    __slots__ = ("function", "every", "_observers")

    def __init__(self, function: Observer, every: int, observers: list[Observation]) -> None:
        self.function, self.every, self._observers = function, every, observers
        observers.append(self)

    def remove(self) -> None:
        """Removes the observer; allowed at any time, also while it runs."""
        if self in self._observers:
            self._observers.remove(self)

    def __enter__(self) -> Observation:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


class Simulation(World):
    """A world that is advanced by one kernel on one device, or divided among several.

    Parameters
    ----------
    rule : Rule or str
        ``"B3/S23"``, or a name such as ``"Life"``.
    cells : array_like, Grid or Pattern
        Two dimensions, rows and columns; 0 is dead, everything else alive. Under a rule with more than two
        states, integers are states from 0 to ``rule.states - 1`` (uint8 is fastest), bool is state 1, and
        floats are refused. Arrays of PyTorch and CuPy in the memory of a CUDA device are packed there; they
        are not states.
    topology : {"torus", "plane", "unbounded"}
        Edges joined; dead outside; or a plane that grows. The cells of an array on an unbounded plane begin
        at (0, 0); a pattern without a position is centred there.
    shape : (int, int), optional
        Rows and columns of a world larger than a pattern, which is placed as Golly does. For patterns only;
        arrays have the size of their world.
    device : str
        ``"auto"`` or a name of `devices`: ``"cpu"``, ``"cuda:0"``. Several, as in ``"cpu,cuda:0"`` or
        ``"cuda:all"``, divide the world by rows.
    kernel : str
        Empty: selected automatically. Otherwise a name of `kernels`, or the path of a kernel file
        (.cpp, .cu, .cl; docs/your-own-kernel.md).
    threads : int
        CPU threads; 0: all CPUs that this process may use.
    mesh : str, optional
        Name of a surface, ``"sphere:64"``, or path of an OBJ file, whose faces are the cells.
    adjacency : {"vertex", "edge"}
        Neighbours on a surface: faces that share a corner, or an edge.
    shares : sequence of float, optional
        Shares of the rows for several devices; by default by their speeds.
    memory : int
        Maximum bytes of an unbounded plane; 0: what is available.
    generations : int, optional
        Expected number of generations, for the choice of the device. It limits nothing.
    use_tuning : bool
        Whether the measurements of ``moorea tune`` choose device and kernel.
    host_share : float, optional
        Share of the rows that stay in the machine's memory, for worlds larger than the device's; 0: as
        many as needed. By default none.
    generations_a_pass : int, optional
        Maximum number of generations in one pass over memory, for named kernels that support it.

    Raises
    ------
    UsageError
        For a wrong argument (a `ValueError`). For a state that the rule has not, with its row and column.
    UnavailableError
        If the device or kernel cannot run this world here.
    OutOfMemoryError
        If the world does not fit (a `MemoryError`).
    RunError
        If a kernel file does not compile; the text has the compiler's messages (a `RuntimeError`).

    Notes
    -----
    Work is done without the GIL: simulations in several threads run at the same time. A call on a simulation
    that another thread is using raises `BusyError`. Ctrl-C stops a step after the pass that is running; the
    world is then at the generation that it has reached. Simulations on a GPU do not survive ``os.fork``.

    Examples
    --------
    >>> simulation = Simulation("Life", soup((512, 512), seed=1))
    >>> simulation.step(100)
    100
    >>> simulation.generation
    100
    """

    def __init__(
        self,
        rule: _moorea.Rule | str,
        cells: Any,
        *,
        topology: str = "torus",
        shape: tuple[int, int] | None = None,
        device: str = "auto",
        kernel: str | os.PathLike[str] = "",
        threads: int = 0,
        mesh: str | None = None,
        adjacency: str = "vertex",
        shares: Sequence[float] = (),
        memory: int = 0,
        generations: int | None = None,
        use_tuning: bool = True,
        host_share: float | None = None,
        generations_a_pass: int | None = None,
    ) -> None:
        options = dict(device=device, kernel=os.fspath(kernel), threads=threads, shares=list(shares), memory=memory)
        options.update(generations=generations, use_tuning=use_tuning, host_share=host_share, generations_a_pass=generations_a_pass)
        if isinstance(rule, str):
            rule = _moorea.Rule(rule)
        if shape is not None and not isinstance(cells, Pattern):
            raise UsageError("shape is for patterns: an array of cells has the size of its world")
        self._set_up(options, mesh, adjacency)
        self._engine = _engine(rule, cells, topology, shape, mesh, adjacency, self._options)

    def _set_up(self, options: dict[str, Any], mesh: str | None, adjacency: str) -> None:
        self._options: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        self._mesh, self._adjacency = mesh, adjacency
        self._observers: list[Observation] = []
        self._observing = False
        self._version = 0

    @classmethod
    def of(cls, pattern: Pattern, **options: Any) -> Simulation:
        """World that a pattern's rule describes, with its cells and generation.

        A plane or torus if the rule has a suffix such as ``":T100,50"``, otherwise an unbounded plane. Options
        are those of the constructor from `device` on.
        """
        made = cls.__new__(cls)
        options["kernel"] = os.fspath(options.get("kernel", ""))
        made._set_up(options, None, "vertex")
        made._engine = _moorea.Engine.of_pattern(pattern._file, made._options)
        return made

    @classmethod
    def soup(cls, rule: _moorea.Rule | str, shape: tuple[int, int] | int, density: float = 0.5, seed: int = 0, **options: Any) -> Simulation:
        """World of random cells: see `moorea.soup` or, under a rule with more than two states, `moorea.random_states`.

        Options are those of the constructor.
        """
        if isinstance(rule, str):
            rule = _moorea.Rule(rule)
        if rule.states > 2:
            return cls(rule, packed_random(shape, rule.states, density, seed), **options)
        return cls(rule, soup(shape, density, seed), **options)

    # Time

    def step(self, generations: int = 1) -> int:
        """Advances the world.

        Parameters
        ----------
        generations : int

        Returns
        -------
        int
            Completed generations: fewer if an observer returned False.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C, between two passes over memory.
        """
        return sum(self._advance(generations, self._engine.step))

    def populations(self, generations: int) -> npt.NDArray[np.uint64]:
        """Advances the world and counts the live cells after each generation. Raises OutOfMemoryError for too many.

        Returns
        -------
        ndarray of uint64, shape (completed generations,)
        """
        self._require_memory(8 * whole_generations(generations), "populations")
        parts = list(self._advance(generations, self._engine.populations))
        return np.concatenate(parts) if parts else np.empty(0, np.uint64)

    def activity(self, generations: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Advances the world and compares each generation with the one before. Raises OutOfMemoryError for too many.

        Returns
        -------
        population, changed : ndarray of uint64, shape (completed generations,)
            Live cells after the generation, and cells that were born or died in it.
        """
        self._require_memory(32 * whole_generations(generations), "activity")
        parts = list(self._advance(generations, self._engine.activity))
        both = np.concatenate(parts) if parts else np.empty((0, 2), np.uint64)
        return both[:, 0].copy(), both[:, 1].copy()

    def iterate(self, generations: int, every: int = 1) -> Iterator[Simulation]:
        """Advances the world and yields it after each `every` generations, and after the last.

        Yields
        ------
        Simulation
            This object. Changing it between two steps is allowed.
        """
        if every < 1:
            raise UsageError(f"every {every} generations: expected at least 1")
        left = whole_generations(generations)
        while left > 0:
            asked = min(every, left)
            done = self.step(asked)
            if done > 0:
                yield self
            if done < asked:
                return
            left -= asked

    def observe(self, function: Observer | None = None, *, every: int = 1) -> Any:
        """Adds an observer, also as a decorator.

        Parameters
        ----------
        function : callable
            ``function(simulation)``, called at each generation that is a multiple of `every`. Returning
            False stops the step at this generation. It may read the simulation, but not change it.
        every : int
            At least 1.

        Returns
        -------
        Observation
            Handle with `remove`; also a context manager.

        Examples
        --------
        >>> simulation = Simulation("Life", soup(64))
        >>> @simulation.observe(every=100)
        ... def stop_when_empty(now):
        ...     return now.population > 0
        """
        if every < 1:
            raise UsageError(f"an observer every {every} generations: expected at least 1")
        if function is None:
            return lambda decorated: Observation(decorated, every, self._observers)
        return Observation(function, every, self._observers)

    def _require_memory(self, size: int, what: str) -> None:
        if not self._observers:  # which may stop earlier
            require_memory(size, f"so many {what}")

    def _advance(self, generations: int, work: Callable[[int], Result]) -> Iterator[Result]:
        """Does the work in pieces that end where an observer is due; stops if one asks for it."""
        left = whole_generations(generations)
        self._begin_change()
        while left > 0:
            self._version += 1
            now = self._engine.generation
            part = min([left] + [each.every - now % each.every for each in self._observers])
            yield work(part)
            left -= part
            if not self._call_observers():
                return

    def _call_observers(self) -> bool:
        if not self._observers:
            return True
        go_on, now = True, self._engine.generation
        self._observing = True
        try:
            for each in list(self._observers):
                if now % each.every == 0 and each in self._observers and each.function(self) is False:
                    go_on = False
        finally:
            self._observing = False
        return go_on

    def film(self, path: str | os.PathLike[str], generations: int, **how: Any) -> int:
        """Advances the world and writes a film.

        Parameters
        ----------
        path : path-like
            .mp4, .webm and .gif are written by ffmpeg, frame by frame; .png is an animated PNG, made in memory.
        generations : int
        **how
            `every`, `fps`, `box`, `pixels` (default 800), `zoom` and `palette` of `animate`.

        Returns
        -------
        int
            Number of frames.

        Raises
        ------
        UsageError
            For another extension.
        UnavailableError
            If ffmpeg is needed and not installed.
        RunError
            If ffmpeg fails; the text has its messages.
        """
        from ._film import film

        return film(self, path, generations, **how)

    # Checkpoints

    def save_checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, from which the run continues exactly, on any device. See docs/checkpoints.md.

        The file appears under its name when it is complete; the one before becomes ``path.previous``.
        """
        _moorea.save_checkpoint(self._engine, os.fspath(path), json.dumps({"python": True}))

    @classmethod
    def load_checkpoint(cls, path: str | os.PathLike[str], **options: Any) -> Simulation:
        """World of a checkpoint. Options are those of the constructor from `device` on."""
        return cls._of_checkpoint(_moorea.load_checkpoint(os.fspath(path)), options)

    @classmethod
    def _of_checkpoint(cls, read: tuple[_moorea.PatternFile, str, str, str], options: dict[str, Any]) -> Simulation:
        file, mesh, adjacency, _ = read
        if not mesh:
            return cls.of(Pattern._of(file), **options)
        made = cls(file.rule, Pattern._of(file), topology="surface", mesh=mesh, adjacency=adjacency, **options)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        if self.rule.states > 2:  # which checkpoints do not have
            return _unpickled_pattern, (self.snapshot(whole=True), self._options)
        with tempfile.TemporaryDirectory(prefix="moorea-") as folder:
            path = os.path.join(folder, "checkpoint")
            self.save_checkpoint(path)
            with open(path, "rb") as file:
                return _unpickled, (file.read(), self._options)


def _unpickled(checkpoint: bytes, options: dict[str, Any]) -> Simulation:
    return Simulation._of_checkpoint(_moorea.read_checkpoint(checkpoint), dict(options))


def _unpickled_pattern(pattern: Pattern, options: dict[str, Any]) -> Simulation:
    return Simulation.of(pattern, **options)


def _engine(
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
        return _moorea.Engine.of_mesh(rule, mesh, adjacency, (pattern or Pattern(cells, rule))._file, options)
    if topology == "unbounded":
        return _moorea.Engine.unbounded(rule, (pattern or Pattern(cells, rule, position=(0, 0)))._file, options)
    if pattern is not None and shape is not None:
        if topology not in ("torus", "plane"):
            raise UsageError(f'topology "{topology}": expected torus, plane or unbounded')
        placed = Pattern(cells_for(pattern, rule.states), f"{rule}:{topology[0].upper()}{shape[1]},{shape[0]}", position=pattern.position, generation=pattern.generation)
        return _moorea.Engine.of_pattern(placed._file, options)
    start = cells_for(cells, rule.states)
    if isinstance(start, _moorea.PackedCells):
        return _moorea.Engine.of_cells(rule, topology, start, options)
    return _moorea.Engine.of_world(rule, topology, start, options)
