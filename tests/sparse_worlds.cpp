// SPDX-License-Identifier: MIT
#include "sparse_worlds.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "choose/choose.h"
#include "definition.h"
#include "moorea/inventory.h"

namespace moorea::test {
namespace {

constexpr std::uint64_t max_cells = 600;  // of a state that is compared

// Sides of the units into which boards and kernels partition worlds: halos, words of 32 and 64 cells, tiles
// of 52 x 48, thread blocks, vectors of 256 and 512 cells, tiles and segments of the ladders and of GPUs.
constexpr std::array<std::int64_t, 26> internal_sides = {4,   6,   8,   16,  20,  24,   32,   40,  48,
                                                         52,  56,  60,  62,  64,  96,   104,  124, 128,
                                                         240, 256, 260, 480, 512, 1024, 1856, 4096};

// Rules under which the number of cells stays small, or grows slowly for a while.
constexpr const char* slow_rules[] = {"B3/S23",       "B36/S23",     "B38/S23",      "B3/S234",   "B368/S245",
                                      "B36/S125",     "B2/S",        "B3678/S34678", "B3/S12345", "B34/S34",
                                      "B4678/S35678", "B1357/S1357", "B35678/S5678"};

// Small patterns: still, oscillating, moving in each direction, and growing.
constexpr const char* small_patterns[] = {
    "o!",         "2o$2o!",   "3o!",        "o$o$o!",           "bo$2bo$3o!",         "bo$o$3o!",
    "3o$2bo$bo!", "3o$o$bo!", "b2o$2o$bo!", "bo2bo$o$o3bo$4o!", "o2bo$4bo$o3bo$b4o!", "2o!",
    "o$o!",       "2ob2o!",   "b3o$3o!"};

const Grid& small_pattern(std::size_t i) {
  static const std::vector<Grid> patterns = [] {
    std::vector<Grid> list;
    for (const char* rle : small_patterns) {
      list.push_back(parse_pattern(fmt::format("x = 0, y = 0\n{}", rle), "small pattern").cells);
    }
    return list;
  }();
  return patterns[i];
}

Grid draw_cells(const Draw& draw) {
  if (draw(4) == 0)
    return Grid::random(1 + static_cast<std::int64_t>(draw(9)), 1 + static_cast<std::int64_t>(draw(9)), 0.5,
                        draw(1 << 30));
  return small_pattern(draw(std::size(small_patterns)));
}

// A side near a multiple of an internal one; one in eight is tiny.
std::int64_t draw_side(const Draw& draw, std::int64_t maximum) {
  if (draw(8) == 0) return 1 + static_cast<std::int64_t>(draw(15));
  const std::int64_t unit = internal_sides[draw(internal_sides.size())];
  const std::int64_t multiples = std::max<std::int64_t>(maximum / unit, 1);
  const std::int64_t side =
      unit * (1 + static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(multiples)))) +
      static_cast<std::int64_t>(draw(15)) - 7;
  return std::clamp<std::int64_t>(side, 1, maximum);
}

// A coordinate at a border: of the world, of parts of one size, or of equal parts.
std::int64_t draw_place(const Draw& draw, std::int64_t side) {
  std::int64_t border = 0;
  const std::int64_t unit = internal_sides[draw(internal_sides.size())];
  switch (draw(4)) {
    case 0:
      break;
    case 1:
      border = side * static_cast<std::int64_t>(1 + draw(7)) / static_cast<std::int64_t>(2 + draw(7));
      break;
    case 2:
      border = side - unit * static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(side / unit + 1)));
      break;
    default:
      border = unit * static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(side / unit + 1)));
  }
  return ((border + static_cast<std::int64_t>(draw(19)) - 9) % side + side) % side;
}

const Rule& drawn_rule(const Draw& draw, bool unnamed) {
  static const std::vector<Rule> slow = [] {
    std::vector<Rule> list;
    for (const char* text : slow_rules) list.push_back(Rule::parse(text));
    return list;
  }();
  static const std::vector<Rule> others = {Rule::parse("B37/S2367"), Rule::parse("B3567/S13"),
                                           Rule::parse("B0123478/S01234678"), Rule::parse("B01/S5"),
                                           Rule::parse("B26/S0378")};
  if (unnamed && draw(400) == 0) return others[draw(others.size())];
  // Half of them are Life, which has moving patterns
  return draw(2) == 0 ? slow.front() : slow[draw(slow.size())];
}

