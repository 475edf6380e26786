// SPDX-License-Identifier: MIT
// Study of a world that is divided between the CPU and another device.
#include <fmt/core.h>

#include <algorithm>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace app {
namespace {

// The first device beside the CPU, a GPU if there is one; empty if there is none.
std::string other_device() {
  std::string other;
  for (const moorea::DeviceInfo& device : moorea::list_devices()) {
    if (device.name == "cpu") continue;
    if (!device.uses_cpus) return device.name;
    if (other.empty()) other = device.name;
  }
  return other;
}

// Percent of the rows on the CPU, in the order of the list.
double percent_of_cpu(const Measurement& measurement) {
  const Json parts = value_at(measurement.row, "parts");
  if (parts.is_array()) return 100 * parts.at(0)["share"].get<double>();
  return measurement.row["device"] == "cpu" ? 100 : 0;
}

bool has_chosen_rows(const Measurement& measurement) {
  return measurement.row.contains("parts") && !measurement.row.contains("shares");
}

ChartPoint point_of(const Measurement& measurement) {
  const double speed = rate(measurement);
  ChartPoint point{percent_of_cpu(measurement), speed, speed, speed, ""};
  point.busy = is_busy(measurement.row);
  return point;
}

Chart chart_of(const Measurements& fixed, const Measurements& chosen) {
  Chart chart;
  chart.title = "Speed by the share of the rows on the CPU";
  chart.x.label = "rows on the CPU, %";
  chart.y.label = "cells per second";
  ChartSeries given{"shares that stay", {}}, found{"rows that Moorea chose while it ran", {}};
  for (const Measurement* each : fixed) given.points.push_back(point_of(*each));
  std::ranges::sort(given.points, {}, &ChartPoint::x);
  for (const Measurement* each : chosen) found.points.push_back(point_of(*each));
  chart.series = {given, found};
  return chart;
}

std::string rows_text(const Measurement& measurement) {
  return fmt::format("{:.1f} % of the rows on the CPU: {} cells per second", percent_of_cpu(measurement),
                     short_number(rate(measurement)));
}

std::string idle_text(const Measurement& measurement) {
  std::string text;
  for (const Json& part : measurement.row["parts"])
    text += fmt::format("{}{} waited for {:.0f} % of the time", text.empty() ? "" : ", ",
                        part["device"].get<std::string>(), 100 * part["idle"].get<double>());
  return text;
}

void add_findings(Report& report, const Measurements& alone, const Measurements& fixed,
                  const Measurement& chosen) {
  double sum = 0;
  bool quiet = is_quiet(chosen);
  for (const Measurement* each : alone) {
    sum += rate(*each);
    quiet = quiet && is_quiet(*each);
    report.find(
        fmt::format("{} alone: {} cells per second.", words(each->row["device"]), short_number(rate(*each))));
  }
  report.find(fmt::format("Chosen, {}; {}.", rows_text(chosen), idle_text(chosen)));
  report.find(fmt::format("The fastest of the shares that stay: {}.", rows_text(*fastest(fixed))));
  if (!quiet) {
    report.find(fmt::format("At least one of these speeds was {}.", not_quiet));
    return;
  }
  report.find(
      fmt::format("That is {:.0f} % of the sum of both devices, and {} as fast as the faster one "
                  "alone.",
                  100 * rate(chosen) / sum, times(rate(chosen) / rate(*fastest(alone)))));
}

}  // namespace

void study_hybrid(Report& report) {
  const std::string other = other_device();
  if (other.empty())
    throw moorea::Error("this machine has no device beside the CPU", moorea::ErrorKind::unavailable);
  Selection single, given, chosen;
  single.kernels = {automatic};
  single.sizes = {report.quick() ? "1024" : "16384"};
  given = chosen = single;
  single.devices = {"cpu", other};
  given.devices = chosen.devices = {"cpu+" + other};
  given.axes.shares = {"1+9", "1+1", "9+1"};
  if (!report.quick())
    given.axes.shares = {"1+49", "1+19", "1+9", "1+4", "3+7", "2+3", "1+1", "3+2", "7+3", "4+1", "9+1"};
  const Results results = report.measure({single, given, chosen}, 0);
  const Measurements alone =
                         where(results, [](const Measurement&each) { return !each.row.contains("parts"); }),
                     found = where(results, has_chosen_rows),
                     fixed = where(results, [](const Measurement&each) { return !has_chosen_rows(each); });
  if (alone.size() < 2 || found.empty()) return;
  add_findings(report, alone, fixed, *found.front());
  report.add_chart("Speed by the share of the rows", chart_of(fixed, found));
}

}  // namespace app
