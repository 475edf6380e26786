// SPDX-License-Identifier: MIT
#include "model/quadtree_squares.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr int leaf_level_of_trees = Quadtree::leaf_level;
constexpr std::size_t leaves_a_check = 1 << 20;  // of a row, between two looks at the memory
constexpr double bytes_a_leaf = 64;

std::int64_t side_of(int level) { return std::int64_t{1} << level; }

// Copies the nodes that a root needs, children first.
class Copying {
 public:
  explicit Copying(const Quadtree& from) : from_(from), copies_(from.nodes.size()) {}

  std::uint32_t copy(std::uint32_t index) {
    if (index == 0 || copies_[index] != 0) return copies_[index];
    Quadtree::Node node = from_.nodes[index];
    if (node.level > leaf_level_of_trees)
      for (std::uint32_t& child : node.children) child = copy(child);
    to_.nodes.push_back(node);
    return copies_[index] = static_cast<std::uint32_t>(to_.nodes.size() - 1);
  }

  // The tree whose root is the copy of `root`, or an empty one of `level`.
  Quadtree take(std::uint32_t root, int level) {
    if (copy(root) == 0) to_.nodes.push_back({level, {}, 0});
    return std::move(to_);
  }

 private:
  const Quadtree& from_;
  Quadtree to_;
  std::vector<std::uint32_t> copies_;
};

// Squares in one row of squares, from left to right.
struct BandSquare {
  std::uint32_t node;
  std::int64_t x;
};

class RunsOfBands {
 public:
  using Visit = std::function<void(std::int64_t, std::int64_t, std::int64_t)>;
  RunsOfBands(const Quadtree& tree, const Visit& visit) : tree_(tree), visit_(visit) {}

  void band(int level, const std::vector<BandSquare>& columns, std::int64_t y) {
    if (columns.empty()) return;
    if (level == leaf_level_of_trees) {
      rows(columns, y);
      return;
    }
    const std::int64_t half = side_of(level - 1);
    for (const std::size_t lower : {0u, 2u}) {
      std::vector<BandSquare> parts;
      for (const BandSquare& column : columns) {
        for (const std::size_t right : {0u, 1u}) {
          const std::uint32_t child = tree_.nodes[column.node].children[lower + right];
          if (child != 0) parts.push_back({child, right == 1 ? column.x + half : column.x});
        }
      }
      band(level - 1, parts, lower == 2 ? y + half : y);
    }
  }

 private:
  void rows(const std::vector<BandSquare>& columns, std::int64_t top) {
    for (int row = 0; row < 8; ++row) {
      std::int64_t begin = 0, end = 0;  // of a run that the next square may continue
      for (const BandSquare& column : columns) {
        auto cells = static_cast<unsigned>(tree_.nodes[column.node].cells >> 8 * row & 0xFF);
        while (cells != 0) {
          const int first = std::countr_zero(cells), length = std::countr_one(cells >> first);
          cells &= ~(((1u << length) - 1) << first);
          if (column.x + first != end) {
            if (end > begin) visit_(begin, top + row, end - begin);
            begin = column.x + first;
          }
          end = column.x + first + length;
        }
      }
      if (end > begin) visit_(begin, top + row, end - begin);
    }
  }

  const Quadtree& tree_;
  const Visit& visit_;
};

class Cropping {
 public:
  Cropping(const Quadtree& tree, const Box& box) : nodes_(tree), box_(box) {}

  std::uint32_t crop(std::uint32_t index, int level, const Position& at) {
    const Box square = {at.x, at.y, side_of(level), side_of(level)};
    if (index == 0 || box_.contains(square)) return index;
    const Box inside = intersect(square, box_);
    if (inside.empty()) return 0;
    if (level == leaf_level_of_trees) {
      std::uint64_t mask = 0;
      for (std::int64_t y = inside.y; y < inside.bottom(); ++y)
        mask |= ((std::uint64_t{1} << inside.width) - 1) << (8 * (y - at.y) + inside.x - at.x);
      return nodes_.leaf(nodes_[index].cells & mask);
    }
    const std::array<std::uint32_t, 4> children = nodes_[index].children;
    std::array<std::uint32_t, 4> kept;
    const std::int64_t half = side_of(level - 1);
    for (std::size_t i = 0; i < 4; ++i)
      kept[i] = crop(children[i], level - 1, at + Position{i % 2 == 1 ? half : 0, i / 2 == 1 ? half : 0});
    return nodes_.join(level, kept);
  }

