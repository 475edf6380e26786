// SPDX-License-Identifier: MIT
// Surveys: results of any number of worlds of an ensemble, of which few are in memory at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "moorea/box.h"
#include "moorea/ensemble.h"

#pragma GCC visibility push(default)
namespace moorea {

struct SurveyOptions {
  std::uint64_t generations = 0;  ///< maximum generations of each world
  /// Instead of `generations`: those of a world, by its index. Several threads may call it at once.
  std::function<std::uint64_t(std::uint64_t world)> generations_of;
  /// A world is complete as soon as its period is found, and the next one takes its place.
  bool until_periodic = false;
  bool period = false;            ///< whether periods are searched; implied by until_periodic
  std::uint32_t max_period = 60;  ///< largest period that is searched
  bool changed = false;           ///< whether the cells that changed in the last generation are counted
  std::uint64_t first = 0;        ///< first world that is visited; those before it are left out
  /// On a GPU all worlds have `generations`; periods are searched up to 65535 in worlds of up to 256 x 256
  /// cells, without counts of changed cells; Error (unavailable) otherwise.
  EnsembleOptions engine;
};

/// Result of one world, a function of the world and of `generations`, `until_periodic` and `max_period`.
struct WorldRecord {
  std::uint64_t world = 0;
  /// Generation that the following members describe: that of the search below if the world is complete with
  /// it, otherwise the world's number of generations.
  std::uint64_t generation = 0;
  std::uint64_t population = 0;
  std::uint64_t hash = 0;                          ///< Grid::hash
  std::optional<Box> bounding_box;                 ///< empty if all cells are dead
  std::optional<std::uint64_t> changed;            ///< cells born or died in the last generation
  std::optional<std::uint64_t> period_generation;  ///< of the search that found the period
  /// 0: none found by the searches within the world's generations, of which the last one may have begun up to
  /// an interval before `generation`.
  std::uint32_t period = 0;
};

/// A search begins at each generation that is a multiple of this: the world's state is compared with those of
/// the following `max_period` generations. The first one that is equal gives the period, which is exact.
std::uint64_t period_search_interval(std::uint32_t max_period);

struct SurveyTotals {
  std::uint64_t worlds = 0;     ///< complete
  double cell_generations = 0;  ///< cells times WorldRecord::generation of these worlds
};

/// Receives records in the order of the worlds; returns false to stop the survey.
using ReceiveRecords = std::function<bool(std::span<const WorldRecord>)>;

/// Called about every 20 ms, and between passes, with the totals so far; returns false to stop the survey,
/// which then ends within a few milliseconds, unless a single pass over memory takes longer.
using SurveyProgress = std::function<bool(const SurveyTotals&)>;

/// Throws what survey() throws before it advances a world. Call it before files are opened.
void check_survey(const EnsembleSpec& spec, const SurveyOptions& options);

/// Advances the worlds from `options.first` on and passes their records on, each exactly once and in order.
/// Both functions are called by one thread at a time, not always the same one. Returns the totals of the
/// worlds that were received. Throws Error as the constructor of Ensemble does, and what the functions throw;
/// memory is needed for as many worlds as the threads' vectors have bits.
SurveyTotals survey(const EnsembleSpec& spec, const SurveyOptions& options, const ReceiveRecords& receive,
                    const SurveyProgress& progress = {});

}  // namespace moorea
#pragma GCC visibility pop
