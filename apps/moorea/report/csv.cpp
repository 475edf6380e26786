// SPDX-License-Identifier: MIT
#include "report/csv.h"

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/host.h"
#include "report/results.h"
#include "report/row_schema.h"

namespace app {
namespace {

// A value with a separator or a quote is quoted, as in RFC 4180.
std::string field(const Json& value) {
  if (value.is_null()) return "";
  const std::string text = words(value);
  if (text.find_first_of(",;\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_line(const std::vector<Json>& values) {
  std::string line;
  for (const Json& value : values) line += field(value) + ",";
  if (!line.empty()) line.back() = '\n';
  return line;
}

std::string csv(const Json& document) {
  std::vector<Json> head;
  for (const RowKey& key : row_schema()) {
    for (const CsvColumn& column : key.columns)
      head.emplace_back(*column.name != '\0' ? column.name : key.name);
  }
  std::string text = csv_line(head);
  for (const Json& row : document.at("results")) {
    std::vector<Json> values;
    for (const RowKey& key : row_schema()) {
      for (const CsvColumn& column : key.columns)
        values.push_back(*column.part != '\0' ? value_at(row, key.name, column.part)
                                              : value_at(row, key.name));
    }
    text += csv_line(values);
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
