// SPDX-License-Identifier: MIT
#include "report/row_schema.h"

#include <fmt/core.h>

#include <type_traits>

namespace app {
namespace {

// How a key is written and read.
struct Access {
  bool required;
  void (*write)(const ResultRow&, Json&, const char*);
  void (*read)(const Json&, ResultRow&);
};

template <class T>
struct Optional : std::false_type {
  using Value = T;
};
template <class T>
struct Optional<std::optional<T>> : std::true_type {
  using Value = T;
};

template <auto member>
using Member = std::remove_cvref_t<decltype(ResultRow().*member)>;

template <auto member>
void read_member(const Json& value, ResultRow& row) {
  if constexpr (std::is_same_v<Member<member>, Json>) {
    row.*member = value;
  } else {
    row.*member = value.get<typename Optional<Member<member>>::Value>();
  }
}

template <auto member>
void write_member(const ResultRow& row, Json& json, const char* name) {
  if constexpr (std::is_same_v<Member<member>, Json>) {
    if (!(row.*member).is_null()) json[name] = row.*member;
  } else if constexpr (Optional<Member<member>>::value) {
    if (row.*member) json[name] = *(row.*member);
  } else {
    json[name] = row.*member;
  }
}

template <auto member>
void write_or_null(const ResultRow& row, Json& json, const char* name) {
  json[name] = nullptr;
  write_member<member>(row, json, name);
}

// A member that is optional in the row where its type is.
template <auto member>
constexpr Access value{!Optional<Member<member>>::value && !std::is_same_v<Member<member>, Json>,
                       write_member<member>, read_member<member>};

// A member whose key is in every row, with null for an unknown value.
template <auto member>
constexpr Access nullable{true, write_or_null<member>, read_member<member>};

// Known together with the registers, and null if the kernel does not report its blocks.
void write_occupancy(const ResultRow& row, Json& json, const char* name) {
  if (row.registers_per_thread) write_or_null<&ResultRow::occupancy>(row, json, name);
}

constexpr std::span<const CsvColumn> no_column;
constexpr CsvColumn own_column[] = {{"", ""}};
constexpr CsvColumn tile_columns[] = {
    {"tile_width", "width"}, {"tile_height", "height"}, {"schedule", "schedule"}, {"placement", "placement"}};
constexpr CsvColumn frequency_columns[] = {{"mean_megahertz", "mean"},
                                           {"min_megahertz", "min"},
                                           {"max_megahertz", "max"},
                                           {"mean_of_min_megahertz", "mean_of_min"},
                                           {"mean_of_max_megahertz", "mean_of_max"},
                                           {"megahertz_deviation", "standard_deviation"}};
constexpr CsvColumn block_columns[] = {{"block_width", "width"}, {"block_height", "height"}};

constexpr RowKey configures(const char* name, const char* unit, const char* meaning,
                            std::span<const CsvColumn> columns, Access access) {
  return {name, unit, meaning, true, columns, access.required, access.write, access.read};
}

constexpr RowKey measures(const char* name, const char* unit, const char* meaning,
                          std::span<const CsvColumn> columns, Access access) {
  return {name, unit, meaning, false, columns, access.required, access.write, access.read};
}

using Row = ResultRow;

constexpr RowKey schema[] = {
    configures("kernel", "", "kernel; `auto`: Moorea's own choice", own_column, value<&Row::kernel>),
    configures("device", "", "device that ran it", own_column, value<&Row::device>),
    configures("rule", "", "rule in B/S notation", own_column, value<&Row::rule>),
    configures("topology", "", "`plane`, `torus` or `surface`", own_column, value<&Row::topology>),
    configures("width", "cells", "width of the world", own_column, value<&Row::width>),
    configures("height", "cells", "height of the world", own_column, value<&Row::height>),
    configures("start", "", "starting world, as in `--start`", own_column, value<&Row::start>),
    configures("after", "generations", "generations computed before the first sample", own_column,
               value<&Row::after>),
    configures("threads", "", "CPU threads", own_column, value<&Row::threads>),
    configures("tiling", "cells",
               "for kernels with tiles: `width` and `height` of a tile, `schedule` and `placement`",
               tile_columns, value<&Row::tiling>),
    configures(
        "block", "threads",
        "for GPU kernels whose launch is configurable: `width` and `height` of a thread block (OpenCL: "
        "work-group)",
        block_columns, value<&Row::block>),
    configures("bytes_per_thread", "bytes", "for CUDA kernels where it is configurable: bytes of each thread",
               own_column, value<&Row::bytes_per_thread>),
    configures("generations_per_pass", "generations",
               "maximum number of generations in one pass over the world, if it was requested", own_column,
               value<&Row::generations_per_pass>),

    measures("generations", "generations", "length of one sample", own_column, value<&Row::generations>),
    measures("samples", "", "number of samples", own_column, value<&Row::samples>),
    measures("rounds", "", "number of completed rounds", no_column, value<&Row::rounds>),
    measures("median_seconds", "s", "median of the samples", own_column, value<&Row::median_seconds>),
    measures("spread", "fraction", "distance between the quartiles of the samples, relative to the median",
             own_column, value<&Row::spread>),
    measures("noise", "fraction",
             "half the width of the median's 95 % confidence interval, relative to the median", own_column,
             value<&Row::noise>),
    measures("generations_per_second", "1/s", "`generations` divided by `median_seconds`", own_column,
             value<&Row::generations_per_second>),
    measures("cells_per_second", "1/s",
             "cells of the world times generations per second, skipped tiles included", own_column,
             value<&Row::cells_per_second>),
    measures(
        "bytes_per_second", "bytes/s",
        "bytes that a pass must read and write, by the kernel's layout and generations per pass; null if "
        "the kernel skips inactive tiles",
        own_column, nullable<&Row::bytes_per_second>),
    measures("part_of_copy_bandwidth", "fraction",
             "`bytes_per_second` relative to the copy bandwidth in `ceilings`; null if the former is null",
             own_column, nullable<&Row::part_of_copy_bandwidth>),
    measures("part_of_logic_throughput", "fraction",
             "logic operations per second relative to the logic throughput in `ceilings`; null if either is "
             "unknown or the kernel skips inactive tiles",
             own_column, nullable<&Row::part_of_logic_throughput>),
    measures("operations_per_word", "operations",
             "logic operations for a 64-bit word and one generation; null if unknown", no_column,
             nullable<&Row::operations_per_word>),
    measures("layout", "", "layout of the cells in memory", no_column, value<&Row::layout>),

    measures("registers_per_thread", "registers", "CUDA kernels: registers of a thread", own_column,
             value<&Row::registers_per_thread>),
    measures("shared_bytes_per_block", "bytes", "CUDA kernels: shared memory of a thread block", no_column,
             value<&Row::shared_bytes_per_block>),
    measures(
        "occupancy", "fraction",
        "CUDA kernels: resident threads of a multiprocessor, relative to the maximum; null if the kernel "
        "does not report its blocks",
        own_column, Access{false, write_occupancy, read_member<&Row::occupancy>}),
    measures(
        "joules_per_billion_updates", "J",
        "energy of 10^9 cell updates where RAPL (on most systems readable by root only) or NVML measures "
        "it, other work of the device included",
        own_column, value<&Row::joules_per_billion_updates>),
    measures("population_seconds", "s", "one count of the live cells", no_column,
             value<&Row::population_seconds>),
    measures("hash_seconds", "s", "one state hash", no_column, value<&Row::hash_seconds>),
    measures("density_seconds", "s",
             "one count of the live cells in each of at most 2048 x 2048 squares, for a picture of the world",
             no_column, value<&Row::density_seconds>),
    measures("encode_seconds", "s",
             "CUDA kernels: conversion of the world from packed rows to the kernel's layout; for "
             "cuda/ladder/11_bits_bytes from a byte per cell",
             no_column, value<&Row::encode_seconds>),
    measures("decode_seconds", "s",
             "CUDA kernels: conversion of the world from the kernel's layout to packed rows; for "
             "cuda/ladder/11_bits_bytes to a byte per cell",
             no_column, value<&Row::decode_seconds>),
    measures("checked_with", "", "kernel with whose state hash this kernel's was compared", own_column,
             value<&Row::checked_with>),
    measures("skipped_tiles", "fraction",
             "for kernels that skip inactive tiles: skipped tiles relative to all tiles; above 0.5 tables "
             "print \"(mostly skipped: ash)\"",
             no_column, value<&Row::skipped_tiles>),
    measures("core_megahertz", "MHz",
             "median clock frequency of each core during the samples, by core number", no_column,
             value<&Row::core_megahertz>),

    measures("busy", "",
             "whether other processes used the CPUs during the measurement: its speed is not the program's",
             own_column, value<&Row::busy>),
    measures("discarded_samples", "", "number of samples discarded because other processes disturbed them",
             own_column, value<&Row::discarded_samples>),
    measures("cpu_taken", "fraction",
             "part of `watched_seconds` during which other processes delayed the slowest thread; null if it "
             "is not measured",
             own_column, nullable<&Row::cpu_taken>),
    measures("cpu_stolen", "fraction",
             "part of `watched_seconds` that a hypervisor took, of all CPUs together; absent if none",
             no_column, value<&Row::cpu_stolen>),
    measures("watched_seconds", "s", "sampling time during which other processes were watched", no_column,
             value<&Row::watched_seconds>),

    // The columns of the CSV keep their order, so later ones are the last
    configures(
        "fixed_generations", "generations",
        "`--generations`: length of each sample, which begins with the start, unless the world dies before",
        own_column, value<&Row::fixed_generations>),
    measures("died_after", "generations",
             "generation in which the last cell dies, if samples begin with the start and end there",
             own_column, value<&Row::died_after>),
    measures("relative_to", "", "`--relative-to`: kernel, with its threads, that speeds are compared with",
             own_column, value<&Row::relative_to>),
    measures("times_reference", "",
             "`cells_per_second` relative to that of the fastest row of `relative_to` in the same world",
             own_column, value<&Row::times_reference>),
    configures("mesh", "", "of a surface: its mesh, as in `--mesh`", own_column, value<&Row::mesh>),
    configures("adjacency", "", "of a surface: which faces are neighbours, `vertex` or `edge`", own_column,
               value<&Row::adjacency>),
    configures("numbering", "", "for kernels of meshes: order of the faces in memory", own_column,
               value<&Row::numbering>),
    measures(
        "bytes_per_cell", "bytes",
        "for kernels of meshes: bytes of cells and neighbour table that a pass reads and writes, per face",
        own_column, value<&Row::bytes_per_cell>),
    measures("frequency", "MHz, s",
             "clock frequency of the cores during the samples: its `source`; `mean`, `min`, `max` and "
             "`standard_deviation` of all samples, and the means of the cores' minima and maxima, "
             "`mean_of_min` and `mean_of_max`; in `megahertz` the samples by core, as a text with "
             "repetitions, `2900*12`, and `-` for a missing one, every `interval_seconds`; their number in "
             "each round, `round_ticks`; the time of all rounds, `seconds`, and the CPU time of the thread "
             "that samples, `sampler_seconds`",
             frequency_columns, value<&Row::frequency>),
    configures("wide_share", "fraction",
               "for kernels with vectors of two widths: share of the threads that use the wider ones",
               own_column, value<&Row::wide_share>),
    configures("shares", "", "rows of each of several devices in relation to each other, if they are fixed",
               own_column, value<&Row::shares>),
    measures("parts", "rows, 1/s, fraction",
             "of a world on several devices, at the end of the samples: `device`, `kernel`, first row `y`, "
             "`rows`, their `share`, `cells_per_second` while busy, and the `idle` part of the time",
             no_column, value<&Row::parts>),

    measures("energy", "J, s", "energy of all samples, `joules`, and the time it was measured for, `seconds`",
             no_column, value<&Row::energy>),
    measures("round_median_seconds", "s", "median of the samples of each round", no_column,
             value<&Row::round_median_seconds>),
    measures("sample_seconds", "s", "time of each sample", no_column, value<&Row::sample_seconds>),
    measures("asked", "", "configuration as it was requested, by which `--resume` identifies rows", no_column,
             value<&Row::asked>),
};

std::string columns_text(const RowKey& key) {
  std::vector<std::string> names;
  for (const CsvColumn& column : key.columns)
    names.push_back(fmt::format("`{}`", *column.name != '\0' ? column.name : key.name));
  return joined(names, ", ");
}

}  // namespace

std::span<const RowKey> row_schema() { return schema; }

Json row_json(const ResultRow& row) {
  Json json;
  for (const RowKey& key : schema) key.write(row, json, key.name);
  return json;
}

ResultRow read_row(const Json& json) {
  ResultRow row;
  for (const RowKey& key : schema) {
    const auto found = json.find(key.name);
    if (found == json.end() && key.required) json.at(key.name);  // throws, naming the key
    if (found != json.end() && !found->is_null()) key.read(*found, row);
  }
  return row;
}

std::string row_schema_table() {
  std::string text = "| key in the JSON | columns of the CSV | unit | meaning |\n| --- | --- | --- | --- |\n";
  for (const RowKey& key : schema)
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, columns_text(key), key.unit, key.meaning);
  return text;
}

}  // namespace app
