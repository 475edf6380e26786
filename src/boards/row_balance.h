// SPDX-License-Identifier: MIT
// How many rows each part of a divided world has, so that all parts are busy equally long, and when it is
// worth while to change that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// The rows of a divided world that a rule allows.
struct RowUnits {
  std::int64_t reach = 1;     ///< halo rows that a generation uses up
  std::int64_t multiple = 1;  ///< parts begin at such rows: blocks of cells are not divided

  /// Halo rows for a number of generations. Under a rule of blocks an odd number is reduced by one, unless it
  /// is 1.
  std::int64_t halo_for(std::int64_t generations) const;

  /// Generations between two exchanges, at least: with four halo rows or more, an exchange takes little of
  /// the time of a pass.
  std::int64_t min_turn() const { return (3 + reach) / reach; }

  static RowUnits of(const Rule& rule) { return {rule.reach(), rule.blocks() != nullptr ? 2 : 1}; }
};

/// Speed of a part, which depends on its rows: few keep few threads busy. A turn is the generations for which
/// a halo suffices, and an exchange of halo rows.
struct PartSpeed {
  struct Sample {
    double rows = 0;  ///< halo rows included
    double seconds_per_generation = 0;
  };

  /// Measurements by increasing rows, at least one. Between two a line, beyond them in proportion to the
  /// rows.
  std::vector<Sample> samples;
  double seconds_per_turn = 0;  ///< to exchange halo rows
  int steps = 1;                ///< generations of a pass in the samples; those of shorter passes are slower

  /// A part that always advances so many rows by a generation in a second.
  static PartSpeed constant(double rows_per_second, double seconds_per_turn = 0, int steps = 1) {
    return {{{1, 1 / rows_per_second}}, seconds_per_turn, steps};
  }

  double seconds_per_generation(double rows) const;
  double rows_for(double seconds_per_generation) const;
};

/// Rows of each part of a world of `height` rows: at least as many as a halo for one generation has, in
/// proportion to `shares` as far as whole rows allow. Throws Error (unavailable) if there are too few rows.
std::vector<std::int64_t> divide_rows(std::int64_t height, std::span<const double> shares,
                                      const RowUnits& units = {});

struct Division {
  std::vector<std::int64_t> rows;  ///< of each part
  std::int64_t halo = 1;           ///< rows, a multiple of both units
  double seconds = 0;              ///< of a generation, predicted
  RowUnits units;
};

/// The division of `height` rows with which all parts are busy equally long; each part gets at least `halo`
/// rows. Throws Error (unavailable) if there are too few.
Division balance_rows(std::int64_t height, std::int64_t halo, std::span<const PartSpeed> speeds,
                      const RowUnits& units = {});

/// As balance_rows(), with the halo of which a generation is predicted to take the shortest time.
Division balance_rows(std::int64_t height, std::span<const PartSpeed> speeds, const RowUnits& units = {});

/// What a part did in some generations.
struct PartWork {
  double busy_seconds = 0;  ///< computing, reading and writing rows
  double idle_seconds = 0;  ///< waiting for the other parts
};

/// Watches the parts of a world while it runs. Rows move only when the time that was lost by an uneven
/// division is 20 times what the move costs, so that moves take at most 5 % of the time that they gain, if
/// the world runs as long again.
class RowBalance {
 public:
  /// `speeds` as they were measured before, of each part; empty: not known. `move_seconds` estimates the
  /// first move.
  RowBalance(Division division, std::vector<PartSpeed> speeds, double move_seconds);

  const Division& division() const { return division_; }

  /// Adds what the parts did in some generations; returns the division to move to, if that is worth while.
  std::optional<Division> add(std::span<const PartWork> work, std::uint64_t generations);

  /// The rows have moved, which took some time.
  void moved(const Division& to, double seconds);

 private:
  std::int64_t height() const;
  void measure_slowness();
  std::vector<PartSpeed> speeds_now() const;

  Division division_;
  double move_seconds_;
  double lost_seconds_ = 0;           // since the last move, or since the division was even
  std::uint64_t generations_ = 0;     // of the present window
  std::vector<double> busy_seconds_;  // in the present window
  std::vector<PartSpeed> before_;     // as measured before
  std::vector<double> slowness_;      // of each part: seconds now for each predicted one; 0: not known
};

}  // namespace moorea
