// SPDX-License-Identifier: MIT
#include "census/catalogue.h"

#include "moorea/census.h"
#include "objects/apgcode.h"
#include "objects/settled.h"

namespace moorea {
namespace {

// Common multiples of periods for which objects of a cluster are compared with those of each alone
constexpr std::uint64_t max_common_period = 100'000;

}  // namespace

void Catalogue::trim() {
  if (small_.size() > max_entries) small_.clear();
  if (large_.size() > max_entries) large_.clear();
}

Catalogue::Entry& Catalogue::entry(std::span<const Position> cells, const Box& box) {
  if (box.width <= small && box.height <= small) {
    std::uint64_t key = 0;
    for (const Position& cell : cells) key |= std::uint64_t{1} << ((cell.y - box.y) * small + cell.x - box.x);
    return small_[key];
  }
  // Two bytes a coordinate, in the order of the rows
  CellList sorted(cells.begin(), cells.end());
  std::sort(sorted.begin(), sorted.end(), RowOrder());
  key_.clear();
  for (const Position& cell : sorted) {
    for (const std::int64_t coordinate : {cell.x - box.x, cell.y - box.y}) {
      key_ += static_cast<char>(coordinate & 0xFF);
      key_ += static_cast<char>(coordinate >> 8);
    }
  }
  return large_[key_];
}

const KnownCluster* Catalogue::find(std::span<const Position> cells, const Box& box,
                                    std::uint64_t max_period) {
  Entry& found = entry(cells, box);
  if (!found.known && found.searched < max_period) {
    found.searched = max_period;
    CellList sorted(cells.begin(), cells.end());
    for (Position& cell : sorted) cell = cell - box.position();
    std::sort(sorted.begin(), sorted.end(), RowOrder());
    found.known = identify(sorted, max_period);
  }
  return found.known.get();
}

std::unique_ptr<KnownCluster> Catalogue::identify(const CellList& cells, std::uint64_t max_period) {
  std::optional<Cycle> cycle = find_cycle(context_, cells, max_period);
  if (!cycle) return nullptr;
  Separation separation(context_, cells);
  const std::optional<SettledWorld> world = settled_world(
      context_, separation, {cycle->period(), std::max(cycle->period(), max_common_period), 0, true});
  if (!world) return nullptr;
  auto known = std::make_unique<KnownCluster>();
  known->swept = {cycle->swept(), cycle->displacement, cycle->period()};
  for (const Cycle& object : world->objects) {
    const std::uint32_t code = code_index(object);
    const auto same = std::find_if(known->parts.begin(), known->parts.end(),
                                   [&](const KnownCluster::Part& part) { return part.code == code; });
    if (same != known->parts.end())
      ++same->count;
    else
      known->parts.push_back({code, 1});
  }
  if (known->moves()) known->cycle = std::move(*cycle);
  return known;
}

std::uint32_t Catalogue::code_index(const Cycle& object) {
  std::string code = apgcode(object);
  if (code.empty()) code = oversized_code;
  const auto [found, is_new] = index_.try_emplace(code, static_cast<std::uint32_t>(codes_.size()));
  if (is_new) codes_.push_back(code);
  return found->second;
}

}  // namespace moorea
