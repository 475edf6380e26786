// SPDX-License-Identifier: MIT
// Portable bitmap P4: a bit per cell, rows padded to bytes, highest bit first.
#include "patterns/format.h"
#include "patterns/portable_bitmap.h"

namespace moorea::patterns {
namespace {

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Cursor cursor(bytes, source.name);
  const Size size = read_bitmap_header(cursor, pattern);
  if (cursor.at_end()) cursor.fail("expected one blank and the cells");
  cursor.take();
  const std::int64_t row_bytes = bitmap_row_bytes(size.width);
  require_bitmap_data(cursor, size, static_cast<double>(row_bytes) * static_cast<double>(size.height));
  require_cells(source, size.width, size.height);
  pattern.cells = Grid(size.width, size.height);
  const char* data = cursor.rest().data();
  for (std::int64_t y = 0; y < size.height; ++y)
    unpack_bitmap_row(data + y * row_bytes, size.width, pattern.cells.row(y));
  return pattern;
}

void write(const Pattern& pattern, Sink& sink) {
  const std::int64_t width = pattern.cells.width();
  write_bitmap_header(pattern, {width, pattern.cells.height()}, "P4", sink);
  std::string line(static_cast<std::size_t>(bitmap_row_bytes(width)), '\0');
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    pack_bitmap_row(pattern.cells.row(y), width, line.data());
    sink.write(line);
  }
}

}  // namespace

extern const Format pbm;
const Format pbm = {{"pbm", ".pbm", "portable bitmap P4, black is alive", true},
                    [](std::string_view bytes) { return has_bitmap_magic(bytes, '4'); },
                    read,
                    write};
}  // namespace moorea::patterns
