// SPDX-License-Identifier: MIT
// moorea run --until: the condition at which a run ends. Populations and boxes are looked at while it runs.
// That a world has settled or repeats is seen long after its first generation, which is therefore searched
// before the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/app.h"
#include "moorea/big_integer.h"
#include "moorea/box.h"
#include "moorea/far_plane.h"
#include "moorea/hashlife.h"
#include "moorea/simulation.h"

namespace app {

class Until {
 public:
  /// -g of a run with a condition, unless it is given.
  static constexpr const char* default_generations = "100000";

  enum class Comparison { equal, more, at_least, fewer, at_most };

  /// Reads "settled", "period", "population=N" (or > >= < <=) or "box=WxH"; a blank may stand for "=" and
  /// "x". Empty: none. Throws moorea::Error (usage).
  explicit Until(const std::string& text);

  bool is_given() const { return kind_ != Kind::none; }
  /// Whether search() has to be called before the run.
  bool is_searched() const { return kind_ == Kind::settled || kind_ == Kind::period; }

  /// Throws moorea::Error (usage) for a condition that has no meaning in such a world.
  void require(const moorea::WorldSpec& world) const;

  /// Looks for the first generation that fulfils the condition, at most `limit` ones from now on, and returns
  /// the number of generations before it, or `limit`. The simulation has the same state again afterwards.
  /// After Ctrl-C it returns 0.
  std::uint64_t search(moorea::Simulation& simulation, std::uint64_t limit);

  /// How many generations may be computed before the condition can be fulfilled; 0 if it is.
  std::uint64_t distance(const moorea::Simulation& simulation) const;
  moorea::BigInteger distance(const moorea::HashLife& world) const;
  moorea::BigInteger distance(const moorea::FarPlane& world) const;

  /// Whether the present generation fulfils the condition.
  bool is_fulfilled(const moorea::Simulation& simulation) const;

  /// Adds the condition and how it ended to the report of a run that is at this generation; nothing without a
  /// condition.
  void report(Json& json, const moorea::BigInteger& generation, bool fulfilled) const;
  /// The line of a report for a person; empty without a condition.
  static std::string text(const Json& json);
  /// The exit code of a run with such a report that has ended with `exit`.
  static int exit_of(const Json& json, int exit);

 private:
  enum class Kind { none, settled, period, population, box };
  struct Found {
    std::uint64_t generation = 0;
    std::uint64_t period = 0;  // 0: too large
    moorea::Position displacement;
  };
  template <class Number>
  bool holds(const Number& population) const;
  template <class World>
  moorea::BigInteger far_distance(const World& world) const;
  std::optional<Found> find(moorea::Simulation& simulation, std::uint64_t limit) const;

  std::string text_;
  Kind kind_ = Kind::none;
  Comparison comparison_ = Comparison::equal;
  std::uint64_t population_ = 0;
  moorea::Size box_;
  std::optional<Found> found_;
  double search_seconds_ = 0;
};

}  // namespace app
