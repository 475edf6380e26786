// SPDX-License-Identifier: MIT
// Soups of a census on a GPU, in whose place the text of the kernel is compiled for the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "census/gpu_soup_stream.h"
#include "census/soup.h"
#include "census_cells.h"
#include "definition.h"
#include "devices/cuda.h"
#include "moorea/census.h"
#include "object_cells.h"
#include "objects/evolution.h"
#include "soups_on_cpu.h"

namespace moorea {
namespace {

// How many soups each stage of a stream has settled, and how many of them have been moved.
struct Settled {
  std::size_t on[3] = {0, 0, 0}, moved[3] = {0, 0, 0};
};

// Counts what a GPU, or what stands for one, decides.
class Counting final : public GpuSoups {
 public:
  Counting(std::unique_ptr<GpuSoups> soups, std::size_t& settled, std::size_t& moved)
      : soups_(std::move(soups)), settled_(settled), moved_(moved) {}
  std::size_t max_soups() const override { return soups_->max_soups(); }
  void set_clusters(std::span<const gpu_soups::SoupCluster> places) override { soups_->set_clusters(places); }
  void begin(std::span<const gpu_soups::word> soups, std::span<const gpu_soups::SoupStart> starts) override {
    soups_->begin(soups, starts);
  }
  bool is_ready() override { return soups_->is_ready(); }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult& result) const override {
    return soups_->board(result);
  }
  std::span<const gpu_soups::SoupResult> results() override {
    const auto results = soups_->results();
    for (const gpu_soups::SoupResult& each : results) {
      if (each.status != gpu_soups::settled) continue;
      ++settled_;
      moved_ += each.x != 0 || each.y != 0 ? 1 : 0;
    }
    return results;
  }

 private:
  std::unique_ptr<GpuSoups> soups_;
  std::size_t &settled_, &moved_;
};

void compare_stream_with_alone(const std::vector<CellList>& soups, const GpuSoupStream::Make& make,
                               const std::shared_ptr<SharedCatalogue>& shared, Settled& settled) {
  std::vector<Counts> found(soups.size());
  std::uint64_t next = 0;
  GpuSoupStream::Calls calls;
  calls.next = [&] { return next < soups.size() ? std::optional(next++) : std::nullopt; };
  calls.cells = [&](std::uint64_t soup) { return soups[soup]; };
  calls.rows = [&](std::uint64_t soup, std::span<std::uint64_t> rows) {
    return put_in_rows(soups[soup], rows);
  };
  std::optional<GpuSoupStream> stream;
  calls.complete = [&](std::uint64_t soup, const SoupObjects& objects) {
    found[soup] = counts_of(objects, stream->catalogue());
  };
  stream.emplace(
      Rule(), 100'000,
      [&](std::int64_t size) {
        const int stage = size == 128 ? 0 : size == 256 ? 1 : 2;
        return std::make_unique<Counting>(make(size), settled.on[stage], settled.moved[stage]);
      },
      calls, shared);
  stream->run();
  SoupRun alone(Rule(), 100'000, {});
  for (std::size_t i = 0; i < soups.size(); ++i)
    ASSERT_EQ(found[i], counts_of(alone.run(soups[i]), alone.catalogue())) << i;
}

std::vector<CellList> plain_soups(int count) {
  std::vector<CellList> soups;
  for (int i = 0; i < count; ++i) soups.push_back(soup_cells("census_test" + std::to_string(i), "C1"));
  return soups;
}

TEST(CensusOnGpu, SoupsInRowsAreThoseInLists) {
  for (const std::string& symmetry : soup_symmetries()) {
    std::vector<std::uint64_t> rows(64), expected(64);
    EXPECT_TRUE(put_soup_in_rows("census_test", symmetry, rows));
    EXPECT_TRUE(put_in_rows(soup_cells("census_test", symmetry), expected));
    EXPECT_EQ(rows, expected) << symmetry;
  }
  std::vector<std::uint64_t> few(15);
  EXPECT_FALSE(put_soup_in_rows("census_test", "C1", few));
}

TEST(CensusOnGpu, SoupsOfAGpuAreThoseAlone) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 5}, testing::TempDir());
  };
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), 100'000, {}, shared);
  for (const CellList& cells : plain_soups(600)) first.run(cells);
  const int count = test::is_sanitized ? 10 : 40;
  compare_stream_with_alone(plain_soups(count), make, shared, settled);
  compare_stream_with_alone(crowded_soups(16, count), make, shared, settled);
  EXPECT_GT(settled.on[0], test::is_sanitized ? 3u : 20u);
}

