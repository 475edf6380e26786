// SPDX-License-Identifier: MIT
// The contract of kernels: all that a kernel file may include. moorea/kernel.h has the arguments of kernels
// that process blocks. A kernel advances cells by a few generations; it reads a halo that its caller has
// filled, and contains no code for edges. One constant named after its path describes it (the file
// cpu/bits.cpp defines moorea::kernels::cpu_bits); the build makes the table of these. A user's own file has
// none: see FromFile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moorea/kernel.h"

namespace moorea::kernels {

/// Memory layout of a kernel's cells.
enum class Layout {
  bytes,    ///< a byte a cell, 0 or 1
  ints,     ///< a 32-bit integer a cell, 0 or 1 (CUDA)
  patches,  ///< 4 x 4 cells in 16 bits: bit 4 * (y mod 4) + x mod 4 of patch (x / 4, y / 4) (CUDA)
  bits,     ///< a bit a cell, 64 to a word: bit i of word j is column 64*j + i
  strided,  ///< a bit a cell: bit i of vector j is column j + stride * i, see Band
  tiles,    ///< a bit a cell: columns of words of up to 52 cells, see Tile
};

/// Advances a block. Blocks of one buffer that share no row of `to` may run concurrently.
using Step = void (*)(const Block& block);

/// Inner loop for one rule, which may be machine code generated at run time: `pairs` pairs of rows, one
/// generation each, in `columns` columns of vectors. `at` is the first vector of the row above the first one,
/// `row` the bytes from row to row. Results are written one row and one column back against the direction of
/// the sweep.
using StepPairs = void (*)(RuleMask rule, void* at, std::ptrdiff_t row, std::int64_t columns,
                           std::int64_t pairs);
struct PairSteps {
  StepPairs rightwards = nullptr;  ///< columns from left to right
  StepPairs leftwards = nullptr;
};

/// One generation of the rows first to last - 1, an even number, of a window of vectors, in place.
using StepWindow = void (*)(RuleMask rule, void* window, int first, int last);

/// Rows of a world in the strided (dimension-lifted) layout, Henretty et al. 2011, advanced in place by a
/// kernel that maintains the halo columns itself. A row is `stride` vectors of Kernel::lanes cells, so that
/// the left and right neighbours of a cell are at its own bit of the adjacent vectors. One vector on either
/// side is the halo, and a third one is room: a kernel that writes each vector one place further left and
/// each row one place further up (or right, or down, with its direction) overwrites nothing that it has still
/// to read.
struct Band {
  std::byte* memory;     ///< row 0 of the memory; vectors begin at a multiple of their size
  std::ptrdiff_t pitch;  ///< bytes from row to row: stride + 3 vectors or more
  std::int64_t rows;     ///< of memory: height + 4 * Kernel::max_steps + 4
  std::int64_t width;    ///< cells in a row
  std::int64_t stride;   ///< width / lanes, rounded up
  std::int64_t height;   ///< rows of cells
  std::int64_t top;      ///< row of memory where the cells begin; updated by the kernel
  int shifted;  ///< 1: vector 0 of each row is the second of memory, 0: the third; updated by the kernel
  bool torus;   ///< left and right edges are joined; otherwise cells beyond them are dead
  bool dead_above, dead_below;  ///< edge of a plane: rows beyond it are dead
  RuleMask rule;
  PairSteps code;  ///< for Binding::code_sweep
};

/// Address of vector 0 of row y of the cells; rows above and below are the halo. Neither a member nor inline:
/// files for an instruction set must not share functions.
static inline std::byte* band_row(const Band& band, std::int64_t y, int vector_bytes) {
  return band.memory + (band.top + y) * band.pitch + (2 - band.shifted) * vector_bytes;
}

/// Advances the cells of a band by `steps` generations (1 to Kernel::max_steps). `steps` rows above and
/// below, with their halo columns, hold the neighbours before the call and are undefined after it.
using Sweep = void (*)(Band& band, int steps);

/// Fills the halo columns of `rows` rows from row y on, whose cells the caller has filled.
using FillHaloColumns = void (*)(const Band& band, std::int64_t y, std::int64_t rows);

/// Tiles have up to 52 x 52 cells; with a halo of 6 cells they fit 64 words of 64 bits, enough for 6
/// generations without other memory.
constexpr int tile_side = 52, tile_halo = 6;

/// A tile: each row of `own`, `left` and `right` is the word of that row in the tile's column of tiles and in
/// the adjacent ones. Bit i is cell i of the column; bits beyond its width are 0.
struct Tile {
  const std::uint64_t* left;  ///< row -6, the first of 64 readable rows
  const std::uint64_t* own;
  const std::uint64_t* right;
  std::uint64_t* to;  ///< row 0 of the tile's column in the other buffer
  int left_width, width, height;
  std::uint64_t columns;  ///< bit i: column i - 6 is inside the world, for tiles at a plane's edges
  int first, last;        ///< first and last row inside the world, counted from row -6
};

/// Tiles that one call advances.
struct TileBatch {
  const Tile* tiles;
  int count;   ///< at most Kernel::lanes / 64
  int steps;   ///< generations, 1 to tile_halo
  bool edges;  ///< whether a tile is at a plane's edge; otherwise columns, first and last are ignored
  RuleMask rule;
  StepWindow code;  ///< for Binding::code_tile_step
};

/// Parts of a tile whose target had other contents before it was written: any part, and the tile_halo columns
/// or rows along a side, which neighbours read.
enum TileChange : std::uint8_t {
  tile_changed = 1,
  left_changed = 2,
  right_changed = 4,
  top_changed = 8,
  bottom_changed = 16,
};

/// Advances each tile by `steps` and writes its `height` rows; changes[i] is set to a sum of TileChange.
using TileStep = void (*)(const TileBatch& batch, std::uint8_t* changes);

/// Threads of a CUDA thread block, in columns and rows of the world or of what the kernel makes of it.
struct BlockShape {
  int width = 0;
  int height = 0;
};

/// Launch parameters of a CUDA kernel; a parameter that is not configurable has the kernel's own value.
struct Launch {
  void* stream = nullptr;         ///< a cudaStream_t
  BlockShape block = {};          ///< Kernel::block by default
  BlockShape item = {1, 1};       ///< as FromFile::item
  int bytes_a_thread = 0;         ///< Kernel::bytes_a_thread by default
  const void* functions[2] = {};  ///< functions compiled at run time from Binding::source
  void* scratch = nullptr;        ///< Kernel::scratch_bytes of the device's memory, for this call alone
  bool input_replaced =
      true;  ///< `from` was not produced by this kernel's previous call: discard cached activity
  unsigned long long* populations =
      nullptr;              ///< for Kernel::counts: one number for each generation of the call
  int multiprocessors = 1;  ///< of the device
};

/// Launches the kernel that advances a block, whose cells are in the device's memory, in the stream.
using LaunchStep = void (*)(const Block& block, const Launch& launch);

/// Main function of a launch: the one that computes the cells.
struct DeviceFunction {
  const void* function = nullptr;  ///< a __global__ function or one of Launch::functions
  int threads = 0;                 ///< per thread block; 0: unknown
  std::size_t shared_bytes = 0;    ///< dynamic shared memory per thread block
};

/// CUDA code that is compiled at run time, after `definitions` and the network of the rule: `text` may use
/// the type `word`, LUT3 and MOOREA_NEXT, the network for two rows as in common/networks.h.
struct RuntimeSource {
  const char* text = nullptr;
  const char* definitions = "";
  const char* functions[2] = {};  ///< names of its extern "C" __global__ functions; the second may be null
  const char* path = nullptr;     ///< path of a user's file
};

/// Properties of an OpenCL device that kernels and their partitions depend on.
struct OpenClTraits {
  bool cpu = false;
  int compute_units = 1;
  int compute_capability = 0;  ///< NVIDIA GPUs: 90 for 9.0; 0: another device
};

/// Partition of a world among an OpenCL kernel's work-groups, if a work-item's part has no fixed size.
struct OpenClPartition {
  std::int64_t groups = 1;         ///< 0: such work-groups are invalid
  std::int64_t rows = 0;           ///< rows per work-item
  std::int64_t scratch_bytes = 0;  ///< additional memory of a pass
};

/// OpenCL code that is compiled at run time: see opencl/opencl.h.
struct OpenClSource {
  const char* text = nullptr;
  BlockShape group = {1, 1};  ///< default work-group
  BlockShape item = {};       ///< cells per work-item, in columns and rows; for kernels without `partition`
  OpenClPartition (*partition)(const World& world, const OpenClTraits& device, BlockShape group) = nullptr;
  bool fills_halo_columns = false;  ///< strided layout: the kernel writes the halo columns of its rows
  int word_bits = 32;               ///< cells in the logic's words, 32 or 512
  int steps = 1;                    ///< generations that `advance` does on a torus
};

/// Result of bind(): the function of the kernel's layout, or a refusal.
struct Binding {
  Step step = nullptr;
  const char* refusal = nullptr;
  double operations_per_word = 0;  ///< logic and shift operations per 64 cells and generation; 0: unknown
  Sweep sweep = nullptr;
  FillHaloColumns fill_halo_columns = nullptr;
  TileStep tile_step = nullptr;
  Sweep code_sweep = nullptr;         ///< instead of `sweep`: runs Band::code; null if that is not faster
  TileStep code_tile_step = nullptr;  ///< instead of `tile_step`: runs TileBatch::code
  LaunchStep launch = nullptr;        ///< CUDA kernels: instead of `step`
  /// CUDA kernels: main function that `launch` starts for this call. Null: the first of Launch::functions,
  /// with an unknown thread block.
  DeviceFunction (*device_function)(const Block& block, const Launch& how) = nullptr;
  OpenClSource opencl = {};  ///< OpenCL kernels: instead of `step`
  /// CUDA code for a world that is compiled before `launch` is called; null: none.
  RuntimeSource (*source)(const World& world, int multiprocessors) = nullptr;
};

/// Properties of the machine that bind() may query.
struct DeviceTraits {
  bool avx2 = false;
  bool avx512 = false;  ///< F, BW, DQ and VL, and the system saves the registers
  const char* (*cuda_unavailable_reason)() =
      nullptr;  ///< why CUDA kernels cannot run, or null; the call loads the driver
  const char* (*cuda_compiler_unavailable_reason)() =
      nullptr;                                           ///< why none can be compiled at run time, or null
  const char* (*opencl_unavailable_reason)() = nullptr;  ///< why OpenCL kernels cannot run, or null
};

/// Size of a tile in cells; in the bits layout its width is a multiple of 64.
struct TileShape {
  int width = 0;
  int height = 0;
};

/// Report of a kernel about its tiles through Block::changed.
enum class Activity {
  none,
  reported,  ///< whether a cell of the tile changed; for statistics
  /// Like `reported`, and a tile is skipped if neither it nor its eight neighbours reported a change in the
  /// previous generation; `to` keeps its cells. This is exact if a kernel reports a difference from the
  /// previous generation, or a difference from the contents of `to`, two generations earlier.
  skipped,
};

/// Declarations of a user's own file, instead of bind().
struct FromFile {
  Binding binding;                    ///< for any rule
  const RuleMask* rule = nullptr;     ///< the only rule; null: any
  const char* other_rules = nullptr;  ///< refusal of other rules
  const char* path = nullptr;
  BlockShape item = {1, 1};  ///< CUDA: cells per thread, in columns and rows
  RuntimeSource cuda;        ///< CUDA: instead of Binding::source
};

struct Kernel {
  const char* summary;  ///< one line
  Layout layout;
  int max_steps;  ///< maximum generations per call, at most 64
  Binding (*bind)(RuleMask rule, const DeviceTraits& device);
  int lanes = 0;  ///< cells per vector of the strided layout and of tiles
  /// Default tile of kernels whose blocks are tiles; 0 x 0: a block is a band of rows.
  TileShape tile = {};
  /// The kernel joins the world's edges itself: no halo is filled, and it may read any cell of the world of
  /// `from`. 64 bytes on both sides of a row may be read but are undefined.
  bool wraps = false;
  /// CUDA kernels: the launch fills the halo of `from` itself and may write it; the block is the whole world.
  bool fills_own_halo = false;
  /// Cells beyond a plane's edges stay dead in calls of several steps.
  bool plane_steps = false;
  /// CUDA kernels that skip tiles keep their activity data in scratch memory, which begins with two 64-bit
  /// numbers: the tiles computed and skipped so far.
  Activity activity = Activity::none;
  /// CUDA kernels: default thread block, if it is configurable (1 to 1024 threads; a height of 1 is fixed),
  /// and default bytes per thread, if they are configurable (1 to 64).
  BlockShape block = {};
  int bytes_a_thread = 0;
  /// Maximum generations per call if that is more than max_steps, in passes of max_steps.
  int longest_call = 0;
  /// Strided layout: whether the kernel maintains the halo columns itself in such a call.
  bool (*fills_halo_columns)(const World& world, int steps) = nullptr;
  std::int64_t (*scratch_bytes)(const World& world) = nullptr;  ///< additional memory of calls
  /// CUDA kernels: adds the live cells after each generation of the call to Launch::populations.
  bool counts = false;
  /// Why the kernel cannot process a world of this size on a GPU with so many multiprocessors, or null.
  const char* (*refuses)(const World& world, int multiprocessors) = nullptr;
  const FromFile* file = nullptr;  ///< kernels from a user's file; `bind` is null
};

/// One row of the table that the build makes; `name` is the path below src/kernels without its ending.
struct TableEntry {
  const char* name;
  const Kernel* kernel;
};

/// The kernels of this build, by name; ends with an entry of null pointers.
extern const TableEntry table[];

}  // namespace moorea::kernels
