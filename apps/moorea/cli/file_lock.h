// SPDX-License-Identifier: MIT
// A lock that one run holds on a file that it rewrites, as two runs would replace each other's.
#pragma once

#include <string>

namespace app {

/// Name of the file whose lock stands for another one.
std::string lock_of(const std::string& path);

class FileLock {
 public:
  /// Locks PATH.lock, without waiting. Throws moorea::Error (run) if another process has locked it or it
  /// cannot be created. `thing` is what the file is, for the message.
  FileLock(const std::string& path, const char* thing);
  /// Removes PATH.lock. The system releases the lock of a process that is killed; its file locks nothing.
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool is_present() const;

  std::string path_;
  int file_ = -1;
};

}  // namespace app