// Soups that extend so far on one side that they are in no square around their first cells.
TEST(CensusOnGpu, CellsAreMovedToTheMiddle) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), 100'000, {}, shared);
  std::vector<CellList> soups;
  for (const int number : {26, 41, 114, 237, 247, 248, 314, 348, 884, 1237}) {
    soups.push_back(soup_cells("speed" + std::to_string(number), "C1"));
    first.run(soups.back());
    if (test::is_sanitized) break;
  }
  for (const CellList& cells : plain_soups(600)) first.run(cells);
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 6000, 20, 20}, testing::TempDir());
  };
  compare_stream_with_alone(soups, make, shared, settled);
  EXPECT_GE(settled.moved[1], test::is_sanitized ? 0u : 3u);
}

// A table that has nothing but ships: gliders, and spaceships of three sizes.
ClusterTable table_of_ships(Catalogue& catalogue) {
  for (const char* const code : {"xq4_153", "xq4_6frc", "xq4_27dee6", "xq4_27deee6"}) {
    CellList ship = object_cells(code);
    for (int phase = 0; phase < 4; ++phase) {
      for (int turn = 0; turn < 8; ++turn) {
        CellList cells;
        for (const Position& cell : ship) {
          const Position at = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
          cells.push_back({(turn & 2) != 0 ? -at.x : at.x, (turn & 4) != 0 ? -at.y : at.y});
        }
        EXPECT_NE(catalogue.find(cells, bounds_of_unsorted(cells), 60), nullptr);
      }
      ship = advance(Rule(), ship);
    }
  }
  ClusterTable table;
  table.update(catalogue.shared());
  return table;
}

// Appends a soup in the middle of the half of a square with which a GPU begins.
void add_start(const CellList& soup, std::int64_t size, std::vector<gpu_soups::word>& words) {
  const std::int64_t side = size / 2, first = (side - 16) / 2;
  words.resize(words.size() + static_cast<std::size_t>(side * side / 32));
  const auto mine = std::span(words).last(static_cast<std::size_t>(side * side / 32));
  for (const Position& cell : soup) {
    const std::int64_t x = first + cell.x, y = first + cell.y;
    mine[static_cast<std::size_t>(y * side / 32 + x / 32)] |= gpu_soups::word{1} << x % 32;
  }
}

// Cells of a soup that has been stored and of ships that have left, from the first cell of its square.
CellList stored_cells(const gpu_soups::SoupResult& result, const GpuSoups& gpu, const ClusterTable& table) {
  const SoupState state = state_of(result, gpu, table);
  CellList cells = state.cells;
  for (const AwayCluster& away : state.away) {
    const CellList more = away.cells(state.generation);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

// With a table that has nothing but ships, so that the cells of all soups are stored. They are those of the
// plane, wherever they have been moved, with the ships that have left, and those that were put back. The last
// four soups have lightweight spaceships.
TEST(CensusOnGpu, CellsAreThoseOfThePlane) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  SearchContext context{Rule()};
  Catalogue catalogue(context, std::make_shared<SharedCatalogue>());
  const ClusterTable table = table_of_ships(catalogue);
  std::vector<int> numbers = {26, 114, 247, 248, 40, 884, 1070, 1237};
  if (test::is_sanitized) numbers.resize(1);
  std::vector<std::unique_ptr<SoupsOnCpu>> squares;
  for (const std::int64_t size : gpu_soup_sizes) {
    squares.push_back(std::make_unique<SoupsOnCpu>(
        GpuSoupsSpec{Rule(), size, size == 512 ? 3000u : 2000u, numbers.size(), numbers.size()},
        testing::TempDir()));
    squares.back()->set_clusters(table.places());
  }
  std::size_t moved = 0, left = 0, returned = 0, remained = 0, straight = 0;
  const auto compare = [&](const gpu_soups::SoupResult& result, const GpuSoups& gpu, std::int64_t size,
                           int number) {
    ASSERT_GT(result.board, 0);
    const Position corner = {(size - 16) / 2, (size - 16) / 2};
    Evolution evolution(context);
    evolution.add(translated(soup_cells("speed" + std::to_string(number), "C1"), corner));
    for (std::uint64_t g = 0; g < result.generation; ++g) evolution.step();
    EXPECT_EQ(stored_cells(result, gpu, table), evolution.cells())
        << size << ' ' << number << ' ' << result.generation;
    moved += result.x != 0 || result.y != 0 ? 1 : 0;
    left += result.ship_count;
    for (const gpu_soups::SoupShip& ship : std::span(result.ships).first(result.ship_count))
      straight += ship.dx == 0 || ship.dy == 0 ? 1 : 0;
  };
  for (std::size_t first = 0; first < squares.size(); ++first) {
    std::vector<int> soups = numbers;  // few that begin in larger squares, to save time
    if (first > 0) soups.resize(1);
    std::vector<gpu_soups::word> words;
    std::vector<gpu_soups::SoupStart> starts;
    for (const int number : soups)
      add_start(soup_cells("speed" + std::to_string(number), "C1"), gpu_soup_sizes[first], words);
    for (std::size_t at = first; at < squares.size() && !soups.empty(); ++at) {
      GpuSoups& gpu = *squares[at];
      gpu.begin(words, starts);
      const std::vector<int> here = std::exchange(soups, {});
      words.clear();
      starts.clear();
      const auto results = gpu.results();
      for (std::size_t i = 0; i < here.size(); ++i) {
        compare(results[i], gpu, gpu_soup_sizes[at], here[i]);
        if (results[i].status != gpu_soups::crowded || results[i].board == 0) continue;
        soups.push_back(here[i]);
        const auto board = gpu.board(results[i]);
        words.insert(words.end(), board.begin(), board.end());
        starts.push_back(start_in_larger(results[i], gpu_soup_sizes[at], table));
        returned += starts.back().returned_count;
        remained += starts.back().ship_count;
      }
    }
  }
  if (test::is_sanitized) return;
  EXPECT_GT(moved, 3u);
  EXPECT_GT(left, 10u);
  EXPECT_GT(returned, 5u);
  EXPECT_GT(remained, 0u);
  EXPECT_GE(straight, 3u);
}

// By how much cells have moved after some generations.
Position displacement_of(const Rule& rule, const CellList& cells, int generations) {
  CellList later = cells;
  for (int i = 0; i < generations; ++i) later = advance(rule, later);
  const Box before = bounds_of_unsorted(cells), after = bounds_of_unsorted(later);
  return {after.x - before.x, after.y - before.y};
}

// Ships that leave are three columns ahead of all influences until the next examination, and those that are a
// column nearer remain on the square until then, but for longer ones.
TEST(CensusOnGpu, NothingReachesShipsThatLeave) {
  constexpr std::int64_t size = 128, first = size - gpu_soups::soup_ring;  // column of the ring
  for (const std::string code : {"xq4_153", "xq4_6frc", "xq4_27dee6", "xq4_27deee6"}) {
    const bool is_long = code.size() > 8;
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
        EXPECT_LE(bounds(staying).right(), is_long ? size + 4 : size) << code << ' ' << phase << ' ' << g;
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
    std::ranges::copy(ships, result_.ships);
  }
  std::size_t max_soups() const override { return 1; }
  void set_clusters(std::span<const gpu_soups::SoupCluster>) override {}
  void begin(std::span<const gpu_soups::word>, std::span<const gpu_soups::SoupStart>) override {}
  bool is_ready() override { return true; }
  std::span<const gpu_soups::SoupResult> results() override { return {&result_, 1}; }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult&) const override { return {}; }

 private:
  gpu_soups::SoupResult result_{};
};