// One to four edits from portion test.entry_after on: somewhere, at the live cells, or the last one once
// more, which takes a toggled patch away again.
void draw_edits(const Draw& draw, SparseCase& test) {
  for (std::size_t after = test.entry_after; after < test.portions.size() && test.edits.size() < 4; ++after) {
    Edit edit;
    if (!test.edits.empty() && draw(3) == 0) {
      edit = test.edits.back();
    } else {
      edit.cells = draw_cells(draw);
      edit.mode = static_cast<PasteMode>(draw(4));
      if (draw(2) == 0) {
        edit.at = test.at +
                  Position{static_cast<std::int64_t>(draw(7)) - 3, static_cast<std::int64_t>(draw(7)) - 3};
      } else if (test.grows()) {
        edit.at = {static_cast<std::int64_t>(draw(1200)) - 600, static_cast<std::int64_t>(draw(1200)) - 600};
      } else {
        edit.at = {draw_place(draw, test.width), draw_place(draw, test.height)};
      }
    }
    edit.after = after;
    test.edits.push_back(std::move(edit));
    if (draw(2) == 0) break;
  }
}

SparseState state_of(const CellSet& cells) {
  SparseState state;
  state.population = cells.population();
  state.box = cells.bounding_box();
  if (!state.box) return state;
  state.cells = cells.window(*state.box);
  state.hash = state.cells.hash(state.box->position());
  return state;
}

std::uint64_t hash_of(const Simulation& simulation) { return simulation.hash(); }
std::uint64_t hash_of(const Board& board) { return board.hash({}); }

std::string box_text(const std::optional<Box>& box) {
  return box ? fmt::format("{} x {} at ({}, {})", box->width, box->height, box->x, box->y) : "nothing";
}

template <class World>
std::string difference(const World& world, const SparseState& expected, bool last) {
  if (world.population() != expected.population) {
    return fmt::format("population {}, not {}", world.population(), expected.population);
  }
  if (world.bounding_box() != expected.box) {
    return fmt::format("live cells in {}, not in {}", box_text(world.bounding_box()), box_text(expected.box));
  }
  if (expected.box && world.window(*expected.box) != expected.cells) return "other cells";
  if (last && hash_of(world) != expected.hash) return "another hash";
  return {};
}

Simulation start_of(const SparseCase& test, const Options& options) {
  if (test.grows()) {
    Pattern pattern;
    pattern.cells = test.cells;
    pattern.position = test.at;
    return Simulation::unbounded(test.rule, pattern, options);
  }
  CellSet cells(test.topology, test.width, test.height);
  cells.put(test.cells, test.at);
  return Simulation(test.rule, test.topology, cells.window({0, 0, test.width, test.height}), options);
}

std::string failed_at(const SparseCase& test, std::size_t portion, const std::string& what) {
  std::uint64_t generation = 0;
  for (std::size_t i = 0; i <= portion && i < test.portions.size(); ++i)
    generation += static_cast<unsigned>(test.portions[i]);
  return fmt::format("{} at generation {}", what, generation);
}

std::string run_boards(const SparseCase& test, const std::vector<SparseState>& expected,
                       const Options& options, const Options& earlier) {
  // A board holds pointers into its choice
  const WorldSpec world = {test.rule, test.topology, test.width, test.height};
  const Choice before = choose(world, earlier), after = choose(world, options);
  const auto make = [&](const Choice& choice) { return make_board(world, choice); };
  CellSet cells(test.topology, test.width, test.height);
  cells.put(test.cells, test.at);
  std::unique_ptr<Board> board = make(before);
  board->load(cells.window({0, 0, test.width, test.height}), {});
  for (std::size_t i = 0; i < test.portions.size(); ++i) {
    if (i == test.entry_after) {
      std::unique_ptr<Board> next = make(after);
      next->adopt_from(*board, {});
      board = std::move(next);
    }
    board->advance(static_cast<std::uint64_t>(test.portions[i]));
    if (const std::string what = difference(*board, expected[i], i + 1 == test.portions.size());
        !what.empty())
      return failed_at(test, i, what);
  }
  return {};
}

}  // namespace

SparseCase draw_sparse_case(const Draw& draw, const SparseLimits& limits) {
  SparseCase test;
  const bool grows = limits.grows && draw(8) == 0;
  test.rule = drawn_rule(draw, limits.unnamed_rules);
  const bool dense = test.rule.next(false, 0);
  test.topology = draw(3) == 0 ? Topology::plane : Topology::torus;
  test.cells = draw_cells(draw);
  if (grows && !dense) {
    test.topology = Topology::plane;
    test.at = {static_cast<std::int64_t>(draw(300)) - 150, static_cast<std::int64_t>(draw(300)) - 150};
  } else {
    const bool long_width = draw(40) == 0, long_height = draw(40) == 0;
    test.width = draw_side(draw, dense ? 100 : long_width ? limits.longest_side : limits.max_side);
    test.height = draw_side(draw, dense ? 100 : long_height ? limits.longest_side : limits.max_side);
    test.at = {draw_place(draw, test.width), draw_place(draw, test.height)};
  }
  const std::uint64_t longest = draw(4) == 0 ? 60 : 13;
  for (std::uint64_t portions = 1 + draw(5); portions > 0; --portions)
    test.portions.push_back(static_cast<int>(1 + draw(dense ? 6 : longest)));
  if (draw(2) == 0) return test;
  test.entry_after = draw(test.portions.size());
  test.entry = static_cast<Entry>(1 + draw(3));
  if (test.entry == Entry::take && test.grows()) test.entry = Entry::file;
  if (test.entry == Entry::paste) draw_edits(draw, test);
  return test;
}

