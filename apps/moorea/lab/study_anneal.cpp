// SPDX-License-Identifier: MIT
// The study of the rule Anneal: noise that separates into regions.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lab/studies.h"
#include "moorea/error.h"
#include "moorea/simulation.h"

namespace app {
namespace {

// Live and changed cells of each generation, as fractions of all cells, and pictures of some generations.
struct Evolution {
  ChartSeries live{"live", {}}, changed{"changed", {}};
  std::vector<Report::Picture> pictures;

  void add(double generation, double live_part, double changed_part) {
    live.points.push_back({generation, live_part, live_part, live_part, ""});
    changed.points.push_back({generation, changed_part, changed_part, changed_part, ""});
  }
};

// Pictures of the generations 0, 4, 16, and so on.
Evolution evolve(std::int64_t side, std::uint64_t last) {
  moorea::Simulation simulation(moorea::Rule::parse("Anneal"), moorea::Topology::torus,
                                moorea::Grid::random(side, side, 0.5, 1));
  const double cells = static_cast<double>(side) * static_cast<double>(side);
  Evolution evolution;
  for (std::uint64_t target = 0; target <= last; target = target == 0 ? 4 : target * 4) {
    auto generation = static_cast<double>(simulation.generation());
    for (const moorea::Activity& activity :
         simulation.step_comparing(target - simulation.generation(), [] { return !was_interrupted(); }))
      evolution.add(++generation, static_cast<double>(activity.population) / cells,
                    static_cast<double>(activity.changed) / cells);
    if (was_interrupted()) throw moorea::Error(interruption_text());
    evolution.pictures.push_back({fmt::format("generation {}", target), simulation.grid()});
  }
  return evolution;
}

// One point for each factor of the square root of two, which suffices on a logarithmic axis.
ChartSeries thinned(const ChartSeries& series) {
  ChartSeries thin{series.name, {}};
  double next = 1;
  for (const ChartPoint& point : series.points) {
    if (point.x < next) continue;
    thin.points.push_back(point);
    next = std::max(point.x + 1, point.x * 1.41421356);
  }
  return thin;
}

Chart chart_of(const std::string& title, const ChartSeries& series, bool log, std::int64_t side) {
  Chart chart;
  chart.title = title;
  chart.x = {"generation", true, {}};
  chart.y = {"part of all cells", log, {}};
  chart.series = {thinned(series)};
  chart.caption = fmt::format(
      "Anneal (B4678/S35678), a torus of {0} x {0} cells, noise of density 0.5 and seed 1.", side);
  return chart;
}

}  // namespace

void study_anneal(Report& report) {
  const std::int64_t side = report.quick() ? 512 : 1024;
  const std::uint64_t last = report.quick() ? 1024 : 4096;
  const Evolution evolution = evolve(side, last);
  const std::vector<ChartPoint>&live = evolution.live.points, &changed = evolution.changed.points;
  report.find(fmt::format(
      "From noise of density one half {:.1f} % of the cells live after one generation, {:.1f} % after {}.",
      100 * live.front().y, 100 * live.back().y, last));
  report.find(
      fmt::format("The cells that a generation changes, those at the edges between regions, go from {:.2g} % "
                  "to {:.2g} % of all.",
                  100 * changed.front().y, 100 * changed.back().y));
  report.add_pictures("The world", evolution.pictures);
  report.add_chart("Live cells", chart_of("Live cells by generation", evolution.live, false, side));
  report.add_chart("Cells that a generation changes",
                   chart_of("Changed cells by generation", evolution.changed, true, side));
}

}  // namespace app
