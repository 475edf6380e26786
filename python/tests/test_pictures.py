# SPDX-License-Identifier: MIT
"""Pictures, films, tables and patterns."""
import os
import pickle
import shutil
import struct

import numpy as np
import pytest

import moorea


def glider(**options):
    return moorea.Simulation("Life", moorea.Pattern([[0, 1, 0], [0, 0, 1], [1, 1, 1]]), shape=(8, 12), device="cpu", **options)


def png_size(png):
    assert png.startswith(b"\x89PNG")
    return struct.unpack_from(">II", png, 16)


def test_a_picture():
    simulation = glider()
    picture = simulation.render(pixels=48, zoom=16)
    assert picture.levels.shape == (32, 48) and picture.levels.dtype == np.uint8
    np.testing.assert_array_equal(picture.levels[2::4, 2::4] > 0, simulation.cells)
    assert picture.rgb.shape == (32, 48, 3) and np.asarray(picture).shape == (32, 48, 3)
    assert png_size(picture.png) == (48, 32) and png_size(simulation._repr_png_())[0] <= 512
    assert simulation.render((0, 0, 4, 4), pixels=4).levels.shape == (4, 4)
    assert set(moorea.palettes()) >= {"ink", "night"}
    assert (simulation.render(palette="night").rgb != simulation.render().rgb).any()


def test_states_have_colours():
    assert moorea.Rule("Life").colours is None and moorea.Rule("Brian's Brain").colours is None
    colours = moorea.Rule("WireWorld").colours
    assert colours.tolist() == [[48, 48, 48], [0, 128, 255], [255, 255, 255], [255, 128, 0]]
    wire = moorea.Simulation("WireWorld", np.array([[0, 0, 0, 0, 0], [2, 1, 3, 3, 3]], np.uint8), topology="plane", device="cpu")
    picture = wire.render(pixels=5, zoom=1)
    np.testing.assert_array_equal(picture.levels, wire.states())
    np.testing.assert_array_equal(picture.rgb, colours[wire.states()])
    assert "of states" in repr(picture) and png_size(picture.png) == (5, 2)
    assert wire.render(pixels=5, palette="night").palette == "night"
    assert wire.render(pixels=3).palette == "ink"  # a pixel is more than a cell
    assert len(moorea.animate(wire, 2)) == 3


def test_pictures_of_planes(tmp_path):
    plane = moorea.Simulation("Life", [[1, 1, 1]], topology="unbounded", device="cpu")
    assert plane.render(pixels=30, zoom=1).levels.tolist() == [[255, 255, 255]]
    plane.render().save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == plane.render().png
    plane.reset([[0]])
    assert not plane.render().levels.any()


def frames_of(png):
    return png.count(b"fcTL"), struct.unpack_from(">I", png, png.index(b"acTL") + 4)[0]


def test_arguments_of_pictures(tmp_path):
    simulation = glider()
    for bad in (dict(zoom=0), dict(zoom=-5), dict(zoom=65), dict(box=(0, 0, 0, 3)), dict(box=(0, 0, 3, -1)), dict(pixels=0)):
        with pytest.raises(moorea.UsageError, match="expected"):
            simulation.render(**bad)
    assert simulation.render(zoom=64, pixels=100000).levels.shape[0] % 64 == 0
    with pytest.raises(moorea.UsageError, match="ends in .png"):
        simulation.render().save(tmp_path / "a.gif")
    with pytest.raises(FileNotFoundError, match="b.png: cannot write: No such file"):
        simulation.render().save(tmp_path / "none" / "b.png")
    assert not list(tmp_path.iterdir())


def test_films(tmp_path):
    simulation = glider()
    film = moorea.animate(simulation, 10, every=4, fps=5)
    assert len(film) == 4 and simulation.generation == 10 and frames_of(film.png) == (4, 4)
    assert film._repr_html_().startswith("<img") and "base64" in film._repr_html_()
    assert simulation.film(tmp_path / "a.png", 3, pixels=400) == 4 and (tmp_path / "a.png").stat().st_size > 100
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    with image.open(tmp_path / "a.png") as read:
        assert read.n_frames == 4
        read.seek(3)
        np.testing.assert_array_equal(np.asarray(read.convert("RGB")), simulation.render(pixels=400, zoom=8).rgb)
    with pytest.raises(ValueError, match="avi"):
        film.save(tmp_path / "a.avi")
    for bad in (dict(fps=0), dict(every=0)):
        with pytest.raises(ValueError):
            moorea.animate(simulation, 5, **bad)


