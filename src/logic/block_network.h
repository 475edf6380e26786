// SPDX-License-Identifier: MIT
// A rule of blocks as gates with three inputs.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// A function of the four cells of a block, as a table: bit n is its value for block n.
using CellTable = unsigned;

/// The next state of a cell of a block, 0 to 3 in the order of the bits of Rule::Blocks.
CellTable cell_table(const Rule::Blocks& blocks, std::size_t cell);

/// A function of three inputs, of which the first is the highest bit of the index into its table. Inputs 0 to
/// 3 are the cells of a block, in the order of their bits in Rule::Blocks; input 4 is the result of the first
/// gate of the same cell, and so on.
struct BlockGate {
  std::array<int, 3> inputs;
  unsigned table;
};

/// The gates of each of a block's next cells, one to three; the last one's result is the cell.
using BlockNetwork = std::array<std::vector<BlockGate>, 4>;

BlockNetwork block_network(const Rule::Blocks& blocks);

/// The network as a function of C with the macros of common/networks.h: name(nw, ne, sw, se, next) with an
/// array of four results.
std::string c_text(const BlockNetwork& network, const std::string& name);

}  // namespace moorea
