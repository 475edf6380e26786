// SPDX-License-Identifier: MIT
// A rule of blocks as gates with three inputs.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "logic/four_inputs.h"
#include "moorea/rule.h"

namespace moorea {

/// The next state of a cell of a block, 0 to 3 in the order of the bits of Rule::Blocks.
FourTable cell_table(const Rule::Blocks& blocks, std::size_t cell);

/// The gates of each of a block's next cells; inputs 0 to 3 are the cells of the block, in the order of their
/// bits in Rule::Blocks.
using BlockNetwork = std::array<std::vector<FourGate>, 4>;

BlockNetwork block_network(const Rule::Blocks& blocks);

/// The network as a function of C with the macros of common/networks.h: name(nw, ne, sw, se, next) with an
/// array of four results.
std::string c_text(const BlockNetwork& network, const std::string& name);

}  // namespace moorea
