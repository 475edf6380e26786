// SPDX-License-Identifier: MIT
// Hash table from keys to the indices of nodes, which are in an arena beside it. A bucket is a cache line of
// 12 byte tags and 12 indices: an insertion costs one random line, a hit that and the node's. Tags select
// candidates; the caller compares the keys. Nothing is removed: a collection builds the table again.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "trees/page_buffer.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace moorea {

using NodeIndex = std::uint32_t;

class NodeTable {
 public:
  static constexpr int slots = 12;
  static constexpr NodeIndex absent = 0;  ///< index 0 is the empty square, which has no entry

  /// Entries for which no insertion needs growth.
  std::size_t capacity() const { return buckets_ * entries_per_eight / 8; }
  std::size_t bytes() const { return buckets_ * sizeof(Bucket); }
  static std::size_t bytes_for(std::size_t entries) { return buckets_for(entries) * sizeof(Bucket); }

  /// Empties the table and makes its capacity `entries` at least. Returns false if memory is short; then the
  /// table has no capacity.
  [[nodiscard]] bool reset(std::size_t entries, bool huge_pages) {
    memory_.clear();
    buckets_ = 0;
    const std::size_t buckets = buckets_for(entries);
    if (buckets >> 32 != 0 || !memory_.grow(buckets * sizeof(Bucket), huge_pages)) return false;
    // Insertions will touch all pages, in random order
    memory_.populate(0, buckets * sizeof(Bucket));
    buckets_ = buckets;
    return true;
  }

  // Prefetches need always_inline: GCC 12 removes calls of a function that only prefetches
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const { __builtin_prefetch(table() + home(hash)); }

  /// Index of an entry that has the hash's tag and for which `equal` holds, or `absent`.
  template <class Equal>
  NodeIndex find(std::uint64_t hash, const Equal& equal) const {
    const std::uint8_t tag = tag_of(hash);
    for (std::size_t at = home(hash);; at = next(at)) {
      const Bucket& bucket = table()[at];
      for (unsigned hits = matches(bucket, tag); hits != 0; hits &= hits - 1) {
        const NodeIndex index = bucket.nodes[std::countr_zero(hits)];
        if (equal(index)) return index;
      }
      if (bucket.tags[slots - 1] == 0) return absent;
    }
  }

  /// Adds an entry; there must be room, and no equal one.
  void insert(std::uint64_t hash, NodeIndex index) {
    for (std::size_t at = home(hash);; at = next(at)) {
      Bucket& bucket = table()[at];
      if (bucket.tags[slots - 1] != 0) continue;
      const int slot = std::countr_zero(matches(bucket, 0));
      bucket.tags[slot] = tag_of(hash);
      bucket.nodes[slot] = index;
      return;
    }
  }

 private:
  struct alignas(64) Bucket {
    std::uint8_t tags[slots];  // 0: free; filled from the first on
    NodeIndex nodes[slots];
  };
  static_assert(sizeof(Bucket) == 64);
  // Entries in eight buckets at most, three quarters of the slots: then one bucket in eight is full, and
  // entries that find no slot are in the next one
  static constexpr std::size_t entries_per_eight = 72;
  static std::size_t buckets_for(std::size_t entries) { return entries * 8 / entries_per_eight + 2; }

  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash);
    return tag == 0 ? 1 : tag;
  }
  std::size_t home(std::uint64_t hash) const { return (hash >> 32) * buckets_ >> 32; }
  std::size_t next(std::size_t at) const { return at + 1 == buckets_ ? 0 : at + 1; }
  Bucket* table() const { return reinterpret_cast<Bucket*>(memory_.begin()); }

  // Bit i of the result: slot i has this tag.
  static unsigned matches(const Bucket& bucket, std::uint8_t tag) {
#ifdef __SSE2__
    const __m128i tags = _mm_load_si128(reinterpret_cast<const __m128i*>(bucket.tags));
    const __m128i equal = _mm_cmpeq_epi8(tags, _mm_set1_epi8(static_cast<char>(tag)));
    return static_cast<unsigned>(_mm_movemask_epi8(equal)) & ((1u << slots) - 1);
#else
    unsigned found = 0;
    for (int i = 0; i < slots; ++i) found |= static_cast<unsigned>(bucket.tags[i] == tag) << i;
    return found;
#endif
  }

  PageBuffer memory_;
  std::size_t buckets_ = 0;
};

}  // namespace moorea
