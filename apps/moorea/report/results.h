// SPDX-License-Identifier: MIT
// What moorea bench --json writes, read again.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "report/statistics.h"

namespace app {

/// The keys of a row that say what was measured; all others say what it came to.
constexpr const char* configuration_keys[] = {"kernel",
                                              "device",
                                              "rule",
                                              "topology",
                                              "width",
                                              "height",
                                              "start",
                                              "after",
                                              "threads",
                                              "tiling",
                                              "block",
                                              "bytes_per_thread",
                                              "generations_per_pass"};

struct Measurement {
  Json configuration;  ///< of the keys above those that the row has
  Json row;            ///< all of it
  Timings seconds;     ///< a generation's, in each sample and each round; empty where the file has none
  double cells = 0;
};

/// Of one document, or of several behind each other.
struct Results {
  std::vector<Measurement> measurements;
  Json about;                        ///< the last document's machine, revision and date
  Json ceilings = Json::array();     ///< of all documents
  std::vector<std::string> devices;  ///< of that machine, in words
};

/// A key of a row, or a part of what it holds; null where that is missing.
Json value_at(const Json& row, const char* key, const char* part = nullptr);

/// A text as it is, all else as JSON writes it.
std::string words(const Json& value);

/// Whether more than half of the tiles were left out, so that its speed is the world's.
bool is_mostly_skipped(const Json& row);

/// Whether a row is marked: too few of its samples were taken while no other process used the CPUs.
bool is_busy(const Json& row);

/// What that came to: "busy, 45 %"; empty for rows without the mark.
std::string busy_mark(const Json& row);

/// How many of these rows are marked and why, in a sentence without its full stop; empty: none.
std::string busy_text(const std::vector<const Json*>& rows);
std::string busy_text(const Json& rows);

/// Adds a document. Throws Json::exception when it is not what bench writes.
void add_document(Results& results, const Json& document);

/// Reads a file, or standard input when `path` is "-". Throws moorea::Error (run) naming the file when it is
/// not what bench writes or has no results in it.
Results read_results(const std::string& path);

}  // namespace app
