// SPDX-License-Identifier: MIT
// Soups: the random cells with which a census begins, as apgsearch makes them.
#pragma once

#include <string>
#include <string_view>

#include "objects/cells.h"

namespace moorea {

/// Live cells of the soup of a text, which is a root and a number: the SHA-256 digest of the text has a bit
/// for each of 16 x 16 cells, row by row, the highest bit of a byte first; the symmetry completes them.
/// Throws Error (usage) for an unknown symmetry.
CellList soup_cells(std::string_view text, std::string_view symmetry);

}  // namespace moorea
