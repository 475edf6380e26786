// SPDX-License-Identifier: MIT
// Paths compared by the file that they lead to: an output must replace neither another output nor an input.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace app {

/// Resolves links, "." and ".."; the file itself need not exist.
std::string resolved_path(const std::string& path);

/// Whether the name is that of something that is no ordinary file: a folder, a device or a pipe. Not of
/// what does not exist, nor of a file that another process removes meanwhile.
bool is_special_file(const std::string& path);

/// Whether both names lead to one ordinary file, or would once it is written. "-", devices and pipes are
/// none.
bool same_file(const std::string& a, const std::string& b);

/// Throws moorea::Error (usage) where both options name one file; empty names are options that were not
/// given.
void require_different_files(const std::string& option_a, const std::string& a, const std::string& option_b,
                             const std::string& b);

/// Whether the name ends as an HTML page's: .html or .htm.
bool is_page_name(const std::string& path);
/// Throws moorea::Error (usage) for the name of a page that does not end in .html or .htm.
void require_page_name(const std::string& option, const std::string& path);

/// Options that name files, with those files; empty if an option was not given.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// Throws moorea::Error (usage) if two outputs name one file, or an output and an input.
void require_separate_files(const NamedFiles& outputs, const NamedFiles& inputs);

}  // namespace app
