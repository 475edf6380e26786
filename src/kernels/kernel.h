// SPDX-License-Identifier: MIT
// All that a kernel file may include; moorea/kernel.h has what a kernel that takes blocks is called with. A
// kernel advances a block of cells by a few generations; it reads a halo that somebody else has filled and so
// knows no edges. It is described by one constant named after its path (the file cpu/bits.cpp defines
// moorea::kernels::cpu_bits), from which the build makes the table. A user's own file has none: see FromFile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moorea/kernel.h"

namespace moorea::kernels {

/// How a kernel wants its cells.
enum class Layout {
  bytes,    ///< a byte a cell, 0 or 1
  ints,     ///< a 32-bit integer a cell, 0 or 1 (CUDA)
  patches,  ///< 4 x 4 cells in 16 bits: bit 4 * (y mod 4) + x mod 4 of patch (x / 4, y / 4) (CUDA)
  bits,     ///< a bit a cell, 64 to a word: bit i of word j is column 64*j + i
  strided,  ///< a bit a cell: bit i of vector j is column j + stride * i, see Band
  tiles,    ///< a bit a cell: columns of words of up to 52 cells, see Tile
};

/// Advances a block. Blocks of one buffer that share no row of `to` may run at the same time.
using Step = void (*)(const Block& block);

/// The inner loops for one rule, which may also be machine code made at run time.
/// Two rows of one generation after the other, `pairs` times, in `columns` columns of vectors: `at` is the
/// first vector of the row above the first, `row` the bytes to the next row. The results go one row and one
/// column back against the walk.
using StepPairs = void (*)(RuleMask rule, void* at, std::ptrdiff_t row, std::int64_t columns,
                           std::int64_t pairs);
struct PairSteps {
  StepPairs rightwards = nullptr;  ///< columns from left to right
  StepPairs leftwards = nullptr;
};

/// One generation of the rows first to last - 1, an even number, of a window of vectors, in place.
using StepWindow = void (*)(RuleMask rule, void* window, int first, int last);

/// Rows of a world in the strided layout, advanced in place by a kernel that keeps the left and right edges
/// itself. A row is `stride` vectors of Kernel::lanes cells, so that a cell's neighbours left and right stand
/// at its own bit of the vectors beside; a vector stands on either side for the row's ends, and a third one
/// is room: a kernel that writes each vector one place further left and each row one place further up (or
/// right, or down, as it walks) overwrites nothing that it has still to read.
struct Band {
  std::byte* memory;     ///< row 0 of the memory; vectors begin at a multiple of their size
  std::ptrdiff_t pitch;  ///< bytes from row to row: stride + 3 vectors or more
  std::int64_t rows;     ///< of memory: height + 4 * Kernel::max_steps + 4
  std::int64_t width;    ///< cells in a row
  std::int64_t stride;   ///< width / lanes, rounded up
  std::int64_t height;   ///< rows of cells
  std::int64_t top;      ///< the memory's row where the cells begin; a kernel moves it
  int shifted;  ///< 1: vector 0 of each row is the memory's second, 0: the third; a kernel changes it
  bool torus;   ///< left and right edges are joined; else cells beyond them are dead
  bool dead_above, dead_below;  ///< this is a plane's edge: rows beyond it are dead
  RuleMask rule;
  PairSteps code;  ///< for Binding::code_sweep
};

/// Where vector 0 of the cells' row y stands; rows above and below are the halo. (No member, and static:
/// files for an instruction set must not share functions.)
static inline std::byte* band_row(const Band& band, std::int64_t y, int vector_bytes) {
  return band.memory + (band.top + y) * band.pitch + (2 - band.shifted) * vector_bytes;
}

/// Advances the cells of a band by `steps` generations (1 to Kernel::max_steps). As many rows above and
/// below, their ends included, hold the neighbours before the call and anything after it.
using Sweep = void (*)(Band& band, int steps);

/// Writes the ends of `rows` rows from row y on, which somebody else has filled.
using Ends = void (*)(const Band& band, std::int64_t y, std::int64_t rows);

/// Tiles are up to 52 x 52 cells; with 6 cells around them they fit 64 words of 64 bits, enough to do 6
/// generations without a look at anything else.
constexpr int tile_side = 52, tile_halo = 6;

/// A tile as a kernel gets it: each row of `left`, `own` and `right` is the word of that row in the tile's
/// own column of tiles and in those beside it. Bit i is the column's cell i; bits beyond its width are 0.
struct Tile {
  const std::uint64_t* left;  ///< row -6, of 64 readable ones
  const std::uint64_t* own;
  const std::uint64_t* right;
  std::uint64_t* to;  ///< row 0 of the tile's column in the other buffer
  int left_width, width, height;
  std::uint64_t columns;  ///< bit i: column i - 6 may live, for tiles at a plane's edges
  int first, last;        ///< rows that may live, counted from row -6
};

/// Some tiles at once.
struct TileBatch {
  const Tile* tiles;
  int count;   ///< at most Kernel::lanes / 64
  int steps;   ///< generations, 1 to tile_halo
  bool edges;  ///< whether a tile stands at a plane's edge; else columns, first and last are not looked at
  RuleMask rule;
  StepWindow code;  ///< for Binding::code_tile_step
};

/// Where a tile's target held something else before it was written: anywhere, and among the tile_halo columns
/// or rows along a side, which its neighbours read.
enum TileChange : std::uint8_t {
  tile_changed = 1,
  left_changed = 2,
  right_changed = 4,
  top_changed = 8,
  bottom_changed = 16,
};

/// Advances each tile by `steps` and writes its `height` rows; changes[i] becomes a sum of TileChange.
using TileStep = void (*)(const TileBatch& batch, std::uint8_t* changes);

/// Threads of a CUDA thread block, in columns and rows of the world or of what the kernel makes of it.
struct BlockShape {
  int width = 0;
  int height = 0;
};

/// How a CUDA kernel is to be launched. What a kernel does not let be chosen is its own value here.
struct Launch {
  void* stream = nullptr;         ///< a cudaStream_t
  BlockShape block = {};          ///< as Kernel::block where nothing was asked for
  BlockShape item = {1, 1};       ///< as FromFile::item
  int bytes_a_thread = 0;         ///< as Kernel::bytes_a_thread, likewise
  const void* functions[2] = {};  ///< those compiled at run time for Binding::source
  void* scratch = nullptr;        ///< Kernel::scratch_bytes of the device's memory, no other call's meanwhile
  bool afresh = true;             ///< the cells of `from` are not what this kernel's last call made
  unsigned long long* populations =
      nullptr;              ///< for Kernel::counts, a number for each generation of the call
  int multiprocessors = 1;  ///< of the device
};

/// Puts the kernel that advances a block, whose cells lie in the device's memory, into the stream.
using LaunchStep = void (*)(const Block& block, const Launch& launch);

/// What such a launch starts: the function that makes the cells, where it starts several.
struct DeviceFunction {
  const void* function = nullptr;  ///< a __global__ function or one of Launch::functions
  int threads = 0;                 ///< of a thread block; 0: not told
  std::size_t shared_bytes = 0;    ///< of a thread block, beside those that the function declares
};

/// CUDA code to be compiled at run time, behind `definitions` and the network of the rule: `text` may use the
/// type `word`, LUT3 and MOOREA_NEXT, the network for two rows as in common/networks.h.
struct RuntimeSource {
  const char* text = nullptr;
  const char* definitions = "";
  const char* functions[2] = {};  ///< names of its extern "C" __global__ functions; the second may be null
  const char* path = nullptr;     ///< of the user's file that the text is
};

/// What OpenCL kernels and their cuts depend on.
struct OpenClTraits {
  bool cpu = false;
  int compute_units = 1;
  int compute_capability = 0;  ///< of NVIDIA's GPUs, 90 for 9.0; 0: another device
};

/// How a world is shared by an OpenCL kernel's work-groups, where a work-item's part has no fixed size.
struct OpenClCut {
  std::int64_t groups = 1;         ///< 0: such work-groups cannot be
  std::int64_t rows = 0;           ///< that a work-item walks down
  std::int64_t scratch_bytes = 0;  ///< memory that the pass needs beside the world
};

/// OpenCL code, to be compiled at run time: see opencl/opencl.h.
struct OpenClSource {
  const char* text = nullptr;
  BlockShape group = {1, 1};  ///< its work-group, where no other is asked for
  BlockShape item = {};  ///< cells that a work-item makes, in columns and rows; for kernels without `cut`
  OpenClCut (*cut)(const World& world, const OpenClTraits& device, BlockShape group) = nullptr;
  bool keeps_sides = false;  ///< of the strided layout: it writes what lies beside the rows that it makes
  int word_bits = 32;        ///< cells in the logic's words, 32 or 512
  int steps = 1;             ///< generations that `advance` does on a torus
};

/// What bind() answers: the function of its layout, or why there is none.
struct Binding {
  Step step = nullptr;
  const char* refusal = nullptr;
  double operations_per_word =
      0;  ///< logic and shift operations for 64 cells and a generation; 0: not counted so
  Sweep sweep = nullptr;
  Ends ends = nullptr;
  TileStep tile_step = nullptr;
  Sweep code_sweep = nullptr;  ///< instead of `sweep`: runs Band::code; null where that would not be faster
  TileStep code_tile_step = nullptr;  ///< instead of `tile_step`: runs TileBatch::code
  LaunchStep launch = nullptr;        ///< of CUDA kernels, instead of `step`
  /// Of CUDA kernels: what `launch` starts for this call, which it asks here too where it has a choice. Null:
  /// the first of Launch::functions, in thread blocks that are not told.
  DeviceFunction (*device_function)(const Block& block, const Launch& how) = nullptr;
  OpenClSource opencl = {};  ///< of OpenCL kernels, instead of `step`
  /// CUDA code for a world that the device is to compile before `launch` is called; null: there is none.
  RuntimeSource (*source)(const World& world, int multiprocessors) = nullptr;
};

/// What a kernel may ask about the device.
struct DeviceTraits {
  bool avx2 = false;
  bool avx512 = false;                 ///< F, BW, DQ and VL, and the system saves the registers
  const char* (*no_cuda)() = nullptr;  ///< why CUDA kernels cannot run, or null; asking wakes the driver
  const char* (*no_cuda_compiler)() = nullptr;  ///< why none can be compiled at run time, or null
  const char* (*no_opencl)() = nullptr;         ///< why OpenCL kernels cannot run, or null
};

/// Cells of a tile; in the bits layout its width is a multiple of 64.
struct TileShape {
  int width = 0;
  int height = 0;
};

/// What a kernel says about its tiles through Block::changed.
enum class Activity {
  none,
  reported,  ///< whether a cell of the tile changed; for statistics
  /// As well, and a tile is not computed where it and its eight neighbours reported nothing in the generation
  /// before; `to` keeps its cells there. That is exact if a kernel reports that the tile differs from the
  /// generation before, or else if it reports that it differs from what `to` held, two generations before.
  skipped,
};

/// What a user's own file says instead of bind().
struct FromFile {
  Binding binding;                    ///< for any rule
  const RuleMask* rule = nullptr;     ///< the one that it is for; null: any
  const char* other_rules = nullptr;  ///< the refusal of others
  const char* path = nullptr;
  BlockShape item = {1, 1};  ///< of CUDA: cells that a thread makes, in columns and rows
  RuntimeSource cuda;        ///< of CUDA, instead of Binding::source
};

struct Kernel {
  const char* summary;  ///< one line: what it does
  Layout layout;
  int max_steps;  ///< generations that one call can do, at most 64
  Binding (*bind)(RuleMask rule, const DeviceTraits& device);
  int lanes = 0;  ///< cells in a vector of the strided layout or the tiles'
  /// The tile that suits it, for kernels whose blocks are tiles; else a block is a band of rows.
  TileShape tile = {};
  /// It joins the world's edges itself: it gets no halo, and may read any cell of the world that `from` lies
  /// in. 64 bytes on both sides of a row may be read but hold nothing of use.
  bool wraps = false;
  /// Of CUDA kernels: its launch fills the halo of `from` itself, which it may write for that; the block is
  /// the whole world.
  bool fills_own_halo = false;
  /// It keeps what lies beyond a plane's edges dead in calls of several steps.
  bool plane_steps = false;
  /// CUDA kernels that skip keep in their scratch memory what they need for that, first of all two 64-bit
  /// numbers: the tiles that they computed and left out so far.
  Activity activity = Activity::none;
  /// Of CUDA kernels: the thread block that suits it, where another one may be chosen (1 to 1024 threads; a
  /// height of 1 stays), and bytes that a thread makes, where these may be (1 to 64).
  BlockShape block = {};
  int bytes_a_thread = 0;
  /// Generations that one call may do where that is more than max_steps, in passes of max_steps.
  int longest_call = 0;
  /// Of the strided layout: whether the kernel joins the rows at their ends itself in a call, or keeps them
  /// dead.
  bool (*keeps_sides)(const World& world, int steps) = nullptr;
  std::int64_t (*scratch_bytes)(const World& world) = nullptr;  ///< memory that calls need beside the world
  /// Of CUDA kernels: it adds the live cells after each generation of the call to Launch::populations.
  bool counts = false;
  /// Why the kernel cannot have a world of this size on a GPU with so many multiprocessors, or null.
  const char* (*refuses)(const World& world, int multiprocessors) = nullptr;
  const FromFile* file = nullptr;  ///< of a user's own file; its bind is null
};

/// One row of the table that the build makes; `name` is the path below src/kernels without its ending.
struct TableEntry {
  const char* name;
  const Kernel* kernel;
};

/// The kernels of this build, by name; ends with an entry of null pointers.
extern const TableEntry table[];

}  // namespace moorea::kernels
