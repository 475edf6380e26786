// SPDX-License-Identifier: MIT
// Ships that leave the squares of a GPU, in whose place the text of the kernel is compiled for the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "census_gpu.h"
#include "devices/cuda.h"
#include "soups_on_cpu.h"

namespace moorea {
namespace {

// By how much cells have moved after some generations.
Position displacement_of(const Rule& rule, const CellList& cells, std::uint64_t generations) {
  const CellList later = advance(rule, cells, generations);
  const Box before = bounds_of_unsorted(cells), after = bounds_of_unsorted(later);
  return {after.x - before.x, after.y - before.y};
}

// Ships that leave are three columns ahead of all influences until the next examination, and those that are a
// column nearer remain on the square until then, but for the longest one, which is not allowed there.
TEST(CensusOnGpu, NothingReachesShipsThatLeave) {
  constexpr std::int64_t size = 128, first = size - gpu_soups::soup_ring;  // column of the ring
  for (const std::string code : {"xq4_153", "xq4_6frc", "xq4_27dee6", "xq4_27deee6"}) {
    const bool is_longest = code == "xq4_27deee6";
    CellList ship = object_cells(code.c_str());
    Position by = displacement_of(Rule(), ship, 4);
    if (by.x == 0) {
      for (Position& cell : ship) std::swap(cell.x, cell.y);
      std::swap(by.x, by.y);
    }
    if (by.x < 0) {
      for (Position& cell : ship) cell.x = -cell.x;
    }
    std::sort(ship.begin(), ship.end(), RowOrder());
    const int distance = gpu_soups::out_of_reach(static_cast<int>(by.x), static_cast<int>(by.y));
    for (int phase = 0; phase < 4; ++phase, ship = advance(Rule(), ship)) {
      CellList leaving = translated(ship, {first + distance - bounds(ship).x, 0});
      CellList staying = translated(leaving, {-1, 0});
      for (std::int64_t g = 0; g <= gpu_soups::soup_interval; ++g) {
        EXPECT_GT(bounds(leaving).x - (first - 1 + g), 3) << code << ' ' << phase << ' ' << g;
        EXPECT_LE(bounds(staying).right(), is_longest ? size + 1 : size) << code << ' ' << phase << ' ' << g;
        leaving = advance(Rule(), leaving);
        staying = advance(Rule(), staying);
      }
    }
  }
}

// Two ships that meet, or pass each other, near the border of the smallest square or outside.
TEST(CensusOnGpu, ShipsThatMeetNearTheBorder) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const auto turned = [](const CellList& cells, bool right, bool down) {
    CellList found;
    const Box box = bounds_of_unsorted(cells);
    for (const Position& cell : cells)
      found.push_back({right ? cell.x : box.right() - 1 - cell.x, down ? cell.y : box.bottom() - 1 - cell.y});
    return found;
  };
  const CellList glider = object_cells("xq4_153"), spaceship = object_cells("xq4_6frc");
  const Position by = displacement_of(Rule(), glider, 4), faster = displacement_of(Rule(), spaceship, 4);
  ASSERT_EQ(std::abs(by.x) + std::abs(by.y), 2);
  ASSERT_EQ(std::abs(faster.x + faster.y), 2);
  std::vector<CellList> soups;
  const auto add = [&](CellList cells, const CellList& more, const Position& at) {
    for (const Position& cell : more) cells.push_back(cell + at);
    // A block at the left, so that none is moved to the right
    for (const Position& cell : object_cells("xs4_33")) cells.push_back(cell);
    std::sort(cells.begin(), cells.end(), RowOrder());
    soups.push_back(cells);
  };
  const auto to_the_right = [&](const char* code) {
    CellList straight;
    for (const Position& cell : object_cells(code))
      straight.push_back(faster.x == 0 ? Position{cell.y, cell.x} : cell);
    return turned(straight, faster.x + faster.y > 0, true);
  };
  const CellList down = turned(glider, by.x > 0, by.y > 0), up = turned(glider, by.x > 0, by.y < 0);
  const int step = test::is_sanitized ? 5 : 1;
  for (std::int64_t i = 0; i < 10; i += step) {
    // Gliders that fly to the right, one downwards and one upwards
    add(translated(down, {58, i}), up, {58, 58});
    add(translated(down, {40 + i, 0}), up, {40, 58});
    // A spaceship that is faster than the glider before it
    const CellList straight = to_the_right("xq4_6frc");
    add(translated(down, {58, 0}), straight, {4, 46 + i});
    add(translated(down, {50, 0}), straight, {20, 22 + i});
    // Two that fly beside each other, whose boxes come near each other
    for (const Position& at : CellList{{0, 5}, {0, 6}, {-2, 6}, {-4, 5}, {-5, 4}, {-8, 3}, {-9, 9}})
      add(translated(down, {40, 20 + i}), down, Position{40, 20 + i} + at);
    // Longer spaceships, one downwards
    for (const char* const code : {"xq4_27dee6", "xq4_27deee6"}) {
      CellList vertical = to_the_right(code);
      for (Position& cell : vertical) std::swap(cell.x, cell.y);
      add(translated(to_the_right(code), {40 + i, 5}), vertical, {20, 40 + i});
    }
  }
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun known(Rule(), 100'000, {}, shared);
  for (const CellList& cells : soups) known.run(cells);
  for (const CellList& cells : plain_soups(600)) known.run(cells);
  SearchContext context{Rule()};
  Catalogue catalogue(context, shared);
  table_of_ships(catalogue);
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 100, 100}, testing::TempDir());
  };
  compare_stream_with_alone(soups, make, shared, settled);
  EXPECT_GT(settled.on[0], test::is_sanitized ? 0u : 95u);
  EXPECT_GT(settled.on[1], 0u);
}

