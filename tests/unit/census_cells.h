// SPDX-License-Identifier: MIT
// Soups for tests of a census, and their objects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "census/soup_run.h"
#include "moorea/census.h"
#include "object_cells.h"

namespace moorea {

using Counts = std::map<std::string, std::uint64_t>;

inline CensusSpec census_of(std::uint64_t soups, int threads, const std::string& symmetry = "C1") {
  CensusSpec spec;
  spec.symmetry = symmetry;
  spec.root = "census_test";
  spec.soups = soups;
  spec.threads = threads;
  return spec;
}

inline Haul haul_of(const CensusSpec& spec) {
  Haul all;
  take_census(spec, [&](const Haul& next) { all.add(next); });
  return all;
}

inline Counts counts_of(const SoupObjects& objects, const Catalogue& catalogue) {
  Counts counts;
  for (const CountedObject& object : objects) counts[catalogue.code(object.code)] += object.count;
  return counts;
}

// Activity in the middle, and objects and spaceships around it that it may reach, or that may reach each
// other.
inline CellList crowded_soup(std::mt19937_64& random) {
  static const std::vector<CellList> objects = {
      object_cells("xq4_153"),         object_cells("xq4_153"),     object_cells("xq4_153"),
      object_cells("xq4_6frc"),        object_cells("xs4_33"),      object_cells("xp2_7"),
      object_cells("xp5_idiidiz01w1"), object_cells("xp15_4r4z4r4")};
  constexpr std::int64_t side = 58;
  std::set<std::pair<std::int64_t, std::int64_t>> cells;
  const auto soup = static_cast<std::int64_t>(random() % 24);
  for (std::int64_t y = 0; y < soup; ++y) {
    for (std::int64_t x = 0; x < soup; ++x) {
      if (random() % 5 < 2) cells.insert({side / 2 - soup / 2 + x, side / 2 - soup / 2 + y});
    }
  }
  for (auto left = 2 + random() % 8; left > 0; --left) {
    const CellList& object = objects[random() % objects.size()];
    const auto x = static_cast<std::int64_t>(random() % (side - 10)),
               y = static_cast<std::int64_t>(random() % (side - 10));
    const std::uint64_t turn = random();
    for (const Position& cell : object) {
      const Position turned = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
      cells.insert({x + ((turn & 2) != 0 ? 10 - turned.x : turned.x),
                    y + ((turn & 4) != 0 ? 10 - turned.y : turned.y)});
    }
  }
  CellList list;
  for (const auto& [x, y] : cells) list.push_back({x, y});
  std::sort(list.begin(), list.end(), RowOrder());
  return list;
}

inline std::vector<CellList> crowded_soups(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<CellList> soups;
  for (int i = 0; i < count; ++i) soups.push_back(crowded_soup(random));
  return soups;
}

}  // namespace moorea
