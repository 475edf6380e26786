# SPDX-License-Identifier: MIT
"""The tables and figures of the five studies of docs/reproduce.md: how each is made here, and what it says."""
import dataclasses

STUDIES = {
    "000": "Hugo, *CUDA Game of Life*: versions of one CUDA kernel, from a byte per cell to 4 x 4 cells in 16 bits",
    "001": "Greg Linklater, *Conway in CUDA*: a bit per cell, swept over threads per block and bytes per thread",
    "002": "Marques and Duval, third milestone of a project in EasyPAP: SIMD, OpenMP and OpenCL on tiles",
    "003": "Moreno Marzolla, the exercise *ANNEAL on the GPU*: ghost cells and shared memory",
    "004": "Stéphane Vialle, the lecture *Advanced CUDA 2*: reductions and registers",
}


@dataclasses.dataclass(frozen=True)
class Rows:
    """The fastest row of those that have these values; with `slowest` the slowest one, with `most` one of those with the
    largest value of this key. `label` may contain keys of the row."""
    label: str
    where: dict


def rows(label, **where):
    return Rows(label, where)


@dataclasses.dataclass(frozen=True)
class Finding:
    """A claim of a study, which holds if the first figure is larger than the second."""
    study: str
    shows: str
    claim: str
    first: Rows
    second: Rows
    value: str = "cells_per_second"


@dataclasses.dataclass(frozen=True)
class Sentences:
    """What a page of `moorea study` says by itself; `count` of its sentences, from number `begin`."""
    study: str
    shows: str
    claim: str
    begin: int = 0
    count: int = 1


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """`command` makes `results` or a page. In its quick form `quick` replaces options. `plot` are options of
    `moorea plot`; None: the command writes the page itself, or there is none. {cpus} is the number of CPUs."""
    name: str
    title: str
    command: list
    findings: list
    quick: dict = dataclasses.field(default_factory=dict)
    plot: list | None = None
    quickly: bool = True  # whether the quick form has it


CUDA, CPU, OPENCL, REDUCE = "cuda/ladder/", "cpu/ladder/", "opencl/ladder/", "reduce/ladder/"


def kernels(folder, names):
    return ",".join(folder + name for name in names.split())


def bench(*kernel_lists, **options):
    return ["bench", "--kernel", ",".join(kernel_lists), *(text for key, value in options.items() for text in (f"--{key.replace('_', '-')}", *value.split()))]


QUICK = {"--budget": "0.02", "--rounds": "1"}
GB = "bytes_per_second"


def cuda_versions():
    def against(shows, claim, first, second):
        return Finding("000", shows, claim, rows(first, kernel=CUDA + first),
                       second if isinstance(second, Rows) else rows(second, kernel=CUDA + second))

    names = "01_int 02_naive_bool 03_naive_branch 04_shared 05_lut_256 05_lut_256_shared 06_lut_1024 06_lut_1024_shared 07_ghost 12_patch_lut 13_patch_lut_shared"
    bytes_per_cell = [CUDA + name for name in names.split()[:9]]
    return Reproduction(
        "cuda-versions", "Frames per second of each version", bench(kernels(CUDA, names), size="16384", budget="0.3"), [
            against("four bytes against one byte per cell", "A byte per cell is faster than four", "07_ghost", "01_int"),
            against("version 1 against version 2", "The Boolean expression is faster than if and else", "02_naive_bool", "03_naive_branch"),
            against("version 3", "A tile of 34 x 34 in shared memory is faster than global memory", "04_shared", "02_naive_bool"),
            against("version 4", "A look-up of 2 x 2 cells is faster than counting in the shared tile", "05_lut_256_shared", "04_shared"),
            against("version 4, the index from shared or from global memory", "The shared tile makes the look-ups faster", "05_lut_256_shared", "05_lut_256"),
            against("version 5: a halo of 6.3 % instead of 12.8 % of the tile", "1024 threads with a tile of 66 x 66 are faster than 256 with 34 x 34",
                    "06_lut_1024_shared", "05_lut_256_shared"),
            against("the last version", "4 x 4 cells in 16 bits are faster than every version with a byte per cell", "12_patch_lut",
                    rows("{kernel}", kernel=bytes_per_cell)),
            against("the last version in shared memory", "Shared memory makes it faster", "13_patch_lut_shared", "12_patch_lut"),
        ], QUICK | {"--size": "512"}, plot=["--y", "generations-per-second"])


