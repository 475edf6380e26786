// SPDX-License-Identifier: MIT
#include "census/gpu_soup_stream.h"

#include <algorithm>
#include <bit>
#include <map>

#include "census/soup.h"
#include "model/digest.h"

namespace moorea {
namespace {

using gpu_soups::SoupResult;
using gpu_soups::SoupShip;

// Soups run alone at first until the table has the most frequent clusters, but not very many
constexpr std::size_t enough_known = 256;
constexpr int max_first_alone = 64;

}  // namespace

static AwayCluster away(const SoupShip& ship, const ClusterTable& table) {
  return {table.known(ship.id), {ship.x, ship.y}, ship.generation};
}

SoupState state_of(const SoupResult& result, const GpuSoups& gpu, const ClusterTable& table) {
  SoupState state;
  state.generation = result.generation;
  const std::span<const gpu_soups::word> board = gpu.board(result);
  std::int64_t words = 4;  // of a row
  while (board.size() > static_cast<std::size_t>(32 * words * words)) words *= 2;
  state.cells.reserve(512);
  auto word = board.begin();
  for (std::int64_t y = -result.y; word != board.end(); ++y) {
    for (std::int64_t x = -result.x; x < 32 * words - result.x; x += 32) {
      for (gpu_soups::word left = *word++; left != 0; left &= left - 1)
        state.cells.push_back({x + std::countr_zero(left), y});
    }
  }
  for (const SoupShip& ship : gpu.ships(result)) state.away.push_back(away(ship, table));
  return state;
}

namespace {

// Columns or rows of a ship at its generation, and by how many quarters of one it moves in a generation.
struct FlyingInterval {
  std::int64_t low = 0, high = 0;
  int velocity = 0;

  FlyingInterval after(std::int64_t generations) const {
    const std::int64_t by = velocity * generations >> 2;
    return {low + by, high + by, velocity};
  }
};

// Whether two are far from each other, and neither moves towards the other.
bool recede(const FlyingInterval& a, const FlyingInterval& b) {
  constexpr std::int64_t distance = 3;  // as for relation()
  return (a.high + distance <= b.low && a.velocity <= b.velocity) ||
         (b.high + distance <= a.low && b.velocity <= a.velocity);
}

}  // namespace

std::optional<ShipsBeside> ships_beside(std::span<const SoupShip> ships, const ClusterTable& table) {
  ShipsBeside beside{};
  if (ships.size() < 2) return beside;
  std::array<std::array<FlyingInterval, 2>, gpu_soups::max_soup_ships> extents;  // columns and rows
  for (std::size_t i = 0; i < ships.size(); ++i) {
    const Box box = table.swept(ships[i], ships[i].generation).box;
    extents[i] = {{{box.x, box.right(), ships[i].dx}, {box.y, box.bottom(), ships[i].dy}}};
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint64_t later = std::max(ships[i].generation, ships[j].generation);
      const auto i_flies = static_cast<std::int64_t>(later - ships[i].generation),
                 j_flies = static_cast<std::int64_t>(later - ships[j].generation);
      const auto recede_along = [&](std::size_t axis) {
        return recede(extents[i][axis].after(i_flies), extents[j][axis].after(j_flies));
      };
      // Most of them do
      if (recede_along(0) || recede_along(1)) continue;
      const Relation found = relation(table.swept(ships[i], later), table.swept(ships[j], later));
      if (found == Relation::meeting) return std::nullopt;
      if (found == Relation::apart) continue;
      beside[i] |= std::uint64_t{1} << j;
      beside[j] |= std::uint64_t{1} << i;
    }
  }
  return beside;
}

std::optional<gpu_soups::SoupStart> start_in_larger(const SoupResult& result, std::span<const SoupShip> ships,
                                                    const ShipsBeside& beside, std::int64_t size,
                                                    std::int64_t reach, const ClusterTable& table) {
  const int larger = static_cast<int>(2 * size),
            ring = gpu_soups::soup_ring_of(larger, static_cast<int>(reach));
  gpu_soups::SoupStart start{};
  start.generation = result.generation;
  start.x = result.x;
  start.y = result.y;
  for (std::size_t i = 0; i < ships.size(); ++i) {
    SoupShip ship = ships[i];
    ship.x = static_cast<short>(ship.x + size / 2);
    ship.y = static_cast<short>(ship.y + size / 2);
    if (gpu_soups::is_away(ship, start.generation, start.x, start.y, larger, ring)) {
      start.ships[start.ship_count++] = ship;
      continue;
    }
    if (beside[i] != 0 || ship.beside > 0) return std::nullopt;
    const CellList cells = away(ship, table).cells(start.generation);
    const Box box = bounds(cells);
    const int x = static_cast<int>(box.x) + start.x, y = static_cast<int>(box.y) + start.y;
    if (!gpu_soups::ship_remains(x, y, x + static_cast<int>(box.width), y + static_cast<int>(box.height),
                                 ship.dx, ship.dy, larger))
      return std::nullopt;
    gpu_soups::ReturnedShip& returned = start.returned[start.returned_count++];
    returned.x = static_cast<short>(x);
    returned.y = static_cast<short>(y);
    for (const Position& cell : cells)
      returned.rows[cell.y - box.y] |= static_cast<unsigned char>(1 << (cell.x - box.x));
  }
  return start;
}

