// SPDX-License-Identifier: MIT
#include "choose/tuning_file.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include "model/process_cache.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/support/output_file.h"

namespace moorea {
namespace {

// Path, inode, size, and seconds and nanoseconds of the last change: another file has another one.
using FileState = std::tuple<std::string, ino_t, off_t, time_t, long>;

std::optional<FileState> state_of(const std::string& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileState{path, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error(fmt::format("{}: it cannot be opened", path));
  return text;
}

TuningFile read(const std::string& path) {
  try {
    return {parse_tuning(text_of(path)), ""};
  } catch (const std::exception& error) {
    return {std::nullopt,
            fmt::format("{} cannot be used ({}); moorea tune writes it again", path, error.what())};
  }
}

}  // namespace

std::string tuning_file() {
  const std::string folder = cache_folder();
  return folder.empty() ? "" : (std::filesystem::path(folder) / "tuning.json").string();
}

std::shared_ptr<const TuningFile> kept_tuning() {
  static ProcessCache<FileState, TuningFile> known(1);
  const std::optional<FileState> state = state_of(tuning_file());
  if (!state) return std::make_shared<const TuningFile>(TuningFile{{}, "moorea tune was not run here yet"});
  return known.find_or_make(*state, [&] { return std::make_shared<const TuningFile>(read(tuning_file())); });
}

void forget_plan(const std::string& name) {
  const std::string path = tuning_file();
  Tuning tuning = parse_tuning(text_of(path));
  const auto found = std::find_if(tuning.plans.begin(), tuning.plans.end(),
                                  [&](const TunedPlan& each) { return each.name == name; });
  if (found == tuning.plans.end()) return;
  const bool removes_all = found->is_default() || tuning.plans.size() == 1;
  tuning.plans.erase(found);
  if (removes_all) {
    std::filesystem::remove(path);
    return;
  }
  OutputFile file(path);
  file.write(format_tuning(tuning));
  file.finish();
}

}  // namespace moorea
