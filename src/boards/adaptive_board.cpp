// SPDX-License-Identifier: MIT
#include "boards/adaptive_board.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/bits.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Cost of a cell of an active tile, in cells of the strided layout (bench/results, Zen 5, 2026-11).
constexpr double tile_cost = 2.6;
constexpr std::int64_t end_vectors = 2;

// Generations of a measurement, a multiple of the periods that tiles can skip; and the schedule in
// generations. The activity of tiles is known at any time, therefore they need no warm-up.
constexpr int look = 2 * kernels::tile_halo;
constexpr HandoverTimes times{.quiet_warm_up = 0,
                              .first_look = 10 * look,
                              .quiet_interval = 10 * look,
                              .min_stint = 2 * look,
                              .max_stint = 160 * look,
                              .worth_moving = 0.8};

constexpr std::int64_t max_stripes = 4;  // of rows that are compared

}  // namespace

AdaptiveBoard::AdaptiveBoard(const WorldSpec& world, BusyBoard busy, MakeTiles quiet)
    : Board(world),
      unbounded_(world.is_unbounded()),
      busy_kind_(std::move(busy)),
      make_tiles_(std::move(quiet)),
      handover_(times) {
  if (unbounded_) world_.topology = Topology::plane;  // with the present size, as boards have it
}

Board& AdaptiveBoard::board() const {
  if (busy_) return *busy_;
  return *tiles_;
}

double AdaptiveBoard::strided_cost(const kernels::Kernel& kernel, Size size) {
  const int lanes = std::get<kernels::StridedContract>(kernel.contract).lanes;
  const std::int64_t stride = (size.width + lanes - 1) / lanes;
  return static_cast<double>((stride + end_vectors) * lanes) *
         static_cast<double>(size.height + kernel.max_steps);
}

double AdaptiveBoard::quiet_cost(double awake_cells) const { return tile_cost * awake_cells; }

// A plane that grows has a margin around the cells that are now in tiles.
double AdaptiveBoard::busy_cost() const {
  constexpr std::int64_t sides_a_margin = 8;
  Size size = box().size();
  if (unbounded_ && tiles_)
    size = {size.width + 2 * (size.width / sides_a_margin), size.height + 2 * (size.height / sides_a_margin)};
  return busy_kind_.cost(size);
}

void AdaptiveBoard::load(const Grid& cells, Position at) {
  // Estimate of the cells that will be computed: all squares of 64 x 64 with a live cell
  std::int64_t squares = 0;
  std::vector<std::uint64_t> any(static_cast<std::size_t>(cells.words_per_row()));
  for (std::int64_t top = 0; top < cells.height(); top += 64) {
    std::fill(any.begin(), any.end(), 0);
    for (std::int64_t i = top; i < std::min(top + 64, cells.height()); ++i) {
      for (std::size_t j = 0; j < any.size(); ++j) any[j] |= cells.row(i)[j];
    }
    squares += std::ssize(any) - std::count(any.begin(), any.end(), 0u);
  }
  const double awake =
      world_.rule.births_from_nothing() ? world_.box().area() : static_cast<double>(squares) * 64 * 64;
  const bool quiet =
      quiet_cost(awake) <= busy_kind_.cost(unbounded_ ? cells.view().size() : world_.box().size());
  if (quiet && tiles_) {
    tiles_->load(cells, at);
  } else if (!quiet && busy_) {
    busy_->load(cells, at);
  } else if (quiet) {
    // The present board stays until the new one is complete: there may be no memory for it
    std::unique_ptr<TiledBoard> next = make_tiles_();
    next->load(cells, at);
    replace_board(nullptr, std::move(next));
  } else {
    std::unique_ptr<Board> next = busy_kind_.make();
    next->load(cells, at);
    replace_board(std::move(next), nullptr);
  }
  handover_.start(quiet ? Handover::Mode::quiet : Handover::Mode::busy);
  follow_size();
}

// As tiles first: the next measurement shows whether the world is busy.
void AdaptiveBoard::load_squares(const CellSquares& squares) {
  if (tiles_) {
    tiles_->load_squares(squares);
  } else {
    std::unique_ptr<TiledBoard> next = make_tiles_();
    next->load_squares(squares);
    replace_board(nullptr, std::move(next));
  }
  handover_.start(Handover::Mode::quiet);
  follow_size();
}

// Makes one of the two the present board; the counts of the former one remain.
void AdaptiveBoard::replace_board(std::unique_ptr<Board> busy, std::unique_ptr<TiledBoard> tiles) {
  if (busy_) count_bytes(busy_->bytes_moved());
  if (tiles_) {
    count_bytes(tiles_->bytes_moved());
    earlier_counts_ = earlier_counts_ + tile_counts_of(*tiles_);
  }
  busy_ = std::move(busy);
  tiles_ = std::move(tiles);
  if (BoardInstruments* const instruments = board().instruments(); instruments != nullptr)
    instruments->record(trace_);
}

