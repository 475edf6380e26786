// SPDX-License-Identifier: MIT
#include "media/checkpoint_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "moorea/checkpoint.h"
#include "moorea/error.h"

namespace app {

std::string lock_of_checkpoint(const std::string& checkpoint) { return checkpoint + ".lock"; }

CheckpointLock::CheckpointLock(const std::string& checkpoint) : path_(lock_of_checkpoint(checkpoint)) {
  if (const char* reason = moorea::checkpoints_unavailable_reason())
    throw moorea::Error(reason, moorea::ErrorKind::unavailable);
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0)
      throw moorea::Error(fmt::format("{}: cannot create {}: {}", checkpoint, path_, std::strerror(errno)));
    // File systems without locks report other errors
    const bool taken = ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && is_present()) return;
    ::close(file_);
    if (taken)
      throw moorea::Error(
          fmt::format("{}: another run saves to this checkpoint; wait until it has ended, or give each run a "
                      "checkpoint of its own",
                      checkpoint));
  }
}

CheckpointLock::~CheckpointLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

// The run before may have removed the file after it was opened here.
bool CheckpointLock::is_present() const {
  struct stat named {
  }, opened{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(file_, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

}  // namespace app
