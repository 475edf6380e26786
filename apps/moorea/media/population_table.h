// SPDX-License-Identifier: MIT
// The table of moorea run --populations: a line per generation, appended while the run goes on.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include "cli/clock.h"
#include "cli/line_file.h"
#include "media/population_rows.h"
#include "moorea/error.h"
#include "moorea/simulation.h"

namespace app {

class PopulationTable {
 public:
  /// `changes`: with a column of the cells that each generation changed. Throws moorea::Error if the file
  /// cannot be written.
  PopulationTable(const std::string& path, bool changes) : changes_(changes), path_(path), file_(path) {}

  /// Writes the first line, for the present generation, or continues the table of a run that is `resumed`.
  void begin(const moorea::Simulation& simulation, const std::optional<ResumedTable>& resumed) {
    begin_populations(file_, path_, changes_, resumed, {simulation.generation(), simulation.population()});
  }

  /// Advances as Simulation::step() does, for about `table_seconds` at most; flush() writes the lines.
  void step(moorea::Simulation& simulation, std::uint64_t generations, const std::function<bool()>& go_on) {
    const std::uint64_t now = std::min(generations, counts_at_once);
    std::uint64_t generation = simulation.generation();
    const auto goes_on = [&] { return go_on() && since(flushed_) < table_seconds; };
    if (changes_) {
      for (const moorea::Activity& did : simulation.step_comparing(now, goes_on))
        lines_ += fmt::format("{},{},{}\n", ++generation, did.population, did.changed);
    } else {
      for (const std::uint64_t count : simulation.step_counting(now, goes_on))
        lines_ += fmt::format("{},{}\n", ++generation, count);
    }
  }

  /// Whether lines have waited for a second, or take much memory.
  bool is_due() const { return lines_.size() >= table_bytes || since(flushed_) >= table_seconds; }

  /// Writes what has not been written. What was computed is saved before a failure ends the program.
  void flush() {
    try {
      if (!failure_ && !lines_.empty()) file_.write(lines_);
    } catch (const moorea::Error&) {
      failure_ = std::current_exception();
    }
    lines_.clear();
    flushed_ = Clock::now();
  }

  const std::exception_ptr& failure() const { return failure_; }
  void finish() { file_.finish(); }

 private:
  static constexpr std::uint64_t counts_at_once = 1 << 16;
  // Between two appends
  static constexpr double table_seconds = 1;
  static constexpr std::size_t table_bytes = 1 << 20;

  bool changes_;
  std::string path_;
  LineFile file_;
  std::string lines_;
  std::exception_ptr failure_;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace app
