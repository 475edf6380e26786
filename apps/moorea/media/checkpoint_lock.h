// SPDX-License-Identifier: MIT
// A lock that one run holds on its checkpoint, as two runs would replace each other's.
#pragma once

#include <string>

namespace app {

/// Name of the file whose lock stands for a checkpoint.
std::string lock_of_checkpoint(const std::string& checkpoint);

class CheckpointLock {
 public:
  /// Locks FILE.lock, without waiting. Throws moorea::Error (run) if another process has locked it or it
  /// cannot be created; (unavailable) if this build has no checkpoints.
  explicit CheckpointLock(const std::string& checkpoint);
  /// Removes FILE.lock. The system releases the lock of a process that is killed; its file locks nothing.
  ~CheckpointLock();
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;

 private:
  bool is_present() const;

  std::string path_;
  int file_ = -1;
};

}  // namespace app
