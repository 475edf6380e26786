// SPDX-License-Identifier: MIT
// Cache of values that take long to make, such as compiled code and the results of searches, for the life of
// the process.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace moorea {

class ProcessCacheCount {
 public:
  /// Number of values that all caches of the process have made: searches, compilations, loads from disk.
  static std::uint64_t values_made() { return made_; }

 protected:
  static inline std::atomic<std::uint64_t> made_ = 0;
};

/// Thread-safe map that keeps the `max_values` most recently used values. Keys are compared one by one: the
/// maximum is a few hundred.
template <class Key, class Value>
class ProcessCache : public ProcessCacheCount {
 public:
  explicit ProcessCache(std::size_t max_values) : max_values_(max_values) {}

  /// Returns the value of `key`. If there is none, `make` is called, which returns a shared_ptr; other
  /// threads that ask for this key wait for it, and those with other keys do not. A null pointer is returned,
  /// but not kept. An exception of `make` leaves the key without a value.
  template <class Make>
  std::shared_ptr<const Value> find_or_make(const Key& key, const Make& make) {
    const std::shared_ptr<Slot> slot = slot_of(key);
    const std::lock_guard lock(slot->guard);
    if (slot->value == nullptr) {
      ++made_;
      slot->value = make();
    }
    return slot->value;
  }

 private:
  struct Slot {
    std::mutex guard;
    std::shared_ptr<const Value> value;
  };
  struct Entry {
    Key key;
    std::shared_ptr<Slot> slot;
  };

  // Moves the entry to the front; the last one leaves the cache if there are too many.
  std::shared_ptr<Slot> slot_of(const Key& key) {
    const std::lock_guard lock(guard_);
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.key == key; });
    if (known != entries_.end()) {
      std::rotate(entries_.begin(), known, known + 1);
    } else {
      entries_.push_front({key, std::make_shared<Slot>()});
      if (entries_.size() > max_values_) entries_.pop_back();
    }
    return entries_.front().slot;
  }

  const std::size_t max_values_;
  std::mutex guard_;
  std::deque<Entry> entries_;  // the most recently used one first
};

}  // namespace moorea
