// SPDX-License-Identifier: MIT
// Temporary folders.
#pragma once

#include <filesystem>

#pragma GCC visibility push(default)
namespace moorea {

/// A new folder in TMPDIR, or in /tmp; the destructor removes it with all that it contains.
class ScratchFolder {
 public:
  /// Throws Error (run) if it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace moorea
#pragma GCC visibility pop
