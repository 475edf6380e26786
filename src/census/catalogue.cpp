// SPDX-License-Identifier: MIT
#include "census/catalogue.h"

#include <algorithm>

#include "moorea/census.h"
#include "objects/apgcode.h"
#include "objects/divided.h"
#include "objects/labels.h"
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

KnownCluster::KnownCluster(Cycle all)
    : cycle(std::move(all)), swept{cycle.swept(), cycle.displacement, cycle.period()} {
  for (const CellList& phase : cycle.phases) in_period = unite(in_period, bounds(phase));
}

const std::string& SharedCatalogue::code(std::uint32_t index) const {
  const std::lock_guard lock(guard_);
  return codes_[index];
}

std::uint32_t SharedCatalogue::index_of(const std::string& code) {
  const std::lock_guard lock(guard_);
  const auto [found, is_new] = index_.try_emplace(code, static_cast<std::uint32_t>(codes_.size()));
  if (is_new) codes_.push_back(code);
  return found->second;
}

std::size_t SharedCatalogue::list(std::span<SharedCluster> found, std::size_t first) const {
  const std::lock_guard lock(guard_);
  std::ranges::copy(std::span(listed_).subspan(first), found.begin() + static_cast<std::ptrdiff_t>(first));
  return listed_.size();
}

void Catalogue::trim() {
  const std::lock_guard lock(shared_->guard_);
  if (shared_->clusters_->size() > shared_->max_clusters_)
    shared_->clusters_ = std::make_shared<SharedCatalogue::Clusters>();
  if (clusters_ == shared_->clusters_) return;
  clusters_ = shared_->clusters_;
  std::ranges::fill(recent_, Recent());
}

