// SPDX-License-Identifier: MIT
// Memory that grows by remapping its pages instead of copying them: arenas and tables of millions of nodes.
// No address space is reserved in advance, so that it works where overcommit is strict or limited (ulimit
// -v).
#pragma once

#include <cstddef>

namespace moorea {

/// Zeroed memory of pages. It begins 512 KiB before a multiple of 2 MiB once it has 2 MiB, and uses huge
/// pages from there on, if these are wanted: small ones waste little memory, large ones save TLB misses.
class PageBuffer {
 public:
  PageBuffer() = default;
  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;
  ~PageBuffer();

  std::byte* begin() const { return begin_; }
  std::size_t size() const { return size_; }

  /// Grows to `bytes` at least; contents are kept, their address changes. Returns false, and changes nothing,
  /// if the system grants no memory.
  [[nodiscard]] bool grow(std::size_t bytes, bool huge_pages);

  /// Makes the pages of these bytes resident at once, which costs less than a page fault for each; does
  /// nothing where the system cannot.
  void populate(std::size_t first, std::size_t last);

  /// Returns the pages beyond `bytes` to the system; they are read as zeros afterwards.
  void release_beyond(std::size_t bytes);

  /// Releases all memory.
  void clear();

 private:
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

/// Bytes of resident memory if the first `used` bytes of a buffer have been written.
std::size_t resident_bytes(std::size_t used, bool huge_pages);

}  // namespace moorea
