// SPDX-License-Identifier: MIT
// Recordings of moorea trace, in the format of Chrome and Perfetto and as an HTML page.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/lab/instruments.h"

namespace app {

struct Timeline {
  std::string kernel;
  std::string about;  ///< world, threads, tiles, schedule, in words
  moorea::Box world;
  int threads = 1;
  std::vector<moorea::TileEvent> events;
  double seconds_a_generation = 0;         ///< median of the generations that were not recorded
  double seconds_a_generation_traced = 0;  ///< median of the recorded generations
};

/// The timeline in the trace event format (complete events, times in microseconds), which chrome://tracing
/// and ui.perfetto.dev read.
Json chrome_trace(const Timeline& timeline);

/// HTML of a row for each thread above a map of the tiles: the tile under the pointer is highlighted in both.
/// A slider selects the generation. It needs no other file; a page can have several such views.
std::string timeline_view(const Timeline& timeline);
std::string timeline_page(const Timeline& timeline);

/// Imbalance of the threads: the time of the busiest one divided by the average, as the mean of all passes; 1
/// if all take equally long.
double imbalance(const Timeline& timeline);

}  // namespace app
