// SPDX-License-Identifier: MIT
#include "report/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include "moorea/error.h"
#include "moorea/support/nearest.h"
#include "report/row_schema.h"

namespace app {
namespace {

// Files of earlier versions have one starting world for all rows, as numbers.
Json start_of(const Json& document) {
  const Json& start = document.at("start");
  return fmt::format("random:{}:{}", start.at("density").get<double>(),
                     start.at("seed").get<std::uint64_t>());
}

// Seconds per generation, from the times of samples of `generations`; empty if the row does not have them.
std::vector<double> generation_seconds(const Json& row, const char* key, double generations) {
  std::vector<double> times;
  if (!row.contains(key)) return times;
  for (const double seconds : row[key].get<std::vector<double>>()) {
    if (!(seconds > 0))
      throw moorea::Error(fmt::format("a sample of {} took no time", row.at("kernel").get<std::string>()));
    times.push_back(seconds / generations);
  }
  return times;
}

Measurement measurement_of(const Json& row) {
  Measurement measurement;
  measurement.row = row;
  for (const RowKey& key : row_schema()) {
    if (key.configures && row.contains(key.name)) measurement.configuration[key.name] = row[key.name];
  }
  const auto kernel = row.at("kernel").get<std::string>();
  if (const auto rate = row.at("cells_per_second").get<double>(); !(rate > 0 && rate < 1e300))
    throw moorea::Error(fmt::format("{}: {} is no valid number of cells per second", kernel, rate));
  measurement.cells = row.at("width").get<double>() * row.at("height").get<double>();
  const double generations = row.at("generations").get<double>();
  measurement.seconds.samples = generation_seconds(row, "sample_seconds", generations);
  measurement.seconds.rounds = generation_seconds(row, "round_median_seconds", generations);
  return measurement;
}

double part_at(const Json& row, const char* key) {
  const Json value = value_at(row, key);
  return value.is_number() ? value.get<double>() : 0;
}

}  // namespace

Json value_at(const Json& row, const char* key, const char* part) {
  if (!row.contains(key)) return {};
  return part == nullptr ? row.at(key) : row.at(key).value(part, Json());
}

std::string words(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

bool is_mostly_skipped(const Json& row) { return part_at(row, "skipped_tiles") > 0.5; }

std::string death_text(const Json& row) {
  const Json generations = value_at(row, "died_after");
  return generations.is_number() ? fmt::format(", dies after {} generations", generations.dump()) : "";
}

bool is_busy(const Json& row) { return value_at(row, "busy") == true; }

std::string busy_mark(const Json& row) {
  return is_busy(row) ? fmt::format("busy, {:.0f} %", 100 * part_at(row, "cpu_taken")) : "";
}

std::string busy_text(const std::vector<const Json*>& rows, std::size_t busy, std::size_t all) {
  double maximum = 0, taken = 0, stolen = 0;
  for (const Json* row : rows) {
    if (!is_busy(*row)) continue;
    maximum = std::max(maximum, part_at(*row, "cpu_taken"));
    taken += part_at(*row, "cpu_taken"), stolen += part_at(*row, "cpu_stolen");
  }
  if (busy == 0) return "";
  return fmt::format(
      "{} of {} measurements {} made while {} (for up to {:.0f} % of the time), so {} not this program's "
      "speed",
      busy, all, busy == 1 ? "was" : "were",
      stolen >= taken ? "a hypervisor gave this machine's CPUs to others" : "other processes used the CPUs",
      100 * maximum, busy == 1 ? "its time is" : "their times are");
}

std::string busy_text(const std::vector<const Json*>& rows) {
  const auto busy = std::count_if(rows.begin(), rows.end(), [](const Json* row) { return is_busy(*row); });
  return busy_text(rows, static_cast<std::size_t>(busy), rows.size());
}

std::string busy_text(const Json& rows) {
  std::vector<const Json*> list;
  for (const Json& row : rows) list.push_back(&row);
  return busy_text(list);
}

void add_document(Results& results, const Json& document) {
  results.about = {{"machine", document.at("machine")},
                   {"revision", document.at("revision")},
                   {"compiler", document.value("compiler", "")},
                   {"date", document.at("date")}};
  results.devices.clear();
  for (const Json& device : document.at("machine").at("devices"))
    results.devices.push_back(device.at("description").get<std::string>());
  if (document.contains("ceilings")) {
    for (const Json& ceiling : document["ceilings"]) results.ceilings.push_back(ceiling);
  }
  for (const Json& asked : document.value("not_timed", Json::array()))
    results.not_timed.push_back(words(value_at(asked, "kernel")));
  for (Json row : document.at("results")) {
    if (!row.contains("start")) {
      row["start"] = start_of(document);
      row["after"] = document["start"].value("generations", std::uint64_t{0});
    }
    results.measurements.push_back(measurement_of(row));
  }
}

std::string reason_of(const Json::exception& error) {
  const std::string text = error.what();  // "[json.exception.parse_error.101] parse error at ..."
  const std::size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

Results read_results(const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path);
  std::istream& in = path == "-" ? std::cin : file;
  // A directory opens, and fails at the first character
  if (!in || (in.peek(), in.bad())) {
    const int error = errno;  // the search for a name may change it
    throw moorea::Error(fmt::format("{}: cannot read: {}{}", path, std::strerror(error),
                                    error == ENOENT ? moorea::nearest_file(path) : ""));
  }
  constexpr int gzip = 0x1f;  // its first byte
  if (in.peek() == gzip) throw moorea::Error(fmt::format("{}: it is compressed; gunzip it first", path));
  Results results;
  while (in >> std::ws && in.peek() != std::istream::traits_type::eof()) {
    Json document;
    try {
      in >> document;
      add_document(results, document);
    } catch (const moorea::Error& error) {
      throw moorea::Error(fmt::format("{}: {}", path, error.what()));
    } catch (const Json::exception& error) {
      const char* const others = path == "-"
                                     ? " (tables are read from files)"
                                     : ", nor a table of moorea ensemble or of moorea run --populations";
      throw moorea::Error(
          fmt::format("{}: not a results file of moorea bench{}: {}", path, others, reason_of(error)));
    }
  }
  if (results.measurements.empty()) throw moorea::Error(fmt::format("{}: no results in it", path));
  return results;
}

}  // namespace app
