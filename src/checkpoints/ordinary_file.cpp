// SPDX-License-Identifier: MIT
#include "checkpoints/ordinary_file.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "moorea/error.h"

namespace moorea {

std::string ordinary_file(const std::string& path) {
  if (path.empty()) throw Error("a checkpoint without a name: expected a file", ErrorKind::usage);
  namespace files = std::filesystem;
  std::error_code error;
  files::path name = path;
  constexpr int max_links = 40;  // as the system has it
  for (int links = 0; files::is_symlink(name, error) && links < max_links; ++links) {
    const files::path target = files::read_symlink(name, error);
    name = target.is_absolute() ? target : name.parent_path() / target;
  }
  const files::file_status status = files::status(name, error);
  if (files::exists(status) && !files::is_regular_file(status))
    throw Error(fmt::format("{}: a {}; a checkpoint is an ordinary file", name.string(),
                            files::is_directory(status) ? "folder" : "pipe or a device"),
                ErrorKind::usage);
  return name.string();
}

}  // namespace moorea
