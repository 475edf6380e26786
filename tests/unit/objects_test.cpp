// SPDX-License-Identifier: MIT
// Objects of a settled world: their evolution against boards, their separation against its definition.
#include <gtest/gtest.h>

#include <ctime>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "definition.h"
#include "model/digest.h"
#include "moorea/error.h"
#include "moorea/identify.h"
#include "moorea/simulation.h"
#include "object_cells.h"
#include "objects/apgcode.h"
#include "objects/cells.h"
#include "objects/growth.h"
#include "objects/meetings.h"
#include "objects/recurrence.h"
#include "objects/separate.h"
#include "objects/settled.h"

namespace moorea {
namespace {

const Rule life_rule;

SearchContext& life_search() {
  static SearchContext context{life_rule};
  return context;
}

CellList cells_of(const Pattern& pattern, const Position& at = {}) {
  CellList cells;
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    for (std::int64_t x = 0; x < pattern.cells.width(); ++x) {
      if (pattern.cells.alive(x, y)) cells.push_back(at + Position{x, y});
    }
  }
  return cells;
}

CellList drawn_cells(const std::string& picture, const Position& at = {}) {
  return cells_of(parse_pattern("!\n" + picture, "picture.cells"), at);
}

CellList joined_cells(CellList a, const CellList& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end(), RowOrder());
  return a;
}

CellList noise_cells(std::mt19937& random, std::int64_t size, double density) {
  CellList cells;
  std::bernoulli_distribution alive(density);
  for (std::int64_t y = -size / 2; y < size / 2; ++y) {
    for (std::int64_t x = -size / 2; x < size / 2; ++x) {
      if (alive(random)) cells.push_back({x, y});
    }
  }
  return cells;
}

Pattern as_pattern(const CellList& cells, const Rule& rule = life_rule) {
  const Box box = bounds(cells);
  Pattern pattern;
  pattern.cells = Grid(box.width, box.height);
  pattern.position = box.position();
  pattern.rule = rule.str();
  for (const Position& cell : cells) pattern.cells.set(cell.x - box.x, cell.y - box.y);
  return pattern;
}

const char* const glider_drawing = ".O.\n..O\nOOO\n";
const char* const blinker_drawing = "OOO\n";
const char* const block_drawing = "OO\nOO\n";

// A dead cell is born if exactly its north west neighbour is alive, or as in Life; a live one survives as in
// Life
std::string oriented_map() {
  Rule::Table table{};
  for (unsigned n = 0; n < 512; ++n) table[n / 64] |= std::uint64_t{life_rule.next(n) || n == 256} << n % 64;
  return Rule(table).str();
}

}  // namespace

TEST(Objects, EvolveAsOnABoard) {
  std::mt19937 random(1);
  const std::string map = oriented_map();
  for (const char* text : {"B3/S23", "B36/S23", "B2/S", "B3678/S34678", "B1357/S1357", "B45678/S2345",
                           "B2-a/S12", "B2/S013V", "B2/S34H", map.c_str()}) {
    const Rule rule = Rule::parse(text);
    for (const double density : {0.03, 0.3, 0.9}) {
      CellList cells = noise_cells(random, 24, density);
      if (cells.empty()) continue;
      Simulation board = Simulation::unbounded(rule, as_pattern(cells, rule));
      for (int generation = 0; generation < 12; ++generation) {
        board.step();
        cells = advance(rule, cells);
        CellList expected;
        board.for_each_live(board.box(), [&](Position at) { expected.push_back(at); });
        ASSERT_EQ(cells, expected) << text << " " << density << " " << generation;
      }
    }
  }
}

TEST(Objects, PartsEvolveAsIfTheyWereAlone) {
  std::mt19937 random(2);
  for (int soup = 0; soup < 40; ++soup) {
    CellList cells = noise_cells(random, 40, 0.02 + 0.01 * (soup % 10));
    cells = advance(life_rule, cells, static_cast<std::uint64_t>(soup % 3 * 40));
    const std::uint64_t generations = 1 + random() % 40;
    std::vector<CellList> parts = separate(life_search(), cells, generations);
    for (std::uint64_t g = 0; g <= generations; ++g) {
      CellList together;
      for (CellList& part : parts) {
        together = joined_cells(std::move(together), part);
        part = advance(life_rule, part);
      }
      ASSERT_EQ(together, cells) << "soup " << soup << " generation " << g;
      cells = advance(life_rule, cells);
    }
  }
}

