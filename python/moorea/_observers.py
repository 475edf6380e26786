# SPDX-License-Identifier: MIT
"""Functions that are called while a simulation runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._simulation import Simulation

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
