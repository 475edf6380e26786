// SPDX-License-Identifier: MIT
#include "trees/page_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace moorea {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t small_part_bytes = std::size_t{512} << 10;  // in front of the huge pages

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// Address space of `bytes` whose huge pages begin after the small part; null if there is none.
std::byte* aligned_place(std::size_t bytes) {
  void* const place =
      mmap(nullptr, bytes + huge_page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(place);
  const std::size_t address = reinterpret_cast<std::uintptr_t>(place) + small_part_bytes;
  const std::size_t before = rounded_up(address, huge_page_bytes) - address;
  if (before > 0) munmap(first, before);
  if (before < huge_page_bytes) munmap(first + before + bytes, huge_page_bytes - before);
  return first + before;
}

bool remap(std::byte* from, std::size_t old_bytes, std::byte* to, std::size_t bytes) {
  return mremap(from, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
}

// Moves the pages to `to`, which is reserved, and makes them `bytes`. The parts with small and with huge
// pages are mappings of their own, which move one at a time; the one that can fail moves first.
bool move_pages(std::byte* from, std::size_t old_bytes, std::byte* to, std::size_t bytes) {
  if (from == nullptr)
    return mmap(to, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
           MAP_FAILED;
  if (old_bytes < huge_page_bytes) return remap(from, old_bytes, to, bytes);
  return remap(from + small_part_bytes, old_bytes - small_part_bytes, to + small_part_bytes,
               bytes - small_part_bytes) &&
         remap(from, small_part_bytes, to, small_part_bytes);
}

std::byte* resized_small(std::byte* from, std::size_t old_bytes, std::size_t bytes) {
  void* const place = from == nullptr
                          ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                          : mremap(from, old_bytes, bytes, MREMAP_MAYMOVE);
  return place == MAP_FAILED ? nullptr : static_cast<std::byte*>(place);
}

}  // namespace

PageBuffer::PageBuffer(PageBuffer&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
  return *this;
}

PageBuffer::~PageBuffer() { clear(); }

void PageBuffer::populate([[maybe_unused]] std::size_t first, [[maybe_unused]] std::size_t last) {
#ifdef MADV_POPULATE_WRITE
  const std::size_t from = rounded_up(first, page_bytes), to = std::min(rounded_up(last, page_bytes), size_);
  if (from < to) madvise(begin_ + from, to - from, MADV_POPULATE_WRITE);
#endif
}

bool PageBuffer::grow(std::size_t bytes, bool huge_pages) {
  if (bytes <= size_) return true;
  const std::size_t wanted = rounded_up(bytes, page_bytes);
  if (wanted < huge_page_bytes) {
    std::byte* const place = resized_small(begin_, size_, wanted);
    if (place == nullptr) return false;
    begin_ = place;
  } else {
    std::byte* const place = aligned_place(wanted);
    if (place == nullptr) return false;
    if (!move_pages(begin_, size_, place, wanted)) {
      munmap(place, wanted);
      return false;
    }
    begin_ = place;
    // Advice: the system may have no huge pages
    if (huge_pages) madvise(begin_ + small_part_bytes, wanted - small_part_bytes, MADV_HUGEPAGE);
  }
  size_ = wanted;
  return true;
}

void PageBuffer::release_beyond(std::size_t bytes) {
  const std::size_t kept = rounded_up(bytes, page_bytes);
  if (kept < size_) madvise(begin_ + kept, size_ - kept, MADV_DONTNEED);
}

void PageBuffer::clear() {
  if (begin_ != nullptr) munmap(begin_, size_);
  begin_ = nullptr;
  size_ = 0;
}

std::size_t resident_bytes(std::size_t used, bool huge_pages) {
  if (!huge_pages || used <= small_part_bytes) return rounded_up(used, page_bytes);
  return small_part_bytes + rounded_up(used - small_part_bytes, huge_page_bytes);
}

}  // namespace moorea
