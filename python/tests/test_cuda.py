# SPDX-License-Identifier: MIT
"""Cells in a GPU's memory, shared with PyTorch, CuPy and JAX. Without a CUDA device all of it is skipped, unless
MOOREA_NEEDS_GPU is set (tools/gpu_check)."""
import gc
import importlib
import os
import pickle
import threading

import numpy as np
import pytest
from model import step

import moorea

NEEDED = bool(os.environ.get("MOOREA_NEEDS_GPU"))
HAS_CUDA = any(row["name"].startswith("cuda:") for row in moorea.devices())
pytestmark = pytest.mark.skipif(not HAS_CUDA and not NEEDED, reason="there is no CUDA device, or this build has no CUDA")
SHAPES = [(1, 1), (3, 5), (64, 64), (77, 301), (2048, 2047)]


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        if NEEDED and name == "torch":
            raise
        pytest.skip(f"{name} is not installed")


def world(cells, **options):
    return moorea.Simulation("Life", cells, device="cuda:0", **options)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("topology", ["torus", "plane"])
def test_cells_are_those_of_the_definition(shape, topology):
    array = np.asarray(moorea.soup(shape, 0.4, seed=1))
    simulation = world(array, topology=topology)
    simulation.step(7)
    np.testing.assert_array_equal(simulation.cells, step(array, [3], [2, 3], topology, 7))
    assert pickle.loads(pickle.dumps(simulation)).hash == simulation.hash


@pytest.mark.parametrize("shape", SHAPES)
def test_torch_reads_the_cells_where_they_are(shape):
    torch = library("torch")
    simulation = world(moorea.soup(shape, 0.4, seed=2))
    simulation.step(5)
    expected = np.asarray(simulation.cells)
    for tensor in (torch.from_dlpack(simulation.cells), torch.as_tensor(simulation.cells, device="cuda:0")):
        assert tensor.is_cuda and tensor.dtype == torch.bool and tuple(tensor.shape) == shape
        np.testing.assert_array_equal(tensor.cpu().numpy(), expected)
    words = torch.from_dlpack(simulation.cells.on_device("int32")).cpu().numpy()
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    np.testing.assert_array_equal(bits[:, : shape[1]], expected)
    assert not bits[:, shape[1] :].any()
    assert torch.from_dlpack(simulation.cells.on_device("uint8")).dtype == torch.uint8
    plane = moorea.Simulation("Life", expected, topology="unbounded", device="cuda:0")
    box = plane.bounding_box
    if box is not None:
        np.testing.assert_array_equal(torch.from_dlpack(plane.cells).cpu().numpy(), plane.window(*box))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_world_of_a_tensor(shape):
    torch = library("torch")
    array = np.asarray(moorea.soup(shape, 0.4, seed=3))
    tensor = torch.tensor(array, device="cuda:0")
    for given in (tensor, tensor.to(torch.uint8) * 200, tensor.T.contiguous().T, tensor.flip(0).flip(0), tensor.to(torch.int8)):
        np.testing.assert_array_equal(world(given).cells, array)
    wide = torch.zeros((shape[0], 3 * shape[1]), dtype=torch.bool, device="cuda:0")
    wide[:, ::3] = tensor
    np.testing.assert_array_equal(world(wide[:, ::3]).cells, array)
    simulation = world(np.zeros(shape))
    simulation.cells[:, :] = tensor
    np.testing.assert_array_equal(simulation.cells, array)
    simulation.reset(tensor)
    np.testing.assert_array_equal(moorea.Grid(tensor), array)
    with pytest.raises(ValueError, match="convert"):
        world(tensor.float())


def test_arrays_outlive_the_simulation_and_are_freed():
    torch = library("torch")
    shape = (4096, 4096)
    expected = np.asarray(moorea.soup(shape, 0.4, seed=4))
    for _ in range(3):
        simulation = world(expected)
        tensor = torch.from_dlpack(simulation.cells)
        simulation.step(10)
        del simulation
        gc.collect()
        np.testing.assert_array_equal(tensor.cpu().numpy(), expected)
    del tensor
    simulation = world(expected)
    before = torch.cuda.mem_get_info()[0]
    for _ in range(50):
        torch.from_dlpack(simulation.cells)
        simulation.cells.on_device("uint32").__dlpack__()  # a capsule that nobody consumes
        torch.as_tensor(simulation.cells, device="cuda:0")
    gc.collect()
    assert before - torch.cuda.mem_get_info()[0] <= 64 << 20
    # The last reference may be given up in any thread
    tensors = [torch.from_dlpack(simulation.cells)]
    thread = threading.Thread(target=tensors.clear)
    thread.start()
    thread.join()


def test_other_streams():
    torch = library("torch")
    simulation = world(moorea.soup((4096, 4096), 0.4, seed=5))
    for turn in range(20):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            tensor = torch.from_dlpack(simulation.cells)
            total = tensor.sum()
            # Written in this stream, after work that takes milliseconds, and read by Moorea at once
            for _ in range(20):
                noise = torch.rand((4096, 4096), device="cuda:0")
            mine = noise < 0.3
            other = world(mine)
        assert total.item() == simulation.population, turn
        assert other.population == mine.sum().item(), turn
        simulation.step(1)


def test_the_current_device_of_others_stays():
    torch = library("torch")
    last = torch.cuda.device_count() - 1
    with torch.cuda.device(last):
        simulation = world(moorea.soup((256, 256)))
        simulation.step(3)
        torch.from_dlpack(simulation.cells)
        assert torch.cuda.current_device() == last


def test_cupy_and_jax():
    tried = 0
    array = np.asarray(moorea.soup((77, 301), 0.4, seed=6))
    simulation = world(array)
    for name in ("cupy", "jax"):
        try:
            other = importlib.import_module(name)
        except ImportError:
            continue
        tried += 1
        if name == "cupy":
            np.testing.assert_array_equal(other.asnumpy(other.from_dlpack(simulation.cells)), array)
            np.testing.assert_array_equal(other.asnumpy(other.asarray(simulation.cells)), array)
            with other.cuda.Stream(non_blocking=True):
                np.testing.assert_array_equal(world(other.asarray(array)).cells, array)
        else:
            np.testing.assert_array_equal(np.asarray(other.dlpack.from_dlpack(simulation.cells)), array)
    if tried == 0:
        pytest.skip("neither CuPy nor JAX is installed")


def test_what_is_not_on_the_device():
    simulation = moorea.Simulation("Life", moorea.soup(64), device="cpu")
    with pytest.raises(moorea.UnavailableError):
        simulation.cells.on_device()


def test_a_fork_refuses():
    simulation = world(moorea.soup(64))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            simulation.step(1)
        except moorea.RunError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"fork" in os.read(read, 1000)
