// SPDX-License-Identifier: MIT
// Memory for cells.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace moorea {

/// Memory full of zeros, aligned to 64 bytes; pages cost nothing until they are written.
class Zeroed {
 public:
  /// Throws Error (memory) that names `what` and the figure when memory is short.
  Zeroed(double bytes, const std::string& what);
  std::byte* begin() const { return begin_; }

 private:
  struct Free {
    void operator()(std::byte* p) const noexcept;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  std::byte* begin_;
};

}  // namespace moorea
