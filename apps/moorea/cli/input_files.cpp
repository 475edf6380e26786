// SPDX-License-Identifier: MIT
#include "cli/input_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "cli/app.h"
#include "cli/kernel_watch.h"
#include "moorea/inventory.h"
#include "moorea/support/file_names.h"

namespace app {

NamedFiles inputs_beside_pattern(const WorldOptions& world, const EngineOptions& engine) {
  return {{"--mesh", moorea::has_ending(world.mesh, ".obj") ? world.mesh : ""},
          {"--rule", moorea::has_ending(world.rule, ".rule") ? world.rule : ""},
          {"--kernel-file", engine.kernel_file}};
}

NamedFiles input_files(const WorldOptions& world, const EngineOptions& engine) {
  NamedFiles files = {{"the pattern", world.pattern}};
  std::ranges::move(inputs_beside_pattern(world, engine), std::back_inserter(files));
  return files;
}

bool has_kernel_ending(const std::string& path) {
  for (const std::string_view ending : {".cpp", ".cu", ".cl"})
    if (path.size() > ending.size() && path.ends_with(ending)) return true;
  return false;
}

void require_kernel_ending(const std::string& path, const std::string& option) {
  if (has_kernel_ending(path)) return;
  usage(fmt::format("{}\"{}\": expected a file whose name ends in .cpp, .cu or .cl", option, path));
}

std::string parse_kernel_file(const std::string& path) {
  require_kernel_ending(path, "--kernel-file ");
  watch_kernel_file(path);
  return path;
}

std::vector<std::string> parse_kernel_files(const std::vector<std::string>& list) {
  std::vector<std::string> paths;
  for (std::size_t first = 0; first < list.size();) {
    std::size_t end = first + 1;
    std::string path = list[first], longer = path;
    for (std::size_t i = first + 1; i < list.size(); ++i) {
      std::error_code error;
      longer += "," + list[i];
      if (!std::filesystem::is_regular_file(longer, error)) continue;
      path = longer;
      end = i + 1;
    }
    paths.push_back(parse_kernel_file(path));
    first = end;
  }
  return paths;
}

std::string kernel_warnings(const std::string& path) {
  return has_kernel_ending(path) ? moorea::kernel_info(path).warnings : "";
}

std::string kernel_warning_note(const std::string& path) {
  const std::string warnings = kernel_warnings(path);
  return warnings.empty() ? "" : fmt::format("the compiler warns of {}:\n{}", path, warnings);
}

void say_kernel_warnings(const std::string& path) {
  const std::string note = kernel_warning_note(path);
  if (!note.empty()) say(note);
}

}  // namespace app