def cuda_bits():
    naive, bits, size = CUDA + "02_naive_bool", CUDA + "11_bits_bytes", {"width": 16384}
    per_block = "{kernel}, {block_threads} threads per block"
    return [
        Reproduction(
            "figure-1", "Figure 1: threads per block, bytes per thread and size, 10,000 generations each",
            bench(naive, bits, size="1024:16384:x2", block="32:512:x2", bytes_per_thread="8,16,32", generations="10k", rounds="1", budget="0.1"), [
                Finding("001", "figure 1, the naive kernel", "The number of threads per block matters for the naive kernel", rows(per_block, kernel=naive, **size),
                        rows(per_block, kernel=naive, slowest=True, **size)),
                Finding("001", "figure 1, the bit kernel", "32 bytes per thread are faster than 8", rows("{bytes_per_thread} bytes, {block_threads} threads per block", kernel=bits, bytes_per_thread=32, **size),
                        rows("{bytes_per_thread} bytes, {block_threads} threads per block", kernel=bits, bytes_per_thread=8, **size)),
                Finding("001", "the larger world", "16384 square is faster than 1024 square", rows("{size}", kernel=bits, width=16384), rows("{size}", kernel=bits, width=1024)),
                Finding("001", "the optimised kernel against the naive one", "A bit per cell is faster than a byte", rows(per_block, kernel=bits, **size), rows(per_block, kernel=naive, **size)),
                Finding("001", "encoding outside the timing", "Packing a world takes longer than a generation", rows("packing", kernel=bits, **size), rows("a generation", kernel=bits, **size),
                        value="encode_seconds/seconds_per_generation"),
            ], QUICK | {"--size": "256", "--generations": "100"}, plot=["--x", "size"]),
        Reproduction(
            "sequential", "Speed-ups against the sequential program",
            bench(CPU + "01_serial", naive, bits, size="1024,4096", threads="1", relative_to=CPU + "01_serial:1", budget="0.5"), [
                Finding("001", "naive against sequential", "The naive kernel is faster than the sequential program", rows("{kernel}", kernel=naive, width=4096),
                        rows("{kernel}", kernel=CPU + "01_serial", width=4096)),
                Finding("001", "optimised against sequential", "The bit kernel is faster than the sequential program", rows("{kernel}", kernel=bits, width=4096),
                        rows("{kernel}", kernel=CPU + "01_serial", width=4096)),
            ], QUICK | {"--size": "256"}, plot=["--relative-to", CPU + "01_serial:1"]),
    ]


def cpu_vectors():
    plain, avx2, fewer, avx512, masked = (CPU + name for name in "03_vectorised 04_avx2 05_fewer_loads_avx2 06_avx512 07_masked_borders_avx512".split())
    share = "{wide_percent} % of the threads with AVX-512"

    def at(kernel, width):
        return rows("{kernel}", kernel=kernel, width=width)

    return [
        Reproduction(
            "vectors", "Figures 1 and 8: variants by size, on one thread",
            bench(kernels(CPU, "02_tiled 03_vectorised 04_avx2 05_fewer_loads_avx2"), size="512:4096:x2", tile="64x64", threads="1", budget="0.4"), [
                Finding("002", "figure 1", "A loop without branches, which the compiler vectorises, is faster than the tiled loop", at(plain, 2048), at(CPU + "02_tiled", 2048)),
                Finding("002", "figure 1", "AVX2 by hand is faster than the compiler's vectors", at(avx2, 2048), at(plain, 2048)),
                Finding("002", "figure 8", "Three loads per vector instead of nine are faster", at(fewer, 2048), at(avx2, 2048)),
            ], QUICK | {"--size": "128,256"}, plot=["--x", "size"]),
        Reproduction(
            "borders", "Figures 9 to 12: AVX2, AVX-512, and what borders cost, on all threads",
            bench(plain, avx2, fewer, avx512, kernels(CPU, "07_masked_borders_avx2 07_masked_borders_avx512"), size="256,1000,1001,1024,4096", tile="128x32", budget="0.4"), [
                Finding("002", "figure 9", "AVX-512 is faster than AVX2 where rows are whole vectors", at(avx512, 4096), at(fewer, 4096)),
                Finding("002", "figure 10", "Rows of 1001 cells take AVX-512 its lead over AVX2", at(fewer, 1001), at(avx512, 1001)),
                Finding("002", "figure 12", "Rows of 1001 cells are slower than rows of 1024", rows("{size}", kernel=avx512, width=1024), rows("{size}", kernel=avx512, width=1001)),
                Finding("002", "the outlook: borders by masks", "Masked vectors at borders win it back", at(masked, 1001), at(avx512, 1001)),
            ], QUICK | {"--size": "128,129"}, plot=["--x", "size"]),
        Reproduction(
            "balanced", "Some threads with AVX-512, the others with AVX2",
            bench(CPU + "08_balanced_x86", size="4096", wide_share="0,0.25,0.5,0.75,1", budget="1"), [
                Finding("002", "figure 11", "A mixture is faster than AVX-512 on all threads", rows(share, wide_share=[0.25, 0.5, 0.75]), rows(share, wide_share=1)),
            ], QUICK | {"--size": "512"}, plot=[]),
        Reproduction(
            "frequency", "Figures 14 to 17: frequency of each core over time", ["study", "frequency"], [
                Finding("002", "figures 14 to 17", "The compiler's vectors leave a higher clock than AVX-512", rows("{kernel}", kernel=plain), rows("{kernel}", kernel=avx512), value="megahertz"),
            ]),
    ]


