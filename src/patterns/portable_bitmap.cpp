// SPDX-License-Identifier: MIT
#include "patterns/portable_bitmap.h"

#include <fmt/core.h>

#include "model/bits.h"

namespace moorea::patterns {

bool has_bitmap_magic(std::string_view bytes, char kind) {
  return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] == kind &&
         std::string_view(" \t\r\n#").find(bytes[2]) != std::string_view::npos;
}

void skip_bitmap_space(Cursor& cursor, Pattern& pattern) {
  for (cursor.skip_space(); cursor.peek() == '#'; cursor.skip_space()) {
    const std::string_view comment = trim(cursor.take_line().substr(1));
    if (!read_note(comment, pattern) && !comment.empty()) pattern.comments.emplace_back(comment);
  }
}

Size read_bitmap_header(Cursor& cursor, Pattern& pattern) {
  cursor.take();
  cursor.take();
  Size size;
  skip_bitmap_space(cursor, pattern);
  size.width = cursor.take_number("the width");
  skip_bitmap_space(cursor, pattern);
  size.height = cursor.take_number("the height");
  return size.width == 0 || size.height == 0 ? Size() : size;
}

void require_bitmap_data(const Cursor& cursor, const Size& size, double bytes) {
  if (bytes <= static_cast<double>(cursor.rest().size())) return;
  cursor.fail(fmt::format("the header says {} x {} cells, which take {:.0f} bytes, but only {} follow",
                          size.width, size.height, bytes, cursor.rest().size()));
}

void write_bitmap_header(const Pattern& pattern, Size size, const char* magic, Sink& sink) {
  const std::string note = write_note(pattern, true);
  sink.write(
      fmt::format("{}\n{}{} {}\n", magic, note.empty() ? "" : "# " + note + "\n", size.width, size.height));
}

void unpack_bitmap_row(const char* bytes, std::int64_t width, std::uint64_t* cells) {
  const std::int64_t row_bytes = bitmap_row_bytes(width);
  if (row_bytes == 0) return;
  for (std::int64_t i = 0; i < row_bytes; ++i)
    cells[i / 8] |= std::uint64_t{reversed_bits(static_cast<std::uint8_t>(bytes[i]))} << i % 8 * 8;
  cells[(width - 1) / 64] &= tail_mask(width);
}

void pack_bitmap_row(const std::uint64_t* cells, std::int64_t width, char* bytes) {
  const std::int64_t row_bytes = bitmap_row_bytes(width);
  for (std::int64_t i = 0; i < row_bytes; ++i)
    bytes[i] = static_cast<char>(reversed_bits(static_cast<std::uint8_t>(cells[i / 8] >> i % 8 * 8)));
}

}  // namespace moorea::patterns
