// SPDX-License-Identifier: MIT
// Results files, as moorea bench --json writes them, read back.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "report/statistics.h"

namespace app {

struct Measurement {
  Json configuration;  ///< values of the row's keys that row_schema() counts to the configuration
  Json row;            ///< all keys of the row
  Timings seconds;     ///< seconds per generation of each sample and each round; empty if the file has none
  double cells = 0;
  bool has_busy_reference = false;  ///< whether times_reference is over a measurement on a busy machine
};

/// Measurements of one or more result documents.
struct Results {
  std::vector<Measurement> measurements;
  Json about;                          ///< machine, revision, compiler and date of the last document
  Json ceilings = Json::array();       ///< ceilings of all documents
  std::vector<std::string> devices;    ///< descriptions of the last document's devices
  std::vector<std::string> not_timed;  ///< kernels of which documents name something that was not timed
};

/// Value of a row's key, or of the key `part` inside that value; null if it is missing.
Json value_at(const Json& row, const char* key, const char* part = nullptr);

/// A text without quotes; any other value as in JSON.
std::string words(const Json& value);

/// Whether more than half of the tiles were skipped: the speed is then a property of the world.
bool is_mostly_skipped(const Json& row);

/// ", dies after 130 generations" for samples that end with the last cell; empty for other rows.
std::string death_text(const Json& row);

/// Whether a row is marked busy: other processes used the CPUs during too many of its samples.
bool is_busy(const Json& row);

/// The mark with the part of the time that other processes took: "busy, 45 %"; empty for other rows.
std::string busy_mark(const Json& row);

/// Number of rows marked busy and the cause, as a sentence without its full stop; empty if there are none.
std::string busy_text(const std::vector<const Json*>& rows);
/// The same for `busy` of `all` measurements, which are some of the rows.
std::string busy_text(const std::vector<const Json*>& rows, std::size_t busy, std::size_t all);
std::string busy_text(const Json& rows);

/// Reason of a JSON error, without the error's number.
std::string reason_of(const Json::exception& error);

/// Adds a document. Throws Json::exception if it is not a result document.
void add_document(Results& results, const Json& document);

/// Reads a file, or standard input if `path` is "-". Throws moorea::Error (run) naming the file if it is not
/// a results file or contains no results.
Results read_results(const std::string& path);

}  // namespace app
