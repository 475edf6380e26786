# SPDX-License-Identifier: MIT
"""The examples of docs/python.md run from the first to the last, with smaller worlds; those with PyTorch where it is."""
import functools
import importlib.util
import pathlib
import re
import shutil


import moorea

PAGE = pathlib.Path(__file__).parents[2] / "docs/python.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
HAS_GPU = importlib.util.find_spec("torch") is not None and any(row["name"] == "cuda:0" for row in moorea.devices())


def test_the_tutorial(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(moorea, "bench", functools.partial(moorea.bench, seconds=0.01))
    assert len(BLOCKS) > 6
    scope = {}
    for block in BLOCKS:
        if "torch" in block and not HAS_GPU:
            continue
        if shutil.which("ffmpeg") is None:
            block = block.replace('"world.mp4"', '"world.png"')
        block = re.sub(r"generations=\d+", "generations=20", re.sub(r"\(\d{4,5}, \d{4,5}\)", "(256, 256)", block))
        exec(compile(block, "docs/python.md", "exec"), scope)
    assert (tmp_path / "world.png").exists()
    assert capsys.readouterr().out.count("\n") > 100


def test_the_read_me():
    text = (PAGE.parent.parent / "python/README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    exec(compile(block.replace("4096", "256"), "python/README.md", "exec"), {})


def test_the_pages_that_are_named_exist():
    for page in ("docs/python.md", "docs/python-api.md", "python/README.md"):
        path = PAGE.parent.parent / page
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (path.parent / target).exists(), f"{page}: {target}"