@pytest.mark.parametrize("name", ["a.mp4", "a.webm", "a.gif"])
def test_films_by_ffmpeg(name, tmp_path, monkeypatch):
    simulation = glider()
    if shutil.which("ffmpeg") is not None:
        assert simulation.film(tmp_path / name, 5, pixels=96) == 6
        assert (tmp_path / name).stat().st_size > 200 and len(list(tmp_path.iterdir())) == 1
        with pytest.raises(FileNotFoundError, match=f"{name}: cannot write: No such file"):
            simulation.film(tmp_path / "none" / name, 500)
        monkeypatch.setitem(moorea._film._CODECS, os.path.splitext(name)[1], ["-c:v", "none"])
        with pytest.raises(moorea.RunError, match=f"ffmpeg did not write .*{name}: .*none"):
            simulation.film(tmp_path / f"other_{name}", 5)
        monkeypatch.undo()
        stop = simulation.observe(lambda now: 1 // 0, every=7)
        with pytest.raises(ZeroDivisionError):
            simulation.film(tmp_path / "other.mp4", 20)
        stop.remove()
        assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setenv("PATH", "")
    with pytest.raises(moorea.UnavailableError, match="ffmpeg"):
        simulation.film(tmp_path / name, 5)


def test_tables():
    kernels = moorea.kernels()
    assert {"cpu/reference", "cpu/bits"} <= {row["name"] for row in kernels if row["runs"]}
    assert [row["name"] for row in moorea.devices()][0] == "cpu"
    assert "<table>" in kernels._repr_html_() and "cpu/bits" in repr(kernels)
    assert all(row["runs"] or row["reason"] for row in kernels)
    assert {row["name"] for row in moorea.kernels(moorea.Rule("B0/S8"))} == {row["name"] for row in kernels}


def test_bench():
    table = moorea.bench("Life", (128, 128), kernel=["cpu/bits", "cpu/reference"], threads=1, seconds=0.01)
    assert [row["kernel"] for row in table] == ["cpu/bits", "cpu/reference"]
    assert table[0]["cells_per_second"] > table[1]["cells_per_second"] > 0
    assert table[0]["rows"] * table[0]["columns"] * table[0]["generations"] / table[0]["seconds"] == table[0]["cells_per_second"]
    refused = moorea.bench("Life", (128, 128), device="abacus", seconds=0.01)
    assert "abacus" in refused[0]["note"] and refused[0]["cells_per_second"] is None


def test_patterns(tmp_path):
    text = "#N Glider\n#O Richard K. Guy\n#C first\n#CXRLE Pos=-12,345 Gen=6789\nx = 3, y = 3, rule = HighLife:T20,10\nbo$2bo$3o!"
    pattern = moorea.Pattern.parse(text, "glider.rle")
    assert (pattern.name, pattern.author, pattern.comments) == ("Glider", "Richard K. Guy", ["first"])
    assert (pattern.position, pattern.generation, pattern.rule, pattern.format) == ((-12, 345), 6789, "HighLife:T20,10", "rle")
    assert np.asarray(pattern.cells).tolist() == [[0, 1, 0], [0, 0, 1], [1, 1, 1]] and pattern.shape == (3, 3)
    for name in ("a.rle", "a.rle.gz", "a.cells", "a.pbm"):
        pattern.write(tmp_path / name)
        assert moorea.Pattern.read(tmp_path / name).cells == pattern.cells
    other = pickle.loads(pickle.dumps(pattern))
    assert other.text() == pattern.text() and "Glider" in repr(other)
    simulation = moorea.Simulation.of(moorea.Pattern(pattern.cells, "HighLife:T20,10"), device="cpu")
    assert simulation.topology == "torus" and simulation.shape == (10, 20) and simulation.rule.name == "HighLife"
    simulation.step(3)
    again = moorea.Simulation.of(simulation.snapshot(), device="cpu")
    assert again.hash == simulation.hash and again.generation == 3
    assert "acorn.rle" in moorea.bundled_patterns()
    with pytest.raises(moorea.UsageError):
        pattern.write(tmp_path / "a.xyz")
