// SPDX-License-Identifier: MIT
#include "census/gpu_soup_stream.h"

#include <algorithm>
#include <bit>

namespace moorea {
namespace {

using gpu_soups::SoupCluster;
using gpu_soups::SoupResult;

// Soups run alone at first until the table has the most frequent clusters, but not very many
constexpr std::size_t enough_known = 256;
constexpr int max_first_alone = 64;

// Whether it is one as SoupClusterKind describes.
bool is_glider(const KnownCluster& known) {
  const Box now = bounds(known.cycle.phases.front()), &later = known.in_period;
  const Position& by = known.swept.displacement;
  // By how much the first and the last edge of a box move at most in a period
  const auto advances = [](std::int64_t direction, std::int64_t first, std::int64_t last) {
    return direction > 0 ? first >= 0 && last <= 1 : first >= -1 && last <= 0;
  };
  return known.swept.period == 4 && std::abs(by.x) == 1 && std::abs(by.y) == 1 &&
         advances(by.x, later.x - now.x, later.right() - now.right()) &&
         advances(by.y, later.y - now.y, later.bottom() - now.bottom()) &&
         std::ranges::all_of(known.cycle.phases, [](const CellList& phase) {
           const Box box = bounds(phase);
           return phase.size() == 5 && box.width <= gpu_soups::glider_side &&
                  box.height <= gpu_soups::glider_side;
         });
}

// Its entry in the table, with the first row and column at (0, 0); nothing if it is too large, or neither
// steady nor a glider.
std::optional<SoupCluster> soup_cluster(const KnownCluster& known) {
  SoupCluster cluster{};
  const CellList& cells = known.cycle.phases.front();
  for (const Position& cell : cells) {
    if (cell.x >= gpu_soups::cluster_side || cell.y >= gpu_soups::cluster_side) return std::nullopt;
    cluster.cells[cell.y / 2] |= gpu_soups::word{1} << (cell.y % 2 * 16 + cell.x);
  }
  const MovingBox& swept = known.swept;
  if (!known.moves()) {
    if (swept.period > 2) return std::nullopt;
    const CellList& next = known.cycle.phases.back();
    cluster.kind = gpu_soups::steady;
    cluster.parts = static_cast<unsigned char>(ClusterSearch().find(next, bounds(next)).size());
    return cluster;
  }
  if (!is_glider(known)) return std::nullopt;
  cluster.kind = gpu_soups::glider;
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
  const std::size_t first = known_.size();
  shared.list(known_);
  for (std::size_t id = first; id < known_.size(); ++id) {
    std::optional<SoupCluster> cluster = soup_cluster(*known_[id]);
    if (!cluster || place_of(*cluster).kind != gpu_soups::no_cluster) continue;
    cluster->id = static_cast<unsigned short>(id);
    if (2 * ++placed_ > places_.size()) {
      const std::vector<SoupCluster> all =
          std::exchange(places_, std::vector<SoupCluster>(4 * places_.size()));
      for (const SoupCluster& each : all) {
        if (each.kind != gpu_soups::no_cluster) place_of(each) = each;
      }
    }
    place_of(*cluster) = *cluster;
  }
}

// The place of a cluster, or one where it may be put.
SoupCluster& ClusterTable::place_of(const SoupCluster& cluster) {
  const auto places = static_cast<unsigned>(places_.size());
  unsigned at = gpu_soups::soup_cluster_place(cluster.cells, places);
  while (places_[at].kind != gpu_soups::no_cluster && !std::ranges::equal(places_[at].cells, cluster.cells))
    at = (at + 1) & (places - 1);
  return places_[at];
}

static AwayCluster away(const gpu_soups::SoupGlider& glider, const ClusterTable& table) {
  return {table.known(glider.id), {glider.x, glider.y}, glider.generation};
}

SoupState state_of(const SoupResult& result, const GpuSoups& gpu, const ClusterTable& table) {
  SoupState state;
  state.generation = result.generation;
  const std::span<const gpu_soups::word> board = gpu.board(result);
  const std::int64_t words = board.size() == 128 * 128 / 32 ? 4 : 8;  // of a row
  for (std::size_t i = 0; i < board.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    for (gpu_soups::word left = board[i]; left != 0; left &= left - 1)
      state.cells.push_back({at % words * 32 + std::countr_zero(left) - result.x, at / words - result.y});
  }
  for (const gpu_soups::SoupGlider& glider : std::span(result.gliders).first(result.glider_count))
    state.away.push_back(away(glider, table));
  return state;
}

GpuSoupStream::GpuSoupStream(const Rule& rule, std::uint64_t max_generations, const Make& make, Calls calls,
                             std::shared_ptr<SharedCatalogue> shared)
    : calls_(std::move(calls)), alone_(rule, max_generations, calls_.go_on, std::move(shared)) {
  stages_[0].gpu = make(128);
  stages_[1].gpu = make(256);
}

void GpuSoupStream::run() {
  for (; first_alone_ < max_first_alone && table_.size() < enough_known; ++first_alone_) {
    const std::optional<std::uint64_t> soup = calls_.next();
    if (!soup) return;
    run_alone(*soup);
    table_.update(catalogue().shared());
  }
  for (bool has_more = true;;) {
    if (calls_.go_on && !calls_.go_on()) throw SearchStopped();
    Stage& first = stages_[0];
    while (has_more && first.waiting.size() < first.gpu->max_soups()) {
      const std::optional<std::uint64_t> soup = calls_.next();
      has_more = soup.has_value();
      if (has_more) first.waiting.push_back(*soup);
    }
    bool any = false;
    for (std::size_t i = 0; i < std::size(stages_); ++i) {
      // The second one waits for many, or for the last ones
      const bool is_enough = i == 0 || stages_[i].waiting.size() >= stages_[i].gpu->max_soups() ||
                             (!has_more && first.waiting.empty() && first.under_way.empty());
      if (stages_[i].under_way.empty() && is_enough) begin(stages_[i]);
      any = any || !stages_[i].under_way.empty();
    }
    if (!any && !has_more) return;
    for (std::size_t i = 0; i < std::size(stages_); ++i) finish(i);
  }
}

void GpuSoupStream::begin(Stage& stage) {
  const std::size_t count = std::min(stage.waiting.size(), stage.gpu->max_soups());
  cells_.clear();
  while (stage.under_way.size() < count && !stage.waiting.empty()) {
    const std::uint64_t soup = stage.waiting.front();
    stage.waiting.pop_front();
    constexpr std::size_t side = gpu_soups::soup_side;
    const std::size_t first = cells_.size();
    cells_.resize(first + side);
    if (calls_.rows(soup, std::span(cells_).subspan(first).first<side>())) {
      stage.under_way.push_back(soup);
    } else {
      cells_.resize(first);
      run_alone(soup);
    }
  }
  if (stage.under_way.empty()) return;
  table_.update(catalogue().shared());
  if (stage.known < table_.size()) {
    stage.known = table_.size();
    stage.gpu->set_clusters(table_.places());
  }
  stage.gpu->begin(cells_);
}

// Begins others before the host looks at the results.
void GpuSoupStream::finish(std::size_t stage) {
  Stage& finished = stages_[stage];
  if (finished.under_way.empty()) return;
  const std::span<const SoupResult> results = finished.gpu->results();
  const std::vector<std::uint64_t> soups = std::exchange(finished.under_way, {});
  if (stage == 0) begin(finished);
  for (std::size_t i = 0; i < soups.size(); ++i) {
    const SoupResult& result = results[i];
    if (result.status == gpu_soups::crowded && stage + 1 < std::size(stages_)) {
      stages_[stage + 1].waiting.push_back(soups[i]);
    } else if (!have_left_apart(result)) {
      run_alone(soups[i]);
    } else if (result.status == gpu_soups::settled && has_objects(result)) {
      calls_.complete(soups[i], objects_);
    } else if (result.board > 0) {
      calls_.complete(soups[i], alone_.run(calls_.cells(soups[i]), state_of(result, *finished.gpu, table_)));
    } else {
      run_alone(soups[i]);
    }
  }
}

void GpuSoupStream::run_alone(std::uint64_t soup) { calls_.complete(soup, alone_.run(calls_.cells(soup))); }

// Whether gliders that have left the square never meet.
bool GpuSoupStream::have_left_apart(const SoupResult& result) const {
  const auto gliders = std::span(result.gliders).first(result.glider_count);
  for (std::size_t i = 0; i < gliders.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint64_t later = std::max(gliders[i].generation, gliders[j].generation);
      if (relation(away(gliders[i], table_).swept(later), away(gliders[j], table_).swept(later)) !=
          Relation::apart)
        return false;
    }
  }
  return true;
}

// Replaces objects_; false if a cluster could not be separated.
bool GpuSoupStream::has_objects(const SoupResult& result) {
  objects_.clear();
  const auto add = [&](std::size_t id) {
    const std::span<const CountedObject> found = catalogue().objects(*table_.known(id));
    objects_.insert(objects_.end(), found.begin(), found.end());
    return !found.empty();
  };
  return std::ranges::all_of(std::span(result.clusters).first(result.cluster_count), add) &&
         std::ranges::all_of(std::span(result.gliders).first(result.glider_count),
                             [&](const gpu_soups::SoupGlider& glider) { return add(glider.id); });
}

}  // namespace moorea