  QuadtreeNodes& nodes() { return nodes_; }

 private:
  QuadtreeNodes nodes_;
  Box box_;
};

// Sets the cells of a square whose upper left one is at (x, y) of the grid.
void draw_square(const Quadtree& tree, std::uint32_t index, int level, Grid& grid, const Position& at) {
  if (index == 0) return;
  const Quadtree::Node& node = tree.nodes[index];
  if (level == leaf_level_of_trees) {
    for (std::int64_t row = 0; row < 8; ++row)
      grid.row(at.y + row)[at.x >> 6] |= (node.cells >> 8 * row & 0xFF) << (at.x & 63);
    return;
  }
  const std::int64_t half = side_of(level - 1);
  for (std::size_t i = 0; i < 4; ++i)
    draw_square(tree, node.children[i], level - 1, grid,
                at + Position{i % 2 == 1 ? half : 0, i / 2 == 1 ? half : 0});
}

std::uint32_t root_of(const Quadtree& tree) { return static_cast<std::uint32_t>(tree.nodes.size() - 1); }

Position corner_of(const Quadtree& tree) { return {-side_of(tree.level() - 1), -side_of(tree.level() - 1)}; }

}  // namespace

std::size_t QuadtreeNodes::HashOfChildren::operator()(const std::array<std::uint32_t, 4>& children) const {
  std::uint64_t hash = 0;
  for (const std::uint32_t child : children) hash = (hash ^ child) * 0x9E3779B97F4A7C15 + (hash >> 29);
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

QuadtreeNodes::QuadtreeNodes(Quadtree nodes) : tree_(std::move(nodes)) {
  for (std::size_t i = 1; i < tree_.nodes.size(); ++i) {
    const Quadtree::Node& node = tree_.nodes[i];
    if (node.level > leaf_level_of_trees)
      squares_.try_emplace(node.children, static_cast<std::uint32_t>(i));
    else if (node.level == leaf_level_of_trees)
      leaves_.try_emplace(node.cells, static_cast<std::uint32_t>(i));
  }
}

std::uint32_t QuadtreeNodes::leaf(std::uint64_t cells) {
  if (cells == 0) return 0;
  const auto [entry, added] = leaves_.try_emplace(cells, static_cast<std::uint32_t>(tree_.nodes.size()));
  if (added) tree_.nodes.push_back({leaf_level_of_trees, {}, cells});
  return entry->second;
}

std::uint32_t QuadtreeNodes::join(int level, const std::array<std::uint32_t, 4>& children) {
  if (children == std::array<std::uint32_t, 4>()) return 0;
  const auto [entry, added] = squares_.try_emplace(children, static_cast<std::uint32_t>(tree_.nodes.size()));
  if (added) tree_.nodes.push_back({level, children, 0});
  return entry->second;
}

Quadtree QuadtreeNodes::tree(int level, std::vector<PlacedSquare> squares) {
  const auto is_root = [&] {
    return std::ranges::all_of(squares, [](const PlacedSquare& square) {
      return square.column >= -1 && square.column <= 0 && square.row >= -1 && square.row <= 0;
    });
  };
  const auto are_together = [](const PlacedSquare& a, const PlacedSquare& b) {
    return a.row >> 1 == b.row >> 1 && a.column >> 1 == b.column >> 1;
  };
  const auto root = [&](const std::vector<PlacedSquare>& four) {
    std::array<std::uint32_t, 4> children = {};
    for (const PlacedSquare& square : four)
      children[static_cast<std::size_t>(2 * (square.row + 1) + square.column + 1)] = square.node;
    return join(level + 1, children);
  };
  for (; !is_root(); ++level) {
    if (level + 2 > Quadtree::max_level)
      throw Error("the cells reach beyond coordinates of 2^119, for which there are no trees");
    std::ranges::sort(squares, [](const PlacedSquare& a, const PlacedSquare& b) {
      return a.row >> 1 != b.row >> 1 ? a.row < b.row : a.column < b.column;
    });
    std::vector<PlacedSquare> parents;
    for (std::size_t i = 0; i < squares.size();) {
      const PlacedSquare first = squares[i];
      std::array<std::uint32_t, 4> children = {};
      for (; i < squares.size() && are_together(squares[i], first); ++i)
        children[static_cast<std::size_t>(2 * (squares[i].row & 1) + (squares[i].column & 1))] =
            squares[i].node;
      parents.push_back({first.column >> 1, first.row >> 1, join(level + 1, children)});
    }
    squares = std::move(parents);
  }
  const std::uint32_t top = root(squares);
  return Copying(tree_).take(top, level + 1);
}

void QuadtreeOfRuns::add(std::int64_t x, std::int64_t y, std::int64_t length) {
  if (y >> 3 != row_) end_leaves();
  row_ = y >> 3;
  if (length >= 8 * static_cast<std::int64_t>(leaves_a_check))
    require_memory(bytes_a_leaf * static_cast<double>(length) / 8, "the squares of a pattern");
  for (const std::int64_t end = x + length; x < end;) {
    const std::int64_t first = x & 7, count = std::min<std::int64_t>(end - x, 8 - first);
    leaves_[x >> 3] |= ((std::uint64_t{1} << count) - 1) << (8 * (y & 7) + first);
    x += count;
    if (leaves_.size() % leaves_a_check == 0)
      require_memory(bytes_a_leaf * leaves_a_check, "the squares of a pattern");
  }
}

void QuadtreeOfRuns::end_leaves() {
  if (leaves_.empty()) return;
  Band band{row_, {}};
  for (const auto& [column, cells] : leaves_) band.squares.emplace_back(column, nodes_.leaf(cells));
  std::ranges::sort(band.squares);
  leaves_.clear();
  add_band(leaf_level_of_trees, std::move(band));
}

// Joins the band with the one above it, or keeps it for the one below.
void QuadtreeOfRuns::add_band(std::size_t level, Band band) {
  if (bands_.size() <= level) bands_.resize(level + 1);
  std::optional<Band> above = std::exchange(bands_[level], std::nullopt);
  if (above && above->row >> 1 == band.row >> 1) {
    add_band(level + 1, joined(level, *above, band));
    return;
  }
  if (above) add_band(level + 1, raised(level, *above));
  bands_[level] = std::move(band);
}

// The squares of the next level whose halves are two bands, of which one may have no squares.
QuadtreeOfRuns::Band QuadtreeOfRuns::joined(std::size_t level, const Band& upper, const Band& lower) {
  Band result{upper.row >> 1, {}};
  auto above = upper.squares.begin(), below = lower.squares.begin();
  while (above != upper.squares.end() || below != lower.squares.end()) {
    std::int64_t column = INT64_MAX;
    if (above != upper.squares.end()) column = above->first >> 1;
    if (below != lower.squares.end()) column = std::min(column, below->first >> 1);
    std::array<std::uint32_t, 4> children = {};
    for (; above != upper.squares.end() && above->first >> 1 == column; ++above)
      children[static_cast<std::size_t>(above->first & 1)] = above->second;
    for (; below != lower.squares.end() && below->first >> 1 == column; ++below)
      children[static_cast<std::size_t>(2 + (below->first & 1))] = below->second;
    result.squares.emplace_back(column, nodes_.join(static_cast<int>(level) + 1, children));
  }
  return result;
}

QuadtreeOfRuns::Band QuadtreeOfRuns::raised(std::size_t level, const Band& band) {
  const Band none{band.row, {}};
  return (band.row & 1) == 0 ? joined(level, band, none) : joined(level, none, band);
}

Quadtree QuadtreeOfRuns::tree() {
  end_leaves();
  std::vector<Band> bands;  // of the present level, from above
  std::size_t level = leaf_level_of_trees;
  for (;; ++level) {
    if (level < bands_.size() && bands_[level]) bands.insert(bands.begin(), std::move(*bands_[level]));
    if (level + 1 >= bands_.size()) break;
    std::vector<Band> next;
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const bool both = i + 1 < bands.size() && bands[i].row >> 1 == bands[i + 1].row >> 1;
      next.push_back(both ? joined(level, bands[i], bands[i + 1]) : raised(level, bands[i]));
      if (both) ++i;
    }
    bands = std::move(next);
  }
  bands_.clear();
  std::vector<PlacedSquare> squares;
  for (const Band& band : bands)
    for (const auto& [column, node] : band.squares) squares.push_back({column, band.row, node});
  return nodes_.tree(static_cast<int>(level), std::move(squares));
}

