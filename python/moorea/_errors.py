# SPDX-License-Identifier: MIT
"""Exceptions of the package. Each is an `Error` and the built-in exception that Python users expect."""

import errno


class Error(Exception):
    """Base class of all exceptions of Moorea. Its text names the cause, the place and the remedy."""


class UsageError(Error, ValueError):
    """An argument is wrong: a rule, a size, a shape, the name of a kernel that does not exist."""


class UnavailableError(Error):
    """The kernel or device that was named cannot run this world here, or this build lacks what is asked for."""


class RunError(Error, RuntimeError):
    """The arguments were right and the work failed: the contents of a file, a device, a compiler."""


class FileError(RunError, OSError):
    """A file or folder cannot be opened, read or written: ``errno`` is the system's reason."""

    def __init__(self, code: int, text: str) -> None:
        OSError.__init__(self, code, text)  # not that of the first base class, which would not keep them

    def __str__(self) -> str:
        return str(self.strerror)  # without the number in front of it


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist."""


class FilePermissionError(FileError, PermissionError):
    """A file or folder may not be read or written."""


class BusyError(RunError):
    """The simulation is in use by another thread, or is changed by an observer of its own step."""


class OutOfMemoryError(Error, MemoryError):
    """The memory of the machine or of a device does not suffice; the text has the figures."""


def file_error(code: int, text: str) -> FileError:
    """The error of a call about a file that failed with this errno."""
    if code in (errno.ENOENT, errno.ENOTDIR):
        return MissingFileError(code, text)
    if code in (errno.EACCES, errno.EPERM):
        return FilePermissionError(code, text)
    return FileError(code, text)


def write_error(name: str, error: OSError) -> FileError:
    """The error of a file that cannot be written."""
    return file_error(error.errno or 0, f"{name}: cannot write: {error.strerror}")
