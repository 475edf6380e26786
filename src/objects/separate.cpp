// SPDX-License-Identifier: MIT
// Most objects of ash are still lifes and blinkers far from everything else. They are set aside until one of
// the other cells comes near them, so that labels are followed for the few other cells only.
#include "objects/separate.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "objects/cycle.h"

namespace moorea {
namespace {

// Periods of groups that are set aside: those of nearly all ash.
constexpr std::uint64_t max_quiet_period = 6;

// Indices of cells by set, in the order of their first cells.
template <class SetOf>
std::vector<std::vector<std::uint32_t>> by_set(std::size_t count, std::size_t sets, SetOf set_of) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(sets, none);
  std::vector<std::vector<std::uint32_t>> result;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t& entry = number[set_of(i)];
    if (entry == none) {
      entry = static_cast<std::uint32_t>(result.size());
      result.emplace_back();
    }
    result[entry].push_back(i);
  }
  return result;
}

// Calls `visit` with each partition of `count` things into `parts` parts: the part of each, numbered in the
// order of their first things.
template <class Visit>
void for_each_partition(std::size_t count, std::size_t parts, Visit visit) {
  std::vector<std::uint32_t> part_of(count, 0);
  const auto place = [&](auto&& self, std::size_t thing, std::uint32_t used) -> void {
    if (thing == count) {
      if (used == parts) visit(std::span<const std::uint32_t>(part_of));
      return;
    }
    for (std::uint32_t part = 0; part <= used && part < parts; ++part) {
      part_of[thing] = part;
      self(self, thing + 1, std::max(used, part + 1));
    }
  };
  place(place, 0, 0);
}

// Partition into groups of cells that are at least `block` columns or rows apart.
constexpr std::int64_t block = 5;
std::vector<std::vector<std::uint32_t>> distant_groups(const CellList& cells) {
  const auto block_of = [](const Position& cell) {
    const auto floor_of = [](std::int64_t a) { return (a >= 0 ? a : a - block + 1) / block; };
    return Position{floor_of(cell.x), floor_of(cell.y)};
  };
  CellList blocks;
  blocks.reserve(cells.size());
  for (const Position& cell : cells) {
    const Position at = block_of(cell);
    if (blocks.empty() || blocks.back() != at) blocks.push_back(at);
  }
  std::sort(blocks.begin(), blocks.end(), RowOrder());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  Labels labels(blocks.size());
  connect(blocks, labels);
  return by_set(cells.size(), blocks.size(), [&](std::uint32_t i) {
    const auto found = std::lower_bound(blocks.begin(), blocks.end(), block_of(cells[i]), RowOrder());
    return labels.find(static_cast<std::uint32_t>(found - blocks.begin()));
  });
}

}  // namespace

Separation::Separation(SearchContext& context, CellList cells)
    : context_(context), cells_(std::move(cells)), labels_(cells_.size()) {
  connect(cells_, labels_);
  for (std::vector<std::uint32_t>& group : distant_groups(cells_)) groups_.push_back({std::move(group)});
  context_.add_work(cells_.size());
  for (std::uint32_t i = 0; i < groups_.size(); ++i) set_aside(i);
  guard_.finish([&](std::uint32_t group) { groups_[group].quiet_period = 0; });
}

CellList Separation::cells_of(const Group& group) const {
  CellList cells;
  for (const std::uint32_t i : group.cells) cells.push_back(cells_[i]);
  return cells;
}

// Sets a group aside if it is one of still lifes and oscillators.
void Separation::set_aside(std::uint32_t index) {
  Group& group = groups_[index];
  const std::optional<Cycle> cycle = find_cycle(context_, cells_of(group), max_quiet_period);
  if (!cycle || cycle->moves()) return;
  for (const CellList& phase : cycle->phases) guard_.add(phase, index);
  group.quiet_period = cycle->period();
  evolve_alone(group);
}

void Separation::add(Evolution& evolution, const Group& group) const {
  evolution.add(cells_of(group), [&](std::size_t i) { return group.cells[i]; });
}

// Unites those of its parts that influence each other.
void Separation::evolve_alone(const Group& group) {
  const std::uint32_t first = labels_.find(group.cells[0]);
  if (std::ranges::all_of(group.cells, [&](std::uint32_t label) { return labels_.find(label) == first; }))
    return;
  while (true) {
    const std::size_t before = labels_.unions();
    Evolution evolution(context_, labels_);
    add(evolution, group);
    std::uint64_t g = 0;
    for (; g < group.quiet_period && evolution.crowds().empty(); ++g) evolution.step();
    if (!unites({evolution, before, g, group.quiet_period})) return;
  }
}