void for_each_run(const Quadtree& tree, const RunsOfBands::Visit& visit) {
  const Position corner = corner_of(tree);
  RunsOfBands(tree, visit).band(tree.level(), {{root_of(tree), corner.x}}, corner.y);
}

Quadtree with_squares(const Quadtree& tree) {
  if (tree.level() > leaf_level_of_trees) return Copying(tree).take(root_of(tree), tree.level());
  const Box box = {-4, -4, 8, 8};
  return Quadtree::of(tree.window(box), box.position());
}

std::vector<PlacedSquare> squares_at(QuadtreeNodes& nodes, const Quadtree& tree, int level,
                                     WideInteger column, WideInteger row) {
  // The root's children have the places -1 and 0
  std::vector<PlacedSquare> squares;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t child = tree.nodes.back().children[static_cast<std::size_t>(i)];
    if (child != 0) squares.push_back({i % 2 - 1, i / 2 - 1, child});
  }
  int at = tree.level() - 1;
  for (; at < level; ++at) {
    for (PlacedSquare& square : squares) {
      std::array<std::uint32_t, 4> children = {};
      children[static_cast<std::size_t>(2 * (square.row & 1) + (square.column & 1))] = square.node;
      square.node = nodes.join(at + 1, children);
    }
  }
  for (; at > level; --at) {
    // Parts that are ancestors of the four squares
    const int above = at - 1 - level;
    std::vector<PlacedSquare> parts;
    for (const PlacedSquare& square : squares) {
      const std::array<std::uint32_t, 4> children = nodes[square.node].children;
      for (int i = 0; i < 4; ++i) {
        const PlacedSquare part = {2 * square.column + i % 2, 2 * square.row + i / 2,
                                   children[static_cast<std::size_t>(i)]};
        const auto meets = [above](WideInteger place, WideInteger first) {
          return place == first >> above || place == (first + 1) >> above;
        };
        if (part.node != 0 && meets(part.column, column) && meets(part.row, row)) parts.push_back(part);
      }
    }
    squares = std::move(parts);
  }
  std::erase_if(squares, [&](const PlacedSquare& square) {
    return square.column < column || square.column > column + 1 || square.row < row || square.row > row + 1;
  });
  return squares;
}