TEST(Objects, PartsAreAsSmallAsPossible) {
  // A block that a glider passes at some distance, one that it hits, and two blocks that touch
  // no common cell
  const CellList passed = joined_cells(drawn_cells(glider_drawing), drawn_cells(block_drawing, {20, 4}));
  EXPECT_EQ(separate(life_search(), passed, 200).size(), 2u);
  const CellList hit = joined_cells(drawn_cells(glider_drawing), drawn_cells(block_drawing, {20, 20}));
  EXPECT_EQ(separate(life_search(), hit, 30).size(), 2u);
  EXPECT_EQ(separate(life_search(), hit, 90).size(), 1u);
  EXPECT_EQ(separate(life_search(),
                     joined_cells(drawn_cells(block_drawing), drawn_cells(block_drawing, {3, 0})), 10)
                .size(),
            2u);
  // Two tables that are stable only together
  EXPECT_EQ(separate(life_search(), drawn_cells("O..O\nOOOO\n....\nOOOO\nO..O\n"), 1).size(), 1u);
  EXPECT_TRUE(separate(life_search(), {}, 5).empty());
}

TEST(Objects, AnObjectThatComesBackIsGuarded) {
  // A glider that hits, after more generations than a still life takes to be set aside, each of many blocks
  for (std::int64_t distance = 6; distance < 60; distance += 7) {
    const CellList cells =
        joined_cells(drawn_cells(glider_drawing), drawn_cells(block_drawing, {distance, distance}));
    const auto time = static_cast<std::uint64_t>(4 * distance);
    EXPECT_EQ(separate(life_search(), cells, time + 8).size(), 1u) << distance;
    EXPECT_EQ(separate(life_search(), cells, time - 20).size(), 2u) << distance;
  }
}

TEST(Objects, MeetingsAreForeseen) {
  const auto cycles = [](std::initializer_list<CellList> all) {
    std::vector<Cycle> result;
    for (const CellList& cells : all) result.push_back(find_cycle(life_search(), cells, 100).value());
    return result;
  };
  const CellList flyer = drawn_cells(glider_drawing);  // to the lower right
  EXPECT_EQ(
      generations_until_apart(life_search(), cycles({flyer, drawn_cells(block_drawing, {-20, -20})}), 100),
      0u);
  EXPECT_EQ(
      generations_until_apart(life_search(), cycles({flyer, drawn_cells(block_drawing, {500, 500})}), 100),
      std::nullopt);
  EXPECT_EQ(
      generations_until_apart(life_search(), cycles({flyer, drawn_cells(block_drawing, {500, 480})}), 100),
      0u);
  // Two that fly in formation have to be looked at for their common period
  EXPECT_EQ(generations_until_apart(life_search(), cycles({flyer, drawn_cells(glider_drawing, {5, 0})}), 100),
            4u);
  EXPECT_EQ(
      generations_until_apart(life_search(), cycles({flyer, drawn_cells(glider_drawing, {40, 0})}), 100), 0u);
  EXPECT_EQ(
      generations_until_apart(
          life_search(), cycles({drawn_cells(blinker_drawing), drawn_cells(blinker_drawing, {5, 0})}), 100),
      2u);
  EXPECT_EQ(
      generations_until_apart(
          life_search(), cycles({drawn_cells(blinker_drawing), drawn_cells(blinker_drawing, {5, 0})}), 1),
      std::nullopt);
}

TEST(Objects, CyclesGoBackwards) {
  const Cycle cycle = find_cycle(life_search(), drawn_cells(glider_drawing), 10).value();
  EXPECT_EQ(cycle.period(), 4u);
  EXPECT_EQ(cycle.displacement, (Position{1, 1}));
  for (std::int64_t g = -9; g < 9; ++g) EXPECT_EQ(advance(life_rule, cycle.at(g)), cycle.at(g + 1)) << g;
  EXPECT_FALSE(find_cycle(life_search(), drawn_cells(glider_drawing), 3));
  EXPECT_FALSE(find_cycle(life_search(), drawn_cells("OOO\nO..\n.O.\n"), 3));
}

TEST(Objects, CodesDoNotDependOnOrientationAndPhase) {
  CellList cells = drawn_cells(glider_drawing, {-7, 3});
  for (int phase = 0; phase < 4; ++phase) {
    for (int turn = 0; turn < 8; ++turn) {
      CellList turned;
      for (const Position& cell : cells) {
        Position at = {turn & 1 ? -cell.x : cell.x, turn & 2 ? -cell.y : cell.y};
        if (turn & 4) std::swap(at.x, at.y);
        turned.push_back(at);
      }
      std::sort(turned.begin(), turned.end(), RowOrder());
      EXPECT_EQ(apgcode(find_cycle(life_search(), turned, 10).value()), "xq4_153");
    }
    cells = advance(life_rule, cells);
  }
  // Two blocks 38 cells apart, and one more: blank columns in one character, and objects that have no code
  const auto far = [](std::int64_t x) {
    Cycle cycle;
    cycle.phases.push_back(joined_cells(drawn_cells(block_drawing), drawn_cells(block_drawing, {x, 0})));
    return apgcode(cycle);
  };
  EXPECT_EQ(far(38), "xs8_33yw33");
  EXPECT_EQ(far(14), "xs8_33y833");
  EXPECT_EQ(far(6), "xs8_33z66") << "one above the other";
  EXPECT_EQ(far(5), "xs8_33x33");
  EXPECT_EQ(far(39), "");
}

