// SPDX-License-Identifier: MIT
#include "lab/sweep_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "cli/reference_kernel.h"
#include "cli/world.h"
#include "moorea/device_list.h"
#include "report/results.h"

namespace app {
namespace {

std::string samples_text(const Configuration& configuration) {
  return fmt::format("samples of {} from the start",
                     counted(*configuration.sample_generations, "generation"));
}

std::string resources_text(const Json& row) {
  const Json occupancy = row.value("occupancy", Json());
  return fmt::format(" {:>9} {:>9}",
                     row.contains("registers_per_thread") ? row["registers_per_thread"].dump() : "-",
                     occupancy.is_null() ? "-" : fmt::format("{:.1f}%", 100 * occupancy.get<double>()));
}

std::string relative_text(const Json& row) {
  const Json times = value_at(row, "times_reference");
  return times.is_number() ? human_number(times.get<double>()) : "-";
}

std::string tiling_text(const Json& tiling) {
  return fmt::format("  {}x{} {} {}", tiling["width"].dump(), tiling["height"].dump(),
                     tiling["schedule"].get<std::string>(), tiling["placement"].get<std::string>());
}

std::string block_text(const Json& row) {
  if (!row.contains("block")) return "";
  std::string text = fmt::format("  {}x{}", row["block"]["width"].dump(), row["block"]["height"].dump());
  if (row.contains("bytes_per_thread")) text += fmt::format(", {} bytes", row["bytes_per_thread"].dump());
  return text;
}

std::string parts_text(const Json& row) {
  std::string text;
  for (const Json& part : value_at(row, "parts"))
    text += fmt::format("{}{:.1f}% {}", text.empty() ? "  " : ", ", 100 * part["share"].get<double>(),
                        part["device"].get<std::string>());
  return text.empty() ? fmt::format("  100% {}", row["device"].get<std::string>()) : text;
}

}  // namespace

SweepTable::SweepTable(const Selection& selection, const std::vector<Configuration>& configurations)
    : axes_(selection.axes) {
  if (selection.relative_to) relative_ = "  x " + selection.relative_to->str();
  std::set<std::string> rules, topologies, meshes, worlds;
  for (const Configuration& configuration : configurations) {
    name_width_ = std::max(name_width_, configuration.kernel.name.size());
    any_cuda_ = any_cuda_ || configuration.kernel.backend == moorea::Backend::cuda;
    rules.insert(configuration.start.rule.str());
    topologies.emplace(moorea::to_string(configuration.start.topology));
    if (configuration.start.mesh != nullptr) meshes.insert(configuration.start.mesh->name());
    worlds.insert(configuration.start.world);
    shows_parts_ = shows_parts_ || moorea::is_device_list(configuration.options.device);
  }
  shows_rule_ = rules.size() > 1;
  shows_topology_ = topologies.size() > 1;
  shows_mesh_ = meshes.size() > 1;
  shows_start_ = worlds.size() > 1;
  const Start& start = configurations.front().start;
  std::vector<std::string> same;
  if (!shows_rule_)
    same.push_back(start.rule.name().empty() ? start.rule.str()
                                             : fmt::format("{} {}", start.rule.str(), start.rule.name()));
  if (!shows_topology_ && !shows_mesh_)
    same.emplace_back(start.mesh != nullptr ? start.mesh->name() : moorea::to_string(start.topology));
  if (!shows_start_) same.push_back(start.world);
  if (!selection.generations.empty()) same.push_back(samples_text(configurations.front()));
  if (start.after != 0) same.push_back("after " + counted(start.after, "generation"));
  const std::string head = same.empty() ? "" : fmt::format("{}; ", joined(same, ", "));
  const std::string reference =
      start.mesh != nullptr || !start.rule.has_nine_cells()
          ? reference_kernel_for(start.spec())
          : fmt::format("{} ({} in very large worlds)", reference_kernel, large_references[0]);
  print(fmt::format("{}every answer is compared with {} before it is timed\n", head, reference));
  print(fmt::format("{:{}} {:>13} {:>7} {:>12} {:>11} {:>8} {:>8} {:>8}{}{}{}{}{}{}{}{}\n", "kernel",
                    name_width_, "size", "threads", "gens/s", "cells/s", "spread", "of copy", "of logic",
                    relative_, any_cuda_ ? " registers occupancy" : "", shows_rule_ ? "  rule" : "",
                    fmt::format("{}{}{}", shows_topology_ ? "  topology" : "", shows_mesh_ ? "  mesh" : "",
                                axes_.numberings.empty() ? "" : "  numbering"),
                    shows_start_ ? "  start" : "",
                    fmt::format("{}{}", axes_.tiles_asked() ? "  tiles" : "",
                                axes_.wide_shares.empty() ? "" : "  wide share"),
                    axes_.launches_asked() ? "  block" : "",
                    fmt::format("{}{}", axes_.generations_a_pass.empty() ? "" : "  generations per pass",
                                shows_parts_ ? "  rows" : "")));
}

void SweepTable::add(const Json& row) const {
  const auto percent = [&](const char* key) {
    return row[key].is_null() ? std::string("-") : fmt::format("{:.1f}%", 100 * row[key].get<double>());
  };
  const auto text = [&](bool shown, const char* key) {
    return shown && row.contains(key) ? "  " + row[key].get<std::string>() : std::string();
  };
  print(fmt::format(
      "{:{}} {:>13} {:>7} {:>12} {:>11} {:>7.1f}% {:>8} {:>8}{:>{}}{}{}{}{}{}{}{}{}{}{}\n",
      row["kernel"].get<std::string>(), name_width_,
      fmt::format("{}x{}", row["width"].dump(), row["height"].dump()), row["threads"].dump(),
      short_number(row["generations_per_second"].get<double>(), 5),
      short_number(row["cells_per_second"].get<double>(), 4), 100 * row["spread"].get<double>(),
      percent("part_of_copy_bandwidth"), percent("part_of_logic_throughput"),
      relative_.empty() ? "" : relative_text(row), relative_.size(), any_cuda_ ? resources_text(row) : "",
      text(shows_rule_, "rule"),
      text(shows_topology_, "topology") + text(shows_mesh_, "mesh") +
          text(!axes_.numberings.empty(), "numbering"),
      text(shows_start_, "start"),
      (axes_.tiles_asked() && row.contains("tiling") ? tiling_text(row["tiling"]) : "") +
          (!axes_.wide_shares.empty() && row.contains("wide_share") ? "  " + row["wide_share"].dump() : ""),
      axes_.launches_asked() ? block_text(row) : "",
      (row.contains("generations_per_pass") ? "  " + row["generations_per_pass"].dump() : "") +
          (shows_parts_ ? parts_text(row) : ""),
      is_mostly_skipped(row) ? "  (mostly skipped: ash)" : "",
      row.contains("died_after") ? " " + death_text(row).substr(1) : "",
      is_busy(row) ? "  " + busy_mark(row) : ""));
}

}  // namespace app
