// SPDX-License-Identifier: MIT
// Surveys on a GPU that search periods: worlds that are complete leave their places to the next ones.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "devices/gpu_lanes.h"
#include "ensembles/ordered_records.h"
#include "ensembles/world_queue.h"
#include "moorea/survey.h"

namespace moorea {

class GpuPeriods {
 public:
  /// At most so many worlds are in the GPU's memory at once.
  GpuPeriods(const EnsembleSpec& spec, const SurveyOptions& options, std::uint64_t max_worlds);

  /// Passes the records of all worlds of the queue on, until `records` stops the survey.
  void run(WorldQueue& queue, OrderedRecords& records);

 private:
  struct Place {
    std::uint64_t world = 0;
    std::uint64_t age = 0;  // at the beginning of the interval
    std::uint64_t period_generation = 0;
    std::uint32_t period = 0;
    bool active = false;
  };
  using Places = std::vector<std::uint32_t>;  // in ascending order
  // Places by what became of their worlds in an interval; others continue.
  struct Outcome {
    Places idle;     // none was there
    Places found;    // complete, because the period was found
    Places stopped;  // complete within the interval
    Places ended;    // complete at its end
  };

  bool refill(std::size_t group, WorldQueue& queue, Places idle);
  void compact();
  std::span<const std::uint16_t> advance();
  Outcome outcome(std::span<const std::uint16_t> periods);
  void add_outcome(std::uint32_t place, std::uint32_t period, Outcome& outcome);
  bool complete(const Places& places, GpuSearch::When when, OrderedRecords& records);
  std::size_t world_words() const;

  const EnsembleSpec& spec_;
  const SurveyOptions& options_;
  std::uint64_t max_worlds_;
  std::uint32_t interval_;
  std::uint32_t last_interval_;  // generations of a world's last interval if it is shorter, otherwise 0
  int threads_;
  std::unique_ptr<GpuSearch> search_;
  std::vector<Place> places_;
  std::size_t used_ = 0;    // places up to the last one with an active world
  std::size_t active_ = 0;  // worlds
};

}  // namespace moorea
