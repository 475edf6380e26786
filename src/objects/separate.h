// SPDX-License-Identifier: MIT
// Partition of a settled world into objects: parts that do not influence each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objects/evolution.h"
#include "objects/guard.h"

namespace moorea {

/// Partitions cells into parts each of which evolves as if it were alone. It begins with the connected parts
/// (neighbours of a cell are the eight around it) and unites those that meet: parts of which the next state
/// of a cell depends on more than one. Where three or more are near a cell, as few as suffice are united, or
/// all that may be if there are several ways.
class Separation {
 public:
  Separation(SearchContext& context, CellList cells);

  /// Parts that do not influence each other for so many generations, in the order of their first cells.
  /// Parts that were united by an earlier call remain so.
  std::vector<CellList> parts(std::uint64_t generations);

 private:
  struct Group {
    std::vector<std::uint32_t> cells;  // indices, which are the cells' labels
    std::uint64_t quiet_period = 0;    // 0: it is not set aside
  };

  void set_aside(std::uint32_t group);
  void add(Evolution& evolution, const Group& group) const;
  void evolve_alone(const Group& group);
  struct Course {
    const Evolution& evolution;
    std::size_t unions_before = 0;
    std::uint64_t generations = 0, wanted = 0;  // that were computed, up to a crowd, and that were to be
  };
  bool unites(const Course& course);
  void disperse(std::vector<std::uint32_t> crowd, const Course& course);
  bool is_separate(const CellList& cells, std::span<const std::uint32_t> part_of,
                   std::uint64_t generations) const;
  void evolve(std::uint64_t generations);
  void wake(Evolution& evolution, std::uint64_t generation);
  CellList cells_of(const Group& group) const;

  SearchContext& context_;
  CellList cells_;
  Labels labels_;
  std::vector<Group> groups_;
  Guard guard_;
  std::vector<bool> awake_;  // groups
  std::vector<std::uint32_t> waking_;
};

}  // namespace moorea
