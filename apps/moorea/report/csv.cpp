// SPDX-License-Identifier: MIT
#include "report/csv.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "report/results.h"

namespace app {
namespace {

// Values that hold a separator or a quote stand in quotes, as RFC 4180 has it.
std::string field(const Json& value) {
  if (value.is_null()) return "";
  const std::string text = words(value);
  if (text.find_first_of(",;\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

std::string csv(const Json& document) {
  static constexpr const char* keys[] = {"kernel",
                                         "device",
                                         "rule",
                                         "topology",
                                         "width",
                                         "height",
                                         "start",
                                         "after",
                                         "threads",
                                         "tile_width",
                                         "tile_height",
                                         "schedule",
                                         "placement",
                                         "block_width",
                                         "block_height",
                                         "bytes_per_thread",
                                         "generations_per_pass",
                                         "generations",
                                         "samples",
                                         "median_seconds",
                                         "spread",
                                         "noise",
                                         "generations_per_second",
                                         "cells_per_second",
                                         "bytes_per_second",
                                         "part_of_copy_bandwidth",
                                         "part_of_logic_throughput",
                                         "registers_per_thread",
                                         "occupancy",
                                         "joules_per_billion_updates",
                                         "checked_with",
                                         "busy",
                                         "discarded_samples",
                                         "cpu_taken"};
  std::string text = fmt::format("{}\n", joined(keys, ","));
  for (const Json& row : document.at("results")) {
    std::vector<std::string> fields;
    for (const std::string key : keys) {
      const Json value = key == "tile_width"     ? value_at(row, "tiling", "width")
                         : key == "tile_height"  ? value_at(row, "tiling", "height")
                         : key == "schedule"     ? value_at(row, "tiling", "schedule")
                         : key == "placement"    ? value_at(row, "tiling", "placement")
                         : key == "block_width"  ? value_at(row, "block", "width")
                         : key == "block_height" ? value_at(row, "block", "height")
                                                 : value_at(row, key.c_str());
      fields.push_back(field(value));
    }
    text += joined(fields, ",") + "\n";
  }
  return text;
}

std::string easypap_csv(const Json& document) {
  std::string text =
      "machine;size;tilew;tileh;threads;kernel;variant;tiling;iterations;schedule;places;label;arg;time\n";
  const std::string machine = host_name();
  for (const Json& row : document.at("results")) {
    const Json width = value_at(row, "tiling", "width"), height = value_at(row, "tiling", "height"),
               schedule = value_at(row, "tiling", "schedule"), places = value_at(row, "tiling", "placement");
    for (const double seconds : row.at("sample_seconds").get<std::vector<double>>()) {
      text += fmt::format("{};{};{};{};{};{};{};default;{};{};{};{};{};{}\n", field(machine),
                          field(row["width"]), field(width.is_null() ? row["width"] : width),
                          field(height.is_null() ? row["height"] : height), field(row["threads"]),
                          field(row["rule"]), field(row["kernel"]), field(row["generations"]),
                          field(schedule), field(places), is_busy(row) ? "busy" : "", field(row["start"]),
                          std::llround(seconds * 1e6));
    }
  }
  return text;
}

}  // namespace app
