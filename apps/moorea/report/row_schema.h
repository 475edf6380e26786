// SPDX-License-Identifier: MIT
// Schema of a result row: each key once, with its unit, its meaning, and how it is written and read. The JSON
// of moorea bench, the columns of its CSV and the table in docs/laboratory.md are made from it, so that they
// agree. It is in this room because the readers of results files are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/app.h"

namespace app {

/// One row of a results file. Members have the names and units of their keys in row_schema(); an empty
/// optional and a null Json mean that the value is unknown.
struct ResultRow {
  // Configuration
  std::string kernel, device, rule, topology;
  std::int64_t width = 0, height = 0;
  std::string start;
  std::uint64_t after = 0;
  int threads = 0;
  std::optional<std::string> mesh, adjacency, numbering;
  Json tiling, block;
  std::optional<std::string> shares;
  std::optional<double> wide_share;
  std::optional<int> bytes_per_thread, generations_per_pass;
  std::optional<std::uint64_t> fixed_generations;

  // Speed
  std::uint64_t generations = 0;
  std::optional<std::uint64_t> died_after;
  std::optional<std::string> relative_to;
  std::optional<double> times_reference;
  std::size_t samples = 0;
  int rounds = 0;
  double median_seconds = 0, spread = 0, noise = 0;
  double generations_per_second = 0, cells_per_second = 0;
  std::optional<double> bytes_per_cell, bytes_per_second, part_of_copy_bandwidth, part_of_logic_throughput;
  std::optional<double> operations_per_word;
  std::string layout;

  // Run
  std::optional<int> registers_per_thread;
  std::optional<std::int64_t> shared_bytes_per_block;
  std::optional<double> occupancy;
  std::optional<double> joules_per_billion_updates;
  double population_seconds = 0, hash_seconds = 0, density_seconds = 0;
  std::optional<double> encode_seconds, decode_seconds;
  std::string checked_with;
  std::optional<double> skipped_tiles;
  Json core_megahertz, frequency, parts;

  // Disturbance by other processes
  bool busy = false;
  std::size_t discarded_samples = 0;
  std::optional<double> cpu_taken, cpu_stolen;
  double watched_seconds = 0;

  Json energy;
  std::vector<double> round_median_seconds, sample_seconds;
  Json asked;
};

/// A column of the CSV: its name, and the key inside the row's value, or "" for the value itself.
struct CsvColumn {
  const char* name;
  const char* part;
};

struct RowKey {
  const char* name;
  const char* unit;  ///< "" for texts, flags and objects
  const char* meaning;
  bool configures;                     ///< part of the configuration, by which rows of two files are matched
  std::span<const CsvColumn> columns;  ///< empty: not in the CSV; a column named "" has the key's name
  bool required;                       ///< in every row that this version writes
  /// Writes the value under `name`; leaves `json` as it is if the value is unknown and the key optional.
  void (*write)(const ResultRow& row, Json& json, const char* name);
  void (*read)(const Json& value, ResultRow& row);
};

/// All keys, in the order of the JSON and of the CSV.
std::span<const RowKey> row_schema();

Json row_json(const ResultRow& row);

/// Throws Json::exception if a required key is missing or a value has another type.
ResultRow read_row(const Json& json);

/// The schema as a table in Markdown.
std::string row_schema_table();

}  // namespace app
