// SPDX-License-Identifier: MIT
// Rules that are given by their transitions, as files with @TABLE or @TREE have them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/colour.h"

#pragma GCC visibility push(default)
namespace moorea {

/// The next state of a cell as a function of its own state and of those of the four or eight cells next to
/// it, with 2 to 256 states: a decision tree, whose equal parts are stored once. Files of Golly's RuleLoader
/// are read; docs/rules.md describes what of them.
class Transitions {
 public:
  /// States of the nine cells, row by row, north west first. Without corners those four are not read.
  using Neighbourhood = std::array<std::uint8_t, 9>;

  /// Places in a Neighbourhood of the cells that the tree asks for, from the root on.
  static constexpr std::array<int, 9> order_with_corners = {0, 2, 6, 8, 1, 3, 5, 7, 4};
  static constexpr std::array<int, 5> order_without = {1, 3, 5, 7, 4};

  /// Node i has the entries i * states to (i + 1) * states - 1 of `nodes`, one for each state of the cell
  /// that is asked for: the next node, or of the last cell the next state.
  struct Tree {
    std::vector<std::int32_t> nodes;
    std::int32_t root = 0;
    int states = 2;
    bool corners = false;

    bool operator==(const Tree&) const = default;
  };

  Transitions(std::string name, Tree tree, std::vector<std::string> ignored = {},
              std::vector<Colour> colours = {})
      : name_(std::move(name)),
        tree_(std::move(tree)),
        ignored_(std::move(ignored)),
        colours_(std::move(colours)) {}

  /// Reads the text of an @RULE file. Throws Error with path and line if it has an error, if it has neither a
  /// @TABLE nor a @TREE, or if its tree would be too large.
  static Transitions parse(std::string_view text, std::string_view path);

  const std::string& name() const { return name_; }
  int states() const { return tree_.states; }
  bool has_corners() const { return tree_.corners; }
  const Tree& tree() const { return tree_; }

  /// Sections of the file that Moorea does not use, such as ICONS.
  std::span<const std::string> ignored() const { return ignored_; }

  /// Colours of the states by the section COLORS, of all from 0 on; none if the file has no such section.
  std::span<const Colour> colours() const { return colours_; }

  /// The same transitions with such colours.
  Transitions with_colours(std::vector<Colour> colours) const {
    return {name_, tree_, ignored_, std::move(colours)};
  }

  /// The next state of the cell in the middle.
  int next(const Neighbourhood& cells) const;

  bool operator==(const Transitions& other) const {
    return name_ == other.name_ && tree_ == other.tree_ && colours_ == other.colours_;
  }

 private:
  std::string name_;
  Tree tree_;
  std::vector<std::string> ignored_;
  std::vector<Colour> colours_;
};

}  // namespace moorea
#pragma GCC visibility pop
