// SPDX-License-Identifier: MIT
// Worlds of one rule that pass through the lanes of a board. Lanes receive new worlds only at the beginning
// of an interval, at which the period of all worlds is searched: so that a world's record does not depend on
// the others.
#pragma once

#include <cstdint>
#include <vector>

#include "ensembles/lane_board.h"
#include "ensembles/ordered_records.h"
#include "ensembles/world_queue.h"
#include "moorea/survey.h"

namespace moorea {

class SurveyBatch {
 public:
  SurveyBatch(const EnsembleSpec& spec, const SurveyOptions& options, const WorldSpec& world,
              const BoundKernel& kernel);

  /// Advances worlds of this group of the ensemble until the queue has none left and all are complete, or the
  /// survey is stopped.
  void run(std::size_t group, WorldQueue& queue, OrderedRecords& records);

  /// Memory of a batch, in bytes.
  static double bytes(const kernels::Kernel& kernel, int lanes, Size size);

 private:
  struct Lane {
    std::uint64_t world = 0;
    std::uint64_t age = 0;    // at the beginning of the interval
    std::uint64_t limit = 0;  // generations
    std::uint64_t period_generation = 0;
    std::uint32_t period = 0;
  };

  bool refill(std::size_t group, WorldQueue& queue);
  bool advance_interval(OrderedRecords& records);
  void advance_to(std::uint64_t generation, bool complete);
  std::uint64_t next_stop() const;
  bool searches() const { return options_.period || options_.until_periodic; }
  void find_periods(std::uint32_t distance);
  void complete_limited();
  void record(const LaneSet& lanes, const LaneView& cells, const LaneView& before);

  const EnsembleSpec& spec_;
  const SurveyOptions& options_;
  std::uint64_t interval_;
  LaneBoard board_;
  LaneSnapshot start_;         // of the interval
  LaneSnapshot before_start_;  // the generation before, for changed cells
  LaneSnapshot before_;        // the generation before the present one, for changed cells
  LaneSet all_;                // of the board
  LaneSet active_;             // whose worlds are not complete
  LaneSet searched_;           // active ones whose period is searched in this interval
  std::uint64_t now_ = 0;      // generations since the beginning of the interval
  std::vector<Lane> lanes_;
  std::vector<WorldRecord> complete_;
};

}  // namespace moorea