def cpu_threads():
    avx2, lazy = CPU + "04_avx2", CPU + "09_lazy"
    tile, plan = "tiles of {tile}", "{schedule}"
    uneven = {"start": "swarm:512"}
    return [
        Reproduction(
            "threads", "Figures 2 and 3: speed-up by threads", bench(avx2, size="4096", tile="64x64", threads="1:{cpus}", budget="0.4"), [
                Finding("002", "figures 2 and 3", "More threads are faster than one", rows("{threads} threads", most="threads"), rows("one thread", threads=1)),
            ], QUICK | {"--size": "512"}, plot=["--kind", "speedup"]),
        Reproduction(
            "tiles", "Figure 4: width and height of tiles", bench(avx2, size="4096", tile="16:4096:x2x16:4096:x2", budget="0.2"), [
                Finding("002", "figure 4", "The shape of tiles matters", rows(tile), rows(tile, slowest=True)),
                Finding("002", "figure 4", "Wide tiles are faster than high ones", rows("tiles of {tile}", tile="1024x16"), rows("tiles of {tile}", tile="16x1024")),
            ], QUICK | {"--size": "512", "--tile": "16:512:x32x16:512:x32"}, plot=["--x", "tile-width", "--rows", "tile-height", "--kind", "heatmap"]),
        Reproduction(
            "schedules", "Figure 5: schedule, chunk and start",
            bench(lazy, size="2048", tile="64x32", schedule="static dynamic guided", chunk="1,4,16,64", start="random:0.5:0,swarm:512,diehard-pairs:64,still-picture:512", budget="0.2"), [
                Finding("002", "figure 5, tiles of unequal cost", "Dynamic schedules are faster than static ones where few tiles are busy", rows(plan, schedule_kind="dynamic", **uneven),
                        rows(plan, schedule_kind="static", **uneven)),
                Finding("002", "figure 5, tiles of equal cost", "Static schedules are faster than dynamic ones where all tiles cost the same", rows(plan, schedule_kind="static", start="random:0.5:0"),
                        rows(plan, schedule_kind="dynamic", start="random:0.5:0")),
            ], QUICK | {"--size": "512", "--chunk": "4,16", "--start": "random:0.5:0"}, plot=["--x", "chunk", "--rows", "schedule", "--kind", "heatmap"]),
        Reproduction(
            "timeline", "Figures 6, 7 and 11: which thread computed which tile, when", ["study", "timeline"], [
                Sentences("002", "figures 6, 7 and 11", "Schedules differ in how evenly threads work", 0, 2),
            ]),
    ]