// A GPU of which each soup settles with these ships away.
class Claiming final : public GpuSoups {
 public:
  explicit Claiming(std::span<const gpu_soups::SoupShip> ships) {
    result_.status = gpu_soups::settled;
    result_.generation = 100;
    result_.ship_count = static_cast<unsigned short>(ships.size());
    ships_.assign(ships.begin(), ships.end());
  }
  std::size_t max_soups() const override { return 1; }
  void begin(std::span<const gpu_soups::word>, std::span<const gpu_soups::SoupStart>,
             std::shared_ptr<const GpuSoupTable>) override {}
  void begin(const gpu_soups::SoupNames&, std::span<const std::uint64_t>,
             std::shared_ptr<const GpuSoupTable>) override {}
  bool is_ready() override { return true; }
  std::span<const gpu_soups::SoupResult> results() override { return {&result_, 1}; }
  std::span<const gpu_soups::word> clusters(const gpu_soups::SoupResult&) const override { return {}; }
  std::span<const gpu_soups::SoupShip> ships(const gpu_soups::SoupResult&) const override { return ships_; }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult&) const override { return {}; }

 private:
  gpu_soups::SoupResult result_{};
  std::vector<gpu_soups::SoupShip> ships_;
};

// Ships that have left beside each other count if each flies as if it were alone, and the soup is run alone
// otherwise, or if one of them has not left. The soup is a block, the ships are gliders.
TEST(CensusOnGpu, ShipsBesideEachOtherFlyAsIfAlone) {
  const auto shared = std::make_shared<SharedCatalogue>();
  SearchContext context{Rule()};
  Catalogue catalogue(context, shared);
  const ClusterTable table = table_of_ships(catalogue);
  const CellList glider = object_cells("xq4_153");
  gpu_soups::word id = 0;
  while (table.known(id)->cycle.phases.front() != glider) ++id;
  const Position by = displacement_of(Rule(), glider, 4);
  const auto counts = [&](const CellList& at, std::vector<int> beside) {
    beside.resize(at.size());
    std::vector<gpu_soups::SoupShip> ships;
    for (const Position& each : at) {
      gpu_soups::SoupShip ship{};
      ship.x = static_cast<short>(each.x);
      ship.y = static_cast<short>(each.y);
      ship.id = id;
      ship.generation = 80;
      ship.dx = static_cast<signed char>(by.x);
      ship.dy = static_cast<signed char>(by.y);
      ship.beside = static_cast<unsigned char>(beside[ships.size()]);
      ships.push_back(ship);
    }
    Counts found;
    std::uint64_t next = 0;
    std::optional<GpuSoupStream> stream;
    GpuSoupStream::Calls calls;
    calls.next = [&] { return next < 100 ? std::optional(next++) : std::nullopt; };
    calls.state = [](std::uint64_t) { return SoupState{object_cells("xs4_33")}; };
    calls.rows = [](std::uint64_t, std::span<std::uint64_t>) { return true; };
    calls.complete = [&](std::uint64_t, const SoupObjects& objects) {
      found = counts_of(objects, stream->catalogue());
    };
    stream.emplace(
        Rule(), 1000, [&](std::int64_t) { return std::make_unique<Claiming>(ships); }, calls,
        table_of(shared));
    stream->run();
    return found;
  };
  const Counts alone = {{"xs4_33", 1}}, two = {{"xq4_153", 2}}, three = {{"xq4_153", 3}};
  EXPECT_EQ(counts({{100, 100}}, {}), (Counts{{"xq4_153", 1}}));
  EXPECT_EQ(counts({{100, 100}, {100, 106}}, {}), two);
  EXPECT_EQ(counts({{100, 100}, {100, 106}}, {1, 1}), two);
  EXPECT_EQ(counts({{100, 100}, {100, 106}}, {2}), alone);
  EXPECT_EQ(counts({{100, 100}, {100, 106}}, {0, 2}), alone);
  EXPECT_EQ(counts({{100, 100}, {100, 140}}, {1}), alone);
  EXPECT_EQ(counts({{100, 100}, {100, 140}}, {0, 1}), alone);
  EXPECT_EQ(counts({{100, 106}, {100, 100}, {100, 112}}, {2, 1, 1}), three);
  EXPECT_EQ(counts({{100, 106}, {100, 100}, {100, 112}}, {2, 2, 1}), alone);
  // The first and the second one are beside the third one
  EXPECT_EQ(counts({{100, 100}, {100, 112}, {100, 106}}, {1, 1, 2}), three);
  EXPECT_EQ(counts({{100, 100}, {100, 112}, {100, 106}}, {1, 2, 2}), alone);
  // They touch
  EXPECT_EQ(counts({{100, 100}, {100, 103}}, {}), alone);
  EXPECT_EQ(counts({{100, 100}, {100, 104}}, {}), alone);
}

