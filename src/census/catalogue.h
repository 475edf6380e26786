// SPDX-License-Identifier: MIT
// Clusters that have been identified before: nearly all ash consists of a few thousand of them.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "objects/cycle.h"
#include "objects/meetings.h"

namespace moorea {

/// A periodic cluster; its cells' box begins at (0, 0).
struct KnownCluster {
  MovingBox swept;  ///< in all generations
  Cycle cycle;      ///< of one that moves; else without phases
  struct Part {
    std::uint32_t code = 0;
    std::uint32_t count = 0;
  };
  std::vector<Part> parts;  ///< its objects

  bool moves() const { return swept.displacement != Position(); }
};

class Catalogue {
 public:
  explicit Catalogue(SearchContext& context) : context_(context) {}

  /// The cluster of these cells, which lie in `box`; null if it does not recur within `max_period`
  /// generations.
  const KnownCluster* find(std::span<const Position> cells, const Box& box, std::uint64_t max_period);

  /// Forgets clusters if there are very many; those that find() has returned are invalid then.
  void trim();

  const std::string& code(std::uint32_t index) const { return codes_[index]; }
  std::size_t codes() const { return codes_.size(); }

 private:
  struct Entry {
    std::unique_ptr<KnownCluster> known;
    std::uint64_t searched = 0;  // longest period that was searched
  };
  Entry& entry(std::span<const Position> cells, const Box& box);
  std::unique_ptr<KnownCluster> identify(const CellList& cells, std::uint64_t max_period);
  std::uint32_t code_index(const Cycle& object);

  static constexpr std::int64_t small = 8;  // columns and rows of clusters that are a number
  static constexpr std::size_t max_entries = 1 << 20;

  SearchContext& context_;
  std::unordered_map<std::uint64_t, Entry> small_;
  std::unordered_map<std::string, Entry> large_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::vector<std::string> codes_;
  std::string key_;
};

}  // namespace moorea
