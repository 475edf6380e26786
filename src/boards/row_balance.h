// SPDX-License-Identifier: MIT
// How many rows each part of a divided world has, so that all parts are busy equally long, and when it is
// worth while to change that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace moorea {

/// Speed of a part. A turn is `halo` generations and an exchange of halo rows.
struct PartSpeed {
  double rows_per_second = 0;   ///< rows that advance by one generation in a second, halo rows included
  double seconds_per_turn = 0;  ///< to exchange halo rows
  int steps = 1;                ///< generations of a pass at this speed; shorter passes are slower
};

/// Rows of each part of a world of `height` rows: at least one, in proportion to `shares` as far as whole
/// rows allow. Throws Error (unavailable) if there are fewer rows than shares.
std::vector<std::int64_t> divide_rows(std::int64_t height, std::span<const double> shares);

struct Division {
  std::vector<std::int64_t> rows;  ///< of each part
  std::int64_t halo = 1;
  double seconds = 0;  ///< of a generation, predicted
};

/// The division of `height` rows with which all parts are busy equally long; each part gets at least `halo`
/// rows. Throws Error (unavailable) if there are too few.
Division balance_rows(std::int64_t height, std::int64_t halo, std::span<const PartSpeed> speeds);

/// As balance_rows(), with the halo of which a generation is predicted to take the shortest time.
Division balance_rows(std::int64_t height, std::span<const PartSpeed> speeds);

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
  /// `move_seconds` estimates the first move.
  RowBalance(Division division, double move_seconds);

  const Division& division() const { return division_; }

  /// Adds what the parts did in some generations; returns the division to move to, if that is worth while.
  std::optional<Division> add(std::span<const PartWork> work, std::uint64_t generations);

  /// The rows have moved, which took some time.
  void moved(const Division& to, double seconds);

 private:
  std::int64_t height() const;
  void measure_speeds();

  Division division_;
  double move_seconds_;
  double lost_seconds_ = 0;           // since the last move, or since the division was even
  std::uint64_t generations_ = 0;     // of the present window
  std::vector<double> busy_seconds_;  // in the present window
  std::vector<PartSpeed> speeds_;     // mean of the windows so far, the latest ones above all
};

}  // namespace moorea