// Ships that are put back into a larger square remain on it until it is examined; otherwise the soup does not
// go on there, nor if one flies beside it. At all places at its left and right borders.
TEST(CensusOnGpu, ShipsThatArePutBackRemain) {
  SearchContext context{Rule()};
  Catalogue catalogue(context, std::make_shared<SharedCatalogue>());
  const ClusterTable table = table_of_ships(catalogue);
  constexpr std::int64_t size = 256;
  int put_back = 0, refused = 0;
  for (std::size_t id = 0; id < table.size(); ++id) {
    const KnownCluster& known = *table.known(id);
    if (known.swept.displacement.x == 0) continue;
    const std::int64_t first = known.swept.displacement.x > 0 ? size - 40 : -10;
    for (std::int64_t x = first; x < first + 50; ++x) {
      gpu_soups::SoupResult result{};
      result.generation = 80;
      gpu_soups::SoupShip ship{};
      const Box box = bounds(known.cycle.phases.front());
      ship.x = static_cast<short>(x - size / 4);
      ship.y = static_cast<short>(size / 2 - size / 4);
      ship.id = static_cast<gpu_soups::word>(id);
      ship.generation = 80;
      ship.dx = static_cast<signed char>(known.swept.displacement.x);
      ship.dy = static_cast<signed char>(known.swept.displacement.y);
      ship.side = static_cast<unsigned char>(std::max(box.width, box.height));
      const auto start = start_in_larger(result, {&ship, 1}, ShipsBeside{}, size / 2, 0, table);
      if (!start) {
        ++refused;
        continue;
      }
      if (start->returned_count == 0) continue;
      ++put_back;
      CellList cells;
      const gpu_soups::ReturnedShip& returned = start->returned[0];
      for (int r = 0; r < gpu_soups::ship_side; ++r) {
        for (int i = 0; i < gpu_soups::ship_side; ++i) {
          if ((returned.rows[r] >> i & 1) != 0) cells.push_back({returned.x + i, returned.y + r});
        }
      }
      EXPECT_EQ(bounds(cells).x, x);
      for (int g = 0; g <= gpu_soups::soup_interval; ++g, cells = advance(Rule(), cells))
        EXPECT_TRUE((Box{0, 0, size, size}.contains(bounds(cells)))) << id << ' ' << x << ' ' << g;
      ship.beside = 1;
      EXPECT_FALSE(start_in_larger(result, {&ship, 1}, ShipsBeside{}, size / 2, 0, table));
      ship.beside = 0;
      EXPECT_FALSE(start_in_larger(result, {&ship, 1}, ShipsBeside{1}, size / 2, 0, table));
    }
  }
  EXPECT_GT(put_back, 100);
  EXPECT_GT(refused, 0);
}

