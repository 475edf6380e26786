// SPDX-License-Identifier: MIT
#include "checkpoints/ordinary_file.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "checkpoints/header.h"
#include "moorea/error.h"

namespace moorea {
namespace {

enum class Contents { none, checkpoint, other };

// Those that cannot be read are left to the writer.
Contents contents_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  char begin[checkpoint_line_bytes];
  file.read(begin, sizeof begin);
  const auto bytes = static_cast<std::size_t>(file.gcount());
  if (bytes == 0) return Contents::none;
  return CheckpointReader::recognises({begin, bytes}) ? Contents::checkpoint : Contents::other;
}

// Of a checkpoint and its previous one, the file that would be lost; empty if there is none. One of them may
// be damaged beyond recognition if the other one is a checkpoint.
std::string other_file(const std::string& name) {
  const std::string previous = previous_checkpoint(name);
  const Contents own = contents_of(name), before = contents_of(previous);
  if (own == Contents::other && before != Contents::checkpoint) return name;
  return before == Contents::other && own != Contents::checkpoint ? previous : std::string();
}

}  // namespace

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
  if (const std::string other = other_file(name.string()); !other.empty())
    throw Error(
        fmt::format("{}: this file is no checkpoint, and a checkpoint would replace it: choose another name, "
                    "or remove it",
                    other),
        ErrorKind::usage);
  return name.string();
}

}  // namespace moorea
