// SPDX-License-Identifier: MIT
// What moorea trace recorded, for Chrome and Perfetto and as a page of our own.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/trace.h"

namespace app {

struct Timeline {
  std::string kernel;
  std::string about;  ///< world, threads, tiles, schedule, in words
  moorea::Box world;
  int threads = 1;
  std::vector<moorea::TileEvent> events;
  double seconds_a_generation = 0;         ///< median of those that were not recorded
  double seconds_a_generation_traced = 0;  ///< and of those that were
};

/// In the trace event format (complete events, times in microseconds), which chrome://tracing and
/// ui.perfetto.dev read.
Json chrome_trace(const Timeline& timeline);

/// A row for each thread above a map of the tiles: what the pointer is on in one lights up in both. A slider
/// chooses the generation. The page needs nothing but itself; it can have several such views.
std::string timeline_view(const Timeline& timeline);
std::string timeline_page(const Timeline& timeline);

/// How unevenly the threads work: the time of the busiest over the average, the mean of all passes; 1 is
/// even.
double imbalance(const Timeline& timeline);

}  // namespace app
