// SPDX-License-Identifier: MIT
// Rules by transitions as look-ups on GPUs: tables, and text for code that is compiled at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logic/state_lookups.h"
#include "moorea/rule.h"

namespace moorea {

/// Tables for a rule with transitions, whose radix is a power of two: codes are binary digits of states. They
/// are small enough for the shared memory of a GPU if possible, and null if the rule has too many nodes.
std::shared_ptr<const StateLookups> gpu_lookups(const Rule& rule);

/// The tables one after the other, as next_by_lookups() reads them.
std::vector<std::uint8_t> table_bytes(const StateLookups& lookups);

/// LOOKUP_DIGITS of a state, LOOKUP_CORNERS if all eight neighbours are asked for, LOOKUP_BYTES of the
/// tables, and a function over the type `word` of 32 cells, in the common subset of C++, CUDA and OpenCL C:
/// next_by_lookups(cells, tables, next). `cells` has the digits of each cell that the tree asks for, in its
/// order; `next` receives the 16 lowest digits of the next states. `memory` is the address space of the
/// tables, such as "global".
std::string lookup_text(const StateLookups& lookups, bool corners, std::string_view memory);

}  // namespace moorea
