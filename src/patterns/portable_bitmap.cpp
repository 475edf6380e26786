// SPDX-License-Identifier: MIT
#include "patterns/portable_bitmap.h"

#include <fmt/core.h>

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

void write_bitmap_header(const Pattern& pattern, const char* magic, Sink& sink) {
  const std::string note = write_note(pattern, true);
  sink.write(fmt::format("{}\n{}{} {}\n", magic, note.empty() ? "" : "# " + note + "\n",
                         pattern.cells.width(), pattern.cells.height()));
}

}  // namespace moorea::patterns
