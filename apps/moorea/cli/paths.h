// SPDX-License-Identifier: MIT
// Paths compared by the file that they lead to: an output must replace neither another output nor an input.
#pragma once

#include <string>

namespace app {

/// Resolves links, "." and ".."; the file itself need not exist.
std::string resolved_path(const std::string& path);

/// Whether both names lead to one ordinary file, or would once it is written. "-", devices and pipes are
/// none.
bool same_file(const std::string& a, const std::string& b);

/// Throws moorea::Error (usage) where both options name one file; empty names are options that were not
/// given.
void require_different_files(const std::string& option_a, const std::string& a, const std::string& option_b,
                             const std::string& b);

}  // namespace app
