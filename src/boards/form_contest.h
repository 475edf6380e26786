// SPDX-License-Identifier: MIT
// Decides whether an unbounded plane is advanced as cells or as a tree (HashLife). Nobody can tell from a
// pattern which is faster: the other form is tried for a while, with a budget that is a small share of the
// time spent so far, and keeps the plane if it advances it faster. A function of generations and seconds
// alone: the caller measures, converts the plane, and advances it.
#pragma once

#include <cstddef>
#include <optional>

namespace moorea {

enum class PlaneForm { cells, tree };

constexpr PlaneForm other_form(PlaneForm form) {
  return form == PlaneForm::cells ? PlaneForm::tree : PlaneForm::cells;
}

class FormContest {
 public:
  /// What the caller does next.
  enum class Verdict {
    go_on,
    try_other,  ///< convert the plane, then call trial_began() or trial_refused()
    keep,       ///< the trial is won: the form that is tried keeps the plane
    give_up     ///< the trial is lost: the former form has it again; then call gave_up()
  };

  explicit FormContest(PlaneForm start = PlaneForm::cells) : form_(start) {}

  /// The form that advances the plane, also in a trial.
  PlaneForm form() const { return trial_ ? other_form(form_) : form_; }
  bool in_trial() const { return trial_.has_value(); }

  /// The caller intends to advance by so many generations, from now on.
  void expect(double generations) { left_ = generations; }

  /// The present form has advanced the plane, by 0 generations if it was interrupted.
  Verdict advanced(double generations, double seconds);

  /// Whether a trial whose conversion takes so long is worth it.
  bool allows(double conversion_seconds) const { return conversion_seconds <= max_conversion_seconds(); }
  double max_conversion_seconds() const;

  void trial_began(double conversion_seconds);
  /// The plane cannot have the other form now, or not within its time.
  void trial_refused();
  void gave_up(double conversion_seconds);

  /// The present form cannot have the plane any longer; the other one has it from now on.
  void replaced();

  /// The next trial need not wait longer: the plane was replaced for other reasons than speed or memory.
  void try_soon() { next_trial_ = elapsed_; }

  /// Seconds until the present trial is given up.
  double trial_seconds_left() const;

  /// Generations per second of a form when it was last measured; 0 if it was not.
  double speed(PlaneForm form) const;

  double elapsed() const { return elapsed_; }
  std::size_t trials() const { return trials_; }

 private:
  // Generations and seconds of some parts; older ones lose weight.
  struct Speed {
    double generations = 0, seconds = 0;
    void add(double g, double s);
    double value() const { return seconds > 0 ? generations / seconds : 0; }
  };
  struct Trial {
    double budget;       // seconds of advancing
    double seconds = 0;  // so far
    Speed speed{};
    double last_speed = 0;  // of the part before
    int stagnant = 0;       // parts since the speed has risen
  };

  bool wants_trial() const;
  Verdict judge(double generations, double seconds);
  void postpone(double factor);

  PlaneForm form_;  // that has the plane; in a trial, the one that had it before
  double left_ = 0;
  double elapsed_ = 0;
  double next_trial_ = first_trial;
  Speed present_;           // of form_
  double other_speed_ = 0;  // of the other form, when it was last measured
  std::optional<Trial> trial_;
  std::size_t trials_ = 0;
  int switches_ = 0;

  static constexpr double first_trial = 0.05;  // seconds
};

}  // namespace moorea
