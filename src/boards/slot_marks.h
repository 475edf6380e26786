// SPDX-License-Identifier: MIT
// Marks of slots, as a bit set with a second level, so that listing the marked slots costs what is marked.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace moorea {

class SlotMarks {
 public:
  /// Adds slots that are not marked; `slots` is a multiple of 64.
  void resize(std::size_t slots) {
    words_.resize(slots / 64);
    groups_.resize((words_.size() + 63) / 64);
  }

  bool is_set(std::uint32_t slot) const { return (words_[slot / 64] >> slot % 64 & 1) != 0; }

  /// `shared`: other threads mark slots at the same time.
  void set(std::uint32_t slot, bool shared) {
    if (set_bit(words_[slot / 64], slot % 64, shared)) set_bit(groups_[slot / 4096], slot / 64 % 64, shared);
  }

  /// Calls visit(slot) for the marked slots in rising order; none is marked any more.
  template <class Visit>
  void take(const Visit& visit) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (std::uint64_t left = groups_[group]; left != 0; left &= left - 1) {
        const std::size_t word = group * 64 + static_cast<std::size_t>(std::countr_zero(left));
        for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
          visit(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        words_[word] = 0;
      }
      groups_[group] = 0;
    }
  }

 private:
  // Returns whether no bit of the word was set before. Most slots are marked several times: only the first
  // time takes an atomic operation.
  static bool set_bit(std::uint64_t& word, std::uint32_t index, bool shared) {
    const std::uint64_t bit = std::uint64_t{1} << index;
    const std::atomic_ref<std::uint64_t> at(word);
    std::uint64_t before = at.load(std::memory_order_relaxed);
    if ((before & bit) != 0) return false;
    if (shared) {
      before = at.fetch_or(bit, std::memory_order_relaxed);
    } else {
      at.store(before | bit, std::memory_order_relaxed);
    }
    return before == 0;
  }

  std::vector<std::uint64_t> words_;   // bit i of word j: slot 64 * j + i
  std::vector<std::uint64_t> groups_;  // bit i of group j: a slot of word 64 * j + i may be marked
};

}  // namespace moorea
