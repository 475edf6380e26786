// SPDX-License-Identifier: MIT
#include "report/table_file.h"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "cli/app.h"
#include "cli/numbers.h"
#include "moorea/error.h"

namespace app {
namespace {

// The parts of a line between commas.
void split(std::string_view line, std::vector<std::string_view>& parts) {
  parts.clear();
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find(',', begin);
    parts.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return;
    begin = end + 1;
  }
}

void remove_return(std::string& line) {
  if (line.ends_with('\r')) line.pop_back();
}

}  // namespace

bool TableFile::begins_with(const std::string& path, std::string_view heads) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) && line.starts_with(heads);
}

TableFile::TableFile(std::string path) : path_(std::move(path)) {
  std::ifstream file(path_);
  std::string line;
  std::getline(file, line);
  remove_return(line);
  std::vector<std::string_view> parts;
  split(line, parts);
  heads_.assign(parts.begin(), parts.end());
}

void TableFile::for_rows(std::span<const std::size_t> columns,
                         const std::function<bool(std::span<const std::string_view>)>& visit) {
  std::ifstream file(path_);
  std::string line;
  std::getline(file, line);
  std::vector<std::string_view> parts, values(columns.size());
  for (std::uint64_t number = 2; std::getline(file, line); ++number) {
    if (file.eof()) {
      if (!has_said_)
        say(fmt::format("{}:{}: the last row has no end and is left out; was what wrote it killed?", path_,
                        number));
      has_said_ = true;
      return;
    }
    remove_return(line);
    if (line.empty()) continue;
    split(line, parts);
    bool is_row = parts.size() == heads_.size();
    for (std::size_t i = 0; is_row && i < columns.size(); ++i) values[i] = parts[columns[i]];
    if (!is_row || !visit(values))
      throw moorea::Error(
          fmt::format("{}:{}: not a row of a table of {}", path_, number, joined(heads_, ",")));
  }
}

}  // namespace app
