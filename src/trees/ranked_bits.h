// SPDX-License-Identifier: MIT
// A set of indices as bits, with the rank of each: a new number for each node of a level that is kept, in
// 0.16 bytes per node instead of the 4 of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/bits.h"

namespace moorea {

class RankedBits {
 public:
  explicit RankedBits(std::size_t size = 0) : words_(size / 64 + 1) {}

  void set(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  bool test(std::uint32_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }

  /// Counts the bits; set() must not be called afterwards.
  void count() {
    ranks_.resize(words_.size() / words_per_rank + 1);
    count_ = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (i % words_per_rank == 0) ranks_[i / words_per_rank] = static_cast<std::uint32_t>(count_);
      count_ += popcount(words_[i]);
    }
  }
  /// Number of bits, after count().
  std::size_t size() const { return count_; }

  /// Number of set bits below i, after count().
  std::uint32_t rank(std::uint32_t i) const {
    const std::size_t word = i / 64;
    std::uint64_t sum = ranks_[word / words_per_rank];
    for (std::size_t k = word / words_per_rank * words_per_rank; k < word; ++k) sum += popcount(words_[k]);
    return static_cast<std::uint32_t>(sum + popcount(words_[word] & ((std::uint64_t{1} << i % 64) - 1)));
  }

  /// Calls `visit` with each index, in order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t k = 0; k < words_.size(); ++k) {
      for (std::uint64_t bits = words_[k]; bits != 0; bits &= bits - 1)
        visit(static_cast<std::uint32_t>(64 * k + static_cast<std::size_t>(__builtin_ctzll(bits))));
    }
  }

 private:
  static constexpr std::size_t words_per_rank = 2;

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> ranks_;
  std::size_t count_ = 0;
};

}  // namespace moorea
