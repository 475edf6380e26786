// SPDX-License-Identifier: MIT
#include "cli/file_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "moorea/error.h"

namespace app {

std::string lock_of(const std::string& path) { return path + ".lock"; }

FileLock::FileLock(const std::string& path, const char* thing) : path_(lock_of(path)) {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0)
      throw moorea::Error(fmt::format("{}: cannot create {}: {}", path, path_, std::strerror(errno)));
    // File systems without locks report other errors
    const bool taken = ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && is_present()) return;
    ::close(file_);
    if (taken)
      throw moorea::Error(fmt::format(
          "{}: another run saves to this {}; wait until it has ended, or give each run a {} of its own", path,
          thing, thing));
  }
}

FileLock::~FileLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

// The run before may have removed the file after it was opened here.
bool FileLock::is_present() const {
  struct stat named {
  }, opened{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(file_, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

}  // namespace app
