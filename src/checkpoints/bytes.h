// SPDX-License-Identifier: MIT
// The bytes of a checkpoint, from a file or from memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace moorea {

class CheckpointBytes {
 public:
  /// Throws Error (run) if the file cannot be opened.
  explicit CheckpointBytes(const std::string& path);
  CheckpointBytes(std::string_view bytes, const std::string& source);
  ~CheckpointBytes();
  CheckpointBytes(const CheckpointBytes&) = delete;
  CheckpointBytes& operator=(const CheckpointBytes&) = delete;

  const std::string& source() const { return source_; }
  std::uint64_t size() const { return size_; }

  /// At most `bytes`, fewer at the end of the file. Threads may read at the same time. Throws Error (run).
  std::string read(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  [[noreturn]] void fail(int error) const;

  std::string source_;
  std::string_view memory_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace moorea