def opencl():
    naive, lazy = OPENCL + "01_naive", OPENCL + "06_lazy"
    group, moving = "work-groups of {block}", {"start": "swarm:512", "width": 2048}

    def over_naive(figure, claim, name):
        return Finding("002", figure, claim, rows("{kernel}", kernel=OPENCL + name), rows("{kernel}", kernel=naive))

    return [
        Reproduction(
            "work-groups", "Figure 18: width and height of work-groups", bench(naive, size="2048", block="1:256:x4x1:256:x4", budget="0.3"), [
                Finding("002", "figure 18", "The shape of work-groups matters", rows(group), rows(group, slowest=True)),
            ], QUICK | {"--size": "256", "--block": "4:64:x4x4:64:x4"}, plot=["--x", "block-width", "--rows", "block-height", "--kind", "heatmap"]),
        Reproduction(
            "opencl-versions", "Figures 19 and 20: OpenCL variants, all with 256 work-items a group",
            bench(kernels(OPENCL, "01_naive 02_vector 03_local 04_shift 05_two_cells"), size="4096", block="256", budget="0.5"), [
                over_naive("figure 19", "Vector types are faster", "02_vector"),
                over_naive("figure 19", "Local memory is faster", "03_local"),
                over_naive("figure 20", "A shift instead of a multiplication is faster", "04_shift"),
                over_naive("figure 20", "Two cells per work-item are faster", "05_two_cells"),
            ], QUICK | {"--size": "256"}, plot=[]),
        Reproduction(
            "lazy", "Figures 21 to 24: kernels that skip tiles, on the CPU and on the GPU",
            bench(CPU + "04_avx2", CPU + "09_lazy_avx2", naive, lazy, size="512:2048:x2", start="random:0.5:0,swarm:512,diehard-pairs:64,still-picture:512", budget="0.3"), [
                Finding("002", "figure 21, few busy tiles", "Skipping tiles is faster on OpenCL", rows("{kernel}", kernel=lazy, **moving), rows("{kernel}", kernel=naive, **moving)),
                Finding("002", "figure 21, a soup", "Skipping tiles costs speed in a soup", rows("{kernel}", kernel=naive, start="random:0.5:0", width=2048),
                        rows("{kernel}", kernel=lazy, start="random:0.5:0", width=2048)),
                Finding("002", "figures 22 to 24", "A lazy CPU kernel is faster than the naive OpenCL kernel where few tiles are busy", rows("{kernel}", kernel=CPU + "09_lazy_avx2", **moving),
                        rows("{kernel}", kernel=naive, **moving)),
            ], QUICK | {"--size": "256", "--start": "random:0.5:0,still-picture:256"}, plot=["--x", "start"]),
    ]


def meshes():
    cuda, mesh, bonus = "cuda/mesh/", "torus:1024x1024", "the bonus, life on a surface"
    names = ["01_structures 02_arrays 03_arrays_{} 04_two_steps words".format(tile) for tile in ("shared", "local")]

    def on(folder, first, second, claim):
        return Finding("002", bonus, claim, rows("{kernel}", kernel=folder + first), rows("{kernel}", kernel=folder + second))

    def numbered(kernel, name):
        return rows("{numbering}, {bytes_per_cell:.3g} bytes per cell", kernel=cuda + kernel, numbering=name)

    return [
        Reproduction(
            "surfaces", "Life on the faces of a mesh",
            bench(kernels("cpu/mesh/", "01_structures 02_arrays 03_two_steps words"), kernels(cuda, names[0]), kernels("opencl/mesh/", names[1]), mesh=mesh, budget="0.2"), [
                on(cuda, "02_arrays", "01_structures", "A structure of arrays is faster than an array of structures"),
                on(cuda, "03_arrays_shared", "02_arrays", "A tile of cells in shared memory is faster"),
                on(cuda, "04_two_steps", "02_arrays", "Corners found in two steps are faster than a full table"),
                on("opencl/mesh/", "03_arrays_local", "02_arrays", "A tile of cells in local memory is faster"),
                on(cuda, "words", "02_arrays", "A bit per face with patterns of distances is faster than a table"),
            ], QUICK | {"--mesh": "torus:64x64"}, plot=["--x", "kernel"]),
        Reproduction(
            "renumbering", "A shuffled mesh, its faces numbered again", bench(cuda + "02_arrays", cuda + "words", mesh=mesh + ":shuffled", numbering="given,strips,cuthill-mckee", budget="0.2"), [
                Finding("002", bonus, "Faces numbered along strips are faster than shuffled ones, for a bit per face", numbered("words", "strips"), numbered("words", "given")),
                Finding("002", bonus, "Faces numbered along strips are faster than shuffled ones, for the table", numbered("02_arrays", "strips"), numbered("02_arrays", "given")),
                Finding("002", bonus, "Strips are faster than the order of Cuthill and McKee", numbered("02_arrays", "strips"), numbered("02_arrays", "cuthill-mckee")),
            ], QUICK | {"--mesh": "torus:64x64:shuffled"}, plot=["--x", "numbering"], quickly=False),
    ]


def anneal():
    ghost, shared = CUDA + "07_ghost", CUDA + "08_ghost_shared"
    return [
        Reproduction("anneal", "Figure 2: noise after 10, 100 and 1024 generations", ["study", "anneal"], [
            Sentences("003", "figure 2", "Noise becomes regions with smooth edges", 0, 2),
        ]),
        Reproduction(
            "anneal-shared", "With and without shared memory, the same blocks", bench(ghost, shared, rule="Anneal", size="256,1024,4096", block="32x32", budget="0.5"), [
                Finding("003", "the two programs", "Shared memory is faster", rows("{kernel}", kernel=shared, width=4096), rows("{kernel}", kernel=ghost, width=4096)),
            ], QUICK | {"--size": "256"}, plot=["--x", "size"]),
    ]


