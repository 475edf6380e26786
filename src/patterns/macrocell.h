// SPDX-License-Identifier: MIT
// Macrocell files as trees, without expanding them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/quadtree.h"
#include "moorea/pattern.h"
#include "patterns/files.h"
#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {

constexpr std::string_view macrocell_header = "[M2]";

using Macrocell = PatternTree;

/// States of the cells of a file whose rule has more than two.
struct MacrocellStates {
  int digit = 0;    ///< the cells that are read are those with this binary digit of their states
  int largest = 0;  ///< of all cells
};

/// Throws Error (run) with the position.
Macrocell read_macrocell(std::string_view bytes, const std::string& source, MacrocellStates& states);

/// Reads a file ("-": standard input), which may be gzipped; empty if it has another format, or cells in a
/// state above 1. Throws Error (run).
std::optional<Macrocell> read_macrocell_file(const std::string& path);

void write_macrocell(const Macrocell& macrocell, Sink& sink);

/// In files row 0 is the one above the root's centre, in a Quadtree the one below it.
constexpr Position to_file_row = {0, -1};

/// Writes a tree whose rows are already those of the file.
void write_file_tree(const Pattern& facts, const Quadtree& tree, Sink& sink);

/// Writes a pattern with states: squares of 2 x 2 states instead of 8 x 8 cells as text.
void write_macrocell_states(const Pattern& pattern, Sink& sink);

}  // namespace moorea::patterns
