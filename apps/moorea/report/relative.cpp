// SPDX-License-Identifier: MIT
#include "report/relative.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "moorea/error.h"

namespace app {
namespace {

// Whether two rows have the same cells, computed for as many generations.
bool in_same_world(const Json& a, const Json& b) {
  for (const char* key :
       {"width", "height", "rule", "topology", "mesh", "adjacency", "start", "after", "fixed_generations"}) {
    if (value_at(a, key) != value_at(b, key)) return false;
  }
  return true;
}

std::string world_text(const Json& row) {
  return fmt::format("{}x{}, {}, {}, {}", row.at("width").dump(), row.at("height").dump(),
                     words(row.at("rule")), words(row.at("topology")), words(row.at("start")));
}

// The remedy depends on which part of the reference is missing.
[[noreturn]] void missing(const Reference& reference, const Json& row, const std::vector<const Json*>& rows) {
  std::set<std::string> threads;
  for (const Json* each : rows) {
    if (value_at(*each, "kernel") == reference.kernel && in_same_world(*each, row))
      threads.insert(words(value_at(*each, "threads")));
  }
  const std::string found = threads.empty()
                                ? "it was not measured there"
                                : fmt::format("it was measured there with other threads: {}",
                                              joined(std::vector(threads.begin(), threads.end()), ", "));
  usage(
      fmt::format("--relative-to {}: no measurement of it in the world {} of {}: {}; measure it in the same "
                  "run, as moorea bench --relative-to {} does",
                  reference.str(), world_text(row), words(row.at("kernel")), found, reference.str()));
}

}  // namespace

Reference Reference::parse(const std::string& text) {
  Reference reference{text, std::nullopt};
  const std::size_t colon = text.rfind(':');
  const bool has_threads =
      colon != std::string::npos && text.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  if (has_threads) {
    reference.kernel = text.substr(0, colon);
    reference.threads = static_cast<int>(parse_from_one(text.substr(colon + 1), "--relative-to", 4096));
  }
  if (reference.kernel.empty())
    usage(
        fmt::format("--relative-to \"{}\": expected a kernel, or a kernel with its number of threads, as in "
                    "cpu/ladder/01_serial:1",
                    text));
  return reference;
}

std::string Reference::str() const { return threads ? fmt::format("{}:{}", kernel, *threads) : kernel; }

bool Reference::matches(const Json& row) const {
  return value_at(row, "kernel") == kernel && (!threads || value_at(row, "threads") == *threads);
}

// The fastest measurement of the reference in the row's world, or null.
static const Json* reference_of(const Json& row, const Reference& reference,
                                const std::vector<const Json*>& rows) {
  const Json* fastest = nullptr;
  double most = 0;
  for (const Json* each : rows) {
    if (!reference.matches(*each) || !in_same_world(*each, row)) continue;
    const double speed = each->at("cells_per_second").get<double>();
    if (speed > most) fastest = each, most = speed;
  }
  return fastest;
}

void relate(Json& row, const Reference& reference, const std::vector<const Json*>& rows) {
  const Json* const fastest = reference_of(row, reference, rows);
  if (fastest == nullptr) return;
  row["relative_to"] = reference.str();
  row["times_reference"] =
      row.at("cells_per_second").get<double>() / fastest->at("cells_per_second").get<double>();
}

void relate(Results& results, const Reference& reference) {
  std::vector<const Json*> rows;
  for (const Measurement& each : results.measurements) rows.push_back(&each.row);
  for (Measurement& each : results.measurements) {
    each.row.erase("times_reference");
    relate(each.row, reference, rows);
    if (!each.row.contains("times_reference")) missing(reference, each.row, rows);
    each.has_busy_reference = is_busy(*reference_of(each.row, reference, rows));
  }
}

}  // namespace app
