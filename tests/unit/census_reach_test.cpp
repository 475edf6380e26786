// SPDX-License-Identifier: MIT
// Soups that are cut off when they leave the middle of the plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "census/soup.h"
#include "census_gpu.h"
#include "devices/cuda.h"
#include "moorea/census.h"
#include "moorea/error.h"
#include "soups_on_cpu.h"

namespace moorea {
namespace {

const Counts is_cut = {{std::string(cut_off_code), 1}};

// Live cells in groups, in each of which every cell is at most two columns and rows from another one.
std::vector<CellList> groups_of(CellList left) {
  std::vector<CellList> groups;
  while (!left.empty()) {
    CellList group = {left.back()};
    left.pop_back();
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Position at = group[i];
      const auto is_near = [&](const Position& cell) {
        return std::abs(cell.x - at.x) <= 2 && std::abs(cell.y - at.y) <= 2;
      };
      const auto near =
          std::partition(left.begin(), left.end(), [&](const Position& c) { return !is_near(c); });
      group.insert(group.end(), near, left.end());
      left.erase(near, left.end());
    }
    std::sort(group.begin(), group.end(), RowOrder());
    groups.push_back(std::move(group));
  }
  return groups;
}

// Whether a group is a spaceship that flies out of a box.
bool flies_out(const Rule& rule, const CellList& group, const Box& reach) {
  const Box before = bounds(group);
  if (before.width > 8 || before.height > 8) return false;
  CellList later = group;
  for (int period = 1; period <= 30; ++period) {
    later = advance(rule, later);
    if (later.size() != group.size()) continue;
    const Position by = bounds(later).position() - before.position();
    if (translated(group, by) != later) continue;
    return (by.x > 0 && before.right() > reach.right()) || (by.x < 0 && before.x < reach.x) ||
           (by.y > 0 && before.bottom() > reach.bottom()) || (by.y < 0 && before.y < reach.y);
  }
  return false;
}

enum class Seen { cut_off, settled, neither };

// What a soup does on the plane, every cell of which is advanced.
Seen look_at(const Rule& rule, CellList cells, const Box& reach) {
  std::vector<CellList> before;  // cells within the reach, at the last multiples of eight generations
  for (int generation = 8; generation <= 800; generation += 8) {
    cells = advance(rule, cells, 8);
    CellList inside;
    std::vector<Position> outside;
    for (const Position& cell : cells) (reach.contains(cell) ? inside : outside).push_back(cell);
    if (!outside.empty()) {
      for (const CellList& group : groups_of(cells)) {
        if (std::ranges::any_of(group, [&](const Position& cell) { return !reach.contains(cell); }) &&
            !flies_out(rule, group, reach))
          return Seen::cut_off;
      }
    }
    if (before.size() >= 30 && before[before.size() - 15] == inside && before[before.size() - 30] == inside)
      return Seen::settled;
    before.push_back(std::move(inside));
  }
  return Seen::neither;
}

TEST(CensusReach, SoupsAreCutOffThatLeaveIt) {
  const std::int64_t all = test::is_sanitized ? 6 : 24;
  std::size_t item = 0;
  for (const char* const name : {"B3/S23", "B36/S23", "B3/S12-ae34ceit"}) {
    const std::size_t number = item++;
    if (test::is_sanitized ? number > 0 : !test::test_part().has(number)) continue;
    const Rule rule = Rule::parse(name);
    SoupRun run(rule, 100'000, {});
    int cut = 0, settled = 0;
    for (std::int64_t i = 0; i < all; ++i) {
      const std::int64_t side = i % 3 == 0 ? 64 : i % 3 == 1 ? 80 : 112;
      SoupState soup{soup_cells("reach" + std::to_string(i), "C1")};
      soup.reach = middle_of_soup(soup.cells, "C1", side);
      ASSERT_EQ(soup.reach, (Box{8 - side / 2, 8 - side / 2, side, side}));
      const Seen seen = look_at(rule, soup.cells, soup.reach);
      const Counts found = counts_of(run.run(soup), run.catalogue());
      if (seen == Seen::cut_off) {
        EXPECT_EQ(found, is_cut) << name << ' ' << i;
        ++cut;
      } else if (seen == Seen::settled) {
        EXPECT_EQ(found, counts_of(run.run(soup.cells), run.catalogue())) << name << ' ' << i;
        ++settled;
      }
    }
    EXPECT_GT(cut, all / 10) << name;
    EXPECT_GT(settled, all / 10) << name;
  }
}

// Objects at every place at its border, in all phases.
TEST(CensusReach, ObjectsAtTheBorder) {
  const Box reach = {-32, -32, 64, 64};
  SoupRun run(Rule(), 100'000, {});
  const auto found = [&](const CellList& cells) {
    return counts_of(run.run(SoupState{cells, 0, {}, reach}), run.catalogue());
  };
  for (const std::string code : {"xs4_33", "xp2_7", "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401",
                                 "xp15_4r4z4r4", "xp5_idiidiz01w1", "xq4_153", "xq4_6frc"}) {
    const auto period = static_cast<int>(code[1] == 's' ? 1 : std::stoi(code.substr(2)));
    CellList object = object_cells(code.c_str());
    for (int phase = 0; phase < period; ++phase, object = advance(Rule(), object)) {
      for (int turn = 0; turn < 4; ++turn) {
        for (std::int64_t beyond = -12; beyond <= 3; beyond += test::is_sanitized ? 5 : 1) {
          CellList cells;
          for (const Position& cell : object)
            cells.push_back(turn < 2 ? Position{turn == 0 ? cell.x : -cell.x, cell.y}
                                     : Position{cell.y, turn == 2 ? cell.x : -cell.x});
          const Box box = bounds_of_unsorted(cells);
          for (Position& cell : cells) cell = cell - box.position() + Position{32 - box.width + beyond, -5};
          std::sort(cells.begin(), cells.end(), RowOrder());
          const Seen seen = look_at(Rule(), cells, reach);
          // A period of four or more has phases that are never looked at, but for those of what remains
          bool is_out = beyond > 0 && !flies_out(Rule(), cells, reach);
          CellList later = cells;
          for (int i = 0; i < period && code[1] == 'p' && period > 2; ++i) {
            is_out = is_out || bounds(later).right() > reach.right();
            later = advance(Rule(), later);
          }
          EXPECT_EQ(found(cells), is_out || seen == Seen::cut_off ? is_cut : Counts({{code, 1}}))
              << code << ' ' << phase << ' ' << turn << ' ' << beyond;
        }
      }
    }
  }
}

// A spaceship whose phases are of different sizes, which a soup may be seen to have before it leaves: it is
// no object of the soup, wherever it is when all is periodic.
TEST(CensusReach, LargeShipsCutOff) {
  const Rule rule = Rule::parse("B2cek3i/S12cei");
  const CellList ship = object_cells("xq40_4a0ehwl", rule);
  CellList cells = ship;
  for (int phase = 0; phase < 40; ++phase, cells = advance(rule, cells)) {
    if (test::is_sanitized && phase % 8 != 0) continue;
    for (const std::int64_t side : {64, 480}) {
      SoupRun run(rule, 100'000, {});
      SoupState soup{translated(cells, Position() - bounds(cells).position())};
      soup.reach = middle_of_soup(soup.cells, "", side);
      EXPECT_EQ(counts_of(run.run(soup), run.catalogue()), is_cut) << phase << ' ' << side;
    }
  }
}

// A soup keeps its reach when it goes on in a larger square, because a lightweight spaceship would cross the
// border of the smallest one: a loafer, which is too large to leave, comes to the border later.
TEST(CensusReach, LargerSquaresHaveIt) {
  SoupRun run(Rule(), 100'000, {});
  const CellList loafer = object_cells("xq7_3nw17862z6952");
  for (int turn = 0; turn < 8; ++turn) {
    SoupState soup{loafer, 0, {}, {-80, -80, 160, 160}};
    for (const Position& cell : object_cells("xq4_6frc")) {
      const Position turned = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
      soup.cells.push_back({(turn & 2) != 0 ? -40 - turned.x : 40 + turned.x,
                            (turn & 4) != 0 ? -40 - turned.y : 40 + turned.y});
    }
    std::sort(soup.cells.begin(), soup.cells.end(), RowOrder());
    EXPECT_EQ(counts_of(run.run(soup.cells), run.catalogue()),
              (Counts{{"xq7_3nw17862z6952", 1}, {"xq4_6frc", 1}}))
        << turn;
    EXPECT_EQ(counts_of(run.run(soup), run.catalogue()), is_cut) << turn;
  }
}

// Whether the counts of a soup are those that it has once its clusters are known, from a run without a reach.
void expect_equal_once_known(const CellList& cells, const Box& reach, std::uint64_t limit) {
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), limit, {}), known(Rule(), limit, {}, shared);
  SoupRun(Rule(), 100'000, {}, shared).run(cells);
  const SoupState soup{cells, 0, {}, reach};
  EXPECT_EQ(counts_of(first.run(soup), first.catalogue()), counts_of(known.run(soup), known.catalogue()))
      << cells.front().x << ' ' << cells.front().y << ' ' << limit;
}

// Gliders that pass each other at all distances, and spaceships along the border, whose phases are seen or
// not when they are examined.
TEST(CensusReach, KnownClustersChangeNothing) {
  const CellList glider = object_cells("xq4_153");
  for (std::int64_t y = -34; y <= -6; y += test::is_sanitized ? 4 : 1) {
    CellList cells = translated(glider, {-60, -20});
    for (const Position& cell : glider) cells.push_back({60 - cell.x, y + cell.y});
    std::sort(cells.begin(), cells.end(), RowOrder());
    expect_equal_once_known(cells, {-80, -80, 160, 160}, 100'000);
  }
  for (const std::string code : {"xq4_6frc", "xq4_27dee6", "xq4_27deee6"}) {
    CellList ship = object_cells(code.c_str());
    for (int phase = 0; phase < 4; ++phase, ship = advance(Rule(), ship)) {
      for (std::int64_t beyond = -3; beyond <= 1; beyond += test::is_sanitized ? 2 : 1) {
        const Box box = bounds(ship);
        const CellList cells = translated(ship, Position{192, 256 + beyond - box.height} - box.position());
        for (const std::uint64_t limit : {128, 129, 130, 131})
          expect_equal_once_known(cells, {-256, -256, 512, 512}, limit);
      }
    }
  }
}

// As a GPU's threads have it: in squares with several rings, and in smaller ones than the reach.
TEST(CensusReach, SoupsOfAGpuAreThoseAlone) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const int count = test::is_sanitized ? 10 : 60;
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), 100'000, {}, shared);
  for (const CellList& cells : plain_soups(600)) first.run(cells);
  std::size_t item = 0;
  for (const std::int64_t reach : {64, 80, 96, 112, 160, 224, 240}) {
    if (!test::test_part().has(item++)) continue;
    Settled settled;
    const auto make = [&](std::int64_t size) {
      return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 20, reach}, testing::TempDir());
    };
    compare_stream_with_alone(plain_soups(count), make, shared, settled, {}, Rule(), reach);
    compare_stream_with_alone(crowded_soups(static_cast<std::uint64_t>(reach), count), make, shared, settled,
                              {}, Rule(), reach);
    const std::size_t stage = reach <= 96 ? 0 : reach <= 224 ? 1 : 2;
    EXPECT_EQ(settled.moved[0] + settled.moved[1] + settled.moved[2], 0U);
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == stage) continue;
      EXPECT_EQ(settled.cut_off[i], 0U) << reach << ' ' << i;
    }
    if (reach > 112 || test::is_sanitized) continue;
    EXPECT_GT(settled.cut_off[stage], 10U) << reach;
  }
}

TEST(CensusReach, IsChecked) {
  CensusSpec spec = census_of(10, 1);
  for (const std::int64_t reach : {-64, 16, 48, 65, 72, 1040}) {
    spec.reach = reach;
    EXPECT_THROW(check_census(spec), Error) << reach;
  }
  for (const std::int64_t reach : {0, 64, 1024}) {
    spec.reach = reach;
    EXPECT_NO_THROW(check_census(spec)) << reach;
  }
}

// Hauls say it.
TEST(CensusReach, IsThatOfTheHaul) {
  CensusSpec spec = census_of(200, 2, "D4_+1");
  spec.reach = 64;
  const Haul haul = haul_of(spec);
  EXPECT_GT(haul.objects.at(std::string(cut_off_code)).count, 20U);
  const SavedHaul saved = read_haul(haul_text(haul, spec), "haul");
  EXPECT_EQ(saved.reach, 64);
  EXPECT_EQ(saved.haul.objects.size(), haul.objects.size());
  spec.reach = 0;
  EXPECT_THROW(read_haul(haul_text(haul, spec), "haul"), Error);
  EXPECT_EQ(read_haul(haul_text(haul_of(spec), spec), "haul").reach, 0);
}

}  // namespace
}  // namespace moorea
