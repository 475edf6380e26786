// SPDX-License-Identifier: MIT
// PlaneBoard advances a part of the generations in its present form, measures it, and does what the contest
// says.
#include <algorithm>
#include <limits>

#include "boards/board_squares.h"
#include "boards/plane_board.h"
#include "boards/stopwatch.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// The smallest step of a tree: less takes as long.
constexpr int min_tree_step = 16;

// Steps as a tree are doubled while they take less than this, or become faster by a half.
constexpr double short_seconds = 0.1;
constexpr double worth_doubling = 1.5;

// A step that takes this many times as long as the one before is interrupted and divided: what it has
// computed is kept, and the contest hears of it.
constexpr double max_slowdown = 8;
constexpr double min_patience = 0.5;  // seconds

// Estimate of a conversion before the first one, measured on a Zen 4.
constexpr double seconds_a_square = 2e-6;

// Between two calls of go_on.
constexpr double query_seconds = 0.02;

constexpr std::uint64_t max_cells_part = std::uint64_t{1} << 62;

std::uint64_t at_most(const BigInteger& number, std::uint64_t limit) {
  return std::min(number.as_unsigned().value_or(limit), limit);
}

}  // namespace

void PlaneBoard::expect(std::uint64_t generations) {
  contest_.expect(static_cast<double>(generations));
  if (cells_) cells_->expect(generations);
}

std::uint64_t PlaneBoard::prepare(std::uint64_t generations) {
  if (form() == PlaneForm::tree) return generations;
  prepared_ = cells_->prepare(generations);
  follow_size();
  return prepared_;
}

void PlaneBoard::advance(std::uint64_t generations) {
  BigInteger left = generations;
  while (!left.is_zero()) advance_part(left, {});
  prepared_ = 0;
  follow_size();
}

bool PlaneBoard::advance_far(const BigInteger& generations, const GoOn& go_on) {
  BigInteger left = generations;
  contest_.expect(left.approximate());
  Stopwatch watch;
  while (!left.is_zero()) {
    if (!advance_part(left, go_on)) return false;
    if (go_on && watch.seconds() > query_seconds) {
      if (!go_on()) return false;
      watch = {};
    }
  }
  follow_size();
  return true;
}

// For generations that are counted or compared, in which no tree is fast. That says nothing about others.
void PlaneBoard::become_cells() {
  if (form() != PlaneForm::tree || !to_cells(max_squares())) return;
  replace_form(PlaneForm::cells);
  contest_.try_soon();
}

void PlaneBoard::advance_counting(std::uint64_t generations, std::uint64_t* populations) {
  settle();
  become_cells();
  board().advance_counting(generations, populations);
  generations_ += generations;
  prepared_ = 0;
  follow_size();
}

std::uint64_t PlaneBoard::advance_comparing() {
  settle();
  become_cells();
  const std::uint64_t changed = board().advance_comparing();
  generations_ += 1;
  prepared_ = 0;
  follow_size();
  return changed;
}

// Advances by a part of `left` and subtracts it; false if `go_on` returned false.
bool PlaneBoard::advance_part(BigInteger& left, const GoOn& go_on) {
  if (forms_.switches && forms_.switches()) switch_now();
  const Stopwatch watch;
  bool goes_on = true;
  std::optional<BigInteger> done;
  if (form() == PlaneForm::tree)
    done = tree_part(left, go_on, goes_on);
  else
    done = cells_part(left);
  if (!done) return true;
  left -= *done;
  generations_ += *done;
  if (contest_.in_trial()) lag_ += *done;
  if (goes_on && !forms_.switches) decide(*done, watch.seconds());
  return goes_on;
}

BigInteger PlaneBoard::cells_part(const BigInteger& left) {
  const std::uint64_t wanted = at_most(left, max_cells_part);
  const std::uint64_t part = wanted <= prepared_ ? wanted : cells_->prepare(wanted);
  prepared_ -= std::min(part, prepared_);
  cells_->advance(part);
  return part;
}

