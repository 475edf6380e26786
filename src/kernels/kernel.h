// SPDX-License-Identifier: MIT
// All that a kernel file may include. A kernel advances a block of cells by a few generations; it reads a
// halo that somebody else has filled and so knows no edges. It is described by one constant named after its
// path (the file cpu/bits.cpp defines moorea::kernels::cpu_bits), from which the build makes the table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moorea::kernels {

/// Bit n: with n live neighbours a dead cell is born, a live cell survives.
struct RuleMask {
  std::uint16_t birth = 0;
  std::uint16_t survival = 0;
};

/// How a kernel wants its cells.
enum class Layout {
  bytes,  ///< a byte a cell, 0 or 1
  bits,   ///< a bit a cell, 64 to a word: bit i of word j is column 64*j + i
};

/// The world that a block is a part of, for kernels that care: see Kernel::wraps and Kernel::plane_steps.
struct World {
  std::int64_t width = 0;  ///< cells
  std::int64_t height = 0;
  bool torus = false;  ///< else a plane, and dead outside
};

/// The cells of one call. The halo is `steps` rows above and below and, in every row, `steps` cells left and
/// right (in the bits layout: of the words on both sides and behind the last cell). It is filled in `from`
/// before the call. In `to` a kernel writes the cells of the block and nothing beside them, but the bits
/// behind the last cell of a row, in its last word, may become anything. Calls that touch a plane's edge have
/// one step, as beyond it nothing may be born; Kernel::plane_steps says otherwise.
struct Block {
  const void* from;      ///< the first cell of the first row, which is aligned to 64 bytes in the bits layout
  void* to;              ///< the same cell `steps` generations later
  std::ptrdiff_t pitch;  ///< bytes from a row to the next one, in both
  std::int64_t width;    ///< cells in a row
  std::int64_t height;   ///< rows
  int steps;             ///< generations, 1 to Kernel::max_steps
  RuleMask rule;
  World world = {};
  std::int64_t x = 0;  ///< where in the world the first cell lies, a multiple of 64 in the bits layout
  std::int64_t y = 0;
  int thread = 0;           ///< which of the threads at work on this pass makes the call
  int threads = 1;          ///< how many there are
  bool* changed = nullptr;  ///< false before the call; see Activity, null for Activity::none
};

/// Advances a block. Blocks of one buffer that share no row of `to` may run at the same time.
using Step = void (*)(const Block& block);

/// What bind() answers: a function, or why there is none.
struct Binding {
  Step step = nullptr;
  const char* refusal = nullptr;
  double operations_per_word =
      0;  ///< logic and shift operations for 64 cells and a generation; 0: not counted so
};

/// What a kernel may ask about the device.
struct DeviceTraits {
  bool avx2 = false;
  bool avx512 = false;  ///< F, BW, DQ and VL, and the system saves the registers
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

struct Kernel {
  const char* summary;  ///< one line: what it does
  Layout layout;
  int max_steps;  ///< generations that one call can do, at most 64
  Binding (*bind)(RuleMask rule, const DeviceTraits& device);
  /// The tile that suits it, for kernels whose blocks are tiles; else a block is a band of rows.
  TileShape tile = {};
  /// It joins the world's edges itself: it gets no halo, and may read any cell of the world that `from` lies
  /// in. 64 bytes on both sides of a row may be read but hold nothing of use.
  bool wraps = false;
  /// It keeps what lies beyond a plane's edges dead in calls of several steps.
  bool plane_steps = false;
  Activity activity = Activity::none;
};

/// One row of the table that the build makes; `name` is the path below src/kernels without its ending.
struct TableEntry {
  const char* name;
  const Kernel* kernel;
};

/// The kernels of this build, by name; ends with an entry of null pointers.
extern const TableEntry table[];

}  // namespace moorea::kernels
