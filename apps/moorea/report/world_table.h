// SPDX-License-Identifier: MIT
// Tables of the worlds of an ensemble, one row per world: CSV, NPZ for NumPy, or Parquet. Rows are appended
// while a survey runs; a small file next to them says which survey it is, so that a later start continues it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/file_lock.h"
#include "moorea/ensemble.h"
#include "moorea/survey.h"

namespace app {

/// Columns of a table in addition to "world" and "generation".
struct WorldColumns {
  bool rule = false;  ///< number of the world's rule in the list of rules, from 0 on
  bool seed = false;
  bool population = false;
  bool hash = false;
  bool changed = false;
  bool box = false;
  bool period = false;

  /// Parses names separated by commas: seed, population, hash, changed, box, period. Throws moorea::Error
  /// (usage).
  static WorldColumns parse(const std::vector<std::string>& names);

  /// Names of the table's columns, in their order.
  std::vector<std::string> names() const;
};

class WorldTable {
 public:
  /// `path` ends in .csv, .npz or .parquet. `survey` describes everything that the rows depend on. Throws
  /// moorea::Error (usage) for another ending, (unavailable) for Parquet without pyarrow.
  WorldTable(const std::string& path, const WorldColumns& columns, const moorea::EnsembleSpec& spec,
             const Json& survey);
  ~WorldTable();

  /// Throws as the constructor for a name that a table cannot have.
  static void check(const std::string& path);

  /// Begins an empty table; a file of this name is replaced. Throws moorea::Error (run).
  void begin();

  /// Continues the table of an interrupted survey, or begins one if there is none, and returns the number of
  /// rows that it has. Of a complete CSV table, which has no description any more, nothing is continued:
  /// some of its rows say whether it is this survey's, see differs(). Throws moorea::Error (run) if the table
  /// belongs to a different survey or cannot be read.
  std::uint64_t resume();
  /// Whether the table was complete before resume().
  bool was_complete() const { return !complete_rows_.empty(); }
  /// Worlds whose rows of a table that was complete are to be compared, and whether one has another row.
  std::vector<std::uint64_t> compared_worlds() const;
  bool differs(const moorea::WorldRecord& record) const;

  /// Appends rows of consecutive worlds. Throws moorea::Error (run).
  void add(std::span<const moorea::WorldRecord> records);

  /// Completes the table. Throws moorea::Error (run).
  void finish();

 private:
  std::string row(const moorea::WorldRecord& record) const;
  void start();
  std::uint64_t continue_rows();

  std::string path_;
  std::string rows_path_;   // of the rows: the table itself, or a file that is converted at the end
  std::string state_path_;  // of the survey's description while the table is incomplete
  WorldColumns columns_;
  const moorea::EnsembleSpec& spec_;
  Json survey_;
  std::optional<FileLock> lock_;
  int file_ = -1;
  std::map<std::uint64_t, std::string> complete_rows_;  // of some worlds of a table that was complete
};

}  // namespace app
