// SPDX-License-Identifier: MIT
#include "cli/paths.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "moorea/error.h"
#include "moorea/support/file_names.h"

namespace app {
namespace fs = std::filesystem;

std::string resolved_path(const std::string& path) {
  constexpr int max_links = 40;  // as the system has it
  std::error_code error;
  fs::path name = fs::absolute(path, error);
  // weakly_canonical() keeps a link that leads to no file yet
  for (int links = 0; fs::is_symlink(name, error) && links < max_links; ++links) {
    const fs::path target = fs::read_symlink(name, error);
    name = target.is_absolute() ? target : name.parent_path() / target;
  }
  const fs::path plain = fs::weakly_canonical(name, error);
  return error ? name.lexically_normal().string() : plain.string();
}

bool is_special_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);  // once: the file may vanish between two questions
  return fs::exists(status) && !fs::is_regular_file(status);
}

bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-" || is_special_file(a) || is_special_file(b)) return false;
  // Hard links are two names of one file
  std::error_code error;
  return resolved_path(a) == resolved_path(b) || fs::equivalent(a, b, error);
}

void require_different_files(const std::string& option_a, const std::string& a, const std::string& option_b,
                             const std::string& b) {
  if (a.empty() || b.empty() || !same_file(a, b)) return;
  throw moorea::Error(fmt::format("{} {} and {} {} name the same file; choose another name for one of them",
                                  option_a, a, option_b, b),
                      moorea::ErrorKind::usage);
}

bool is_page_name(const std::string& path) {
  return moorea::has_ending(path, ".html") || moorea::has_ending(path, ".htm");
}

void require_page_name(const std::string& option, const std::string& path) {
  if (is_page_name(path)) return;
  throw moorea::Error(fmt::format("{} {}: a page's name ends in .html", option, path),
                      moorea::ErrorKind::usage);
}

void require_separate_files(const NamedFiles& outputs, const NamedFiles& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, file] = outputs[i];
    for (std::size_t j = i + 1; j < outputs.size(); ++j)
      require_different_files(option, file, outputs[j].first, outputs[j].second);
    for (const auto& [input, read] : inputs) require_different_files(input, read, option, file);
  }
}

}  // namespace app