std::vector<SparseState> sparse_states(SparseCase& test) {
  CellSet cells = test.grows() ? CellSet() : CellSet(test.topology, test.width, test.height);
  cells.put(test.cells, test.at);
  const bool dense = test.rule.next(false, 0);
  std::vector<SparseState> states;
  for (std::size_t i = 0; i < test.portions.size(); ++i) {
    for (const Edit& edit : test.edits)
      if (edit.after == i) cells.paste(edit.cells, edit.at, edit.mode);
    for (int generation = 0; generation < test.portions[i]; ++generation) {
      cells.step(test.rule);
      if (!dense && cells.population() > max_cells) {
        test.portions[i] = generation + 1;
        test.portions.resize(i + 1);
      }
    }
    states.push_back(state_of(cells));
  }
  std::erase_if(test.edits, [&](const Edit& edit) { return edit.after >= test.portions.size(); });
  if (test.entry_after >= test.portions.size()) test.entry = Entry::load;
  return states;
}

std::string run_sparse_case(const SparseCase& test, const std::vector<SparseState>& expected,
                            const Options& options, const Options& earlier) {
  if (test.entry == Entry::take) return run_boards(test, expected, options, earlier);
  Simulation simulation = start_of(test, test.entry == Entry::file ? earlier : options);
  for (std::size_t i = 0; i < test.portions.size(); ++i) {
    for (const Edit& edit : test.edits)
      if (edit.after == i) simulation.paste(edit.cells, edit.at, edit.mode);
    if (test.entry == Entry::file && i == test.entry_after) {
      simulation =
          Simulation::of(parse_pattern(format_pattern(simulation.snapshot(i % 2 == 0)), "snapshot"), options);
    }
    simulation.step(static_cast<std::uint64_t>(test.portions[i]));
    if (const std::string what = difference(simulation, expected[i], i + 1 == test.portions.size());
        !what.empty())
      return failed_at(test, i, what);
  }
  return {};
}

Options draw_options(const Draw& draw, const std::string& kernel, const std::string& device) {
  static const std::vector<KernelInfo> kernels = list_kernels();
  Options options;
  options.kernel = kernel;
  if (!device.empty()) options.device = device;
  options.threads = draw(4) == 0 ? static_cast<int>(2 + draw(4)) : 1;
  const auto info = std::find_if(kernels.begin(), kernels.end(),
                                 [&](const KernelInfo& known) { return known.name == kernel; });
  if (info == kernels.end()) return options;
  if (info->passes_chosen && draw(4) == 0)
    options.generations_a_pass = static_cast<int>(1 + draw(static_cast<std::uint64_t>(info->max_steps)));
  if (info->tile.width > 0 && draw(4) == 0) {
    const auto tile = [&](std::int64_t unit) { return unit * static_cast<std::int64_t>(1 + draw(3)); };
    options.tile = TileSize{static_cast<int>(tile(64)), static_cast<int>(tile(7))};
  }
  return options;
}

std::string to_string(const SparseCase& test) {
  static constexpr const char* entries[] = {"loaded", "pasted", "taken from another board",
                                            "read from a file"};
  std::string portions;
  for (const int portion : test.portions) portions += fmt::format(" {}", portion);
  const auto cells = [](const Grid& grid, Position at) {
    Pattern pattern;
    pattern.cells = grid;
    pattern.position = at;
    return format_pattern(pattern);
  };
  std::string text = test.grows() ? fmt::format("{}, a growing plane", test.rule.str())
                                  : fmt::format("{}, {} {} x {}", test.rule.str(), to_string(test.topology),
                                                test.width, test.height);
  text += fmt::format(", {} after {} of the portions{}; cells at ({}, {}):\n{}",
                      entries[static_cast<int>(test.entry)], test.entry_after, portions, test.at.x, test.at.y,
                      cells(test.cells, test.at));
  for (const Edit& edit : test.edits)
    text += fmt::format("after {} portions pasted ({}) at ({}, {}):\n{}", edit.after, to_string(edit.mode),
                        edit.at.x, edit.at.y, cells(edit.cells, edit.at));
  return text;
}

}  // namespace moorea::test
