# SPDX-License-Identifier: MIT
"""Types, docstrings and examples of what is public, and objects that the extension module leaks."""
import doctest
import importlib.metadata
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import moorea

PACKAGE = pathlib.Path(moorea.__file__).parent
MODULES = [name for name in sorted(path.stem for path in PACKAGE.glob("_*.py"))]
USER = """
from typing import Iterator
from typing_extensions import assert_type
import numpy as np
import numpy.typing as npt
import moorea

simulation = moorea.Simulation(moorea.Rule("Life"), np.ones((3, 3)), topology="plane", device="cpu")
assert_type(simulation.step(5), int)
assert_type(simulation.populations(5), npt.NDArray[np.uint64])
assert_type(simulation.bounding_box, moorea.Box | None)
assert_type(simulation.iterate(5), Iterator[moorea.Simulation])
assert_type(simulation.window(0, 0, 2, 2), npt.NDArray[np.bool_])
assert_type(simulation.states((0, 0, 2, 2)), npt.NDArray[np.uint8])
assert_type(simulation.census(), npt.NDArray[np.uint64])
assert_type(moorea.random_states(9, 3), npt.NDArray[np.uint8])
assert_type(simulation.snapshot().states, npt.NDArray[np.uint8])
assert_type(moorea.Rule.from_function(lambda alive, n: n == 3), moorea.Rule)
assert_type(moorea.soup((3, 3)).words, npt.NDArray[np.uint64])
ensemble = moorea.Ensemble(["Life", moorea.Rule("Seeds")], worlds=[3, 4], shape=(8, 9))
assert_type(ensemble.populations, npt.NDArray[np.uint64])
assert_type(ensemble.bounding_boxes, npt.NDArray[np.int64])
assert_type(ensemble.world(3), moorea.Grid)
ensemble.step(np.arange(7))
assert_type(moorea.survey("Life", 5, record="hash", progress=print), moorea.Columns)
assert_type(moorea.identify(simulation).census[0].name, str)
assert_type(moorea.find_period(simulation), moorea.WorldPeriod | None)
assert_type(moorea.iterate_survey("Life", 5), Iterator[moorea.Columns])
"""
WRONG = {"ensemble.step_counting('5')": "arg-type", "simulation.step('5')": "arg-type", "simulation.steps(5)": "attr-defined", "moorea.Rule(3)": "arg-type"}


def mypy(*arguments, folder):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), *arguments]
    # Only an installed package is found by itself
    path = {} if "site-packages" in PACKAGE.parts else {"MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, **path})
    return done.stdout + done.stderr


def test_the_package_and_its_users_are_typed(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    user, wrong = tmp_path / "user.py", tmp_path / "wrong.py"
    user.write_text(USER)
    wrong.write_text("\n".join([USER.strip(), *WRONG]))
    assert "Success" in mypy("-p", "moorea", folder=tmp_path)
    assert "Success" in mypy(str(user), folder=tmp_path)
    found = mypy(str(wrong), folder=tmp_path)
    assert re.findall(r"\[([a-z-]+)\]", found) == list(WRONG.values()), found


def test_the_stub_has_what_the_module_has():
    from moorea import _moorea

    stub = (PACKAGE / "_moorea.pyi").read_text()
    declared = set(re.findall(r"^(?:class|def) (\w+)", stub, re.M))
    assert declared == {name for name in dir(_moorea) if not name.startswith("__")}
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize("name", sorted(moorea.__all__))
def test_all_public_names_have_docstrings(name):
    thing = getattr(moorea, name)
    assert inspect.getdoc(thing) or name == "rules"
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod))):
                assert inspect.getdoc(getattr(thing, member)) or inspect.getdoc(value), f"{name}.{member}"
        lines = [line for line in (inspect.getdoc(thing) or "").splitlines() if len(line) > 120]
        assert not lines


def test_the_page_of_all_names_is_up_to_date():
    tool = pathlib.Path(__file__).parents[2] / "tools/python_api.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["moorea", *(f"moorea.{name}" for name in MODULES if name != "__init__"), "moorea._moorea"])
def test_examples(name):
    module = sys.modules[name]
    names = {**vars(moorea), "moorea": moorea}
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, name, globs=names)
    if name == "moorea":
        tests += doctest.DocTestFinder().find(moorea.Rule, "Rule", module=False, globs=names)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.summarize().failed == 0


def test_the_version_is_that_of_the_wheel():
    try:
        version = importlib.metadata.version("moorea")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed but used from its folder")
    assert version == moorea.__version__


def test_the_module_exports_its_entry_point_alone():
    symbols = subprocess.run(["nm", "-D", "--defined-only", moorea._moorea.__file__], capture_output=True, text=True)
    if symbols.returncode != 0:
        pytest.skip("nm is not installed")
    names = {line.split()[-1] for line in symbols.stdout.splitlines()}
    assert not [name for name in names if "moorea" in name and name != "PyInit__moorea"]


def test_nothing_is_left_at_the_end():
    script = (
        "import moorea\n"
        "s = moorea.Simulation('Life', moorea.soup(50), device='cpu')\n"
        "s.observe(lambda now: s, every=2)\n"
        "s.step(5)\n"
        "e = moorea.Ensemble('Life', 5, 8)\n"
        "e.cells[1] = e.cells.packed()[0, 0, 0] > 0\n"
        "parts = moorea.iterate_survey('Life', 10**9, 8, generations=1)\n"
        "next(parts)\n"
        "try: moorea.Rule('nothing')\n"
        "except ValueError: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
