// SPDX-License-Identifier: MIT
// An unbounded plane that is advanced as cells, by a board, or as a tree, by HashLife, whichever a
// FormContest measures to be faster. Both advance it exactly, and it passes between them as squares of live
// cells, so that memory follows these. Generations have any size.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "boards/board.h"
#include "boards/form_contest.h"
#include "boards/instruments.h"
#include "boards/tree_board.h"
#include "moorea/plane_change.h"

namespace moorea {

struct PlaneForms {
  std::function<std::unique_ptr<Board>()> make_cells;     ///< an empty unbounded plane
  std::function<std::unique_ptr<TreeBoard>()> make_tree;  ///< an empty unbounded plane
  std::uint64_t max_bytes = 0;     ///< that either may use; 0: the memory that is available
  std::function<bool()> switches;  ///< for tests: decides in place of the contest
};

class PlaneBoard final : public Board, private BoardInstruments {
 public:
  using GoOn = std::function<bool()>;

  PlaneBoard(const Rule& rule, PlaneForms forms);

  Box box() const override { return board().box(); }
  void load(const Grid& cells, Position at) override;
  void write(const ConstGridView& cells, Position at, PasteMode mode) override;
  void read(const Box& box, const GridView& to) const override { board().read(box, to); }
  std::uint64_t prepare(std::uint64_t generations) override;
  void expect(std::uint64_t generations) override;
  void advance(std::uint64_t generations) override;
  void advance_counting(std::uint64_t generations, std::uint64_t* populations) override;
  std::uint64_t advance_comparing() override;
  BoardSummary summary(const SummaryParts& parts, Position origin) const override;
  std::vector<std::uint32_t> density(const Raster& raster) const override { return board().density(raster); }
  std::vector<Box> live_boxes(const Box& box) const override { return board().live_boxes(box); }
  bool at_edge() const override { return board().at_edge(); }
  std::uint64_t bytes_moved() const override { return Board::bytes_moved() + board().bytes_moved(); }
  TreeWorld* plane_tree() const override { return board().plane_tree(); }
  BoardInstruments* instruments() override { return this; }
  TileCounts tile_counts() const override;

  /// Of the board of cells; a tree has no tiles.
  bool record(TileTrace* trace) override;
  bool guard(BlockGuard* guard) override;
  Position origin_of_tiles(Position corner) const override;

  /// Makes the plane a tree with the cells that `fill` loads into it.
  void load_tree(const std::function<void(TreeWorld&)>& fill);

  /// Advances by any number of generations. Returns false if `go_on`, which is called many times per second,
  /// returned false; generations() says how many have been computed. Throws as TreeBoard and boards of cells
  /// do.
  bool advance_far(const BigInteger& generations, const GoOn& go_on);

  /// Generations that were computed since the board was made or its cells replaced.
  const BigInteger& generations() const { return generations_; }

  BigInteger far_population() const;
  std::optional<Extent> extent() const;

  PlaneForm form() const {
    if (cells_ && tree_) return contest_.form();
    return tree_ ? PlaneForm::tree : PlaneForm::cells;
  }
  /// The tree if the plane is one; null otherwise.
  TreeBoard* tree() const { return form() == PlaneForm::tree ? tree_.get() : nullptr; }
  /// The plane as a tree from now on. Throws Error (memory).
  TreeBoard& as_tree();
  /// The plane as a tree of its own; the board has no plane from then on. Throws Error (memory).
  std::unique_ptr<TreeBoard> take_tree() { return as_tree(), std::move(tree_); }

  const std::vector<PlaneChange>& changes() const { return changes_; }
  const FormContest& contest() const { return contest_; }

 private:
  Board& board() const;
  void to_tree();
  bool to_cells(std::size_t limit);
  std::size_t max_squares() const;
  void become_cells();
  void drop(PlaneForm form);
  void replace_form(PlaneForm form);
  void settle();
  void follow_size();

  bool advance_part(BigInteger& left, const GoOn& go_on);
  BigInteger cells_part(const BigInteger& left);
  std::optional<BigInteger> tree_part(const BigInteger& left, const GoOn& go_on, bool& goes_on);
  void begin_steps();
  void adapt_step(const BigInteger& step, double seconds);
  void decide(const BigInteger& done, double seconds);
  void begin_trial();
  void give_up();
  bool converts_back() const;
  void switch_now();

  PlaneForms forms_;
  std::unique_ptr<Board> cells_;  // both exist in a trial: the former one keeps an earlier generation
  std::unique_ptr<TreeBoard> tree_;
  FormContest contest_;
  BigInteger generations_;
  BigInteger lag_;              // generations of the trial
  std::uint64_t prepared_ = 0;  // by the board of cells, for the next call of advance()
  BigInteger tree_step_;        // of the next part as a tree, a power of two
  double patience_ = 0;         // seconds of a part as a tree
  double last_tree_speed_ = 0;
  double conversion_seconds_ = 0;  // the last one
  TileCounts earlier_counts_;      // of boards of cells that were dropped
  std::vector<PlaneChange> changes_;
};

}  // namespace moorea
