// SPDX-License-Identifier: MIT
// Soups of a census on a GPU, in whose place the text of the kernel is compiled for the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "census_gpu.h"
#include "devices/cuda.h"
#include "moorea/census.h"
#include "objects/evolution.h"
#include "soups_on_cpu.h"

namespace moorea {
namespace {

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

// Each cluster of a copy is the one of its id in the list, in one of its phases, and a ship in the first one.
// Returns their number.
std::size_t compare_with_list(const GpuSoupTable& copy, const ClusterTable& table) {
  std::size_t clusters = 0;
  for (const gpu_soups::SoupCluster& each : static_cast<const TableOnCpu&>(copy).places) {
    if (each.kind == gpu_soups::no_cluster) continue;
    ++clusters;
    CellList cells;
    for (std::int64_t y = 0; y < gpu_soups::cluster_side; ++y) {
      for (std::int64_t x = 0; x < gpu_soups::cluster_side; ++x) {
        if ((each.cells[y / 2] >> (y % 2 * 16 + x) & 1) != 0) cells.push_back({x, y});
      }
    }
    const std::vector<CellList>& phases = table.known(each.id)->cycle.phases;
    const std::size_t last = each.kind == gpu_soups::ship ? 1 : phases.size();
    EXPECT_TRUE(std::any_of(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(last),
                            [&](const CellList& phase) {
                              return translated(phase, Position() - bounds(phase).position()) == cells;
                            }));
  }
  return clusters;
}

// Threads find clusters and take copies of the table at the same time.
TEST(CensusOnGpu, ThreadsShareTheTable) {
  const auto shared = std::make_shared<SharedCatalogue>();
  const auto table = table_of(shared);
  std::vector<std::thread> team;
  for (std::uint64_t i = 0; i < 4; ++i) {
    team.emplace_back([&, i] {
      SoupRun alone(Rule(), 100'000, {}, shared);
      for (int soup = 0; soup < 200; ++soup) {
        alone.run(soup_cells("thread" + std::to_string(i) + "_" + std::to_string(soup), "C1"));
        const std::shared_ptr<const GpuSoupTable> copy = table->newest();
        if (soup % 8 == 7) compare_with_list(*copy, table->clusters());
      }
    });
  }
  for (std::thread& each : team) each.join();
  const std::size_t size = table->update();
  EXPECT_GT(size, 256u);
  // One that has not grown is not copied again
  const std::shared_ptr<const GpuSoupTable> last = table->newest();
  EXPECT_GE(compare_with_list(*last, table->clusters()), size - size / 32);
  SoupRun alone(Rule(), 100'000, {}, shared);
  alone.run(soup_cells("thread0_0", "C1"));
  EXPECT_EQ(table->newest(), last);
  EXPECT_EQ(table->update(), size);
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

// Rules whose cells are not counted, and one of others than Life whose cells are. A stream runs up to 64
// soups alone at first.
TEST(CensusOnGpu, KernelsAreCompiledAtTheSameTime) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const auto code = [](std::int64_t size) {
    return compile_for_gpu(soups_source(size, 0).source(), Rule(), 90);
  };
  std::future<std::vector<char>> other = std::async(std::launch::async, code, 256);
  const std::vector<char> beside = code(512);
  EXPECT_GT(other.get().size(), 0U);
  EXPECT_EQ(beside, code(512));
}

TEST(CensusOnGpu, SoupsOfOtherRulesAreThoseAlone) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  std::size_t item = 0;
  for (const char* const name : {"B2-a/S12", "B3/S2-i34q", "B36/S125"}) {
    const std::size_t number = item++;
    if (test::is_sanitized ? number > 0 : !test::test_part().has(number)) continue;
    const Rule rule = Rule::parse(name);
    Settled settled;
    const auto make = [&](std::int64_t size) {
      return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{rule, size, 600, 20, 5}, testing::TempDir());
    };
    const auto shared = std::make_shared<SharedCatalogue>();
    SoupRun first(rule, 100'000, {}, shared);
    for (const CellList& cells : plain_soups(300)) first.run(cells);
    compare_stream_with_alone(plain_soups(test::is_sanitized ? 68 : 94), make, shared, settled, {}, rule);
    EXPECT_GT(settled.on[0], test::is_sanitized ? 0u : 5u) << name;
    if (test::is_sanitized) break;
  }
}

// With roots and numbers of all lengths, up to those that are too long.
TEST(CensusOnGpu, SoupsThatAGpuMakesAreThoseOfTheirNames) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  EXPECT_FALSE(soup_names("root", "D8_1"));
  EXPECT_FALSE(soup_names(std::string(36, 'r'), "C1"));
  const std::vector<std::uint64_t> numbers = {
      0, 9, 10, 4'294'967'295, 4'294'967'296, 12'345'678'901'234'567, 1ull << 63};
  // The boards are those of the soups eight generations later
  SoupsOnCpu gpu({Rule(), 128, 8, numbers.size(), numbers.size()}, testing::TempDir());
  const auto table = TablesOnCpu().copy(ClusterTable().places());
  for (const std::size_t length : {0, 1, 34, 35}) {
    const std::string root(length, 'r');
    const auto names = soup_names(root, "C1");
    ASSERT_TRUE(names);
    gpu.begin(*names, numbers, table);
    const auto made = gpu.results();
    std::vector<std::pair<CellList, std::uint64_t>> cells;
    for (const gpu_soups::SoupResult& each : made) {
      ASSERT_NE(each.board, 0);
      SoupState state = state_of(each, gpu, ClusterTable());
      std::sort(state.cells.begin(), state.cells.end(), RowOrder());
      cells.push_back({state.cells, state.generation});
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const CellList expected =
          advance(Rule(), soup_cells(root + std::to_string(numbers[i]), "C1"), cells[i].second);
      // In the middle of the square
      EXPECT_EQ(cells[i].first, translated(expected, {56, 56})) << root << numbers[i];
    }
  }
  // As a census has them
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 5}, testing::TempDir());
  };
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), 100'000, {}, shared);
  for (const CellList& cells : plain_soups(600)) first.run(cells);
  compare_stream_with_alone(plain_soups(test::is_sanitized ? 6 : 24), make, shared, settled,
                            soup_names("census_test", "C1"));
  EXPECT_GT(settled.on[0], 0u);
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
  const auto places = std::make_shared<TableOnCpu>(table.places());
  std::vector<std::unique_ptr<SoupsOnCpu>> squares;
  for (const std::int64_t size : gpu_soup_sizes) {
    squares.push_back(std::make_unique<SoupsOnCpu>(
        GpuSoupsSpec{Rule(), size, size == 512 ? 3000u : 2000u, numbers.size(), numbers.size()},
        testing::TempDir()));
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
    for (const gpu_soups::SoupShip& ship : gpu.ships(result))
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
      gpu.begin(words, starts, places);
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
        const auto beside = ships_beside(gpu.ships(results[i]), table);
        ASSERT_TRUE(beside);
        const auto start =
            start_in_larger(results[i], gpu.ships(results[i]), *beside, gpu_soup_sizes[at], 0, table);
        ASSERT_TRUE(start);
        starts.push_back(*start);
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

// Cells everywhere in the middle: more windows than may wait. The soup is crowded then, with the cells of the
// last examination.
TEST(CensusOnGpu, SoupsWithManyWindowsAreCrowded) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  SearchContext context{Rule()};
  constexpr std::int64_t size = 512;
  std::mt19937 random(5);
  std::vector<gpu_soups::word> words(size * size / 32 / 4);
  CellList cells;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<gpu_soups::word>(random());
    for (std::int64_t bit = 0; bit < 32; ++bit) {
      const std::int64_t column = static_cast<std::int64_t>(i) % (size / 64) * 32 + bit,
                         row = static_cast<std::int64_t>(i) / (size / 64);
      if ((words[i] >> bit & 1) != 0) cells.push_back({size / 4 + column, size / 4 + row});
    }
  }
  SoupsOnCpu gpu({Rule(), size, 2000, 1, 1}, testing::TempDir());
  const ClusterTable table;
  gpu.begin(words, {}, TablesOnCpu().copy(table.places()));
  const gpu_soups::SoupResult result = gpu.results()[0];
  EXPECT_EQ(result.status, gpu_soups::crowded);
  EXPECT_GT(result.generation, 0);
  EXPECT_LT(result.generation, 100);
  Evolution evolution(context);
  evolution.add(cells);
  for (std::uint64_t g = 0; g < result.generation; ++g) evolution.step();
  EXPECT_EQ(stored_cells(result, gpu, table), evolution.cells());
}

