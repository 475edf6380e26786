// SPDX-License-Identifier: MIT
// Cells of a checkpoint as a tree: words for planes whose live cells are far apart or are a tree already.
#pragma once

#include <span>
#include <string>

#include "model/quadtree.h"
#include "moorea/cell_tree.h"
#include "moorea/grid.h"

namespace moorea {

/// Returns the tree as a grid of one word per row, which is saved as rows of cells are: the number L of
/// leaves, L words with 8 x 8 cells, and two words per larger square with the numbers of its four children,
/// which come before it: 0 is a square without live cells, 1 to L are leaves. The last square is the root.
/// Throws Error (memory).
Grid words_of(const CellTree& cells);

/// Returns the tree of such words. Throws Error (run), naming `source`, for words that words_of() does not
/// write, or if the live cells have another bounding box.
Quadtree tree_of_words(std::span<const std::uint64_t> words, const Box& box, const std::string& source);

}  // namespace moorea
