// SPDX-License-Identifier: MIT
#include "checkpoints/bytes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {

CheckpointBytes::CheckpointBytes(const std::string& path) : source_(path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file_ < 0 || ::fstat(file_, &status) != 0) fail(errno);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

CheckpointBytes::CheckpointBytes(std::string_view bytes, const std::string& source)
    : source_(source), memory_(bytes), size_(bytes.size()) {}

CheckpointBytes::~CheckpointBytes() {
  if (file_ >= 0) ::close(file_);
}

std::string CheckpointBytes::read(std::uint64_t offset, std::uint64_t bytes) const {
  bytes = offset < size_ ? std::min(bytes, size_ - offset) : 0;
  if (bytes == 0) return {};
  if (file_ < 0) return std::string(memory_.substr(offset, bytes));
  require_memory(static_cast<double>(bytes), source_);
  std::string data(bytes, '\0');
  std::size_t done = 0;
  while (done < data.size()) {
    const ssize_t got =
        ::pread(file_, data.data() + done, data.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  data.resize(done);
  return data;
}

void CheckpointBytes::fail(int error) const {
  throw Error(fmt::format("{}: cannot read the checkpoint: {}", source_, std::strerror(error)), error);
}

}  // namespace moorea
