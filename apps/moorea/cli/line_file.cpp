// SPDX-License-Identifier: MIT
#include "cli/line_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/paths.h"
#include "moorea/error.h"
#include "moorea/support/file_names.h"

namespace app {

LineFile::LineFile(const std::string& path) : path_(path == "-" ? "standard output" : path) {
  if (moorea::has_ending(path, ".gz")) {
    compressed_.emplace(path);
    return;
  }
  if (path == "-") {
    file_ = moorea::output_descriptor();
    standard_ = true;
    return;
  }
  created_ = ::access(path.c_str(), F_OK) != 0;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    created_ = false;
    fail(errno);
  }
  struct stat status {};
  regular_ = ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
  // Until the file is closed
  if (regular_ && ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(file_, -1));
    throw moorea::Error(
        fmt::format("{}: another process writes it: name another file, or wait for its end", path_));
  }
}

LineFile::~LineFile() {
  if (file_ >= 0 && !standard_) ::close(file_);
  if (created_ && !begun_) ::unlink(path_.c_str());
}

void LineFile::fail(int error) const {
  throw moorea::Error(fmt::format("{}: cannot write: {}{}", path_, std::strerror(error),
                                  size_ > 0 ? "; the file ends with the last whole line" : ""));
}

void LineFile::keep(std::int64_t bytes) {
  if (::ftruncate(file_, bytes) != 0 || ::lseek(file_, bytes, SEEK_SET) != bytes) fail(errno);
  begun_ = true;
  size_ = bytes;
}

void LineFile::write(const std::string& lines) {
  if (compressed_) {
    compressed_->write(lines);
    return;
  }
  if (!begun_ && regular_ && ::ftruncate(file_, 0) != 0) fail(errno);
  begun_ = true;
  std::string_view left = lines;
  while (!left.empty()) {
    const ssize_t put = ::write(file_, left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put >= 0) {
      left.remove_prefix(static_cast<std::size_t>(put));
      continue;
    }
    const int error = errno;
    const std::size_t written = lines.size() - left.size(),
                      end = written == 0 ? std::string::npos : lines.rfind('\n', written - 1);
    size_ += end == std::string::npos ? 0 : static_cast<std::int64_t>(end) + 1;
    [[maybe_unused]] const int ignored = regular_ ? ::ftruncate(file_, size_) : 0;
    fail(error);
  }
  size_ += static_cast<std::int64_t>(lines.size());
}

void LineFile::finish() {
  if (compressed_) return compressed_->finish();
  if (standard_) return;
  if (::close(std::exchange(file_, -1)) != 0) fail(errno);
}

DiskReserve::DiskReserve(const std::string& path, std::int64_t bytes) {
#ifdef O_TMPFILE
  if (path == "-" || is_special_file(path)) return;
  const std::string folder = std::filesystem::path(resolved_path(path)).parent_path().string();
  file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  // (not posix_fallocate(), which writes where the file system cannot)
  if (file_ >= 0 && ::fallocate(file_, 0, 0, bytes) != 0) release();
#else
  (void)path, (void)bytes;
#endif
}

void DiskReserve::release() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

}  // namespace app
