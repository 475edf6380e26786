// SPDX-License-Identifier: MIT
// A rule as code for web browsers.
#pragma once

#include <cstdint>
#include <vector>

#include "moorea/rule.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Returns a WebAssembly module (binary format, version 1) that advances worlds under a rule of two states,
/// of Generations, of wires or with history. Throws Error (unavailable) for rules of other families.
///
/// It exports its `memory`, of one page at first, and these functions, whose arguments are 32-bit integers:
/// - advance(from, to, words, rows, tail_low, tail_high) computes a generation of a field at the address
///   `from` into one at `to`; addresses are multiples of 8. Bits of the last word of a row that are not set
///   in the 64-bit tail are cleared.
/// - count(at, words, rows) returns the number of cells of a field that are not in state 0.
///
/// A field has rows -1 to rows + 1, of which rows 0 to rows - 1 are cells. A row has, for each binary digit
/// of a cell's state from the lowest on, words -1 to words of 64 cells, little-endian: bit i of word j is
/// column 64 * j + i. The caller fills what lies around the cells: rows -1 and `rows`, and the bits before
/// the first and after the last column. Row rows + 1 is room that is overwritten.
std::vector<std::uint8_t> make_web_assembly(const Rule& rule);

}  // namespace moorea
#pragma GCC visibility pop
