// SPDX-License-Identifier: MIT
// Soups of one thread that a GPU runs: first on squares of 128 columns and rows, those for which these do not
// suffice go on in squares of 256 and of 512, and the rest alone on the CPU (SoupRun). The GPU finds the
// periodic clusters of a soup in a table of those that the catalogue of all threads has.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "census/cluster_table.h"
#include "census/soup_run.h"
#include "devices/gpu_soups.h"

namespace moorea {

/// Of each ship that has left a square those that fly beside it: bit i is the one of that number.
using ShipsBeside = std::array<std::uint64_t, gpu_soups::max_soup_ships>;

/// Nothing if some of them may meet.
std::optional<ShipsBeside> ships_beside(std::span<const gpu_soups::SoupShip> ships,
                                        const ClusterTable& table);

/// A soup whose cells have been stored.
SoupState state_of(const gpu_soups::SoupResult& result, const GpuSoups& gpu, const ClusterTable& table);

/// What a soup that has outgrown a square of this size has besides its cells in one of twice as many columns
/// and rows. Ships that have left the smaller square are put back if they are too near for the larger one.
/// Nothing if one of these would not remain on it until it is examined, or flies beside another one.
std::optional<gpu_soups::SoupStart> start_in_larger(const gpu_soups::SoupResult& result,
                                                    std::span<const gpu_soups::SoupShip> ships,
                                                    const ShipsBeside& beside, std::int64_t size,
                                                    std::int64_t reach, const ClusterTable& table);

/// How a GPU makes the soups of a root; nothing if it does not, because they have a symmetry, or the root is
/// too long.
std::optional<gpu_soups::SoupNames> soup_names(std::string_view root, std::string_view symmetry);

/// Columns and rows of the squares of a stream's stages.
inline constexpr std::int64_t gpu_soup_sizes[] = {128, 256, 512};

class GpuSoupStream {
 public:
  struct Calls {
    /// Number of the next soup; empty if there is none.
    std::function<std::optional<std::uint64_t>()> next;
    std::function<SoupState(std::uint64_t soup)> state;  ///< at generation 0
    /// Its cells in the middle of a square, bit i of a row is column i; all rows are 0 before. False if they
    /// do not fit.
    std::function<bool(std::uint64_t soup, std::span<std::uint64_t, gpu_soups::soup_side> rows)> rows;
    /// Columns and rows in the middle of the square that are the reach of all soups; 0: they have none.
    std::int64_t reach = 0;
    /// If the GPU makes the soups of these numbers; `rows` is not called then.
    std::optional<gpu_soups::SoupNames> names;
    /// Receives the objects of a soup, in any order of the soups.
    std::function<void(std::uint64_t soup, const SoupObjects& objects)> complete;
    std::function<bool()> go_on;  ///< as for SoupRun
  };
  /// Creates squares of one of the sizes of the stages.
  using Make = std::function<std::unique_ptr<GpuSoups>(std::int64_t size)>;

  GpuSoupStream(const Rule& rule, std::uint64_t max_generations, Make make, Calls calls,
                std::shared_ptr<SharedClusterTable> table);

  /// Runs soups until there is no next one and all are complete. Throws SearchStopped.
  void run();
  Catalogue& catalogue() { return alone_.catalogue(); }

 private:
  struct Stage {
    std::int64_t size = 0;
    std::unique_ptr<GpuSoups> gpu;  // of larger squares: null until a soup waits for them
    // Soups that wait, their cells, and what else those of a smaller square have
    std::vector<std::uint64_t> waiting;
    std::vector<gpu_soups::word> cells;
    std::vector<gpu_soups::SoupStart> starts;
    std::vector<std::uint64_t> under_way;
  };

  void fill();
  bool has_enough(std::size_t stage) const;
  void begin(Stage& stage);
  bool finish_ready();
  void finish(std::size_t stage);
  void finish(std::size_t stage, std::uint64_t soup, const gpu_soups::SoupResult& result);
  void run_alone(std::uint64_t soup);
  bool fly_by_themselves(std::span<const gpu_soups::SoupShip> ships, std::uint64_t now,
                         const ShipsBeside& beside);
  bool are_separate(std::span<const gpu_soups::SoupShip> ships, std::uint64_t now, std::uint64_t group);
  bool has_objects(std::span<const gpu_soups::word> clusters, std::span<const gpu_soups::SoupShip> ships);

  Calls calls_;
  Make make_;
  std::shared_ptr<SharedClusterTable> table_;
  SoupRun alone_;
  std::array<Stage, std::size(gpu_soup_sizes)> stages_;
  bool has_more_ = true;  // soups that are not begun
  int first_alone_ = 0;   // soups
  SoupObjects objects_;
};

}  // namespace moorea
