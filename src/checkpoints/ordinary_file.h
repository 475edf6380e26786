// SPDX-License-Identifier: MIT
// The file of a checkpoint.
#pragma once

#include <string>

namespace moorea {

/// Of a link, which stays, the file that it leads to; otherwise the path itself. Throws Error (usage) for an
/// empty path, for a folder, a pipe or a device, which a file could not replace, or should not, and for a
/// file with other contents than a checkpoint, which would be lost.
std::string ordinary_file(const std::string& path);

}  // namespace moorea
