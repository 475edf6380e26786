// SPDX-License-Identifier: MIT
// Clusters that have been identified before: nearly all ash consists of a few thousand of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "objects/cycle.h"
#include "objects/meetings.h"

namespace moorea {

/// Objects of one kind, by the index of their code in a catalogue.
struct CountedObject {
  std::uint32_t code = 0;
  std::uint64_t count = 0;
};

/// A periodic cluster; its cells' box begins at (0, 0).
struct KnownCluster : std::enable_shared_from_this<KnownCluster> {
  KnownCluster(const MovingBox& box, Cycle all) : swept(box), cycle(std::move(all)) {}
  MovingBox swept;  ///< in all generations
  Cycle cycle;

  bool moves() const { return swept.displacement != Position(); }

  /// What it consists of, once Catalogue::objects() has been called.
  mutable std::optional<std::vector<CountedObject>> objects;
};

using SharedCluster = std::shared_ptr<const KnownCluster>;

class Catalogue {
 public:
  static constexpr std::size_t default_max_clusters = 1 << 18;

  explicit Catalogue(SearchContext& context, std::size_t max_clusters = default_max_clusters)
      : context_(context), max_clusters_(max_clusters) {}

  /// The cluster of these cells, whose smallest box is `box`; null if it does not recur within `max_period`
  /// generations.
  const KnownCluster* find(std::span<const Position> cells, const Box& box, std::uint64_t max_period);
  /// Calls `found` with each cluster that find() identifies from now on.
  void on_found(std::function<void(const SharedCluster&)> found) { on_found_ = std::move(found); }

  /// The objects of a cluster; empty if it could not be separated into objects.
  std::span<const CountedObject> objects(const KnownCluster& cluster);

  /// Forgets clusters if there are very many; those that are not shared are invalid then.
  void trim();

  const std::string& code(std::uint32_t index) const { return codes_[index]; }
  std::uint32_t index_of(const std::string& code);

 private:
  // The cells of a small cluster as a number, or two sums of hashes of all cells, so that their order does
  // not matter: two of 10^9 large clusters have the same sums with a probability of 10^-20.
  struct Key {
    std::uint64_t first = 0, second = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.first * 0x9E3779B97F4A7C15U >> 20; }
  };
  struct Entry {
    SharedCluster known;
    std::uint64_t searched = 0;  // longest period that was searched
  };
  struct Recent {
    Key key;
    const KnownCluster* known = nullptr;
  };
  static Key key_of(std::span<const Position> cells, const Box& box);
  Recent& recent(const Key& key) { return recent_[KeyHash()(key) % recent_.size()]; }
  std::vector<CountedObject> separate(const Cycle& cluster);

  static constexpr std::int64_t small = 8;  // columns and rows of clusters whose key is a number

  SearchContext& context_;
  std::size_t max_clusters_;
  std::function<void(const SharedCluster&)> on_found_;
  std::unordered_map<Key, Entry, KeyHash> clusters_;
  std::vector<Recent> recent_ = std::vector<Recent>(1 << 12);  // the most frequent of them, by hash
  std::unordered_map<std::string, std::uint32_t> index_;
  std::vector<std::string> codes_;
};

}  // namespace moorea
