// SPDX-License-Identifier: MIT
// Clusters that have been identified before: nearly all ash consists of a few thousand of them. Threads share
// what they have found; each remembers the most frequent clusters by itself.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "objects/cycle.h"
#include "objects/meetings.h"

namespace moorea {

/// Longest period of clusters that is searched before a soup has run for long, and of those whose connected
/// parts are looked up.
inline constexpr std::uint64_t short_period = 60;

/// Objects of one kind, by the index of their code in a catalogue.
struct CountedObject {
  std::uint32_t code = 0;
  std::uint64_t count = 0;
};

/// A periodic cluster; its cells' box begins at (0, 0).
struct KnownCluster : std::enable_shared_from_this<KnownCluster> {
  explicit KnownCluster(Cycle all);
  Cycle cycle;
  MovingBox swept;  ///< in all generations
  Box in_period;    ///< of all phases of `cycle`, where they are

  bool moves() const { return swept.displacement != Position(); }

 private:
  friend class Catalogue;
  // Its objects, once they are known
  mutable std::atomic<bool> has_objects_ = false;
  mutable std::vector<CountedObject> objects_;
};

using SharedCluster = std::shared_ptr<const KnownCluster>;

// The cells of a small cluster as a number, or two sums of hashes of all cells, so that their order does not
// matter: two of 10^9 large clusters have the same sums with a probability of 10^-20.
struct ClusterKey {
  std::uint64_t first = 0, second = 0;
  friend bool operator==(const ClusterKey&, const ClusterKey&) = default;

  struct Hash {
    // All bits of the key determine the highest ones
    std::size_t operator()(const ClusterKey& key) const { return key.first * 0x9E3779B97F4A7C15U; }
  };
};

/// Clusters that the catalogues of several threads have found in soups of one rule.
class SharedCatalogue {
 public:
  static constexpr std::size_t default_max_clusters = 1 << 18, max_listed = 200'000;

  explicit SharedCatalogue(std::size_t max_clusters = default_max_clusters)
      : max_clusters_(max_clusters), clusters_(std::make_shared<Clusters>()) {}

  const std::string& code(std::uint32_t index) const;
  std::uint32_t index_of(const std::string& code);

  /// Copies the clusters that have been found to a list that has the `first` ones of them already; they are
  /// max_listed at most, each once or several times. Returns how many the list has.
  std::size_t list(std::span<SharedCluster> found, std::size_t first) const;

 private:
  friend class Catalogue;
  struct Entry {
    SharedCluster known;
    std::uint64_t searched = 0;  // longest period that was searched
  };
  // Replaced if there are very many; a catalogue keeps those that it uses.
  using Clusters = std::unordered_map<ClusterKey, Entry, ClusterKey::Hash>;

  std::size_t max_clusters_;
  mutable std::mutex guard_;  // of all that follows
  std::shared_ptr<Clusters> clusters_;
  std::vector<SharedCluster> listed_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::deque<std::string> codes_;
};

class Catalogue {
 public:
  Catalogue(SearchContext& context, std::shared_ptr<SharedCatalogue> shared)
      : context_(context), shared_(std::move(shared)) {
    trim();
  }

  /// The cluster of these cells, whose smallest box is `box`; null if it does not recur within `max_period`
  /// generations.
  const KnownCluster* find(std::span<const Position> cells, const Box& box, std::uint64_t max_period);

  /// The same of one that has been found before; otherwise null.
  const KnownCluster* known(std::span<const Position> cells, const Box& box, std::uint64_t max_period) {
    return look_up(key_of(cells, box), max_period).value_or(nullptr);
  }

  /// Whether it is one of the most frequent clusters, for which find() does not wait for other threads.
  bool is_recent(std::span<const Position> cells, const Box& box) const;

  /// The objects of a cluster; empty if it could not be separated into objects.
  std::span<const CountedObject> objects(const KnownCluster& cluster);

  /// Forgets clusters if there are very many; those that are not shared are invalid then.
  void trim();

  SharedCatalogue& shared() const { return *shared_; }
  const std::string& code(std::uint32_t index) const { return shared_->code(index); }
  std::uint32_t index_of(const std::string& code) { return shared_->index_of(code); }

 private:
  struct Recent {
    ClusterKey key;
    const KnownCluster* known = nullptr;
  };
  // Nothing if it has to be searched.
  std::optional<const KnownCluster*> look_up(const ClusterKey& key, std::uint64_t max_period);
  static ClusterKey key_of(std::span<const Position> cells, const Box& box);
  std::uint32_t code_of(const Cycle& object);
  std::vector<CountedObject> separate(const Cycle& cluster);
  std::vector<CountedObject> objects_of_parts(const Cycle& cluster, std::size_t first);

  static constexpr std::int64_t small = 8;  // columns and rows of clusters whose key is a number

  SearchContext& context_;
  std::shared_ptr<SharedCatalogue> shared_;
  std::shared_ptr<SharedCatalogue::Clusters> clusters_;  // guarded by that of all
  static constexpr unsigned recent_bits = 12;
  static std::size_t place_of(const ClusterKey& key) { return ClusterKey::Hash()(key) >> (64 - recent_bits); }
  // The most frequent of them, by hash
  std::vector<Recent> recent_ = std::vector<Recent>(1 << recent_bits);
};

}  // namespace moorea
