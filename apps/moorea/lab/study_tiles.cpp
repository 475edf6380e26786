// SPDX-License-Identifier: MIT
// Studies of tiles: their shape, their schedule, and the timeline of the threads that compute them.
#include <fmt/core.h>

#include <utility>
#include <vector>

#include "cli/cpu_watch.h"
#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"
#include "report/timeline.h"

namespace app {
namespace {

std::string tile_text(const Measurement& measurement) {
  const Json& tiling = measurement.row["tiling"];
  return fmt::format("{} x {}", tiling["width"].dump(), tiling["height"].dump());
}

void find_best_tile(Report& report, const Measurements& all) {
  if (all.empty()) {
    report.find(fmt::format("All tiles were {}.", not_quiet));
    return;
  }
  const Measurement *best = fastest(all), *worst = slowest(all);
  int near = 0;
  for (const Measurement* each : all) near += rate(*each) >= 0.95 * rate(*best) ? 1 : 0;
  report.find(fmt::format("The best tile is {} cells: {} cells per second, {} as many as the worst, {}.",
                          tile_text(*best), short_number(rate(*best)), times(rate(*best) / rate(*worst)),
                          tile_text(*worst)));
  report.find(fmt::format("{} of {} tiles are within 5 % of it.", near, all.size()));
}

// Compares tiles with equal numbers of cells, wide against tall ones.
void find_best_orientation(Report& report, const Measurements& all) {
  double wide = 0, tall = 0;
  for (const Measurement* a : all) {
    for (const Measurement* b : all) {
      const Json &at = a->row["tiling"], &bt = b->row["tiling"];
      if (at["width"] != bt["height"] || at["height"] != bt["width"] || at["width"] <= at["height"]) continue;
      wide += rate(*a), tall += rate(*b);
    }
  }
  if (tall > 0)
    report.find(fmt::format(
        "Of two tiles that are each other turned by 90 degrees the wide one is on average {} as fast.",
        times(wide / tall)));
}

// Some generations of a world that has been running for a while, under one schedule.
Timeline recorded(const moorea::Grid& start, const char* schedule) {
  constexpr std::uint64_t before = 64, passes = 8, apart = 16;
  moorea::Options options;
  options.kernel = "cpu/ladder/09_lazy";
  options.tile = moorea::TileSize{64, 32};
  options.schedule = moorea::parse_schedule(schedule);
  moorea::Simulation simulation({}, moorea::Topology::torus, start, options);
  simulation.step(before);
  Timeline timeline;
  timeline.kernel = options.kernel;
  timeline.name = fmt::format("Schedule {}", schedule);
  timeline.threads = simulation.threads();
  timeline.world = {0, 0, start.width(), start.height()};
  timeline.about = fmt::format("Life on a torus of {} x {} cells, tiles of 64 x 32, {} threads, schedule {}",
                               start.width(), start.height(), simulation.threads(), schedule);
  CpuWatch watch(simulation.threads());
  for (std::uint64_t i = 0; i < passes; ++i) {
    watch.begin();
    const std::vector<moorea::TileEvent> events = moorea::step_tracing(simulation, 1);
    watch.end();
    timeline.events.insert(timeline.events.end(), events.begin(), events.end());
    simulation.step(apart - 1);
  }
  timeline.cpu_taken = watch.taken_part();
  return timeline;
}

}  // namespace

void study_tiles(Report& report) {
  Selection selection;
  selection.kernels = {"cpu/ladder/03_vectorised"};
  selection.sizes = {report.quick() ? "1024" : "4096"};
  selection.axes.tiles = {report.quick() ? "16:1024:x4x16:1024:x4" : "16:4096:x2x16:4096:x2"};
  const Results results = report.measure(selection);
  const Measurements all = where(results, is_quiet);
  find_best_tile(report, all);
  find_best_orientation(report, all);
  report.add_charts("Tile width and tile height", results,
                    {ChartKind::heatmap, "tile-width", "", "tile-height", ""});
}

void study_schedule(Report& report) {
  Selection selection;
  selection.kernels = {"cpu/ladder/09_lazy"};
  selection.sizes = {report.quick() ? "1024" : "4096"};
  selection.axes.tiles = {"64x32"};
  selection.axes.schedules = {"static", "dynamic", "guided"};
  selection.axes.chunks = {report.quick() ? "1:8:x8" : "1:64:x2"};
  selection.starts = {"random:0.5:0", "guns:256", "spaceships:512"};
  const Results results = report.measure(selection);
  for (const std::string& start : selection.starts) {
    const Measurements rows =
        where(results, [&](const Measurement& each) { return each.row["start"] == start; });
    const Measurement *best = fastest(rows), *worst = slowest(rows);
    if (best == nullptr) continue;
    report.find(start + ": " +
                comparison_text({"schedule " + words(best->row["tiling"]["schedule"]), *best},
                                {words(worst->row["tiling"]["schedule"]), *worst}));
  }
  report.add_charts("Schedule and chunk", results, {ChartKind::heatmap, "schedule", "", "chunk", ""});
}

void study_timeline(Report& report) {
  const std::int64_t side = report.quick() ? 1024 : 4096;
  // Noise in one corner, so that equal parts of the world are unequal parts of the work
  moorea::Grid start(side, side);
  start.paste(moorea::Grid::random(side / 2, side / 2, 0.4, 1), {});
  std::vector<Timeline> timelines;
  for (const char* schedule : {"static", "static,1", "dynamic,4", "guided"}) {
    Timeline timeline = recorded(start, schedule);
    const std::string busy = busy_text(timeline);
    report.find(
        fmt::format("Schedule {}: the busiest thread worked {:.2f} times as long as the average of {}.{}",
                    schedule, imbalance(timeline), timeline.threads, busy.empty() ? "" : " " + busy));
    if (!timeline.events.empty()) timelines.push_back(std::move(timeline));
  }
  if (!timelines.empty())
    report.add_html("All schedules: which thread computed which tile, when", timeline_view(timelines));
}

}  // namespace app