// Ships that have left beside each other count if each flies as if it were alone, and the soup is run alone
// otherwise, or if one of them has not left. The soup is a block, the ships are gliders.
TEST(CensusOnGpu, ShipsBesideEachOtherFlyAsIfAlone) {
  const auto shared = std::make_shared<SharedCatalogue>();
  SearchContext context{Rule()};
  Catalogue catalogue(context, shared);
  const ClusterTable table = table_of_ships(catalogue);
  const CellList glider = object_cells("xq4_153");
  unsigned short id = 0;
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
    calls.cells = [](std::uint64_t) { return object_cells("xs4_33"); };
    calls.rows = [](std::uint64_t, std::span<std::uint64_t>) { return true; };
    calls.complete = [&](std::uint64_t, const SoupObjects& objects) {
      found = counts_of(objects, stream->catalogue());
    };
    stream.emplace(
        Rule(), 1000, [&](std::int64_t) { return std::make_unique<Claiming>(ships); }, calls, shared);
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

// Oscillators of all periods that recur when cells are compared, and clusters that are too large for a lane.
TEST(CensusOnGpu, OtherClustersAreLeftToTheCpu) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const auto shared = std::make_shared<SharedCatalogue>();
  std::vector<CellList> soups;
  for (const char* const code : {"xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", "xp4_37bkic",
                                 "xp5_idiidiz01w1", "xp8_gk2t2sgzw23", "xp15_4r4z4r4"}) {
    CellList cells = object_cells(code);
    for (const Position& cell : object_cells("xp2_7")) cells.push_back(cell + Position{30, 30});
    soups.push_back(cells);
  }
  for (const Position& next : CellList{{0, 3}, {3, 0}}) {
    CellList column;  // of blocks, one column or row from each other
    for (std::int64_t i = 0; i < 8; ++i) {
      for (const Position& cell : object_cells("xs4_33"))
        column.push_back(cell + Position{i * next.x, i * next.y});
    }
    soups.push_back(column);
  }
  for (CellList& cells : soups) std::sort(cells.begin(), cells.end(), RowOrder());
  SoupRun first(Rule(), 100'000, {}, shared);
  for (const CellList& cells : soups) first.run(cells);
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 20}, testing::TempDir());
  };
  compare_stream_with_alone(soups, make, shared, settled);
}

}  // namespace
}  // namespace moorea
