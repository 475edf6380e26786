// SPDX-License-Identifier: MIT
#include "logic/state_lookups.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "model/process_cache.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

constexpr std::size_t max_cells = 9, max_kept_lookups = 16;
constexpr std::int64_t max_codes = 1 << 16;
constexpr std::size_t max_nodes = 1 << 16;  // before a look-up: what an entry can name

// Saturates above max_codes.
std::int64_t power(int base, std::size_t exponent) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < exponent && result <= max_codes; ++i) result *= base;
  return result;
}

// The nodes of a tree that ask for each cell, with their numbers among those of this cell.
class TreeLevels {
 public:
  explicit TreeLevels(const Transitions::Tree& tree)
      : tree_(tree), levels_(tree.corners ? max_cells : Transitions::order_without.size()) {
    nodes_[0] = {tree.root};
    for (std::size_t level = 0; level + 1 < levels_; ++level) {
      auto& below = nodes_[level + 1];
      for (const std::int32_t node : nodes_[level]) {
        for (const std::int32_t entry : entries(node)) {
          if (numbers_[level + 1].try_emplace(entry, std::ssize(below)).second) below.push_back(entry);
        }
      }
    }
  }

  std::size_t levels() const { return levels_; }
  const std::vector<std::int32_t>& nodes(std::size_t level) const { return nodes_[level]; }

  // Number of what a node says of such states of some cells: of a later node or, after the last cell, a
  // state.
  std::uint16_t after(std::int32_t node, std::size_t level, std::size_t cells, int radix,
                      std::int64_t code) const {
    for (std::size_t i = 0; i < cells; ++i, code /= radix) {
      const std::int64_t state = code % radix;
      if (state >= tree_.states) return 0;  // there is no such cell
      node = entries(node)[static_cast<std::size_t>(state)];
    }
    if (level + cells == levels_) return static_cast<std::uint16_t>(node);
    return static_cast<std::uint16_t>(numbers_[level + cells].at(node));
  }

 private:
  std::span<const std::int32_t> entries(std::int32_t node) const {
    const auto states = static_cast<std::size_t>(tree_.states);
    return std::span(tree_.nodes).subspan(static_cast<std::size_t>(node) * states, states);
  }

  const Transitions::Tree& tree_;
  std::size_t levels_;
  std::array<std::vector<std::int32_t>, max_cells> nodes_;
  std::array<std::unordered_map<std::int32_t, std::ptrdiff_t>, max_cells> numbers_;
};

// How many levels each look-up joins.
class Partition {
 public:
  Partition(const TreeLevels& tree, int radix) : tree_(tree), radix_(radix) {
    const std::size_t levels = tree.levels();
    best_[0][0] = {0, 0};
    for (std::size_t lookups = 1; lookups <= levels; ++lookups) {
      for (std::size_t end = 1; end <= levels; ++end) {
        for (std::size_t begin = 0; begin < end; ++begin) {
          const std::optional<Part>& before = best_[lookups - 1][begin];
          const std::optional<std::int64_t> bytes = table_bytes(begin, end);
          if (!before || !bytes) continue;
          std::optional<Part>& best = best_[lookups][end];
          if (!best || before->bytes + *bytes < best->bytes) best = {before->bytes + *bytes, begin};
        }
      }
    }
  }

  // First levels of the look-ups, and the number of levels; empty if there are too many bytes.
  std::vector<std::size_t> borders(std::int64_t max_bytes) const {
    const std::size_t levels = tree_.levels();
    for (std::size_t lookups = 1; lookups <= levels; ++lookups) {
      const std::optional<Part>& whole = best_[lookups][levels];
      if (!whole || whole->bytes > max_bytes) continue;
      std::vector<std::size_t> borders = {levels};
      for (std::size_t left = lookups; left > 0; --left)
        borders.insert(borders.begin(), best_[left][borders.front()]->begin);
      return borders;
    }
    return {};
  }

 private:
  struct Part {
    std::int64_t bytes;  // of all tables up to this level
    std::size_t begin;   // of the last one
  };

  std::optional<std::int64_t> table_bytes(std::size_t begin, std::size_t end) const {
    const std::int64_t codes = power(radix_, end - begin);
    const bool is_last = end == tree_.levels();
    if (codes > max_codes || (!is_last && tree_.nodes(end).size() > max_nodes)) return std::nullopt;
    return std::ssize(tree_.nodes(begin)) * (is_last ? 1 : 2) * codes;
  }

  const TreeLevels& tree_;
  int radix_;
  std::array<std::array<std::optional<Part>, max_cells + 1>, max_cells + 1> best_;
};

std::shared_ptr<const StateLookups> make_lookups(const Rule& rule, int radix, std::int64_t max_bytes) {
  const TreeLevels tree(rule.transitions()->tree());
  const std::vector<std::size_t> borders = Partition(tree, radix).borders(max_bytes);
  if (borders.empty()) return nullptr;
  auto lookups = std::make_shared<StateLookups>();
  lookups->radix = radix;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const std::size_t level = borders[i], cells = borders[i + 1] - level;
    const bool is_last = i + 2 == borders.size();
    lookups->cells.push_back(static_cast<int>(cells));
    if (!is_last) lookups->begins.push_back(std::ssize(lookups->nodes));
    const std::int64_t codes = lookups->codes(i);
    for (const std::int32_t node : tree.nodes(level)) {
      for (std::int64_t code = 0; code < codes; ++code) {
        const std::uint16_t entry = tree.after(node, level, cells, radix, code);
        is_last ? lookups->results.push_back(static_cast<std::uint8_t>(entry))
                : lookups->nodes.push_back(entry);
      }
    }
  }
  return lookups;
}

}  // namespace

std::int64_t StateLookups::codes(std::size_t lookup) const {
  return power(radix, static_cast<std::size_t>(cells[lookup]));
}

std::shared_ptr<const StateLookups> state_lookups(const Rule& rule, int radix, std::int64_t max_bytes) {
  // A rule without tables has a pointer to nothing, so that they are not looked for again
  using Made = std::shared_ptr<const StateLookups>;
  using Key = std::tuple<const Transitions*, int, std::int64_t>;
  static ProcessCache<Key, Made> kept(max_kept_lookups);
  return *kept.find_or_make({rule.transitions(), radix, max_bytes}, [&] {
    return std::make_shared<const Made>(make_lookups(rule, radix, max_bytes));
  });
}

}  // namespace moorea
