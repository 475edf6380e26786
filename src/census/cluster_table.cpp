// SPDX-License-Identifier: MIT
#include "census/cluster_table.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "census/clusters.h"

namespace moorea {
namespace {

using gpu_soups::SoupCluster;

// A GPU receives the table when that has grown by this part
constexpr std::size_t new_share = 32;

// By how much the first and the last edge of a box move at most in a period.
bool advances(std::int64_t by, std::int64_t first, std::int64_t last) {
  if (by == 0) return first >= -2 && last <= 2;
  return by > 0 ? first >= 0 && last <= by : first >= by && last <= 0;
}

// Whether it is one as SoupClusterKind describes.
bool is_ship(const KnownCluster& known) {
  const Box now = bounds(known.cycle.phases.front()), &later = known.in_period;
  const Position& by = known.swept.displacement;
  const bool is_slow = std::abs(by.x) == 1 && std::abs(by.y) == 1;
  const bool is_straight = by.x * by.y == 0 && std::abs(by.x + by.y) == 2;
  return known.swept.period == 4 && (is_slow || is_straight) &&
         advances(by.x, later.x - now.x, later.right() - now.right()) &&
         advances(by.y, later.y - now.y, later.bottom() - now.bottom()) &&
         std::ranges::all_of(known.cycle.phases, [](const CellList& phase) {
           const Box box = bounds(phase);
           return box.width <= gpu_soups::ship_side && box.height <= gpu_soups::ship_side;
         });
}

std::size_t clusters_in(const CellList& cells) { return ClusterSearch().find(cells, bounds(cells)).size(); }

// Its entry in the table in one of its phases, with the first row and column at (0, 0); nothing if that is
// too large, or more than one cluster, or it is neither steady nor a ship in its first phase.
std::optional<SoupCluster> soup_cluster(const KnownCluster& known, std::size_t phase) {
  SoupCluster cluster{};
  const std::vector<CellList>& phases = known.cycle.phases;
  const Position corner = bounds(phases[phase]).position();
  for (const Position& each : phases[phase]) {
    const Position cell = each - corner;
    if (cell.x >= gpu_soups::cluster_side || cell.y >= gpu_soups::cluster_side) return std::nullopt;
    cluster.cells[cell.y / 2] |= gpu_soups::word{1} << (cell.y % 2 * 16 + cell.x);
  }
  const MovingBox& swept = known.swept;
  if (!known.moves()) {
    if (swept.period > 2 || clusters_in(phases[phase]) != 1) return std::nullopt;
    cluster.kind = gpu_soups::steady;
    cluster.parts = static_cast<unsigned char>(swept.period == 1 ? 1 : clusters_in(phases[1 - phase]));
    return cluster;
  }
  if (phase != 0 || !is_ship(known)) return std::nullopt;
  cluster.kind = gpu_soups::ship;
  cluster.left = static_cast<signed char>(swept.box.x);
  cluster.top = static_cast<signed char>(swept.box.y);
  cluster.right = static_cast<signed char>(swept.box.right());
  cluster.bottom = static_cast<signed char>(swept.box.bottom());
  cluster.dx = static_cast<signed char>(swept.displacement.x);
  cluster.dy = static_cast<signed char>(swept.displacement.y);
  return cluster;
}

}  // namespace

void ClusterTable::update(const SharedCatalogue& shared) {
  const std::size_t first = count_;
  count_ = shared.list({known_.get(), SharedCatalogue::max_listed}, first);
  for (std::size_t id = first; id < count_; ++id) {
    // In both phases, of which the GPU may see the one or the other
    for (std::size_t phase = 0; phase < std::min<std::size_t>(known_[id]->cycle.period(), 2); ++phase) {
      if (std::optional<SoupCluster> cluster = soup_cluster(*known_[id], phase)) {
        cluster->id = static_cast<gpu_soups::word>(id);
        put(*cluster);
      }
    }
  }
}

// Unless it has its place.
void ClusterTable::put(const SoupCluster& cluster) {
  if (place_of(cluster).kind != gpu_soups::no_cluster) return;
  if (2 * ++placed_ > places_.size()) {
    const std::vector<SoupCluster> all = std::exchange(places_, std::vector<SoupCluster>(2 * places_.size()));
    for (const SoupCluster& each : all) {
      if (each.kind != gpu_soups::no_cluster) place_of(each) = each;
    }
  }
  place_of(cluster) = cluster;
}

// The place of a cluster, or one where it may be put.
SoupCluster& ClusterTable::place_of(const SoupCluster& cluster) {
  const auto places = static_cast<unsigned>(places_.size());
  unsigned at = gpu_soups::soup_cluster_place(cluster.cells, places);
  while (places_[at].kind != gpu_soups::no_cluster && !std::ranges::equal(places_[at].cells, cluster.cells))
    at = (at + 1) & (places - 1);
  return places_[at];
}

std::size_t SharedClusterTable::update() {
  const std::lock_guard lock(updating_);
  table_.update(*catalogue_);
  return table_.size();
}

std::shared_ptr<const GpuSoupTable> SharedClusterTable::newest() {
  std::unique_lock updating(updating_, std::try_to_lock);
  if (!updating) {
    {
      const std::lock_guard lock(guard_);
      if (newest_) return newest_;
    }
    updating.lock();
  }
  table_.update(*catalogue_);
  const bool is_new = copied_ + copied_ / new_share < table_.size() || !newest_;
  std::shared_ptr<const GpuSoupTable> copy = is_new ? gpu_->copy(table_.places()) : nullptr;
  if (is_new) copied_ = table_.size();
  const std::lock_guard lock(guard_);
  if (is_new) newest_ = std::move(copy);
  return newest_;
}

}  // namespace moorea
