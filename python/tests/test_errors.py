# SPDX-License-Identifier: MIT
"""Errors: their classes, texts and numbers, and what is refused."""
import errno
import os
import pickle
import weakref

import numpy as np
import pytest

import moorea


def soup(rule="Life", shape=(200, 300), **options):
    return moorea.Simulation.soup(rule, shape, 0.4, seed=1, device=options.pop("device", "cpu"), **options)


@pytest.mark.parametrize(
    "kind, base, text, make",
    [
        (moorea.UsageError, ValueError, "cpu/none", lambda: soup(kernel="cpu/none")),
        (moorea.UsageError, ValueError, "topology", lambda: soup(topology="cube")),
        (moorea.UnavailableError, moorea.Error, "abacus", lambda: soup(device="abacus")),
        (moorea.UsageError, ValueError, "shape", lambda: moorea.Simulation("Life", np.ones((3, 3)), shape=(5, 5))),
        (moorea.MissingFileError, FileNotFoundError, "no.rle: cannot open", lambda: moorea.Pattern.read("no.rle")),
        (moorea.MissingFileError, FileNotFoundError, "no.checkpoint", lambda: moorea.Simulation.load_checkpoint("no.checkpoint")),
        (moorea.MissingFileError, OSError, "no/folder: cannot create", lambda: soup().save_checkpoint("no/folder")),
        (moorea.MissingFileError, OSError, "no.cpp: cannot be read", lambda: soup(kernel="no.cpp")),
        (moorea.FileError, OSError, "/: cannot read", lambda: moorea.Pattern.read("/")),
        (moorea.FileError, RuntimeError, "no/folder/x.rle: cannot create", lambda: moorea.Pattern([[1]]).write("no/folder/x.rle")),
        (moorea.MissingFileError, OSError, "no/folder/x.png: cannot write", lambda: soup().render().save("no/folder/x.png")),
        (moorea.RunError, RuntimeError, "line", lambda: moorea.Pattern.parse("x = 3, y = 3\nbo?!", "t.rle")),
        (moorea.UsageError, ValueError, "bundled", lambda: moorea.Pattern.bundled("none.rle")),
        (moorea.OutOfMemoryError, MemoryError, "memory", lambda: moorea.soup((2**26, 2**26))),
        (moorea.UsageError, ValueError, "palette", lambda: soup().render(palette="mud")),
        (moorea.UsageError, ValueError, "B0", lambda: moorea.Simulation("B0/S", np.ones((3, 3)), topology="unbounded")),
    ],
)
def test_errors(kind, base, text, make):
    with pytest.raises(kind, match=text) as caught:
        make()
    assert isinstance(caught.value, base) and isinstance(caught.value, moorea.Error)
    assert len(str(caught.value)) > 10


def test_errors_of_files_have_the_systems_number(tmp_path):
    with pytest.raises(OSError) as caught:
        moorea.Pattern.read(tmp_path / "none.rle")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is moorea.MissingFileError and again.errno == errno.ENOENT
    assert str(again) == str(caught.value) and str(again).startswith(str(tmp_path))
    assert type(moorea._errors.file_error(errno.EACCES, "closed.rle")) is moorea.FilePermissionError
    loop = tmp_path / "loop.rle"
    loop.symlink_to(loop)
    with pytest.raises(moorea.FileError) as caught:
        moorea.Pattern.read(loop)
    assert caught.value.errno == errno.ELOOP and not isinstance(caught.value, FileNotFoundError)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "closed.rle"
    path.write_text("x = 1, y = 1\no!")
    path.chmod(0)
    with pytest.raises(PermissionError) as caught:
        moorea.Pattern.read(path)
    assert isinstance(caught.value, moorea.FilePermissionError)


def test_attributes_that_do_not_exist():
    for world in (soup(), moorea.HashLife("Life"), moorea.Ensemble("Life", 2, 16)):
        with pytest.raises(AttributeError):
            world.genertion = 5
        weakref.ref(world)


def test_cells_that_are_no_numbers():
    cells = np.zeros((4, 5))
    cells[2, 3] = np.nan
    with pytest.raises(moorea.UsageError, match=r"index \(2, 3\) is not a number"):
        moorea.Simulation("Life", cells)


def test_wrong_types():
    for wrong in (lambda: soup().step("5"), lambda: soup().step(1.5), lambda: moorea.Rule(3), lambda: moorea.Simulation("Life")):
        with pytest.raises(TypeError):
            wrong()
