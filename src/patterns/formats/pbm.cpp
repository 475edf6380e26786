// SPDX-License-Identifier: MIT
// Portable bitmap P4: a bit per cell, rows padded to bytes, highest bit first.
#include "model/bits.h"
#include "patterns/format.h"
#include "patterns/portable_bitmap.h"

namespace moorea::patterns {
namespace {

std::uint64_t reverse_bits(std::uint64_t byte) {
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 8; ++bit) reversed |= (byte >> bit & 1) << (7 - bit);
  return reversed;
}

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Cursor cursor(bytes, source.name);
  const Size size = read_bitmap_header(cursor, pattern);
  if (cursor.at_end()) cursor.fail("expected one blank and the cells");
  cursor.take();
  const std::int64_t row_bytes = (size.width + 7) / 8;
  require_bitmap_data(cursor, size, static_cast<double>(row_bytes) * static_cast<double>(size.height));
  require_cells(source, size.width, size.height);
  pattern.cells = Grid(size.width, size.height);
  const char* data = cursor.rest().data();
  for (std::int64_t y = 0; y < size.height && size.width > 0; ++y) {
    std::uint64_t* row = pattern.cells.row(y);
    for (std::int64_t i = 0; i < row_bytes; ++i) {
      row[i / 8] |= reverse_bits(static_cast<unsigned char>(*data++)) << i % 8 * 8;
    }
    row[pattern.cells.words_per_row() - 1] &= tail_mask(size.width);
  }
  return pattern;
}

void write(const Pattern& pattern, Sink& sink) {
  write_bitmap_header(pattern, "P4", sink);
  if (pattern.cells.empty()) return;
  std::string line(static_cast<std::size_t>((pattern.cells.width() + 7) / 8), '\0');
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    const std::uint64_t* row = pattern.cells.row(y);
    for (std::size_t i = 0; i < line.size(); ++i)
      line[i] = static_cast<char>(reverse_bits(row[i / 8] >> i % 8 * 8 & 0xFF));
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
