// SPDX-License-Identifier: MIT
// Process-wide cache of values that are computed from a rule.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "moorea/rule.h"

namespace moorea {

/// Thread-safe map from rules to values of at most `max_rules` entries; it is cleared when full, since a
/// program that enumerates a rule family rarely returns to an earlier rule.
template <class Value>
class RuleMemo {
 public:
  std::optional<Value> find(const Rule& rule) const {
    const std::lock_guard lock(guard_);
    const auto found = values_.find(key(rule));
    return found == values_.end() ? std::nullopt : std::optional<Value>(found->second);
  }

  /// Inserts `value` unless the rule has one already; returns the stored value.
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