std::optional<gpu_soups::SoupNames> soup_names(std::string_view root, std::string_view symmetry) {
  if (symmetry != plain_symmetry || root.size() > gpu_soups::max_root) return std::nullopt;
  gpu_soups::SoupNames names{};
  std::ranges::copy(sha256_constants().rounds, names.rounds);
  std::ranges::copy(sha256_constants().start, names.start);
  std::ranges::copy(root, names.root);
  names.root_length = static_cast<unsigned char>(root.size());
  return names;
}

GpuSoupStream::GpuSoupStream(const Rule& rule, std::uint64_t max_generations, Make make, Calls calls,
                             std::shared_ptr<SharedClusterTable> table)
    : calls_(std::move(calls)),
      make_(std::move(make)),
      table_(std::move(table)),
      alone_(rule, max_generations, calls_.go_on, table_->catalogue()) {
  for (std::size_t i = 0; i < stages_.size(); ++i) stages_[i].size = gpu_soup_sizes[i];
  stages_.front().gpu = make_(stages_.front().size);
}

void GpuSoupStream::run() {
  for (; first_alone_ < max_first_alone && table_->update() < enough_known; ++first_alone_) {
    const std::optional<std::uint64_t> soup = calls_.next();
    if (!soup) return;
    run_alone(*soup);
  }
  for (has_more_ = true;;) {
    if (calls_.go_on && !calls_.go_on()) throw SearchStopped();
    fill();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (stages_[i].under_way.empty() && has_enough(i)) begin(stages_[i]);
    }
    if (finish_ready()) continue;
    // Waits for the one that takes least
    const auto first =
        std::ranges::find_if(stages_, [](const Stage& each) { return !each.under_way.empty(); });
    if (first == stages_.end()) {
      if (!has_more_) return;
      continue;
    }
    finish(static_cast<std::size_t>(first - stages_.begin()));
  }
}

// Soups that begin, for the first stage.
void GpuSoupStream::fill() {
  static_assert(std::endian::native == std::endian::little, "rows are two words of 32 columns");
  Stage& first = stages_.front();
  std::array<std::uint64_t, gpu_soups::soup_side> rows;
  while (has_more_ && first.waiting.size() < first.gpu->max_soups()) {
    const std::optional<std::uint64_t> soup = calls_.next();
    has_more_ = soup.has_value();
    if (!has_more_) return;
    if (calls_.names) {
      first.waiting.push_back(*soup);
      continue;
    }
    rows.fill(0);
    if (!calls_.rows(*soup, rows)) {
      run_alone(*soup);
      continue;
    }
    first.waiting.push_back(*soup);
    for (const std::uint64_t row : rows) {
      first.cells.push_back(static_cast<gpu_soups::word>(row));
      first.cells.push_back(static_cast<gpu_soups::word>(row >> 32));
    }
  }
}

// All but the first stage wait for many soups, or for the last ones. None goes on while many wait for the
// next one, whose cells would take ever more memory.
bool GpuSoupStream::has_enough(std::size_t stage) const {
  const Stage& mine = stages_[stage];
  if (mine.waiting.empty()) return false;
  if (stage + 1 < stages_.size()) {
    const Stage& next = stages_[stage + 1];
    if (next.gpu && next.waiting.size() >= 2 * next.gpu->max_soups()) return false;
  }
  return stage == 0 || mine.waiting.size() >= mine.gpu->max_soups() ||
         (!has_more_ && std::ranges::all_of(std::span(stages_).first(stage), [](const Stage& before) {
           return before.waiting.empty() && before.under_way.empty();
         }));
}

void GpuSoupStream::begin(Stage& stage) {
  const std::size_t count = std::min(stage.waiting.size(), stage.gpu->max_soups()),
                    words = stage.cells.size() / stage.waiting.size() * count;
  const auto take = [](auto& all, std::size_t number) {
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(number));
  };
  const std::size_t starts = std::min(count, stage.starts.size());
  if (&stage == &stages_.front() && calls_.names)
    stage.gpu->begin(*calls_.names, std::span(stage.waiting).first(count), table_->newest());
  else
    stage.gpu->begin(std::span(stage.cells).first(words), std::span(stage.starts).first(starts),
                     table_->newest());
  stage.under_way.assign(stage.waiting.begin(), stage.waiting.begin() + static_cast<std::ptrdiff_t>(count));
  take(stage.waiting, count);
  take(stage.cells, words);
  take(stage.starts, starts);
}

// Whether a stage had ended.
bool GpuSoupStream::finish_ready() {
  bool has_one = false;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i].under_way.empty() || !stages_[i].gpu->is_ready()) continue;
    finish(i);
    has_one = true;
  }
  return has_one;
}

