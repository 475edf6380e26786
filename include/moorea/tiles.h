// SPDX-License-Identifier: MIT
// Tiles: how kernels that take a world in pieces cut it and share the pieces among threads. Most of it is for
// studying such kernels; those that Moorea chooses by itself cut a world their own way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace moorea {

/// Cells of a tile; those at a world's right and lower edges may be smaller.
struct TileSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// How threads share tiles, which are numbered in row order: OpenMP's schedule(runtime).
struct TileSchedule {
  enum class Kind {
    fixed,    ///< "static": chunks are dealt to the threads in turn, before the work begins
    dynamic,  ///< a thread that is done takes the next chunk
    guided,   ///< as dynamic, with chunks that begin large and shrink: what is left, divided by the threads
  };
  Kind kind = Kind::fixed;
  std::int64_t chunk = 0;  ///< tiles; 0: all in equal parts (static), else 1. For guided the smallest chunk
};

/// "static", "dynamic" or "guided", with a chunk as in "dynamic,4". Throws Error (usage).
TileSchedule parse_schedule(std::string_view text);
std::string to_string(const TileSchedule& schedule);

/// On which of the CPUs that this process may use a thread runs; hwloc knows where they lie.
enum class Placement {
  none,    ///< as the system likes
  close,   ///< thread after thread on the CPUs in hwloc's order: those of a core, of its caches, its package
  spread,  ///< on CPUs that share as little as possible, as hwloc distributes them
};

/// "none", "close" or "spread". Throws Error (usage).
Placement parse_placement(std::string_view text);
std::string to_string(Placement placement);

struct Tiling {
  TileSize tile;
  TileSchedule schedule;
  Placement placement = Placement::none;
};

/// What became of the tiles of all passes so far.
struct TileCounts {
  std::uint64_t computed = 0;
  std::uint64_t skipped = 0;  ///< known without computing them
  std::uint64_t changed = 0;  ///< of those computed, as far as the kernel reports it
};

inline TileCounts operator+(const TileCounts& a, const TileCounts& b) {
  return {a.computed + b.computed, a.skipped + b.skipped, a.changed + b.changed};
}

}  // namespace moorea
