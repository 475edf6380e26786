// SPDX-License-Identifier: MIT
// Soups: the random cells with which a census begins, as apgsearch makes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "objects/cells.h"

namespace moorea {

/// The symmetry of soups that have none.
inline constexpr std::string_view plain_symmetry = "C1";
/// Columns and rows of these, from (0, 0) on.
inline constexpr std::int64_t plain_side = 16;

/// Live cells of the soup of a text, which is a root and a number: the SHA-256 digest of the text has a bit
/// for each of 16 x 16 cells, row by row, the highest bit of a byte first; the symmetry completes them.
/// Throws Error (usage) for an unknown symmetry.
CellList soup_cells(std::string_view text, std::string_view symmetry);

/// Makes cells alive in the middle of dead rows, of which bit i is column i. False if there are too few rows,
/// of which there are at most 64, as many as columns.
bool put_in_rows(const CellList& cells, std::span<std::uint64_t> rows);
/// The middle so many columns and rows of the plane of a soup, an even number: around the 16 x 16 cells, or
/// around the box of the cells of a symmetry.
Box middle_of_soup(const CellList& cells, std::string_view symmetry, std::int64_t side);
/// The same of soup_cells().
bool put_soup_in_rows(std::string_view text, std::string_view symmetry, std::span<std::uint64_t> rows);

}  // namespace moorea
