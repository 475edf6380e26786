// SPDX-License-Identifier: MIT
// Shared by the two portable bitmaps of Netpbm, P1 and P4: magic number, header and comments. 1, which
// viewers show black, is alive.
#pragma once

#include "moorea/box.h"
#include "moorea/pattern.h"
#include "patterns/files.h"
#include "patterns/text.h"

namespace moorea::patterns {

/// Whether the file begins with 'P', the digit `kind` and white space or a comment.
bool has_bitmap_magic(std::string_view bytes, char kind);

/// Reads magic number, width and height; comments are added to the pattern. A size with a zero is 0 x 0.
/// Throws Error (run) with the position.
Size read_bitmap_header(Cursor& cursor, Pattern& pattern);

/// Skips white space and comments, which are added to the pattern.
void skip_bitmap_space(Cursor& cursor, Pattern& pattern);

/// Throws Error (run) if fewer than `bytes` bytes of cells follow: the header may be wrong, and no memory is
/// allocated before the data are known to exist.
void require_bitmap_data(const Cursor& cursor, const Size& size, double bytes);

/// Writes the header of a bitmap of `size` with the pattern's rule, generation and position.
void write_bitmap_header(const Pattern& pattern, Size size, const char* magic, Sink& sink);

/// Bytes of a row of P4: a bit per cell, highest bit first, padded to bytes.
constexpr std::int64_t bitmap_row_bytes(std::int64_t width) { return width / 8 + (width % 8 != 0); }

/// Converts a row of P4 to cells, which were dead.
void unpack_bitmap_row(const char* bytes, std::int64_t width, std::uint64_t* cells);

/// Converts cells to a row of P4.
void pack_bitmap_row(const std::uint64_t* cells, std::int64_t width, char* bytes);

}  // namespace moorea::patterns
