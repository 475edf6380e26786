# SPDX-License-Identifier: MIT
"""Patterns in files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _moorea
from ._arrays import packed, whole_generations
from ._grid import Grid
from ._states import StateArray, cells_for, states_of, unpacked


class Pattern:
    """Cells with a position, a rule and a generation, as pattern files have them.

    Parameters
    ----------
    cells : array_like
        Two dimensions, rows and columns; 0 is dead. If the rule has more than two states, integers are states,
        and bool is state 1.
    rule : str or Rule
        Empty for none; may have a suffix such as ``":T100,50"`` for a torus of 100 columns and 50 rows.
    position : (int, int), optional
        Column and row of the top-left cell in the plane.
    generation : int
    name, author : str
    comments : sequence of str

    Raises
    ------
    UsageError
        For an array with other than two dimensions, or with a state that the rule has not.

    Examples
    --------
    >>> Pattern([[0, 1, 2]], "/2/3").text().splitlines()
    ['x = 3, y = 1, rule = /2/3', '.AB!']
    """

    __slots__ = ("_file",)
    _file: _moorea.PatternFile

    def __init__(
        self,
        cells: Any,
        rule: str | _moorea.Rule = "",
        *,
        position: tuple[int, int] | None = None,
        generation: int = 0,
        name: str = "",
        author: str = "",
        comments: Sequence[str] = (),
    ) -> None:
        file = _moorea.PatternFile(cells_for(cells, states_of(rule)))
        rest: dict[str, Any] = dict(position=position, generation=whole_generations(generation), name=name, author=author, comments=list(comments))
        if isinstance(rule, _moorea.Rule) and rule.has_transitions:
            rest["own_rule"] = rule
        self._file = _described(file, str(rule), rest)

    @classmethod
    def _of(cls, file: _moorea.PatternFile) -> Pattern:
        made = cls.__new__(cls)
        made._file = file
        return made

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Pattern:
        """Reads RLE, plaintext, Life 1.05, Life 1.06, macrocell, MCell, PBM or a checkpoint, also gzipped; the content decides.

        Raises
        ------
        RunError
            With file, line and column of a mistake.
        """
        return cls._of(_moorea.PatternFile.read(os.fspath(path)))

    @classmethod
    def parse(cls, text: str | bytes, source: str = "text") -> Pattern:
        """Parses the contents of a pattern file; `source` names them in errors."""
        return cls._of(_moorea.PatternFile.parse(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text, source))

    @classmethod
    def bundled(cls, name: str) -> Pattern:
        """A pattern that is part of the package, such as ``"acorn.rle"``; `bundled_patterns` has all names."""
        return cls._of(_moorea.PatternFile.bundled(name))

    def write(self, path: str | os.PathLike[str], format: str = "") -> None:
        """Writes a file; the format follows from its extension, ``.gz`` compresses it.

        Raises
        ------
        UsageError
            For an unknown format, and for cells of more than two states in another one than RLE and macrocell.
        RunError
            If writing fails; no partial file remains under this name.
        """
        self._file.write(os.fspath(path), format)

    def text(self, format: str = "rle") -> str:
        """Contents of the file that `write` writes, for formats of text. Bytes that are not UTF-8 become surrogates, which `parse` takes back."""
        return self._file.text(format).decode("utf-8", "surrogateescape")

    @property
    def cells(self) -> Grid:
        """Copy of the cells; those of more than two states are alive unless they are in state 0."""
        return Grid._of(self._file.cells)

    @property
    def states(self) -> StateArray:
        """Copy of the states of the cells: uint8, shape (rows, columns); 0 or 1 if the cells have two states."""
        return unpacked(self._file.states)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.cells.shape

    @property
    def position(self) -> tuple[int, int] | None:
        """Column and row of the top-left cell in the plane, if the file gives them."""
        return self._file.position

    @property
    def generation(self) -> int:
        """Generation of the cells."""
        return self._file.generation

    @property
    def rule(self) -> str:
        """Rule as the file has it, with its suffix; empty if it has none."""
        return self._file.rule

    @property
    def name(self) -> str:
        """Name of the pattern."""
        return self._file.name

    @property
    def author(self) -> str:
        """Author of the pattern."""
        return self._file.author

    @property
    def comments(self) -> list[str]:
        """Lines of comments."""
        return self._file.comments

    @property
    def format(self) -> str:
        """Format that it was read from, such as ``"rle"``; empty for others."""
        return self._file.format

    def __repr__(self) -> str:
        rows, columns = self.shape
        name = f" {self.name!r}" if self.name else ""
        rule = f", rule {self.rule}" if self.rule else ""
        return f"<moorea.Pattern{name} of {rows} x {columns} cells{rule}, generation {self.generation}>"

    def __reduce__(self) -> tuple[Any, ...]:
        rest: dict[str, Any] = dict(
            position=self.position,
            generation=self.generation,
            name=self.name,
            author=self.author,
            comments=self.comments,
            own_rule=self._file.own_rule,
        )
        if not self._file.has_states:
            return _unpickled, (self.cells, self.rule, rest)
        return _unpickled_states, (self.states, self._file.states.states, self.rule, rest)


def _unpickled(cells: Grid, rule: str, rest: dict[str, Any]) -> Pattern:
    return Pattern._of(_described(_moorea.PatternFile(packed(cells)), rule, rest))


def _unpickled_states(cells: StateArray, states: int, rule: str, rest: dict[str, Any]) -> Pattern:
    file = _moorea.PatternFile(_moorea.PackedCells.from_bytes(cells, states))
    return Pattern._of(_described(file, rule, rest))


def _described(file: _moorea.PatternFile, rule: str, rest: dict[str, Any]) -> _moorea.PatternFile:
    file.rule = rule
    for name, value in rest.items():
        setattr(file, name, value)
    return file


def bundled_patterns() -> list[str]:
    """Names of the patterns that are part of the package, for `Pattern.bundled`."""
    return _moorea.bundled_names()
