// SPDX-License-Identifier: MIT
// Identification of patterns: what a pattern is or becomes, and the objects of which its ash consists.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/box.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

enum class ObjectKind { still_life, oscillator, spaceship };

/// Objects of one sort in a world: alike but for position, orientation and phase.
struct ObjectCount {
  ObjectKind kind = ObjectKind::still_life;
  std::uint64_t count = 0;
  std::uint64_t period = 1;      ///< generations
  Position displacement;         ///< in a period, of one of them; (0, 0) unless it is a spaceship
  std::uint64_t population = 0;  ///< live cells in the phase that has the fewest
  std::string apgcode;           ///< LifeWiki, "Apgcode"; empty for objects larger than 40 x 40 cells
  std::string name;              ///< "glider"; empty if it has none in Moorea's list, which is one of Life
};

enum class PatternKind {
  dies,        ///< all cells are dead from generation `settled` on
  object,      ///< one still life, oscillator or spaceship from generation 0 on
  objects,     ///< several objects from generation 0 on, none of which influences another one
  settles,     ///< becomes objects at generation `settled`
  methuselah,  ///< settles, and takes long for its number of cells: see methuselah_ratio
  gun,         ///< a part recurs every `period` generations and emits spaceships
  rake,        ///< a part recurs, displaced, and emits spaceships
  puffer,      ///< a part recurs, displaced, and leaves objects of which some do not move
  unknown      ///< none of these was found within `searched` generations
};

/// A pattern that settles is called a methuselah if it takes at least 50 generations, and this many
/// generations for each of its live cells. There is no definition that all agree on: M. Gardner (Mathematical
/// Games, 1971) has fewer than 10 cells and more than 50 generations.
constexpr std::uint64_t methuselah_ratio = 10;

struct Identification {
  PatternKind kind = PatternKind::unknown;
  std::uint64_t searched = 0;  ///< generations that were computed

  /// First generation from which all objects evolve without influence on each other, for ever; 0 for
  /// `object`, `objects`, and for guns, rakes, puffers and unknown patterns.
  std::uint64_t settled = 0;

  /// Of an object; of the recurring part of a gun, rake or puffer; of all that does not move if there are
  /// several objects, their least common multiple, or 0 if that exceeds 2^64.
  std::uint64_t period = 0;
  /// In a period, of an object or of the recurring part; (0, 0) if several parts move differently.
  Position displacement;
  /// Of an object that of `census`; of a gun, rake or puffer "yl", and numbers of the growth of the recurring
  /// part with all that it emits, as in apgsearch (LifeWiki, "Apgcode"). Empty if its populations have no
  /// common period of up to 20,000 generations, or take too long to find; and for other patterns.
  std::string apgcode;
  /// "Gosper glider gun"; empty if the apgcode has no name in Moorea's list, which is one of Life.
  std::string name;

  /// Of a settled world as a whole, with everything that moves: the number of generations after which all
  /// cells are the same again, displaced by `world_displacement`. 0 if objects move differently, which then
  /// never happens, if the number exceeds 2^63, and for guns, rakes, puffers and unknown patterns.
  std::uint64_t world_period = 0;
  Position world_displacement;

  std::uint64_t initial_population = 0;
  std::uint64_t population = 0;  ///< at generation `settled`; of an unknown pattern after `searched` ones
  /// Objects at generation `settled`; of guns, rakes and puffers those of one period. The most frequent
  /// first.
  std::vector<ObjectCount> census;
};

struct IdentifyOptions {
  std::uint64_t max_generations = 100'000;
  std::uint64_t max_period = 5'000;          ///< largest period of an object or a recurring part
  std::uint64_t max_population = 1'000'000;  ///< a pattern with more live cells is not followed any further
  int threads = 0;                           ///< CPU threads; 0: all CPUs available to this process
  std::function<bool()> go_on;               ///< called now and then; returning false ends the search
};

/// Limits for a pattern that settles within `generations` and has periods of up to `max_period`: that it has
/// is seen only later.
IdentifyOptions settling_within(std::uint64_t generations, std::uint64_t max_period);

/// Runs the pattern on an unbounded plane, under its rule, until it is identified or the limits are reached.
/// Objects are evolved alone, and compared with the pattern cell by cell. That a pattern has settled is
/// certain; of guns, rakes and puffers the recurrence of a part is, what it emits, and that nothing meets
/// later, unless parts move differently: then what they will emit is not compared. Throws Error (usage) for
/// rules with B0 and for bounded worlds, Error (memory) if the plane does not fit in memory.
Identification identify(const Pattern& pattern, const IdentifyOptions& options = {});

/// Identifies the present live cells of an unbounded plane as identify(pattern) does, however far apart they
/// are. The plane is not advanced; generations count from its present one. Throws Error (usage) for other
/// worlds, Error (memory).
Identification identify(const Simulation& plane, const IdentifyOptions& options = {});

/// "c/4 diagonal", "2c/5 orthogonal" or "(2,1)c/6" for a displacement in a period; empty if it is (0, 0).
std::string speed_text(const Position& displacement, std::uint64_t period);

/// Names of objects of Life: the English name of an apgcode, or an empty view.
std::string_view object_name(std::string_view apgcode);

std::string_view to_string(ObjectKind kind);   ///< "still life", "oscillator", "spaceship"
std::string_view to_string(PatternKind kind);  ///< its name above

}  // namespace moorea
#pragma GCC visibility pop
