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
  std::string name;   ///< what distinguishes it from other runs of a page: kernel, schedule
  std::string about;  ///< world, threads, tiles, schedule, in words
  moorea::Box world;
  int threads = 1;
  std::vector<std::string> names;  ///< of the threads; empty: "thread 0", "thread 1"
  std::vector<moorea::TileEvent> events;
  double seconds_a_generation = 0;         ///< median of the generations that were not recorded; 0: none
  double seconds_a_generation_traced = 0;  ///< median of the recorded generations
  double cpu_taken = 0;  ///< part of the recorded time for which other processes held back its threads
};

/// What to say of bars that were recorded on a busy machine, as a sentence; else empty.
std::string busy_text(const Timeline& timeline);

/// Runs, at least one, in the trace event format (complete events, times in microseconds), which
/// chrome://tracing and ui.perfetto.dev read: each is a process. `otherData` has the facts of the first, and
/// of several all as `runs`.
Json chrome_trace(const std::vector<Timeline>& timelines);

/// HTML of a row for each thread above a map of the tiles: the tile under the pointer is highlighted in both.
/// Several runs are side by side with one scale of time, and a slider selects the generation of all. It needs
/// no other file; a page can have several such views.
std::string timeline_view(const std::vector<Timeline>& timelines);
std::string timeline_page(const std::vector<Timeline>& timelines);

/// Imbalance of the threads: the time of the busiest one divided by the average, as the mean of all passes; 1
/// if all take equally long.
double imbalance(const Timeline& timeline);

}  // namespace app