ClusterKey Catalogue::key_of(std::span<const Position> cells, const Box& box) {
  ClusterKey key;
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

bool Catalogue::is_recent(std::span<const Position> cells, const Box& box) const {
  const ClusterKey key = key_of(cells, box);
  const Recent& last = recent_[place_of(key)];
  return last.known != nullptr && last.key == key;
}

static const KnownCluster* if_short(const KnownCluster* known, std::uint64_t max_period) {
  return known != nullptr && known->cycle.period() <= max_period ? known : nullptr;
}

std::optional<const KnownCluster*> Catalogue::look_up(const ClusterKey& key, std::uint64_t max_period) {
  Recent& last = recent_[place_of(key)];
  if (last.known != nullptr && last.key == key) return if_short(last.known, max_period);
  const std::lock_guard lock(shared_->guard_);
  const auto found = clusters_->find(key);
  if (found == clusters_->end()) return std::nullopt;
  const auto& [known, searched] = found->second;
  if (known) last = {key, known.get()};
  if (!known && searched < max_period) return std::nullopt;
  return if_short(known.get(), max_period);
}

// Several threads may search the same one at the same time.
const KnownCluster* Catalogue::find(std::span<const Position> cells, const Box& box,
                                    std::uint64_t max_period) {
  const ClusterKey key = key_of(cells, box);
  if (const std::optional<const KnownCluster*> found = look_up(key, max_period)) return *found;
  CellList sorted(cells.begin(), cells.end());
  for (Position& cell : sorted) cell = cell - box.position();
  std::sort(sorted.begin(), sorted.end(), RowOrder());
  std::optional<Cycle> cycle = find_cycle(context_, sorted, max_period);
  const std::lock_guard lock(shared_->guard_);
  SharedCatalogue::Entry& found = (*clusters_)[key];
  found.searched = std::max(found.searched, max_period);
  if (cycle && !found.known) {
    found.known = std::make_shared<KnownCluster>(std::move(*cycle));
    if (shared_->listed_.size() < SharedCatalogue::max_listed) shared_->listed_.push_back(found.known);
  }
  if (found.known) recent_[place_of(key)] = {key, found.known.get()};
  return if_short(found.known.get(), max_period);
}

std::span<const CountedObject> Catalogue::objects(const KnownCluster& cluster) {
  if (!cluster.has_objects_.load(std::memory_order_acquire)) {
    std::vector<CountedObject> found = separate(cluster.cycle);
    const std::lock_guard lock(shared_->guard_);
    if (!cluster.has_objects_.load(std::memory_order_relaxed)) {
      cluster.objects_ = std::move(found);
      cluster.has_objects_.store(true, std::memory_order_release);
    }
  }
  return cluster.objects_;
}

// The phase of a cycle at which its separation begins, so that it is the same whichever was found.
static std::size_t canonical_phase(const Cycle& cycle) {
  std::size_t min_phase = 0;
  CellList min_cells;
  for (std::size_t i = 0; i < cycle.phases.size(); ++i) {
    CellList cells = translated(cycle.phases[i], Position() - bounds(cycle.phases[i]).position());
    if (!min_cells.empty() && !std::ranges::lexicographical_compare(cells, min_cells, RowOrder())) continue;
    min_phase = i;
    min_cells = std::move(cells);
  }
  return min_phase;
}

// Groups of cells that are connected by neighbours, with which a Separation begins.
static std::vector<CellList> connected_parts(const CellList& cells) {
  Labels labels(cells.size());
  connect(cells, labels);
  return cells_by_set(cells, labels);
}

std::uint32_t Catalogue::code_of(const Cycle& object) {
  const std::string text = apgcode(object);
  return index_of(text.empty() ? std::string(oversized_code) : text);
}

static void count(const CountedObject& found, std::vector<CountedObject>& counted) {
  const auto same = std::ranges::find(counted, found.code, &CountedObject::code);
  if (same != counted.end())
    same->count += found.count;
  else
    counted.push_back(found);
}

std::vector<CountedObject> Catalogue::separate(const Cycle& cluster) {
  const std::size_t first = canonical_phase(cluster);
  std::vector<CountedObject> counted = objects_of_parts(cluster, first);
  if (!counted.empty()) return counted;
  Separation separation(context_, cluster.phases[first]);
  const std::optional<SettledWorld> world = settled_world(
      context_, separation, {cluster.period(), std::max(cluster.period(), max_common_period), 0, true});
  if (!world) return counted;
  for (const Cycle& object : world->objects) count({code_of(object), 1}, counted);
  return counted;
}

// The objects of a cluster whose connected parts in a phase do not influence each other: most clusters are
// new because they have well known parts at new places. If nothing is returned they may, or it takes a
// Separation to see it.
std::vector<CountedObject> Catalogue::objects_of_parts(const Cycle& cluster, std::size_t first) {
  std::vector<CountedObject> counted;
  const std::vector<CellList> parts = connected_parts(cluster.phases[first]);
  if (parts.size() == 1 && cluster.period() <= short_period)
    for (const Cycle& object : divided(context_, cluster)) count({code_of(object), 1}, counted);
  if (parts.size() == 1 || cluster.period() > short_period || cluster.moves()) return counted;
  std::vector<const KnownCluster*> known;
  std::vector<CellList> phases(cluster.period());  // of all parts, each evolved alone
  for (const CellList& part : parts) {
    const Box box = bounds(part);
    known.push_back(find(part, box, cluster.period()));
    if (known.back() == nullptr || known.back()->moves() ||
        cluster.period() % known.back()->cycle.period() != 0)
      return counted;
    const std::vector<CellList>& alone = known.back()->cycle.phases;
    for (std::size_t g = 0; g < phases.size(); ++g) {
      for (const Position& cell : alone[g % alone.size()]) phases[g].push_back(cell + box.position());
    }
  }
  for (std::size_t g = 0; g < phases.size(); ++g) {
    std::sort(phases[g].begin(), phases[g].end(), RowOrder());
    if (phases[g] != cluster.phases[(first + g) % phases.size()]) return counted;
  }
  for (const KnownCluster* part : known) {
    const std::span<const CountedObject> found = objects(*part);
    if (found.empty()) return {};
    for (const CountedObject& each : found) count(each, counted);
  }
  return counted;
}

}  // namespace moorea
