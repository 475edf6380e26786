# SPDX-License-Identifier: MIT
"""Worlds that are advanced, observed, read and edited."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import require_memory, says_stop, whole_generations
from ._errors import UsageError
from ._grid import soup
from ._observers import Observation, Observer
from ._pattern import Pattern
from ._start import engine_for
from ._states import packed_random
from ._world import World

Result = TypeVar("Result")
# What says how a world is run, not what it is
_ENGINE_OPTIONS = ("device", "kernel", "threads", "shares", "memory", "generations", "use_tuning", "host_share", "generations_a_pass")


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
        Bytes up to which an unbounded plane grows; 0: what is available.
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

    __slots__ = ("_observers", "_stopped", "_has_warned", "__weakref__")

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
        if not isinstance(rule, _moorea.Rule):
            raise TypeError(f"a rule of type {type(rule).__name__}: expected a Rule, or its name or notation")
        if mesh is None and adjacency != "vertex":
            raise UsageError(f'adjacency "{adjacency}" is for surfaces: name a mesh')
        if mesh is not None and (shape is not None or topology not in ("torus", "surface")):
            raise UsageError("a surface has the shape and the topology of its mesh: leave them out")
        if shape is not None and not isinstance(cells, Pattern):
            raise UsageError("shape is for patterns: an array of cells has the size of its world")
        self._set_up(options)
        self._engine = engine_for(rule, cells, topology, shape, mesh, adjacency, self._options)

    def _set_up(self, options: dict[str, Any]) -> None:
        self._options: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        share = self._options.get("host_share")
        if share is not None and not 0 <= share <= 1:
            raise UsageError(f"a share of {share} of the rows: expected 0 to 1")
        self._observers: list[Observation] = []
        self._observing = False
        self._stopped = False  # by an observer, in the last step
        self._has_warned = False
        self._version = 0

    @classmethod
    def _made(cls, options: dict[str, Any], engine: Callable[[dict[str, Any]], _moorea.Engine]) -> Simulation:
        """A simulation without the constructor, whose options are those that the engine takes."""
        unknown = [name for name in options if name not in _ENGINE_OPTIONS]
        if unknown:
            raise TypeError(f"{unknown[0]!r} is no option here: expected {', '.join(_ENGINE_OPTIONS)}")
        made = cls.__new__(cls)
        if "kernel" in options:
            options["kernel"] = os.fspath(options["kernel"])
        made._set_up(options)
        made._engine = engine(made._options)
        return made

    @classmethod
    def of(cls, pattern: Pattern, **options: Any) -> Simulation:
        """World that a pattern's rule describes, with its cells and generation.

        A plane or torus if the rule has a suffix such as ``":T100,50"``, otherwise an unbounded plane. Options
        are those of the constructor that say how a world is run: `device`, `kernel`, `threads`, `shares`, `memory`,
        `generations`, `use_tuning`, `host_share` and `generations_a_pass`. Raises TypeError for others.
        """
        if not isinstance(pattern, Pattern):
            raise TypeError(f"cells of type {type(pattern).__name__}: expected a Pattern; Simulation(rule, cells) takes arrays")
        return cls._made(options, lambda given: _moorea.Engine.of_pattern(pattern._file, given))

    @classmethod
    def read(cls, path: str | os.PathLike[str], **options: Any) -> Simulation:
        """World of a pattern file, as `of` makes it; cells that are too far apart for a `Pattern` are not expanded."""
        return cls._made(options, lambda given: _moorea.read_simulation(os.fspath(path), given))

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
            Differences need ``.astype(np.int64)``: unsigned numbers wrap.
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
        return self._pieces(whole_generations(generations), whole_generations(every, "every ", 1))

    def _pieces(self, left: int, every: int) -> Iterator[Simulation]:
        while left > 0:
            asked = min(every, left)
            done = self.step(asked)
            ends = self._stopped or done < asked
            if done > 0:
                yield self
            if ends:
                return
            left -= asked

    @overload
    def observe(self, function: Observer, *, every: int = 1) -> Observation: ...

    @overload
    def observe(self, function: None = None, *, every: int = 1) -> Callable[[Observer], Observation]: ...

    def observe(self, function: Observer | None = None, *, every: int = 1) -> Observation | Callable[[Observer], Observation]:
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
        interval = whole_generations(every, "every ", 1)
        if function is None:
            return lambda decorated: Observation(decorated, interval, self._observers)
        if not callable(function):
            raise TypeError(f"an observer of type {type(function).__name__}: expected a function of the simulation")
        return Observation(function, interval, self._observers)

    def _require_memory(self, size: int, what: str) -> None:
        if not self._observers:  # which may stop earlier
            require_memory(size, f"so many {what}")

    def _advance(self, generations: int, work: Callable[[int], Result]) -> Iterator[Result]:
        """Does the work in pieces that end where an observer is due; stops if one asks for it."""
        left = whole_generations(generations)
        self._begin_change()
        self._stopped = False
        while left > 0:
            self._version += 1
            now = self._engine.generation
            part = min([left] + [each.every - now % each.every for each in self._observers])
            yield work(part)
            left -= part
            self._warn_of_edge()
            if not self._call_observers():
                self._stopped = True
                return

    def _warn_of_edge(self) -> None:
        if self._has_warned or self._engine.edge_met is None:
            return
        self._has_warned = True
        text = f"the plane met the limit of its memory at generation {self._engine.edge_met}: cells beyond its edges are dead from there on"
        warnings.warn(text, RuntimeWarning, stacklevel=4)

    def _call_observers(self) -> bool:
        if not self._observers:
            return True
        go_on, now = True, self._engine.generation
        self._observing = True
        try:
            for each in list(self._observers):
                if now % each.every == 0 and each in self._observers and says_stop(each.function(self)):
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
        """World of a checkpoint, of cells that are far apart, too. Options are those of `of`."""
        return cls._made(options, lambda given: _moorea.load_checkpoint(os.fspath(path), given))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.rule.states > 2:  # which checkpoints do not have
            return _unpickled_pattern, (self.snapshot(whole=True), self._options)
        with tempfile.TemporaryDirectory(prefix="moorea-") as folder:
            path = os.path.join(folder, "checkpoint")
            self.save_checkpoint(path)
            with open(path, "rb") as file:
                return _unpickled, (file.read(), self._options)


def _unpickled(checkpoint: bytes, options: dict[str, Any]) -> Simulation:
    return Simulation._made(dict(options), lambda given: _moorea.read_checkpoint(checkpoint, given))


def _unpickled_pattern(pattern: Pattern, options: dict[str, Any]) -> Simulation:
    return Simulation.of(pattern, **options)
