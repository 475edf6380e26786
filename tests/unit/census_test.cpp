// SPDX-License-Identifier: MIT
// Censuses of soups, against identify() on each of them.
#include "moorea/census.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "census/soup_lanes.h"
#include "census/soup_run.h"
#include "census/soup_stream.h"
#include "census/soup_window.h"
#include "ensembles/lane_kernel.h"
#include "moorea/error.h"
#include "moorea/identify.h"
#include "moorea/pattern.h"

namespace moorea {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

CensusSpec census_of(std::uint64_t soups, int threads, const std::string& symmetry = "C1") {
  CensusSpec spec;
  spec.symmetry = symmetry;
  spec.root = "census_test";
  spec.soups = soups;
  spec.threads = threads;
  return spec;
}

Haul haul_of(const CensusSpec& spec) {
  Haul all;
  take_census(spec, [&](const Haul& next) { all.add(next); });
  return all;
}

Counts counts_of(const Haul& haul) {
  Counts counts;
  for (const auto& [code, entry] : haul.objects) counts[code] = entry.count;
  return counts;
}

// The same by the search for what a pattern is, which runs the whole plane.
Counts identified(const CensusSpec& spec) {
  Counts counts;
  for (std::uint64_t i = 0; i < spec.soups; ++i) {
    const Identification found =
        identify(soup_pattern(spec.root + std::to_string(spec.first + i), spec.symmetry, spec.rule),
                 IdentifyOptions());
    for (const ObjectCount& object : found.census) counts[object.apgcode] += object.count;
  }
  return counts;
}

TEST(Census, CountsAreThoseOfEachSoup) {
  const CensusSpec spec = census_of(60, 2);
  EXPECT_EQ(counts_of(haul_of(spec)), identified(spec));
  for (const char* symmetry : {"D8_1", "C2_4", "D4_x1"}) {
    const CensusSpec symmetric = census_of(6, 2, symmetry);
    EXPECT_EQ(counts_of(haul_of(symmetric)), identified(symmetric)) << symmetry;
  }
  CensusSpec other = census_of(10, 2);
  other.rule = Rule::parse("HighLife");
  EXPECT_EQ(counts_of(haul_of(other)), identified(other));
}

Counts counts_of(const SoupObjects& objects, const Catalogue& catalogue) {
  Counts counts;
  for (const CountedObject& object : objects) counts[catalogue.code(object.code)] += object.count;
  return counts;
}

// A glider and a lightweight spaceship that leave a block, and meet far from it.
CellList meeting_far_away(std::int64_t below) {
  CellList cells = {{-70, -70}, {-69, -70}, {-70, -69}, {-69, -69}, {1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (const Position& cell :
       CellList{{1, 0}, {4, 0}, {0, 1}, {0, 2}, {4, 2}, {0, 3}, {1, 3}, {2, 3}, {3, 3}})
    cells.push_back({cell.x + 300, cell.y + below});
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

TEST(Census, ShipsThatLeaveMeetOthers) {
  SoupRun run(Rule(), 100'000, {});
  for (const std::int64_t below : {92, 96, 97, 98, 99, 100, 101, 102, 104}) {
    const CellList cells = meeting_far_away(below);
    Counts expected;
    const Counts found = counts_of(run.run(cells), run.catalogue());
    for (const ObjectCount& object : identify(pattern_of(cells), IdentifyOptions()).census)
      expected[object.apgcode] += object.count;
    EXPECT_EQ(found, expected) << below;
    // Only the first pair misses each other
    EXPECT_EQ(found.count("xq4_6frc"), below == 92 ? 1u : 0u) << below;
  }
}

CellList cells_of(const char* apgcode) {
  const Pattern pattern = apgcode_pattern(apgcode, Rule());
  CellList cells;
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    for (std::int64_t x = 0; x < pattern.cells.width(); ++x) {
      if (pattern.cells.alive(x, y)) cells.push_back({x, y});
    }
  }
  return cells;
}

// Activity in the middle, and objects and spaceships around it that it may reach, or that may reach each
// other.
CellList crowded_soup(std::mt19937_64& random) {
  static const std::vector<CellList> objects = {
      cells_of("xq4_153"), cells_of("xq4_153"), cells_of("xq4_153"),         cells_of("xq4_6frc"),
      cells_of("xs4_33"),  cells_of("xp2_7"),   cells_of("xp5_idiidiz01w1"), cells_of("xp15_4r4z4r4")};
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

std::vector<CellList> crowded_soups(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<CellList> soups;
  for (int i = 0; i < count; ++i) soups.push_back(crowded_soup(random));
  return soups;
}

// Soups in the lanes of boards, in windows that move and leave clusters away, against each on a board of its
// own.
void compare_lanes_with_alone(const std::vector<CellList>& soups, std::size_t max_clusters) {
  std::vector<Counts> found(soups.size());
  std::uint64_t next = 0;
  SoupStream::Calls calls;
  calls.next = [&] { return next < soups.size() ? std::optional(next++) : std::nullopt; };
  calls.cells = [&](std::uint64_t soup) { return soups[soup]; };
  std::optional<SoupStream> stream;
  calls.complete = [&](std::uint64_t soup, const SoupObjects& objects) {
    found[soup] = counts_of(objects, stream->catalogue());
  };
  stream.emplace(Rule(), 100'000, calls, max_clusters);
  stream->run();
  SoupRun alone(Rule(), 100'000, {});
  for (std::size_t i = 0; i < soups.size(); ++i)
    ASSERT_EQ(found[i], counts_of(alone.run(soups[i]), alone.catalogue())) << i;
}

TEST(Census, SoupsInLanesAreThoseAlone) {
  compare_lanes_with_alone(crowded_soups(14, 800), Catalogue::default_max_clusters);
}

// The catalogue forgets clusters again and again, while soups have some of them.
TEST(Census, ForgottenClustersAreFoundAgain) { compare_lanes_with_alone(crowded_soups(15, 300), 50); }

// Clusters of Life that are examined as those of a soup are.
class Examined {
 public:
  void add(const char* apgcode, const Position& at) {
    for (const Position& cell : cells_of(apgcode)) cells_.push_back(cell + at);
  }
  void add_cell(const Position& at) { cells_.push_back(at); }
  /// Cells that are not known as periodic.
  void add_activity(const Position& at) {
    for (const Position& cell : CellList{{1, 0}, {2, 0}, {0, 1}, {1, 1}, {1, 2}}) cells_.push_back(cell + at);
  }
  void add_row(const Position& at, std::int64_t length) {
    for (std::int64_t x = 0; x < length; ++x) cells_.push_back(at + Position{x, 0});
  }
  const Assessment& assess() {
    assessment_.assess(
        clusters_.find(cells_, bounds_of_unsorted(cells_)), {}, 0,
        [this](std::span<const Position> cells, const Box& box) { return catalogue_.find(cells, box, 60); },
        false);
    return assessment_;
  }
  bool fit(std::int64_t size) { return WindowChoice(assess()).fits({{0, 0}, size}); }

 private:
  SearchContext context_{Rule()};
  Catalogue catalogue_{context_};
  ClusterSearch clusters_;
  Assessment assessment_;
  CellList cells_;
};

TEST(Census, ClustersThatTouchLaterHaveNotSettled) {
  for (const std::int64_t apart : {3, 4, 5}) {
    // Blinkers in a row: the ends of the next phase are two cells nearer to each other
    Examined examined;
    for (const std::int64_t x : {std::int64_t{0}, apart}) {
      for (std::int64_t y = 0; y < 3; ++y) examined.add_row({x, y}, 1);
    }
    EXPECT_EQ(examined.assess().settled(), apart > 3) << apart;
  }
}

TEST(Census, WindowsKeepTheirMarginsFree) {
  constexpr std::int64_t size = 128, margin = SoupWindow::margin;
  const char* const pulsar = "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401";
  const auto fits = [](const char* apgcode, const Position& at) {
    Examined examined;
    examined.add(apgcode, at);
    examined.add_activity({64, 64});
    return examined.fit(size);
  };
  // Activity: only within the margins
  for (const auto& [x, expected] : {std::pair(margin - 1, false),
                                    {margin, true},
                                    {size - margin - 3, true},
                                    {size - margin - 2, false}}) {
    Examined examined;
    examined.add_activity({x, 64});
    EXPECT_EQ(examined.fit(size), expected) << x;
  }
  // A still life may be anywhere, away or not, unless it is on both sides of the limit of both
  EXPECT_TRUE(fits("xs4_33", {2, 64}));
  EXPECT_TRUE(fits("xs4_33", {-1, 64}));
  EXPECT_TRUE(fits("xs4_33", {-9, 64}));
  EXPECT_TRUE(fits(pulsar, {4, 64}));
  EXPECT_FALSE(fits(pulsar, {-3, 64}));
  // A period that does not divide the interval would hide changes
  EXPECT_FALSE(fits("xp5_idiidiz01w1", {margin - 16, 64}));
  EXPECT_TRUE(fits("xp5_idiidiz01w1", {margin + 4, 64}));
  EXPECT_TRUE(fits(pulsar, {margin - 16, 64}));
}

TEST(Census, ShipsInMarginsMeetNothing) {
  constexpr std::int64_t size = 128;
  const auto with_block = [](const Position& block) {
    Examined examined;
    examined.add("xq4_153", {100, 100});
    examined.add("xs4_33", block);
    return examined.fit(size);
  };
  std::vector<Position> met;
  for (const Position& block : CellList{{110, 110}, {110, 90}, {90, 110}, {90, 90}}) {
    if (!with_block(block)) met.push_back(block);
  }
  // It moves along one of the diagonals
  EXPECT_EQ(met.size(), 1u);
}

// A ship on its way to the right border, and activity behind it; the choice of a window of 128 columns.
struct Departure {
  bool fits = false, is_away = false;
  std::uint64_t allowed = 0;
};

Departure departure(const char* apgcode, std::int64_t outer_depth, std::int64_t activity) {
  constexpr std::int64_t size = 128;
  const CellList cells = cells_of(apgcode);
  for (const bool is_swapped : {false, true}) {
    for (const bool is_mirrored : {false, true}) {
      CellList turned;
      for (const Position& cell : cells) {
        const Position at = is_swapped ? Position{cell.y, cell.x} : cell;
        turned.push_back({is_mirrored ? -at.x : at.x, at.y});
      }
      const Box box = bounds_of_unsorted(turned);
      Examined examined;
      for (const Position& cell : turned)
        examined.add_cell(cell + Position{size - outer_depth - box.right(), 60});
      examined.add_activity({activity, 60});
      const Assessment& assessment = examined.assess();
      const auto ship = std::ranges::find_if(assessment.clusters(), &AssessedCluster::moves);
      if (ship->swept.displacement.x <= 0) continue;
      WindowChoice choice(assessment);
      Departure found;
      found.fits = choice.fits({{0, 0}, size});
      found.is_away =
          found.fits && choice.is_away(static_cast<std::size_t>(ship - assessment.clusters().begin()));
      found.allowed = choice.allowed();
      return found;
    }
  }
  throw Error("it does not move to the right in any orientation");
}

// Gliders move by 6 cells in an interval; the box of their four phases is a cell wider, and three remain.
TEST(Census, ShipsAreFollowedToTheBorder) {
  for (std::int64_t depth = 5; depth < 40; ++depth) {
    const Departure found = departure("xq4_153", depth, 60);
    ASSERT_TRUE(found.fits) << depth;
    EXPECT_EQ(found.is_away, depth < 10) << depth;
    if (found.is_away)
      EXPECT_GT(found.allowed, UINT64_MAX / 4) << depth;  // nothing reaches it any more
    else
      EXPECT_EQ(found.allowed, static_cast<std::uint64_t>((depth - 10) * 4 + SoupWindow::interval)) << depth;
  }
}

// Flies through the margin of a lane unseen, unless something else changes there.
TEST(Census, FollowedShipsChangeNothing) {
  constexpr std::int64_t size = 128;
  EnsembleSpec spec;
  spec.topology = Topology::plane;
  spec.size = {size, size};
  spec.groups = {{Rule(), max_lanes}};
  SoupLanes lanes(bind_lanes(lane_kernel(spec, {}), Topology::plane, Rule()), Rule(), size);
  SearchContext context{Rule()};
  Catalogue catalogue(context);
  const CellList glider = cells_of("xq4_153");
  const KnownCluster* const known = catalogue.find(glider, bounds_of_unsorted(glider), 60);
  ASSERT_NE(known, nullptr);
  const Position corner = {1000, -1000}, at = corner + Position{30, 30};
  const CellList ship = translated(known->cycle.phases[0], at);
  // 0: alone; 1: not followed; 2: a block is in its way; 3: activity elsewhere in the margin; 4: it is not
  // there
  for (int lane = 0; lane < 5; ++lane) {
    LaneSoup soup{static_cast<std::uint64_t>(lane), 0, {corner, size}, {}, {}};
    if (lane != 1) soup.followed = {{known->shared_from_this(), at, 0}};
    CellList cells = lane == 4 ? CellList() : ship;
    const Position& by = known->swept.displacement;
    if (lane == 2)
      for (const Position& cell : CellList{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
        cells.push_back(at + Position{6 * by.x, 6 * by.y} + cell);
    if (lane == 3)
      for (std::int64_t x = 0; x < 5; ++x) cells.push_back(corner + Position{90 + x, 20});
    lanes.add(std::move(soup), cells);
  }
  lanes.advance();
  const LaneSet& changed = lanes.changed_margin();
  for (int lane = 0; lane < 5; ++lane) {
    int index = -1;
    for (const int each : lanes.active_lanes().lanes())
      if (lanes.soup(each).soup == static_cast<std::uint64_t>(lane)) index = each;
    EXPECT_EQ(changed.has(index), lane != 0) << lane;
  }
}

// A heavyweight spaceship, whose rear is deeper than that of smaller ones, leaves before it is out of reach.
TEST(Census, ShipsAreAwayUntilSomethingMayReachThem) {
  std::uint64_t shorter = UINT64_MAX;
  bool any = false;
  for (const std::int64_t activity : {84, 85, 86, 87}) {
    const Departure found = departure("xq4_27deee6", 14, activity);
    ASSERT_TRUE(found.fits && found.is_away) << activity;
    EXPECT_LT(found.allowed, 1000u) << activity;
    EXPECT_LE(found.allowed, shorter) << activity;
    any = any || found.allowed < shorter;
    shorter = found.allowed;
  }
  EXPECT_TRUE(any);
  EXPECT_GE(shorter, static_cast<std::uint64_t>(SoupWindow::interval));
}

// The codes of these objects are published.
TEST(Census, CodesAreDrawn) {
  const auto drawn = [](const char* code) { return format_pattern(apgcode_pattern(code, Rule())); };
  EXPECT_NE(drawn("xs4_33").find("2o$2o!"), std::string::npos);
  EXPECT_NE(drawn("xs6_696").find("bo$obo$obo$bo!"), std::string::npos) << drawn("xs6_696");
  EXPECT_NE(drawn("xp2_7").find("o$o$o!"), std::string::npos);
  for (const char* code : {"xs4_33", "xs6_696", "xp2_7", "xq4_153", "xq4_6frc", "xs12_g8o653z11",
                           "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401"}) {
    const Identification found = identify(apgcode_pattern(code, Rule()), IdentifyOptions());
    ASSERT_EQ(found.census.size(), 1u) << code;
    EXPECT_EQ(found.census[0].apgcode, code);
  }
  for (const char* code : {"", "xs4_", "ys4_33", "xs4_3!", "xs4_3y", "33"})
    EXPECT_THROW((void)apgcode_pattern(code, Rule()), Error) << code;
}

TEST(Census, ThreadsAndPartsChangeNothing) {
  const Haul all = haul_of(census_of(600, 1));
  EXPECT_EQ(all.soups, 600u);
  const Haul with_threads = haul_of(census_of(600, 3));
  EXPECT_EQ(haul_text(all, census_of(600, 1)), haul_text(with_threads, census_of(600, 1)));
  CensusSpec first = census_of(250, 2), second = census_of(350, 2);
  second.first = 250;
  Haul parts = haul_of(first);
  parts.add(haul_of(second));
  EXPECT_EQ(haul_text(all, census_of(600, 1)), haul_text(parts, census_of(600, 1)));
}

TEST(Census, HaulsAreReadAsWritten) {
  const CensusSpec spec = census_of(100, 2);
  const Haul haul = haul_of(spec);
  const std::string text = haul_text(haul, spec);
  EXPECT_NE(text.find("@RULE b3s23\n"), std::string::npos);
  EXPECT_NE(text.find("@NUM_SOUPS 100\n"), std::string::npos);
  EXPECT_NE(text.find("\nxs4_33 "), std::string::npos);
  const SavedHaul saved = read_haul(text, "test");
  EXPECT_EQ(haul_text(saved.haul, spec), text);
  EXPECT_EQ(saved.root, spec.root);
  EXPECT_THROW((void)read_haul("@VERSION nothing\n", "test"), Error);
}

TEST(Census, OtherSpecsAreRefused) {
  EXPECT_THROW((void)soup_pattern("a", "C3", Rule()), Error);
  CensusSpec spec = census_of(1, 1, "C5");
  EXPECT_THROW(haul_of(spec), Error);
  spec = census_of(1, 1);
  spec.rule = Rule::parse("B02/S1");
  EXPECT_THROW(haul_of(spec), Error);
}

}  // namespace
}  // namespace moorea
