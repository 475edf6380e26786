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

AdaptiveBoard::AdaptiveBoard(const WorldSpec& world, BusyBoard busy, const BoundKernel& quiet, int threads)
    : Board(world), busy_kind_(std::move(busy)), quiet_(quiet), threads_(threads), handover_(times) {}

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
  const bool quiet = quiet_cost(awake) <= busy_kind_.cost;
  if (quiet && tiles_) {
    tiles_->load(cells, at);
  } else if (!quiet && busy_) {
    busy_->load(cells, at);
  } else if (quiet) {
    // The present board stays until the new one is complete: there may be no memory for it
    std::unique_ptr<TileBoard> next = new_tiles();
    next->load(cells, at);
    replace_board(nullptr, std::move(next));
  } else {
    std::unique_ptr<Board> next = busy_kind_.make();
    next->load(cells, at);
    replace_board(std::move(next), nullptr);
  }
  handover_.start(quiet ? Handover::Mode::quiet : Handover::Mode::busy);
}

// For unbounded planes: a quiet world stays quiet on a larger plane.
void AdaptiveBoard::adopt_from(const Board& other, Position by) {
  const auto* adaptive = dynamic_cast<const AdaptiveBoard*>(&other);
  if (adaptive == nullptr || !adaptive->tiles_) {
    Board::adopt_from(other, by);
    return;
  }
  std::unique_ptr<TileBoard> next = new_tiles();
  next->adopt_from(*adaptive->tiles_, by);
  replace_board(nullptr, std::move(next));
  handover_.start(Handover::Mode::quiet);
}

std::unique_ptr<TileBoard> AdaptiveBoard::new_tiles() const {
  return std::make_unique<TileBoard>(world_, quiet_, threads_);
}

// Makes one of the two the present board; the counts of the former one remain.
void AdaptiveBoard::replace_board(std::unique_ptr<Board> busy, std::unique_ptr<TileBoard> tiles) {
  if (busy_) count_bytes(busy_->bytes_moved());
  if (tiles_) {
    count_bytes(tiles_->bytes_moved());
    earlier_counts_ = tile_counts();
  }
  busy_ = std::move(busy);
  tiles_ = std::move(tiles);
}

// The world is computed by the other board from now on, unless there is no memory for two copies.
bool AdaptiveBoard::switch_boards() {
  try {
    if (tiles_) {
      std::unique_ptr<Board> next = busy_kind_.make();
      next->adopt_from(*tiles_, {});
      replace_board(std::move(next), nullptr);
    } else {
      std::unique_ptr<TileBoard> next = new_tiles();
      next->adopt_from(*busy_, {});
      replace_board(nullptr, std::move(next));
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

void AdaptiveBoard::decide(double awake_cells) {
  const bool switches = handover_.should_switch({quiet_cost(awake_cells), busy_kind_.cost});
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
  const std::int64_t rows = std::min<std::int64_t>(3 * side, world_.height);
  const std::int64_t stripes = std::clamp<std::int64_t>(world_.height / (4 * rows), 1, max_stripes);
  const auto stripe = [&](std::int64_t i) {
    return busy_->window({0, world_.height / stripes * i, world_.width, rows});
  };
  std::vector<Grid> before;
  for (std::int64_t i = 0; i < stripes; ++i) before.push_back(stripe(i));
  busy_->advance(static_cast<std::uint64_t>(generations));

  const std::int64_t words = words_for(world_.width);
  std::int64_t awake = 0, blocks = 0;
  for (std::int64_t i = 0; i < stripes; ++i) {
    const Grid &then = before[static_cast<std::size_t>(i)], now = stripe(i);
    std::vector<std::uint64_t> changed(static_cast<std::size_t>(words));
    for (std::int64_t y = 0; y < rows; ++y) {
      for (std::size_t j = 0; j < changed.size(); ++j) changed[j] |= now.row(y)[j] ^ then.row(y)[j];
    }
    for (std::int64_t x = 0; x < world_.width; x += side, ++blocks) {
      const std::int64_t end = std::min(x + 2 * side, world_.width);
      bool any = false;
      for (std::int64_t at = std::max<std::int64_t>(x - side, 0); at < end && !any; at += 64) {
        any = (cells_at(changed.data(), words, at) & tail_mask(std::min<std::int64_t>(end - at, 64))) != 0;
      }
      awake += any;
    }
  }
  return static_cast<double>(awake) / static_cast<double>(blocks);
}

void AdaptiveBoard::advance(std::uint64_t generations) {
  constexpr auto representative = static_cast<std::uint64_t>(look);
  while (generations > 0) {
    const std::uint64_t until_look = handover_.until_look();
    std::uint64_t part = 0;
    if (tiles_) {
      // An empty world advances by any number at once; fewer generations than a measurement do not show
      // activity
      part = tiles_->awake_cells() == 0 ? generations : std::min(generations, until_look);
      tiles_->advance(part);
      if (part >= representative) decide(tiles_->awake_cells());
    } else if (until_look == 0 && generations >= representative) {
      part = representative;
      decide(advance_and_compare(look) * world_.box().area());
    } else {
      part = until_look == 0 ? generations : std::min(generations, until_look);
      busy_->advance(part);
      handover_.advance(part);
    }
    generations -= part;
  }
}

// The next measurement shows whether the world has become busy.
void AdaptiveBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  board().write(cells, at, mode);
}

void AdaptiveBoard::read(const Box& box, const GridView& to) const { board().read(box, to); }

BoardSummary AdaptiveBoard::summary(const SummaryParts& parts, Position origin) const {
  return board().summary(parts, origin);
}

TileCounts AdaptiveBoard::tile_counts() const {
  return tiles_ ? earlier_counts_ + tiles_->tile_counts() : earlier_counts_;
}

}  // namespace moorea
