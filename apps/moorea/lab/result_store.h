// SPDX-License-Identifier: MIT
// The results file of a sweep: the document in memory, written after each measurement and resumed from its
// file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/app.h"

namespace app {

class ResultStore {
 public:
  /// A document without rows; `path` may be empty: it is then never written. `notes` are sentences about all
  /// rows.
  explicit ResultStore(std::string path, const std::vector<std::string>& notes = {});

  /// Calls `adopt` with the document that the file contains, if there is a file. Throws moorea::Error (run)
  /// if it was measured by another machine, revision or compiler, or is not a document that bench wrote: also
  /// where `adopt` throws Json::exception.
  void resume(const std::function<void(const Json& document)>& adopt);

  /// Keeps a row of that file which this sweep does not measure.
  void keep(Json row) { kept_.push_back(std::move(row)); }

  void add_not_timed(Json row) { document_["not_timed"].push_back(std::move(row)); }

  /// How the frequency of the cores, and a device's energy, were measured, or why not. An empty text about
  /// the frequency leaves the present one.
  void set_meters(const std::string& device, const std::string& core_frequency, const std::string& energy);

  /// Replaces rows and ceilings, and the file. Throws moorea::Error if it cannot be written.
  void write(const std::vector<Json>& rows, const Json& ceilings);

  const Json& document() const { return document_; }

 private:
  std::string path_;
  Json document_;
  std::vector<Json> kept_;
};

}  // namespace app
