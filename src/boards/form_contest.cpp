// SPDX-License-Identifier: MIT
#include "boards/form_contest.h"

#include <algorithm>
#include <cmath>

namespace moorea {
namespace {

// Seconds that the present form needs for the generations that are left, below which no trial can save much.
constexpr double min_left = 1;

// Trials take this share of the time so far, and each failure doubles the time until the next one: together
// at most twice the share, of which the generations that they compute are a part.
constexpr double trial_share = 0.07;
constexpr double min_budget = 0.02;
constexpr double backoff = 2;

// A form must be faster than the other one by this factor to take the plane from it, also when its speed
// varies.
constexpr double worth_switching = 1.25;

// Trees begin with small steps and double them: their speed is final when it has not risen by a tenth in some
// steps of more generations than the base case computes.
constexpr double rise = 1.1;
constexpr double min_step = 64;
constexpr int max_stagnant = 3;

// Seconds of cells until their speed counts, and of a part of either form.
constexpr double min_cells_seconds = 0.01;

// Seconds after which earlier parts have half their weight.
constexpr double window = 0.5;

}  // namespace

void FormContest::Speed::add(double g, double s) {
  generations += g;
  seconds += s;
  if (seconds > window) {
    generations /= 2;
    seconds /= 2;
  }
}

double FormContest::speed(PlaneForm form) const {
  if (form == form_) return present_.value();
  return trial_ && trial_->speed.seconds > 0 ? trial_->speed.value() : other_speed_;
}

double FormContest::trial_seconds_left() const {
  return trial_ ? std::max(trial_->budget - trial_->seconds, 0.0) : 0;
}

double FormContest::max_conversion_seconds() const { return std::max(min_budget, trial_share * elapsed_); }

// Of a tree that is as fast as the cells were, there is nothing to try: cells do not become faster.
bool FormContest::wants_trial() const {
  if (elapsed_ < next_trial_ || left_ < min_left * present_.value()) return false;
  return form_ == PlaneForm::cells || other_speed_ == 0 || worth_switching * present_.value() < other_speed_;
}

FormContest::Verdict FormContest::advanced(double generations, double seconds) {
  left_ = std::max(left_ - generations, 0.0);
  elapsed_ += seconds;
  if (trial_) return judge(generations, seconds);
  present_.add(generations, seconds);
  return wants_trial() ? Verdict::try_other : Verdict::go_on;
}

FormContest::Verdict FormContest::judge(double generations, double seconds) {
  Trial& trial = *trial_;
  trial.seconds += seconds;
  const double speed = seconds > 0 ? generations / seconds : 0;
  const double bar = worth_switching * present_.value();
  bool is_won = false, is_lost = trial.seconds >= trial.budget;
  if (form() == PlaneForm::tree) {
    // Steps of a tree differ in size: the last one counts
    trial.speed = {generations, seconds};
    is_won = speed > bar;
    const bool has_risen = speed > rise * trial.last_speed;
    trial.stagnant = has_risen || generations < min_step ? 0 : trial.stagnant + 1;
    is_lost = is_lost || trial.stagnant >= max_stagnant;
    trial.last_speed = speed;
  } else {
    trial.speed.add(generations, seconds);
    is_won = trial.seconds >= min_cells_seconds && trial.speed.value() > bar;
  }
  if (is_won) {
    other_speed_ = present_.value();
    present_ = trial.speed;
    form_ = other_form(form_);
    trial_.reset();
    // A switch by mistake is corrected soon, but not again and again
    next_trial_ = elapsed_ + std::min(first_trial * std::pow(backoff, switches_++), elapsed_);
    return Verdict::keep;
  }
  return is_lost ? Verdict::give_up : Verdict::go_on;
}

void FormContest::trial_began(double conversion_seconds) {
  ++trials_;
  trial_ = Trial{std::max(min_budget, trial_share * elapsed_)};
  elapsed_ += conversion_seconds;
}

void FormContest::trial_refused() { postpone(backoff); }

void FormContest::gave_up(double conversion_seconds) {
  if (!trial_) return;
  other_speed_ = trial_->speed.value();
  trial_.reset();
  elapsed_ += conversion_seconds;
  postpone(backoff);
}

void FormContest::replaced() {
  form_ = form();
  if (!trial_) form_ = other_form(form_);
  trial_.reset();
  present_ = {};
  other_speed_ = 0;
  postpone(backoff);
}

void FormContest::postpone(double factor) { next_trial_ = factor * std::max(elapsed_, first_trial); }

}  // namespace moorea