def reductions():
    names = ("01_divergent 02_strided 03_sequential 04_recursive 05_first_add 06_atomic 07_shared_atomic 08_one_barrier_less 08_threads_exit 09_unrolled 09_unrolled_template 09_unrolled_spread "
             "10_warp 10_warp_spread 10_warp_waiting 11_template 12_library")

    def step(first, second, claim):
        return Finding("004", f"{first} after {second}", claim, rows(first, kernel=REDUCE + first), rows(second, kernel=REDUCE + second), value=GB)

    threads = "{threads} threads"
    return [
        Reproduction("reductions", "Bandwidth of each reduction", ["reduce", "--kernel", kernels(REDUCE, names), "--threads", "256"], [
            step("02_strided", "01_divergent", "Threads side by side are faster than divergent ones"),
            step("03_sequential", "02_strided", "Values side by side are faster"),
            step("04_recursive", "03_sequential", "A launch per level is faster than a single last block"),
            step("05_first_add", "04_recursive", "Adding while loading is faster"),
            step("06_atomic", "05_first_add", "One launch with an atomic addition per block is faster"),
            step("07_shared_atomic", "06_atomic", "Shared memory is faster"),
            step("08_one_barrier_less", "07_shared_atomic", "One barrier less is faster"),
            step("08_threads_exit", "08_one_barrier_less", "Threads without work that return are faster"),
            step("09_unrolled_template", "08_one_barrier_less", "The loop unrolled for the block's size is faster"),
            step("10_warp", "09_unrolled", "The last warp without barriers is faster"),
            step("09_unrolled_spread", "09_unrolled", "Blocks that add to 256 words are faster than those that add to one"),
            step("10_warp_spread", "09_unrolled_spread", "The last warp without barriers is faster, if blocks add to 256 words"),
            step("10_warp_waiting", "10_warp", "Warps that wait at a last barrier are faster than those that return"),
            step("11_template", "10_warp", "The size of the block as a template parameter is faster"),
        ], {"--size": "2^20"}),
        Reproduction("reduction-blocks", "Sizes of blocks", ["reduce", "--kernel", kernels(REDUCE, "07_shared_atomic 09_unrolled 10_warp_spread 11_template"), "--threads", "32,64,128,256,512,1024"], [
            Finding("004", "block sizes from 32 to 1024", "The size of the block matters", rows(threads, kernel=REDUCE + "11_template"), rows(threads, kernel=REDUCE + "11_template", slowest=True), value=GB),
        ], {"--size": "2^20"}),
        Reproduction("reduction-floats", "Sums of floats", ["reduce", "--values", "float", "--kernel", kernels(REDUCE, "01_divergent 07_shared_atomic 11_template 12_library"), "--threads", "256"], [
            Finding("004", "arrays of floats", "The last rung of the ladder is faster than the first", rows("{kernel}", kernel=REDUCE + "11_template"), rows("{kernel}", kernel=REDUCE + "01_divergent"), value=GB),
        ], {"--size": "2^20"}),
    ]


def registers():
    life = {"rule": "B3/S23"}
    switch, template, label = CUDA + "09_runtime_strips_4", CUDA + "10_template_strips", "{kernel}, {block_threads} threads per block"

    def finding(claim, first, second, value="cells_per_second"):
        return Finding("004", "a template instead of a switch", claim, first, second, value)

    return [
        Reproduction("registers", "Registers of cases that do not run", ["study", "registers"], [
            finding("The switch takes more registers, of all its cases", rows("{kernel}", kernel=switch, **life), rows("{kernel}", kernel=template, **life), "registers_per_thread"),
            finding("The template, with more resident threads, is faster", rows(label, kernel=template, **life), rows(label, kernel=switch, **life)),
            finding("With many registers, small blocks are faster", rows(label, kernel=switch, block_threads=64, **life), rows(label, kernel=switch, block_threads=1024, **life)),
        ], quickly=False),
        Reproduction("cpu-gpu", "A GPU against all cores of the CPU", bench("auto", device="cpu,cuda:0", size="4096,16384", budget="0.5"), [
            Finding("004", "a GPU against a parallel program for the CPU", "The GPU is faster", rows("{device}", device="cuda:0", width=16384), rows("{device}", device="cpu", width=16384)),
        ], quickly=False, plot=["--x", "size"]),
    ]


REPRODUCTIONS = [cuda_versions(), *cuda_bits(), *cpu_vectors(), *cpu_threads(), *opencl(), *meshes(), *anneal(), *reductions(), *registers()]