// What grows is only known by its populations: every twelve generations there is one more oscillator of a
// period of three, with five, seven and nine cells. In three of twelve generations it has one fewer than
// three generations later.
TEST(Objects, CodesOfGrowth) {
  std::vector<std::uint64_t> populations;
  for (std::uint64_t g = 0; g < 48; ++g) populations.push_back(40 + (g / 12 + 1) * (5 + g % 3 * 2));
  EXPECT_EQ(apgcode_of_growth(populations), "yl12_3_21_" + md5("155#1197"));
  // The smallest period
  for (std::uint64_t& each : populations)
    each = 100 + 3 * static_cast<std::uint64_t>(&each - populations.data());
  EXPECT_EQ(apgcode_of_growth(populations), "yl1_1_3_" + md5("9#27"));
  // Not linear
  for (std::uint64_t& each : populations) each *= each;
  EXPECT_EQ(apgcode_of_growth(populations), "");
  EXPECT_EQ(apgcode_of_growth({}), "");
}

// A gun of period 30, and an oscillator of 16, 15, 18, 15 cells, as if the gun had left it: the population
// always grows by as much in 60 generations, not in 30.
TEST(Objects, CodesOfGrowthKnowThePopulationsOfWhatIsLeft) {
  const CellList gun = cells_of(read_pattern(MOOREA_SOURCE_DIR "/patterns/gosper-glider-gun.rle")),
                 left = object_cells("xp8_g3jgz1ut");
  const Cycle cycle = find_cycle(life_search(), left, 60).value();
  EXPECT_TRUE(growth_code(life_search(), std::vector<CellList>{gun}, {}, 30).starts_with("yl30_1_5_"));
  EXPECT_EQ(growth_code(life_search(), std::vector{gun, left}, {}, 30), "");
  const std::string code = growth_code(life_search(), std::vector{gun, left}, std::vector{cycle}, 30);
  EXPECT_TRUE(code.starts_with("yl60_1_10_")) << code;
}

TEST(Objects, RecurrenceIsTheSmallest) {
  const std::vector<std::uint64_t> growing = {1, 4, 2, 6, 9, 7, 11, 14, 12, 16};
  const Recurrence found = find_recurrence(growing).value();
  EXPECT_EQ(found.period, 3u);
  EXPECT_EQ(found.growth, 5);
  EXPECT_FALSE(find_recurrence(std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32}));
  EXPECT_FALSE(find_recurrence({}));
}

TEST(Objects, SpeedsAreReduced) {
  EXPECT_EQ(speed_text({0, 0}, 5), "");
  EXPECT_EQ(speed_text({1, 1}, 4), "c/4 diagonal");
  EXPECT_EQ(speed_text({-4, 4}, 16), "c/4 diagonal");
  EXPECT_EQ(speed_text({0, -2}, 4), "c/2 orthogonal");
  EXPECT_EQ(speed_text({0, 2}, 5), "2c/5 orthogonal");
  EXPECT_EQ(speed_text({3, 0}, 3), "c orthogonal");
  EXPECT_EQ(speed_text({-1, 2}, 6), "(2,1)c/6");
}

TEST(Identify, OtherRulesAndLimits) {
  Pattern pattern = as_pattern(drawn_cells(block_drawing));
  EXPECT_EQ(identify(pattern).kind, PatternKind::object);
  EXPECT_EQ(identify(pattern).census.at(0).name, "block");
  pattern.rule = "B36/S23";
  EXPECT_EQ(identify(pattern).census.at(0).name, "") << "names are those of Life";
  pattern.rule = "B2/S";
  IdentifyOptions few;
  few.max_generations = 100;
  EXPECT_EQ(identify(pattern, few).kind, PatternKind::unknown);
  EXPECT_EQ(identify(pattern, few).searched, 100u);
  IdentifyOptions stopped;
  stopped.go_on = [] { return false; };
  EXPECT_EQ(identify(pattern, stopped).kind, PatternKind::unknown);
  pattern.rule = "B3/S23:T20,20";
  EXPECT_THROW(identify(pattern), Error);
  pattern.rule = "B03/S23";
  EXPECT_THROW(identify(pattern), Error);
  EXPECT_EQ(identify(Pattern()).kind, PatternKind::dies);
}

