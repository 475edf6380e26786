# SPDX-License-Identifier: MIT
"""Exceptions of the package. Each is an `Error` and the built-in exception that Python users expect."""


class Error(Exception):
    """Base class of all exceptions of Moorea. Its text names the cause, the place and the remedy."""


class UsageError(Error, ValueError):
    """An argument is wrong: a rule, a size, a shape, the name of a kernel that does not exist."""


class UnavailableError(Error):
    """The kernel or device that was named cannot run this world here, or this build lacks what is asked for."""


class RunError(Error, RuntimeError):
    """The arguments were right and the work failed: a file, a write, a device, a compiler."""


class BusyError(RunError):
    """The simulation is in use by another thread, or is changed by an observer of its own step."""


class OutOfMemoryError(Error, MemoryError):
    """The memory of the machine or of a device does not suffice; the text has the figures."""