// Blinkers that are separate clusters in one generation and one cluster in the next one, some in one and some
// in the other, and those that are so in both.
TEST(CensusOnGpu, ClustersThatAreNearerInTheNextGeneration) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  struct Blinker {
    Position middle;
    bool is_upright;
  };
  const Blinker apart[] = {{{0, 0}, true}, {{4, 0}, true}}, together[] = {{{0, 0}, false}, {{4, 0}, false}},
                three[] = {{{0, 0}, true}, {{4, 0}, true}, {{8, 0}, true}},
                three_together[] = {{{0, 0}, false}, {{4, 0}, false}, {{8, 0}, false}},
                rows[] = {{{0, 0}, false}, {{0, 4}, false}},
                rows_together[] = {{{0, 0}, true}, {{0, 4}, true}},
                // The second one is near the first one now, and near the third one in the next generation;
                // the first cell of the first two is that of the first one, or of the second one
      chain[] = {{{0, 0}, false}, {{4, 0}, false}, {{4, 4}, false}},
                mirrored[] = {{{4, 0}, false}, {{0, 0}, false}, {{0, 4}, false}};
  std::vector<CellList> soups;
  const auto add = [&](std::initializer_list<std::span<const Blinker>> groups) {
    CellList& soup = soups.emplace_back();
    Position corner = {};
    for (const std::span<const Blinker> group : groups) {
      for (const Blinker& each : group) {
        for (std::int64_t i = -1; i <= 1; ++i)
          soup.push_back(corner + each.middle + (each.is_upright ? Position{0, i} : Position{i, 0}));
      }
      corner = corner + Position{7, 11};
    }
    std::sort(soup.begin(), soup.end(), RowOrder());
  };
  add({apart, together});
  add({together, apart, apart});
  add({three, together, three});
  add({together, three, apart, together});
  add({rows, rows_together});
  constexpr std::size_t settling = 5 + 1;
  add({chain, apart, together});
  add({mirrored});
  add({mirrored, apart, together});
  add({three_together});  // whose cluster the table has thus
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), 100'000, {}, shared);
  for (const CellList& cells : soups) first.run(cells);
  for (const CellList& cells : plain_soups(600)) first.run(cells);
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 20}, testing::TempDir());
  };
  compare_stream_with_alone(soups, make, shared, settled);
  EXPECT_EQ(settled.on[0], settling);
}

// Oscillators of all periods that recur when cells are compared, and clusters that are too large for a lane.
TEST(CensusOnGpu, OtherClustersAreLeftToTheCpu) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const auto shared = std::make_shared<SharedCatalogue>();
  std::vector<CellList> soups;
  for (const char* const code : {"xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", "xp4_37bkic",
                                 "xp5_idiidiz01w1", "xp8_gk2gb3z11", "xp15_4r4z4r4"}) {
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
  for (const CellList& cells : plain_soups(600)) first.run(cells);  // so that the table has enough clusters
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 20}, testing::TempDir());
  };
  compare_stream_with_alone(soups, make, shared, settled);
  EXPECT_EQ(settled.on[0], 0u);
}

}  // namespace
}  // namespace moorea
