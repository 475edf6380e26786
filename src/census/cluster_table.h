// SPDX-License-Identifier: MIT
// Clusters of a catalogue as a GPU looks them up (devices/soups_call.h). Threads share the table and its
// copies in the memory of the GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "census/away_cluster.h"
#include "census/catalogue.h"
#include "devices/gpu_soups.h"

namespace moorea {

/// An id is the number of a cluster in the list of the catalogue. Not those that are too large, or of longer
/// periods, or move and are not ships.
class ClusterTable {
 public:
  /// Adds what has been found since the last call.
  void update(const SharedCatalogue& shared);
  /// The cluster of an id in a table; also while another thread updates it.
  const SharedCluster& known(std::size_t id) const { return known_[id]; }
  /// Of a ship that has left a square.
  MovingBox swept(const gpu_soups::SoupShip& ship, std::uint64_t now) const {
    return swept_box(*known(ship.id), {ship.x, ship.y}, ship.generation, now);
  }
  std::size_t size() const { return placed_; }
  std::span<const gpu_soups::SoupCluster> places() const { return places_; }

 private:
  void put(const gpu_soups::SoupCluster& cluster);
  gpu_soups::SoupCluster& place_of(const gpu_soups::SoupCluster& cluster);

  std::unique_ptr<SharedCluster[]> known_ = std::make_unique<SharedCluster[]>(SharedCatalogue::max_listed);
  std::size_t count_ = 0, placed_ = 0;
  std::vector<gpu_soups::SoupCluster> places_ = std::vector<gpu_soups::SoupCluster>(1 << 10);
};

class SharedClusterTable {
 public:
  SharedClusterTable(std::shared_ptr<SharedCatalogue> catalogue, std::unique_ptr<GpuSoupTables> gpu)
      : catalogue_(std::move(catalogue)), gpu_(std::move(gpu)) {}

  /// Adds what has been found since the last call; returns how many clusters the table has.
  std::size_t update();
  /// The copy for the next call. Updates the table, and makes another copy if it has grown by a 32nd. While
  /// another thread does so this is the copy before, if there is one.
  std::shared_ptr<const GpuSoupTable> newest();
  /// For what calls with such a copy have found.
  const ClusterTable& clusters() const { return table_; }
  const std::shared_ptr<SharedCatalogue>& catalogue() const { return catalogue_; }

 private:
  std::shared_ptr<SharedCatalogue> catalogue_;
  std::unique_ptr<GpuSoupTables> gpu_;
  std::mutex updating_;  // of the table
  ClusterTable table_;
  std::size_t copied_ = 0;  // clusters of the newest copy
  std::mutex guard_;        // of the newest copy
  std::shared_ptr<const GpuSoupTable> newest_;
};

}  // namespace moorea
