# SPDX-License-Identifier: MIT
"""Worlds as trees: cells are those of a Simulation, and numbers have any size."""

import copy
import pickle

import moorea
import numpy as np
import pytest

GLIDER = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
FAR = "x = 3000000000, y = 3000000000, rule = B3/S23\nbo$2bo$3o2000000000$2000000000bbo$2000000000b2bo$2000000000b3o!\n"


@pytest.mark.parametrize("rule", ["Life", "HighLife", "B2-a/S12", "B1357/S02468"])
@pytest.mark.parametrize("topology", ["unbounded", "torus"])
def test_cells_are_those_of_a_simulation(rule, topology):
    soup = moorea.soup((32, 64), seed=4)
    tree = moorea.HashLife(rule if topology == "unbounded" else f"{rule}:T64,32", soup, generation=3)
    world = moorea.Simulation(rule, soup, topology=topology)
    assert (tree.topology, tree.shape) == (topology, None if topology == "unbounded" else (32, 64))
    for generations in (1, 6, 45):
        tree.step(generations)
        world.step(generations)
        assert (tree.population, tree.hash, tree.bounding_box) == (world.population, world.hash, world.bounding_box)
    assert tree.generation == 55
    assert np.array_equal(tree.window(tree.bounding_box), np.asarray(world.snapshot().cells))


def test_numbers_have_any_size():
    tree = moorea.HashLife(cells=GLIDER)
    tree.step(np.int64(4))
    tree.step(4 * 10**30)
    assert (tree.generation, tree.population) == (4 * 10**30 + 4, 5)
    x = 10**30 + 1
    assert tree.bounding_box == (x, x, 3, 3)
    assert np.array_equal(tree.window((x, x, 3, 3)), GLIDER)
    assert "generation about 10^30, 5 live cells" in repr(tree)
    tree.generation = 2**100
    assert tree.generation == 2**100
    for wrong in (-1, 2**5000):
        with pytest.raises(moorea.UsageError):
            tree.step(wrong)
    with pytest.raises(TypeError):
        tree.step(1.5)
    with pytest.raises(moorea.UsageError, match="expected x, y, width and height"):
        tree.window((0, 0, -1, 4))
    with pytest.raises(moorea.RunError):
        tree.snapshot()


def test_late_generations_are_read_again(tmp_path):
    for generation, said in ((2**63 - 1, 2**63 - 1), (2**63 + 5, 0), (2**70, 0)):
        tree = moorea.HashLife(cells=GLIDER, generation=generation)
        for name in ("a.mc", "a.rle", "a.cells"):
            tree.write(tmp_path / name)
            assert moorea.HashLife.read(tmp_path / name).generation == said, (generation, name)


def test_files_are_not_expanded(tmp_path):
    (tmp_path / "far.rle").write_text(FAR)
    tree = moorea.HashLife.read(tmp_path / "far.rle")
    assert tree.population == 10
    tree.step(4000)
    for name in ("far.mc", "far.mc.gz", "out.rle"):
        tree.write(tmp_path / name)
        again = moorea.HashLife.read(tmp_path / name)
        assert (again.generation, again.population, again.hash) == (4000, 10, tree.hash), name
    assert moorea.HashLife.read(tmp_path / "far.mc", rule="HighLife").rule == moorea.Rule("HighLife")
    world = moorea.Simulation.read(tmp_path / "far.rle", threads=1)
    world.step(4000)
    assert (world.population, world.hash) == (10, tree.hash)
    assert tree.simulation().hash == moorea.HashLife.of(world).hash == tree.hash
    assert moorea.Simulation.read(tmp_path / "out.rle").generation == 4000
    with pytest.raises(moorea.RunError, match="nothing.rle: cannot open"):
        moorea.HashLife.read(tmp_path / "nothing.rle")


def test_facts_of_files_are_kept(tmp_path):
    pattern = moorea.Pattern(GLIDER, "HighLife", position=(7, -2), generation=9, name="A glider", author="Anybody", comments=["One line"])
    tree = moorea.HashLife.of(pattern)
    assert (tree.bounding_box, tree.generation, str(tree.rule)) == ((7, -2, 3, 3), 9, "B36/S23")
    for name in ("a.mc", "a.rle", "a.cells"):
        tree.write(tmp_path / name)
        assert (read := moorea.Pattern.read(tmp_path / name)).name == "A glider", name
        assert read.author == "Anybody" or name == "a.cells"
    assert moorea.Pattern.read(tmp_path / "a.rle").position == (7, -2)


def test_copies_are_independent(tmp_path):
    named = moorea.HashLife.of(moorea.Pattern(np.eye(16), "Life:T16", name="Diagonal"))
    pickle.loads(pickle.dumps(named)).write(tmp_path / "a.rle")
    assert moorea.Pattern.read(tmp_path / "a.rle").name == "Diagonal"
    for tree in (moorea.HashLife(cells=GLIDER, memory=1 << 28, threads=2), moorea.HashLife("Life:T16", np.eye(16))):
        tree.step(10**20)
        for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
            assert (other.generation, other.hash, other.shape) == (tree.generation, tree.hash, tree.shape)
            other.paste([[1]], 3, 3, "xor")
            assert other.hash != tree.hash


def test_worlds_that_it_cannot_run():
    with pytest.raises(moorea.UnavailableError):
        moorea.HashLife("Life:T100")
    with pytest.raises(moorea.UnavailableError):
        moorea.HashLife("345/2/4")
    with pytest.raises(moorea.UsageError):
        moorea.HashLife(threads=0)
    with pytest.raises(moorea.UsageError):
        moorea.HashLife(memory=-1)
    with pytest.raises(TypeError, match="expected a Rule"):
        moorea.HashLife(7)
    with pytest.raises(TypeError, match="expected a Pattern or a Simulation"):
        moorea.HashLife.of(GLIDER)
    with pytest.raises(moorea.OutOfMemoryError):
        moorea.HashLife(cells=moorea.soup((512, 512), seed=1), memory=128 << 10).step(1000)


def test_a_background_that_blinks():
    tree = moorea.HashLife("B0/S", [[1]])
    tree.step(1)
    assert tree.background and tree.population > 0
    tree.step(1)
    assert not tree.background
