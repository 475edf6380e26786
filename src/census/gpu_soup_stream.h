// SPDX-License-Identifier: MIT
// Soups of one thread that a GPU runs: first on squares of 128 columns and rows, those for which these do not
// suffice on squares of 256, and the rest alone on the CPU (SoupRun). The GPU finds the periodic clusters of
// a soup in a table of those that the catalogue of all threads has.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "census/soup_run.h"
#include "devices/gpu_soups.h"

namespace moorea {

/// Clusters of a catalogue as the GPU looks them up; an id is an index of known(). Not those that are too
/// large, or of longer periods, or move and are not gliders.
class ClusterTable {
 public:
  /// Adds what has been found since the last call.
  void update(const SharedCatalogue& shared);
  const SharedCluster& known(std::size_t id) const { return known_[id]; }
  std::size_t size() const { return placed_; }
  std::span<const gpu_soups::SoupCluster> places() const { return places_; }

 private:
  gpu_soups::SoupCluster& place_of(const gpu_soups::SoupCluster& cluster);

  std::vector<SharedCluster> known_;
  std::size_t placed_ = 0;
  std::vector<gpu_soups::SoupCluster> places_ = std::vector<gpu_soups::SoupCluster>(1 << 10);
};

/// A soup whose cells have been stored.
SoupState state_of(const gpu_soups::SoupResult& result, const GpuSoups& gpu, const ClusterTable& table);

class GpuSoupStream {
 public:
  struct Calls {
    /// Number of the next soup; empty if there is none.
    std::function<std::optional<std::uint64_t>()> next;
    std::function<CellList(std::uint64_t soup)> cells;
    /// The same in the middle of a square, bit i of a row is column i; all rows are 0 before. False if they
    /// do not fit.
    std::function<bool(std::uint64_t soup, std::span<std::uint64_t, gpu_soups::soup_side> rows)> rows;
    /// Receives the objects of a soup, in any order of the soups.
    std::function<void(std::uint64_t soup, const SoupObjects& objects)> complete;
    std::function<bool()> go_on;  ///< as for SoupRun
  };
  /// Creates squares of 128 or 256 columns and rows.
  using Make = std::function<std::unique_ptr<GpuSoups>(std::int64_t size)>;

  GpuSoupStream(const Rule& rule, std::uint64_t max_generations, const Make& make, Calls calls,
                std::shared_ptr<SharedCatalogue> shared = std::make_shared<SharedCatalogue>());

  /// Runs soups until there is no next one and all are complete. Throws SearchStopped.
  void run();
  Catalogue& catalogue() { return alone_.catalogue(); }

 private:
  struct Stage {
    std::unique_ptr<GpuSoups> gpu;
    std::deque<std::uint64_t> waiting;
    std::vector<std::uint64_t> under_way;
    std::size_t known = 0;  // clusters of its table
  };

  void begin(Stage& stage);
  void finish(std::size_t stage);
  void run_alone(std::uint64_t soup);
  bool have_left_apart(const gpu_soups::SoupResult& result) const;
  bool has_objects(const gpu_soups::SoupResult& result);

  Calls calls_;
  ClusterTable table_;
  SoupRun alone_;
  Stage stages_[2];
  int first_alone_ = 0;  // soups
  SoupObjects objects_;
  std::vector<std::uint64_t> cells_;  // of the soups of a stage
};

}  // namespace moorea
