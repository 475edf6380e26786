// SPDX-License-Identifier: MIT
#include "cli/input_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace app {

NamedFiles inputs_beside_pattern(const WorldOptions& world, const EngineOptions& engine) {
  return {{"--mesh", world.mesh.ends_with(".obj") ? world.mesh : ""},
          {"--rule", world.rule.ends_with(".rule") ? world.rule : ""},
          {"--kernel-file", engine.kernel_file}};
}

NamedFiles input_files(const WorldOptions& world, const EngineOptions& engine) {
  NamedFiles files = {{"the pattern", world.pattern}};
  std::ranges::move(inputs_beside_pattern(world, engine), std::back_inserter(files));
  return files;
}

void require_kernel_ending(const std::string& path, const std::string& option) {
  for (const std::string_view ending : {".cpp", ".cu", ".cl"})
    if (path.size() > ending.size() && path.ends_with(ending)) return;
  usage(fmt::format("{}\"{}\": expected a file whose name ends in .cpp, .cu or .cl", option, path));
}

std::string parse_kernel_file(const std::string& path) {
  require_kernel_ending(path, "--kernel-file ");
  watch_kernel_file(path);
  return path;
}

}  // namespace app