// Begins others before the host looks at the results.
void GpuSoupStream::finish(std::size_t stage) {
  const std::span<const SoupResult> results = stages_[stage].gpu->results();
  const std::vector<std::uint64_t> soups = std::exchange(stages_[stage].under_way, {});
  if (stage == 0) fill();
  if (has_enough(stage)) begin(stages_[stage]);
  for (std::size_t i = 0; i < soups.size(); ++i) finish(stage, soups[i], results[i]);
}

void GpuSoupStream::finish(std::size_t stage, std::uint64_t soup, const SoupResult& result) {
  if (result.status == gpu_soups::cut_off) return calls_.complete(soup, alone_.cut_off());
  if (result.status == gpu_soups::doubtful) return run_alone(soup);
  const GpuSoups& gpu = *stages_[stage].gpu;
  const std::int64_t size = stages_[stage].size;
  const std::span<const SoupShip> ships = gpu.ships(result);
  const std::optional<ShipsBeside> beside = ships_beside(ships, table_->clusters());
  if (!beside) return run_alone(soup);
  const bool is_largest = stage + 1 == stages_.size() ||
                          gpu_soups::soup_is_cut_off(static_cast<int>(size), static_cast<int>(calls_.reach));
  if (result.board > 0 && result.status == gpu_soups::crowded && !is_largest) {
    if (const auto start = start_in_larger(result, ships, *beside, size, calls_.reach, table_->clusters())) {
      Stage& next = stages_[stage + 1];
      // Not before, since threads wait for each other to reserve memory
      if (!next.gpu) next.gpu = make_(next.size);
      const std::span<const gpu_soups::word> board = gpu.board(result);
      next.waiting.push_back(soup);
      next.cells.insert(next.cells.end(), board.begin(), board.end());
      next.starts.push_back(*start);
      return;
    }
  }
  if (!fly_by_themselves(ships, result.generation, *beside)) return run_alone(soup);
  if (result.status == gpu_soups::settled && has_objects(gpu.clusters(result), ships))
    return calls_.complete(soup, objects_);
  if (result.board == 0) return run_alone(soup);
  SoupState state = state_of(result, gpu, table_->clusters());
  if (calls_.reach > 0) {
    const std::int64_t first = (size - calls_.reach) / 2;
    state.reach = {first, first, calls_.reach, calls_.reach};
  }
  const bool recurs = result.status != gpu_soups::crowded && result.status != gpu_soups::unsettled;
  const SoupObjects* const objects = recurs ? alone_.settled(state) : nullptr;
  if (objects != nullptr) return calls_.complete(soup, *objects);
  if (calls_.reach > 0 && state.generation % SoupRun::interval != 0) return run_alone(soup);
  calls_.complete(soup, alone_.run(calls_.state(soup), std::move(state)));
}

void GpuSoupStream::run_alone(std::uint64_t soup) { calls_.complete(soup, alone_.run(calls_.state(soup))); }

// Whether ships that fly beside each other do as if each were alone. False if one of them has not left.
bool GpuSoupStream::fly_by_themselves(std::span<const SoupShip> ships, std::uint64_t now,
                                      const ShipsBeside& beside) {
  std::uint64_t seen = 0;
  for (std::size_t first = 0; first < ships.size(); ++first) {
    std::uint64_t group = 0, added = std::uint64_t{1} << first & ~seen;
    while (added != 0) {
      const auto i = static_cast<std::size_t>(std::countr_zero(added));
      if (std::popcount(beside[i]) < ships[i].beside) return false;
      group |= std::uint64_t{1} << i;
      added = (added | beside[i]) & ~group;
    }
    seen |= group;
    if (std::popcount(group) > 1 && !are_separate(ships, now, group)) return false;
  }
  return true;
}

// Whether ships have the same objects together as alone.
bool GpuSoupStream::are_separate(std::span<const SoupShip> ships, std::uint64_t now, std::uint64_t group) {
  CellList cells;
  std::map<std::uint32_t, std::uint64_t> alone, together;
  for (std::uint64_t left = group; left != 0; left &= left - 1) {
    const SoupShip& ship = ships[static_cast<std::size_t>(std::countr_zero(left))];
    const CellList mine = away(ship, table_->clusters()).cells(now);
    cells.insert(cells.end(), mine.begin(), mine.end());
    for (const CountedObject& each : catalogue().objects(*table_->clusters().known(ship.id)))
      alone[each.code] += each.count;
  }
  const KnownCluster* const all = catalogue().find(cells, bounds_of_unsorted(cells), short_period);
  if (all == nullptr || !all->moves()) return false;
  for (const CountedObject& each : catalogue().objects(*all)) together[each.code] += each.count;
  return together == alone;
}

// Replaces objects_; false if a cluster could not be separated.
bool GpuSoupStream::has_objects(std::span<const gpu_soups::word> clusters, std::span<const SoupShip> ships) {
  objects_.clear();
  const auto add = [&](std::size_t id) {
    const std::span<const CountedObject> found = catalogue().objects(*table_->clusters().known(id));
    objects_.insert(objects_.end(), found.begin(), found.end());
    return !found.empty();
  };
  return std::ranges::all_of(clusters, add) &&
         std::ranges::all_of(ships, [&](const SoupShip& ship) { return add(ship.id); });
}

}  // namespace moorea
