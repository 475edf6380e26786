// SPDX-License-Identifier: MIT
// Rules that count live cells of a wide neighbourhood: Larger than Life (K. M. Evans, 1996) and, with any set
// of counts, higher-range outer-totalistic rules.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// Births and survivals by the number of live cells, those in state 1, of a neighbourhood with a radius of up
/// to max_radius cells. The centre is not counted.
class LargerThanLife {
 public:
  static constexpr int max_radius = 500;

  /// Neighbourhoods of radius r, as Golly and LifeViewer name them; a neighbour is dx columns and dy rows
  /// away, each at most r.
  enum class Shape : std::uint8_t {
    moore,                 ///< NM: all
    von_neumann,           ///< NN: |dx| + |dy| <= r
    circular,              ///< NC: dx^2 + dy^2 <= r^2 + r, within a circle of radius r + 1/2
    euclidean,             ///< N2: dx^2 + dy^2 <= r^2
    hexagonal,             ///< NH: |dx - dy| <= r
    cross,                 ///< N+: dx = 0 or dy = 0
    saltire,               ///< NX: |dx| = |dy|
    star,                  ///< N*: those of cross and saltire
    hash,                  ///< N#: |dx| = 1 or |dy| = 1
    checkerboard,          ///< NB: dx + dy is odd
    aligned_checkerboard,  ///< ND: dx + dy is even
    custom,                ///< N@: any, as hexadecimal digits
  };

  /// Counts from `first` to `last`.
  struct Interval {
    int first, last;
    bool operator==(const Interval&) const = default;
  };

  /// Neighbours that lie next to each other: columns `first` to `last` of row `dy`.
  struct Run {
    int dy, first, last;
    bool operator==(const Run&) const = default;
  };

  /// From `count` live cells on, births or survivals, or both, are the other ones than below it.
  struct Limit {
    int count;
    bool birth, survival;
    bool operator==(const Limit&) const = default;
  };

  /// The neighbourhood of a shape other than custom. Intervals may overlap; counts beyond the number of
  /// neighbours never occur. Throws Error (usage) if the radius is not 1 to max_radius, and for a negative
  /// count or an interval that ends before it begins.
  LargerThanLife(int radius, Shape shape, const std::vector<Interval>& birth,
                 const std::vector<Interval>& survival);

  /// The neighbourhood of which `digits`, radius * (radius + 1) hexadecimal digits, have a bit for each cell
  /// but the centre, row by row, the highest bit of a digit first. Throws Error (usage) if they are not, and
  /// as above.
  LargerThanLife(int radius, const std::string& digits, const std::vector<Interval>& birth,
                 const std::vector<Interval>& survival);

  int radius() const { return radius_; }
  Shape shape() const { return shape_; }

  /// Number of neighbours, without the centre.
  int neighbours() const { return neighbours_; }

  std::span<const Interval> birth() const { return birth_; }
  std::span<const Interval> survival() const { return survival_; }

  /// Whether a cell with so many live neighbours is born or survives.
  bool next(bool alive, int live_neighbours) const;

  /// The neighbours and the centre, row by row.
  std::span<const Run> runs() const { return runs_; }

  /// The limits of counts that include the centre, which is alive where cells survive; ascending.
  std::span<const Limit> limits() const { return limits_; }

  /// The canonical notation with so many states: as MCell and Golly write it, "R5,C0,M0,S33..57,B34..45,NM",
  /// if births and survivals are one interval each and the shape is M, N or C; else as Golly has it since
  /// version 4, "R5,C2,S33-57,60,B34-45,NX".
  std::string str(int states) const;

  bool operator==(const LargerThanLife&) const = default;

 private:
  void complete(const std::vector<Interval>& birth, const std::vector<Interval>& survival);

  int radius_;
  Shape shape_;
  int neighbours_ = 0;
  std::string digits_;  // of a custom neighbourhood, in lower case
  std::vector<Interval> birth_, survival_;
  std::vector<Run> runs_;
  std::vector<Limit> limits_;
};

}  // namespace moorea
#pragma GCC visibility pop