// Each search of these is stopped after some calls of go_on: nothing is asked after it, and the time between
// two calls, those within separation, growth and bisection included, is short.
TEST(Identify, StopsWithinShortTime) {
  std::mt19937 random(11);
  std::vector<Pattern> patterns = {as_pattern(noise_cells(random, 200, 0.4))};
  if (!test::is_sanitized) patterns.push_back(read_pattern(MOOREA_SOURCE_DIR "/patterns/puffer-train.rle"));
  for (const Pattern& pattern : patterns) {
    std::uint64_t calls = 0, after = UINT64_MAX;
    // CPU time, which other processes do not lengthen
    std::clock_t longest = 0, last = std::clock();
    IdentifyOptions options;
    options.threads = 1;
    options.go_on = [&] {
      const std::clock_t now = std::clock();
      longest = std::max(longest, now - last);
      last = now;
      return ++calls < after;
    };
    EXPECT_NE(identify(pattern, options).kind, PatternKind::unknown);
    EXPECT_LT(static_cast<double>(longest) / CLOCKS_PER_SEC, 1)
        << "generous: 0.1 s is what users are promised";
    const std::uint64_t all = calls;
    ASSERT_GT(all, 50u);
    for (const int part : {1, 3}) {
      calls = 0;
      after = all * static_cast<std::uint64_t>(part) / 5;
      EXPECT_EQ(identify(pattern, options).kind, PatternKind::unknown);
      EXPECT_EQ(calls, after) << "nothing is computed after it was stopped";
    }
  }
}

// Wherever the search is stopped, also while populations are counted for the apgcode of what has been found.
TEST(Identify, IsCompleteOrUnknownWhenItIsStopped) {
  const Pattern engines = read_pattern(MOOREA_SOURCE_DIR "/patterns/one-row-growth.rle");
  int calls = 0, last = 0;
  IdentifyOptions options;
  options.threads = 1;
  options.go_on = [&] { return ++calls != last; };
  const Identification whole = identify(engines, options);
  EXPECT_FALSE(whole.apgcode.empty());
  for (last = std::exchange(calls, 0); last > 0; --last, calls = 0) {
    const Identification found = identify(engines, options);
    EXPECT_EQ(found.kind == PatternKind::unknown, found.census.empty()) << last;
    EXPECT_EQ(found.kind == PatternKind::unknown, found.period == 0) << last;
  }
}

TEST(Identify, SettledIsTheFirstGeneration) {
  std::mt19937 random(5);
  int settled = 0;
  for (int soup = 0; soup < 40; ++soup) {
    const CellList start = noise_cells(random, 8, 0.4);
    const Identification found = identify(as_pattern(start));
    if (found.kind == PatternKind::unknown || found.settled == 0) continue;
    ++settled;
    const CellList before = advance(life_rule, start, found.settled - 1);
    const CellList now = advance(life_rule, before);
    Separation separation(life_search(), now);
    const std::optional<SettledWorld> world = settled_world(life_search(), separation, {120, 5000});
    ASSERT_TRUE(world && world->others.empty()) << soup;
    EXPECT_EQ(world->at(0), now) << soup;
    EXPECT_NE(world->at(-1), before) << soup << ", generation " << found.settled;
    EXPECT_EQ(found.population, now.size()) << soup;
  }
  EXPECT_GT(settled, 20);
}

TEST(Identify, ObjectsThatMeetLater) {
  // Two gliders that annihilate after a long way: nothing has settled before
  CellList other;
  for (const Position& cell : drawn_cells(glider_drawing)) other.push_back({400 - cell.x, 400 - cell.y});
  std::sort(other.begin(), other.end(), RowOrder());
  const Identification found = identify(as_pattern(joined_cells(drawn_cells(glider_drawing), other)));
  EXPECT_GT(found.settled, 750u);
  EXPECT_NE(found.kind, PatternKind::objects);
}

// Nothing is half found, whenever the search is stopped: after it knows when the world has settled, too.
TEST(Identify, AStoppedSearchFindsAllOrNothing) {
  Pattern blocks;  // after a generation
  blocks.cells = Grid(640, 640);
  const Grid corner = parse_pattern("2o$o!", "corner.rle").cells;
  for (std::int64_t i = 0; i < 64 * 64; ++i) blocks.cells.paste(corner, {i % 64 * 10, i / 64 * 10});
  std::uint64_t calls = 0, most = std::numeric_limits<std::uint64_t>::max();
  IdentifyOptions options;
  options.threads = 1;
  options.go_on = [&] { return ++calls < most; };
  const Identification whole = identify(blocks, options);
  ASSERT_EQ(whole.kind, PatternKind::settles);
  ASSERT_EQ(whole.settled, 1u);
  const std::uint64_t all = calls;
  for (most = all > 30 ? all - 30 : 1; most <= all; ++most) {
    calls = 0;
    const Identification found = identify(blocks, options);
    if (found.kind == whole.kind) continue;
    EXPECT_EQ(found.kind, PatternKind::unknown);
    EXPECT_EQ(found.settled, 0u);
    EXPECT_TRUE(found.census.empty());
  }
}

}  // namespace moorea
