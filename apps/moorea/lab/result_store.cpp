// SPDX-License-Identifier: MIT
#include "lab/result_store.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/cpu_watch.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"
#include "report/results.h"

namespace app {
namespace {

// The part of a document's key that must be equal in both measurements: the devices and their threads of a
// machine, but not its available memory.
Json identity(const Json& document, const std::string& key) {
  if (key != "machine") return document.at(key);
  Json devices = Json::array();
  for (const Json& device : document.at(key).at("devices"))
    devices.push_back({device.at("description"), device.at("threads")});
  return devices;
}

Json read_single_document(const std::string& path) {
  std::ifstream in(path);
  Json document;
  in >> document;
  if (in >> std::ws; in.peek() != std::ifstream::traits_type::eof())
    throw moorea::Error(
        fmt::format("{}: contains several result documents; --resume needs exactly one", path));
  return document;
}

void require_same_identity(const Json& before, const Json& now, const std::string& path) {
  for (const char* key : {"machine", "revision", "compiler"}) {
    if (identity(before, key) != identity(now, key))
      throw moorea::Error(
          fmt::format("{}: measured with another {}, so --resume cannot add to it", path, key));
  }
}

}  // namespace

ResultStore::ResultStore(std::string path, const std::vector<std::string>& notes)
    : path_(std::move(path)), document_(machine_json()) {
  document_["cpu_contention"] = contention_source(read_cpus());
  for (const char* list : {"ceilings", "results", "not_timed"}) document_[list] = Json::array();
  if (!notes.empty()) document_["notes"] = notes;
}

void ResultStore::resume(const std::function<void(const Json&)>& adopt) {
  if (!std::filesystem::exists(path_)) return;
  try {
    const Json before = read_single_document(path_);
    require_same_identity(before, document_, path_);
    if (document_["revision"].get<std::string>().ends_with("-dirty"))
      say(fmt::format("{}: both builds have uncommitted changes; whether these are equal is unknown", path_));
    for (const char* key : {"core_frequency", "energy"}) {
      if (before.contains(key)) document_[key] = before[key];
    }
    adopt(before);
  } catch (const Json::exception& error) {
    throw moorea::Error(fmt::format("{}: not a results file of moorea bench: {}", path_, reason_of(error)));
  }
}

void ResultStore::set_meters(const std::string& device, const std::string& core_frequency,
                             const std::string& energy) {
  if (!core_frequency.empty()) document_["core_frequency"] = core_frequency;
  document_["energy"][device] = energy;
}

void ResultStore::write(const std::vector<Json>& rows, const Json& ceilings) {
  document_["ceilings"] = ceilings;
  document_["results"] = rows;
  for (const Json& row : kept_) document_["results"].push_back(row);
  if (path_.empty()) return;
  moorea::OutputFile file(path_);
  file.write(document_.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.finish();
}

}  // namespace app