// Parts that are united may have influenced a third one before, so that all begins again until none are
// united any more.
void Separation::evolve(std::uint64_t generations) {
  while (true) {
    const std::size_t before = labels_.unions();
    awake_.assign(groups_.size(), false);
    Evolution evolution(context_, labels_);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].quiet_period != 0) continue;
      awake_[i] = true;
      add(evolution, groups_[i]);
    }
    std::uint64_t g = 0;
    for (; g < generations && evolution.crowds().empty(); ++g) {
      wake(evolution, g);
      evolution.step();
    }
    if (!unites({evolution, before, g, generations})) return;
  }
}

// Whether parts were united in the evolution, or are now, because it ended with a crowd. Parts of two that
// have to be united come first, as that may leave no crowd.
bool Separation::unites(const Course& course) {
  if (labels_.unions() != course.unions_before) return true;
  const std::vector<std::vector<std::uint32_t>>& crowds = course.evolution.crowds();
  if (crowds.empty()) return false;
  // Crowds that have a part in common are one
  Labels together(cells_.size());
  for (const std::vector<std::uint32_t>& crowd : crowds)
    for (const std::uint32_t label : crowd) together.unite(crowd[0], label);
  std::map<std::uint32_t, std::set<std::uint32_t>> families;
  for (const std::vector<std::uint32_t>& crowd : crowds)
    families[together.find(crowd[0])].insert(crowd.begin(), crowd.end());
  for (const auto& [first, labels] : families) disperse({labels.begin(), labels.end()}, course);
  return true;
}

// Unites parts of a crowd, so that the parts that are left do not influence each other: as few as suffice. If
// there are several ways, what one of them unites is united, so that the result is the same for an image of
// the cells.
void Separation::disperse(std::vector<std::uint32_t> crowd, const Course& course) {
  constexpr std::size_t max_searched = 6;  // 203 partitions
  const std::size_t count = crowd.size();
  const auto unite = [&](std::span<const std::uint32_t> part_of) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = i + 1; k < count; ++k)
        if (part_of[i] == part_of[k]) labels_.unite(crowd[i], crowd[k]);
  };
  const std::vector<std::uint32_t> all(count, 0);
  if (count > max_searched) return unite(all);
  CellList cells;
  std::vector<std::uint32_t> member;  // of the crowd, by cell
  for (std::uint32_t i = 0; i < cells_.size(); ++i) {
    const auto found = std::ranges::find(crowd, labels_.find(i));
    if (found == crowd.end()) continue;
    cells.push_back(cells_[i]);
    member.push_back(static_cast<std::uint32_t>(found - crowd.begin()));
  }
  std::vector<std::vector<std::uint32_t>> ways;
  const auto find_ways = [&](std::uint64_t generations) {
    for (std::size_t parts = count - 1; parts > 1 && ways.empty(); --parts) {
      for_each_partition(count, parts, [&](std::span<const std::uint32_t> part_of) {
        std::vector<std::uint32_t> part_of_cell;
        for (const std::uint32_t each : member) part_of_cell.push_back(part_of[each]);
        if (is_separate(cells, part_of_cell, generations)) ways.emplace_back(part_of.begin(), part_of.end());
      });
    }
  };
  find_ways(course.wanted);
  // Without parts with which they will be united, members may influence each other later
  if (ways.empty()) find_ways(course.generations);
  if (ways.empty()) unite(all);
  for (const std::vector<std::uint32_t>& way : ways) unite(way);
}

// Whether parts of cells, which are numbered from 0 on, evolve as if each were alone.
bool Separation::is_separate(const CellList& cells, std::span<const std::uint32_t> part_of,
                             std::uint64_t generations) const {
  Labels labels(cells.size());
  Evolution evolution(context_, labels);
  evolution.add(cells, [&](std::size_t i) { return part_of[i]; });
  for (std::uint64_t g = 0; g < generations; ++g) {
    evolution.step();
    if (labels.unions() != 0 || !evolution.crowds().empty()) return false;
  }
  return true;
}

// Adds groups that were set aside, and that the other cells may influence in the next generation.
void Separation::wake(Evolution& evolution, std::uint64_t generation) {
  waking_.clear();
  evolution.for_each_changed([&](const Position& at, Bitboard cells) {
    guard_.meet(at, cells, [&](std::uint32_t group) {
      if (awake_[group]) return;
      awake_[group] = true;
      waking_.push_back(group);
    });
  });
  for (const std::uint32_t index : waking_) {
    const Group& group = groups_[index];
    Evolution alone(context_, labels_);
    add(alone, group);
    for (std::uint64_t g = generation % group.quiet_period; g > 0 && alone.crowds().empty(); --g)
      alone.step();
    evolution.add(alone);
  }
}

std::vector<CellList> Separation::parts(std::uint64_t generations) {
  evolve(generations);
  return cells_by_set(cells_, labels_);
}

}  // namespace moorea