Quadtree cropped(const Quadtree& tree, const Box& box) {
  Cropping cropping(tree, box);
  const std::uint32_t root = cropping.crop(root_of(tree), tree.level(), corner_of(tree));
  std::vector<PlacedSquare> squares;
  if (root != 0) {
    for (int i = 0; i < 4; ++i)
      if (const std::uint32_t child = cropping.nodes()[root].children[static_cast<std::size_t>(i)];
          child != 0)
        squares.push_back({i % 2 - 1, i / 2 - 1, child});
  }
  return cropping.nodes().tree(tree.level() - 1, std::move(squares));
}

void for_each_square(const Quadtree& tree, int level,
                     const std::function<void(const Position&, const Grid&)>& visit) {
  const std::function<void(std::uint32_t, int, const Position&)> descend = [&](std::uint32_t index, int here,
                                                                               const Position& at) {
    if (index == 0) return;
    if (here <= level) {
      Grid cells(side_of(here), side_of(here));
      draw_square(tree, index, here, cells, {});
      visit(at, cells);
      return;
    }
    const std::int64_t half = side_of(here - 1);
    for (std::size_t i = 0; i < 4; ++i)
      descend(tree.nodes[index].children[i], here - 1,
              at + Position{i % 2 == 1 ? half : 0, i / 2 == 1 ? half : 0});
  };
  descend(root_of(tree), tree.level(), corner_of(tree));
}

}  // namespace moorea
