// SPDX-License-Identifier: MIT
#include "census/catalogue.h"

#include "moorea/census.h"
#include "objects/apgcode.h"
#include "objects/settled.h"

namespace moorea {
namespace {

// Common multiples of periods for which objects of a cluster are compared with those of each alone
constexpr std::uint64_t max_common_period = 100'000;

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t scrambled(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

}  // namespace

void Catalogue::trim() {
  if (clusters_.size() <= max_clusters_) return;
  std::ranges::fill(recent_, Recent());
  clusters_.clear();
}

Catalogue::Key Catalogue::key_of(std::span<const Position> cells, const Box& box) {
  Key key;
  if (box.width <= small && box.height <= small) {
    for (const Position& cell : cells)
      key.first |= std::uint64_t{1} << ((cell.y - box.y) * small + cell.x - box.x);
    return key;
  }
  for (const Position& cell : cells) {
    const auto place = static_cast<std::uint64_t>((cell.y - box.y) << 16 | (cell.x - box.x));
    key.first += scrambled(place);
    key.second += scrambled(~place);
  }
  return key;
}

const KnownCluster* Catalogue::find(std::span<const Position> cells, const Box& box,
                                    std::uint64_t max_period) {
  const Key key = key_of(cells, box);
  Recent& last = recent(key);
  if (last.known != nullptr && last.key == key) return last.known;
  Entry& found = clusters_[key];
  if (!found.known && found.searched < max_period) {
    found.searched = max_period;
    CellList sorted(cells.begin(), cells.end());
    for (Position& cell : sorted) cell = cell - box.position();
    std::sort(sorted.begin(), sorted.end(), RowOrder());
    if (std::optional<Cycle> cycle = find_cycle(context_, sorted, max_period)) {
      const MovingBox swept = {cycle->swept(), cycle->displacement, cycle->period()};
      found.known = std::make_shared<KnownCluster>(swept, std::move(*cycle));
      if (on_found_) on_found_(found.known);
    }
  }
  if (found.known) last = {key, found.known.get()};
  return found.known.get();
}

std::span<const CountedObject> Catalogue::objects(const KnownCluster& cluster) {
  if (!cluster.objects) cluster.objects = separate(cluster.cycle);
  return *cluster.objects;
}

std::vector<CountedObject> Catalogue::separate(const Cycle& cluster) {
  std::vector<CountedObject> counted;
  Separation separation(context_, cluster.phases.front());
  const std::optional<SettledWorld> world = settled_world(
      context_, separation, {cluster.period(), std::max(cluster.period(), max_common_period), 0, true});
  if (!world) return counted;
  for (const Cycle& object : world->objects) {
    const std::string text = apgcode(object);
    const std::uint32_t code = index_of(text.empty() ? std::string(oversized_code) : text);
    const auto same = std::ranges::find(counted, code, &CountedObject::code);
    if (same != counted.end())
      ++same->count;
    else
      counted.push_back({code, 1});
  }
  return counted;
}

std::uint32_t Catalogue::index_of(const std::string& code) {
  const auto [found, is_new] = index_.try_emplace(code, static_cast<std::uint32_t>(codes_.size()));
  if (is_new) codes_.push_back(code);
  return found->second;
}

}  // namespace moorea
