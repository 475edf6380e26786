// SPDX-License-Identifier: MIT
// What was found out about rules, kept for as long as the process lives.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "moorea/rule.h"

namespace moorea {

/// A value for each of some rules, for any number of threads. It holds a bounded number of them: a program
/// that goes through all rules of a family comes back to none soon.
template <class Value>
class RuleMemo {
 public:
  std::optional<Value> find(const Rule& rule) const {
    const std::lock_guard lock(guard_);
    const auto found = values_.find(key(rule));
    return found == values_.end() ? std::nullopt : std::optional<Value>(found->second);
  }

  /// Returns what is kept, which is another thread's value where that one came first.
  Value keep(const Rule& rule, Value value) {
    const std::lock_guard lock(guard_);
    if (values_.size() >= max_rules) values_.clear();
    return values_.try_emplace(key(rule), std::move(value)).first->second;
  }

 private:
  static constexpr std::size_t max_rules = 256;
  static unsigned key(const Rule& rule) { return rule.birth() | static_cast<unsigned>(rule.survival()) << 9; }

  mutable std::mutex guard_;
  std::unordered_map<unsigned, Value> values_;
};

}  // namespace moorea
