# SPDX-License-Identifier: MIT
"""The notebooks' cells run from the first to the last, with smaller worlds; without Jupyter."""
import ast
import json
import pathlib
import re

import pytest

import moorea

FOLDER = pathlib.Path(__file__).parent.parent / "notebooks"
SMALLER = {
    "domains": "SIDE, GENERATIONS = 128, 300",
    "soups": "SOUPS, SIDE, LIMIT = 1000, 32, 20_000",
    "phases": "RULES, SOUPS, SIDE, GENERATIONS = 300, 8, 32, 30",
}


@pytest.mark.parametrize("name", sorted(SMALLER))
def test_a_notebook(name):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3 and not any(cell.get("outputs") for cell in notebook["cells"])
    names = SMALLER[name].split(" =")[0]
    cells[0], replaced = re.subn(rf"^{names} = .*$", SMALLER[name], cells[0], flags=re.M)
    assert replaced == 1
    scope = {"__name__": "__main__"}
    shown = [shown_by(cell, scope) for cell in cells]
    for each in shown:
        if hasattr(each, "_repr_png_"):
            assert each._repr_png_().startswith(b"\x89PNG")
    import matplotlib.pyplot as plt

    assert plt.get_fignums()
    plt.close("all")


def shown_by(cell, scope):
    """Runs a cell; returns the value of its last expression, which Jupyter would show."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "notebook", "exec"), scope)
    return None if last is None else eval(compile(ast.Expression(last.value), "notebook", "eval"), scope)


def test_there_are_no_others():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SMALLER)
    assert moorea.__version__
