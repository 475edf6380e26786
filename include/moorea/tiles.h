// SPDX-License-Identifier: MIT
// Tiles: partition of a world by kernels that process it in rectangles, and their distribution to threads.
// These options are for studies of such kernels; the default kernels have partitions of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Size of a tile in cells; tiles at a world's right and lower edges may be smaller.
struct TileSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// Distribution of tiles, numbered in row-major order, to threads, as OpenMP's schedule clause.
struct TileSchedule {
  enum class Kind {
    fixed,    ///< "static": chunks are assigned to the threads round-robin in advance
    dynamic,  ///< an idle thread takes the next chunk
    guided,   ///< dynamic with shrinking chunks: the remaining tiles divided by the number of threads
  };
  Kind kind = Kind::fixed;
  std::int64_t chunk = 0;  ///< tiles per chunk, for guided the minimum; 0: equal parts (static), otherwise 1
};

/// Parses "static", "dynamic" or "guided", with an optional chunk as in "dynamic,4". Throws Error (usage) for
/// other texts.
TileSchedule parse_schedule(std::string_view text);
std::string to_string(const TileSchedule& schedule);

/// Binding of threads to the CPUs available to this process, by hwloc's topology.
enum class Placement {
  none,    ///< no binding
  close,   ///< consecutive threads on adjacent CPUs: of one core, one cache, one package
  spread,  ///< threads on CPUs that share as few resources as possible
};

/// Parses "none", "close" or "spread". Throws Error (usage) for other texts.
Placement parse_placement(std::string_view text);
std::string to_string(Placement placement);

struct Tiling {
  TileSize tile;
  TileSchedule schedule;
  Placement placement = Placement::none;
  /// Share of the threads that use the wider vectors of a kernel with two widths; empty for other kernels.
  std::optional<double> wide_share = {};
};

/// Tiles of all passes so far.
struct TileCounts {
  std::uint64_t computed = 0;
  std::uint64_t skipped = 0;  ///< inactive tiles that were not computed
  std::uint64_t changed = 0;  ///< computed tiles with changed cells
  bool has_changed = true;    ///< whether the kernel reports these; otherwise `changed` is 0
};

inline TileCounts operator+(const TileCounts& a, const TileCounts& b) {
  return {a.computed + b.computed, a.skipped + b.skipped, a.changed + b.changed,
          a.has_changed && b.has_changed};
}

}  // namespace moorea
#pragma GCC visibility pop