// The world is computed by the other board from now on, unless there is no memory for two copies.
bool AdaptiveBoard::switch_boards() {
  try {
    if (tiles_) {
      std::unique_ptr<Board> next = busy_kind_.make();
      next->adopt_from(*tiles_, {});
      replace_board(std::move(next), nullptr);
    } else {
      std::unique_ptr<TiledBoard> next = make_tiles_();
      next->adopt_from(*busy_, {});
      replace_board(nullptr, std::move(next));
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

void AdaptiveBoard::decide(double awake_cells) {
  // The tiles of both boards of a plane that grows have different origins, which a record cannot tell apart
  const bool stays = trace_ != nullptr && unbounded_;
  const bool switches = !stays && handover_.should_switch({quiet_cost(awake_cells), busy_cost()});
  if (switches && switch_boards()) {
    handover_.switched();
  } else {
    handover_.stayed();
  }
}

// Advances the busy board and returns an estimate of the share of cells, 0 to 1, in tiles that changed or
// have a neighbour that changed: those that the sparse representation would compute.
double AdaptiveBoard::advance_and_compare(int generations) {
  // A few stripes three tiles high represent the world: a change in one activates all tiles of its middle
  constexpr std::int64_t side = kernels::tile_side;
  const Box all = busy_->box();
  const std::int64_t rows = std::min<std::int64_t>(3 * side, all.height);
  const std::int64_t stripes = std::clamp<std::int64_t>(all.height / (4 * rows), 1, max_stripes);
  const auto stripe = [&](std::int64_t i) {
    return busy_->window({all.x, all.y + all.height / stripes * i, all.width, rows});
  };
  std::vector<Grid> before;
  for (std::int64_t i = 0; i < stripes; ++i) before.push_back(stripe(i));
  busy_->advance(static_cast<std::uint64_t>(generations));

  const std::int64_t words = words_for(all.width);
  std::int64_t awake = 0, blocks = 0;
  for (std::int64_t i = 0; i < stripes; ++i) {
    const Grid &then = before[static_cast<std::size_t>(i)], now = stripe(i);
    std::vector<std::uint64_t> changed(static_cast<std::size_t>(words));
    for (std::int64_t y = 0; y < rows; ++y) {
      for (std::size_t j = 0; j < changed.size(); ++j) changed[j] |= now.row(y)[j] ^ then.row(y)[j];
    }
    for (std::int64_t x = 0; x < all.width; x += side, ++blocks) {
      const std::int64_t end = std::min(x + 2 * side, all.width);
      bool any = false;
      for (std::int64_t at = std::max<std::int64_t>(x - side, 0); at < end && !any; at += 64) {
        any = (cells_at(changed.data(), words, at) & tail_mask(std::min<std::int64_t>(end - at, 64))) != 0;
      }
      awake += any;
    }
  }
  return static_cast<double>(awake) / static_cast<double>(blocks);
}

// A plane that cannot grow in the layout for busy worlds may still do so as tiles.
std::uint64_t AdaptiveBoard::prepare(std::uint64_t generations) {
  std::uint64_t prepared = board().prepare(generations);
  if (busy_ && busy_->at_edge() && switch_boards()) {
    handover_.start(Handover::Mode::quiet);
    prepared = tiles_->prepare(generations);
  }
  follow_size();
  return prepared;
}

void AdaptiveBoard::advance(std::uint64_t generations) {
  constexpr auto representative = static_cast<std::uint64_t>(look);
  while (generations > 0) {
    const std::uint64_t until_look = handover_.until_look();
    std::uint64_t part = 0;
    if (tiles_) {
      // An empty world advances by any number at once
      const bool is_empty = tiles_->awake_cells() == 0;
      part = is_empty ? generations : std::min(generations, std::max<std::uint64_t>(until_look, 1));
      tiles_->advance(part);
      if (is_empty) {
        decide(0);
      } else if (handover_.advance(part) != Handover::Look::none) {
        decide(tiles_->awake_cells());
      }
    } else if (until_look == 0 && generations >= representative) {
      part = representative;
      decide(advance_and_compare(look) * busy_->box().area());
    } else {
      part = until_look == 0 ? generations : std::min(generations, until_look);
      busy_->advance(part);
      handover_.advance(part);
    }
    generations -= part;
  }
  follow_size();
}

// The cells that change in an unbounded plane are counted by its board, whose size changes.
std::uint64_t AdaptiveBoard::advance_comparing() {
  if (!unbounded_) return Board::advance_comparing();
  const std::uint64_t changed = board().advance_comparing();
  follow_size();
  return changed;
}

void AdaptiveBoard::follow_size() {
  if (!unbounded_) return;
  world_.width = board().world().width;
  world_.height = board().world().height;
}

// Noise that is written in parts makes the world busy at once, ranks generate it so. All tiles are active
// after a change to them: that is no reason to go back. The next measurement shows whether the world has
// become quiet.
void AdaptiveBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const double before = tiles_ ? tiles_->awake_cells() : 0;
  board().write(cells, at, mode);
  if (tiles_ && tiles_->awake_cells() > before) {
    const HandoverCosts costs{quiet_cost(tiles_->awake_cells()), busy_cost()};
    if (handover_.should_switch(costs) && switch_boards()) handover_.switched();
  }
  follow_size();
}

void AdaptiveBoard::read(const Box& box, const GridView& to) const { board().read(box, to); }

BoardSummary AdaptiveBoard::summary(const SummaryParts& parts, Position origin) const {
  return board().summary(parts, origin);
}

bool AdaptiveBoard::record(TileTrace* trace) {
  trace_ = trace;
  BoardInstruments* const instruments = board().instruments();
  return instruments != nullptr && instruments->record(trace);
}

Position AdaptiveBoard::origin_of_tiles(Position corner) const {
  const BoardInstruments* const instruments = board().instruments();
  return instruments != nullptr ? instruments->origin_of_tiles(corner) : corner;
}

TileCounts AdaptiveBoard::tile_counts() const {
  return tiles_ ? earlier_counts_ + tile_counts_of(*tiles_) : earlier_counts_;
}

}  // namespace moorea