// Returns the generations of a step, 0 if it was interrupted; empty if there was no memory for it, so that
// the plane is cells now.
std::optional<BigInteger> PlaneBoard::tree_part(const BigInteger& left, const GoOn& go_on, bool& goes_on) {
  const bool in_trial = contest_.in_trial();
  const double limit = forms_.switches ? std::numeric_limits<double>::infinity()
                       : in_trial      ? contest_.trial_seconds_left()
                                       : patience_;
  // The last step is not worth a division
  const bool is_last = in_trial ? left <= tree_step_ : left <= tree_step_ + tree_step_;
  const BigInteger step = is_last ? left : tree_step_;
  const Stopwatch watch;
  bool completed = false;
  try {
    completed = tree_->tree().advance(step, [&] {
      goes_on = goes_on && (!go_on || go_on());
      return goes_on && watch.seconds() < limit;
    });
  } catch (const Error& error) {
    // In a trial, no memory is a defeat
    if (error.kind() != ErrorKind::memory) throw;
    if (in_trial) {
      give_up();
    } else if (to_cells(max_squares())) {
      replace_form(PlaneForm::cells);
    } else {
      throw;
    }
    return {};
  }
  if (!completed) {
    tree_step_ = std::max(tree_step_ >> 2, BigInteger(min_tree_step));
    patience_ *= 2;
    return BigInteger(0);
  }
  adapt_step(step, watch.seconds());
  return step;
}

void PlaneBoard::begin_steps() {
  tree_step_ = min_tree_step;
  patience_ = min_patience;
  last_tree_speed_ = 0;
}

void PlaneBoard::adapt_step(const BigInteger& step, double seconds) {
  patience_ = std::max(min_patience, max_slowdown * seconds);
  if (step != tree_step_) return;
  const double speed = step.approximate() / std::max(seconds, 1e-9);
  if (contest_.in_trial() || seconds < short_seconds || speed > worth_doubling * last_tree_speed_)
    tree_step_ = tree_step_ << 1;
  last_tree_speed_ = speed;
}

// A plane that has met the limit of its memory is bounded, which a tree is not.
void PlaneBoard::decide(const BigInteger& done, double seconds) {
  if (form() == PlaneForm::cells && cells_->at_edge()) {
    if (contest_.in_trial()) give_up();
    return;
  }
  const PlaneForm before = form();
  switch (contest_.advanced(done.approximate(), seconds)) {
    case FormContest::Verdict::go_on:
      return;
    case FormContest::Verdict::try_other:
      return begin_trial();
    case FormContest::Verdict::give_up:
      return give_up();
    case FormContest::Verdict::keep:
      drop(other_form(before));
      changes_.push_back({generations_, before == PlaneForm::tree, contest_.elapsed(),
                          contest_.speed(PlaneForm::cells), contest_.speed(PlaneForm::tree)});
      last_tree_speed_ = 0;
      prepared_ = 0;
  }
}

void PlaneBoard::begin_trial() {
  const double a_square = seconds_a_square;
  if (form() == PlaneForm::cells) {
    if (!contest_.allows(a_square * squares_to_read(*cells_))) return contest_.trial_refused();
    try {
      to_tree();
    } catch (const Error&) {
      return contest_.trial_refused();  // no memory
    }
    begin_steps();
  } else {
    const double seconds = contest_.max_conversion_seconds();
    if (!to_cells(std::min(max_squares(), static_cast<std::size_t>(seconds / a_square))))
      return contest_.trial_refused();
  }
  lag_ = 0;
  prepared_ = 0;
  contest_.trial_began(conversion_seconds_);
}

// Whether the generations of a lost trial are converted rather than computed again.
bool PlaneBoard::converts_back() const {
  const double speed = contest_.speed(other_form(form()));
  return speed <= 0 || lag_.approximate() / speed > conversion_seconds_;
}

// The former form has the plane again.
void PlaneBoard::give_up() {
  const Stopwatch watch;
  prepared_ = 0;
  const bool was_tree = form() == PlaneForm::tree;
  const PlaneForm former = was_tree ? PlaneForm::cells : PlaneForm::tree;
  if (was_tree && (!converts_back() || !to_cells(max_squares()))) {
    if (!cells_) return replace_form(PlaneForm::tree);
    for (BigInteger left = lag_; !left.is_zero();) left -= cells_part(left);
  } else if (!was_tree) {
    if (converts_back()) {
      CellSquares squares = squares_of(*cells_);
      tree_->load_squares(squares);
    } else {
      tree_->tree().advance(lag_);
    }
    begin_steps();
  }
  drop(other_form(former));
  contest_.gave_up(watch.seconds());
  prepared_ = 0;
}

void PlaneBoard::switch_now() {
  if (form() == PlaneForm::cells) {
    to_tree();
    replace_form(PlaneForm::tree);
  } else if (to_cells(max_squares())) {
    replace_form(PlaneForm::cells);
  }
}

}  // namespace moorea
