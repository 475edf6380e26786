// SPDX-License-Identifier: MIT
// Forms of PlaneBoard and its cells; plane_passes.cpp advances it.
#include "boards/plane_board.h"

#include <algorithm>
#include <utility>

#include "boards/board_squares.h"
#include "boards/stopwatch.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "trees/tree_squares.h"

namespace moorea {
namespace {

// Of a square of cells while it is converted, and of the tiles that it becomes.
constexpr std::uint64_t bytes_a_square = 4096;
constexpr double share_for_squares = 0.5;  // of the available memory

}  // namespace

PlaneBoard::PlaneBoard(const Rule& rule, PlaneForms forms)
    : Board({rule, Topology::plane, 0, 0}), forms_(std::move(forms)), cells_(forms_.make_cells()) {
  cells_->load(Grid(), {});  // boards answer nothing before their first cells
}

Board& PlaneBoard::board() const {
  if (form() == PlaneForm::tree) return *tree_;
  return *cells_;
}

// The size of a tree is not known without a visit of its edges, and nobody asks for it.
void PlaneBoard::follow_size() {
  const bool is_tree = form() == PlaneForm::tree;
  world_.width = is_tree ? 0 : cells_->world().width;
  world_.height = is_tree ? 0 : cells_->world().height;
}

void PlaneBoard::drop(PlaneForm form) {
  if (form == PlaneForm::tree) {
    tree_.reset();
  } else if (cells_) {
    earlier_counts_ = earlier_counts_ + tile_counts_of(*cells_);
    count_bytes(cells_->bytes_moved());
    cells_.reset();
  }
}

// One form has the plane from now on, without a comparison.
void PlaneBoard::replace_form(PlaneForm form) {
  drop(other_form(form));
  contest_.replaced();
  if (form == PlaneForm::tree) begin_steps();
  changes_.push_back({generations_, form == PlaneForm::tree, contest_.elapsed(), 0, 0});
  prepared_ = 0;
  follow_size();
}

// Ends a trial without a winner, so that the plane has one form.
void PlaneBoard::settle() {
  if (contest_.in_trial()) give_up();
}

void PlaneBoard::load(const Grid& cells, Position at) {
  if (!cells_) cells_ = forms_.make_cells();
  cells_->load(cells, at);
  drop(PlaneForm::tree);
  contest_ = FormContest(PlaneForm::cells);
  generations_ = 0;
  prepared_ = 0;
  follow_size();
}

void PlaneBoard::load_tree(const std::function<void(TreeWorld&)>& fill) {
  std::unique_ptr<TreeBoard> next = forms_.make_tree();
  fill(next->tree());
  tree_ = std::move(next);
  drop(PlaneForm::cells);
  contest_ = FormContest(PlaneForm::tree);
  begin_steps();
  generations_ = 0;
  follow_size();
}

void PlaneBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  settle();
  board().write(cells, at, mode);
  prepared_ = 0;
  follow_size();
}

BoardSummary PlaneBoard::summary(const SummaryParts& parts, Position origin) const {
  return board().summary(parts, origin);
}

TileCounts PlaneBoard::tile_counts() const {
  return cells_ ? earlier_counts_ + tile_counts_of(*cells_) : earlier_counts_;
}

bool PlaneBoard::record(TileTrace* trace) {
  BoardInstruments* const instruments = form() == PlaneForm::cells ? cells_->instruments() : nullptr;
  return instruments != nullptr && instruments->record(trace);
}

bool PlaneBoard::guard(BlockGuard* guard) {
  BoardInstruments* const instruments = form() == PlaneForm::cells ? cells_->instruments() : nullptr;
  return instruments != nullptr && instruments->guard(guard);
}

Position PlaneBoard::origin_of_tiles(Position corner) const {
  const BoardInstruments* const instruments = cells_ ? cells_->instruments() : nullptr;
  return instruments != nullptr ? instruments->origin_of_tiles(corner) : corner;
}

BigInteger PlaneBoard::far_population() const {
  if (TreeBoard* const now = tree()) return now->tree().population();
  return cells_->population();
}

std::optional<Extent> PlaneBoard::extent() const {
  if (TreeBoard* const now = tree()) return now->tree().extent();
  const std::optional<Box> live = cells_->bounding_box();
  if (!live) return {};
  return Extent{live->x, live->y, live->right() - 1, live->bottom() - 1};
}

TreeBoard& PlaneBoard::as_tree() {
  settle();
  if (!tree_) {
    to_tree();
    replace_form(PlaneForm::tree);
  }
  return *tree_;
}

// The cells as a tree; they remain.
void PlaneBoard::to_tree() {
  const Stopwatch watch;
  CellSquares squares = squares_of(*cells_);
  std::unique_ptr<TreeBoard> next = forms_.make_tree();
  next->load_squares(squares);
  tree_ = std::move(next);
  conversion_seconds_ = watch.seconds();
}

// The tree as cells, if these are few enough; it remains.
bool PlaneBoard::to_cells(std::size_t limit) {
  const Stopwatch watch;
  TreeWorld& from = tree_->tree();
  const std::optional<CellSquares> squares = moorea::squares_of(from.store(), from.universe(), limit);
  if (!squares) return false;
  try {
    if (cells_) {
      cells_->load_squares(*squares);
    } else {
      std::unique_ptr<Board> next = forms_.make_cells();
      next->load_squares(*squares);
      cells_ = std::move(next);
    }
  } catch (const Error&) {
    drop(PlaneForm::cells);  // no memory, or beyond the board's coordinates
    return false;
  }
  conversion_seconds_ = watch.seconds();
  return true;
}

std::size_t PlaneBoard::max_squares() const {
  const double bytes = forms_.max_bytes != 0 ? static_cast<double>(forms_.max_bytes)
                                             : share_for_squares * static_cast<double>(available_memory());
  return static_cast<std::size_t>(bytes / static_cast<double>(bytes_a_square));
}

}  // namespace moorea
