// SPDX-License-Identifier: MIT
// Portable bitmap P1: a digit per cell.
#include <fmt/core.h>

#include "patterns/format.h"
#include "patterns/portable_bitmap.h"

namespace moorea::patterns {
namespace {

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Cursor cursor(bytes, source.name);
  const Size size = read_bitmap_header(cursor, pattern);
  skip_bitmap_space(cursor, pattern);
  require_bitmap_data(cursor, size, static_cast<double>(size.width) * static_cast<double>(size.height));
  require_cells(source, size.width, size.height);
  pattern.cells = Grid(size.width, size.height);
  for (std::int64_t y = 0; y < size.height; ++y) {
    for (std::int64_t x = 0; x < size.width; ++x) {
      skip_bitmap_space(cursor, pattern);
      if (cursor.peek() != '0' && cursor.peek() != '1') {
        cursor.fail(fmt::format("expected 0 or 1 for the cell in column {} of row {}", x, y));
      }
      if (cursor.take() == '1') pattern.cells.set(x, y);
    }
  }
  return pattern;
}

void write(const Pattern& pattern, Sink& sink) {
  write_bitmap_header(pattern, {pattern.cells.width(), pattern.cells.height()}, "P1", sink);
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    std::string line;
    for (std::int64_t x = 0; x < pattern.cells.width(); ++x) {
      if (x % 70 == 0 && x != 0) line += '\n';  // the format's longest line
      line += pattern.cells.alive(x, y) ? '1' : '0';
    }
    sink.write(line + "\n");
  }
}

}  // namespace

extern const Format pbm_plain;
const Format pbm_plain = {{"pbm-plain", "", "portable bitmap P1, digits", true},
                          [](std::string_view bytes) { return has_bitmap_magic(bytes, '1'); },
                          read,
                          write};

}  // namespace moorea::patterns