// The first one of two gliders knows that the second one was beside it when it left; more leave than a warp
// has lanes.
TEST(CensusOnGpu, ShipsKnowThoseBesideThem) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  SearchContext context{Rule()};
  Catalogue catalogue(context, std::make_shared<SharedCatalogue>());
  const ClusterTable table = table_of_ships(catalogue);
  SoupsOnCpu gpu({Rule(), 128, 400, 2, 2}, testing::TempDir());
  const auto places = std::make_shared<TableOnCpu>(table.places());
  CellList glider = object_cells("xq4_153");
  const Position by = displacement_of(Rule(), glider, 4);
  for (Position& cell : glider) cell = {by.x > 0 ? cell.x : 2 - cell.x, by.y > 0 ? cell.y : 2 - cell.y};
  CellList two, many;
  for (const Position& cell : glider) {
    two.push_back(cell + Position{32, 32});
    two.push_back(cell + Position{26, 26});
    for (std::int64_t i = 0; i < 36; ++i) many.push_back(cell + Position{i % 6 * 11 - 22, i / 6 * 11 - 22});
  }
  std::vector<gpu_soups::word> words;
  add_start(two, 128, words);
  add_start(many, 128, words);
  gpu.begin(words, {}, places);
  const auto results = gpu.results();
  ASSERT_EQ(results[0].ship_count, 2);
  const auto pair = gpu.ships(results[0]);
  EXPECT_EQ(pair[0].beside, 1);
  EXPECT_EQ(pair[1].beside, 0);
  EXPECT_LT(pair[0].generation, pair[1].generation);
  ASSERT_EQ(results[1].ship_count, 36);
  // In lists for one soup there is no space for so many: the host has nothing of the second one, but has the
  // third one, which is empty
  SoupsOnCpu small({Rule(), 128, 400, 1, 3}, testing::TempDir());
  words.resize(words.size() * 3 / 2);
  small.begin(words, {}, places);
  const auto of_small = small.results();
  EXPECT_EQ(small.ships(of_small[0]).size(), 2u);
  EXPECT_EQ(of_small[1].status, gpu_soups::unsettled);
  EXPECT_EQ(of_small[1].board, 0);
  EXPECT_TRUE(small.ships(of_small[1]).empty() && small.clusters(of_small[1]).empty());
  EXPECT_EQ(of_small[2].status, gpu_soups::settled);
  // They go on in a larger square: many are put back, and, later, nearly all are away
  SoupsOnCpu larger({Rule(), 256, 6000, 2, 2}, testing::TempDir());
  const std::vector<gpu_soups::word> nothing(128 * 128 / 32);
  const auto beside = ships_beside(gpu.ships(results[1]), table);
  ASSERT_TRUE(beside);
  for (const int later : {32, 2000}) {
    gpu_soups::SoupResult result = results[1];
    result.generation = static_cast<unsigned short>(result.generation / 8 * 8 + 8 + later);
    const auto start = start_in_larger(result, gpu.ships(result), *beside, 128, 0, table);
    ASSERT_TRUE(start);
    EXPECT_GE(start->returned_count, later == 32 ? 20 : 0);
    EXPECT_GT(start->ship_count, later == 32 ? 0 : 32);
    larger.begin(nothing, {&*start, 1}, places);
    const gpu_soups::SoupResult& last = larger.results()[0];
    ASSERT_EQ(last.status, gpu_soups::settled);
    ASSERT_EQ(last.ship_count, 36);
    // Each is where it would be, wherever it left
    CellList expected, found;
    for (std::size_t i = 0; i < 36; ++i) {
      const gpu_soups::SoupShip &before = gpu.ships(result)[i], &after = larger.ships(last)[i];
      for (const Position& cell :
           AwayCluster{table.known(before.id), {before.x, before.y}, before.generation}.cells(8000))
        expected.push_back(cell + Position{64, 64});
      for (const Position& cell :
           AwayCluster{table.known(after.id), {after.x, after.y}, after.generation}.cells(8000))
        found.push_back(cell);
    }
    std::sort(expected.begin(), expected.end(), RowOrder());
    std::sort(found.begin(), found.end(), RowOrder());
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace moorea
