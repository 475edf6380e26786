// SPDX-License-Identifier: MIT
// Portable bitmaps: P4 (a bit a cell, rows padded to bytes, highest bit first) and P1 (a digit a cell). 1,
// which viewers show black, is alive.
#include <fmt/core.h>

#include <algorithm>

#include "model/bits.h"
#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

bool has_magic(std::string_view bytes, char kind) {
  return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] == kind &&
         std::string_view(" \t\r\n#").find(bytes[2]) != std::string_view::npos;
}

std::uint64_t reverse_bits(std::uint64_t byte) {
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 8; ++bit) reversed |= (byte >> bit & 1) << (7 - bit);
  return reversed;
}

void skip_space_and_comments(Cursor& cursor, Pattern& pattern) {
  for (cursor.skip_space(); cursor.peek() == '#'; cursor.skip_space()) {
    const std::string_view comment = trim(cursor.take_line().substr(1));
    if (!read_note(comment, pattern) && !comment.empty()) pattern.comments.emplace_back(comment);
  }
}

struct Size {
  std::int64_t width = 0, height = 0;
};

Size read_header(Cursor& cursor, Pattern& pattern) {
  cursor.take();
  cursor.take();
  Size size;
  skip_space_and_comments(cursor, pattern);
  size.width = cursor.take_number("the width");
  skip_space_and_comments(cursor, pattern);
  size.height = cursor.take_number("the height");
  return size.width == 0 || size.height == 0 ? Size() : size;
}

// The header may lie: no memory is asked for before the data are known to be there.
void require_data(const Cursor& cursor, const Size& size, double bytes) {
  if (bytes <= static_cast<double>(cursor.rest().size())) return;
  cursor.fail(fmt::format("the header says {} x {} cells, which take {:.0f} bytes, but only {} follow",
                          size.width, size.height, bytes, cursor.rest().size()));
}

Pattern read_packed(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Cursor cursor(bytes, source.name);
  const Size size = read_header(cursor, pattern);
  if (cursor.at_end()) cursor.fail("expected one blank and the cells");
  cursor.take();
  const std::int64_t row_bytes = (size.width + 7) / 8;
  require_data(cursor, size, static_cast<double>(row_bytes) * static_cast<double>(size.height));
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

Pattern read_plain(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Cursor cursor(bytes, source.name);
  const Size size = read_header(cursor, pattern);
  skip_space_and_comments(cursor, pattern);
  require_data(cursor, size, static_cast<double>(size.width) * static_cast<double>(size.height));
  require_cells(source, size.width, size.height);
  pattern.cells = Grid(size.width, size.height);
  for (std::int64_t y = 0; y < size.height; ++y) {
    for (std::int64_t x = 0; x < size.width; ++x) {
      skip_space_and_comments(cursor, pattern);
      if (cursor.peek() != '0' && cursor.peek() != '1') {
        cursor.fail(fmt::format("expected 0 or 1 for the cell in column {} of row {}", x, y));
      }
      if (cursor.take() == '1') pattern.cells.set(x, y);
    }
  }
  return pattern;
}

void write_header(const Pattern& pattern, const char* magic, Sink& sink) {
  const std::string note = write_note(pattern, true);
  sink.write(fmt::format("{}\n{}{} {}\n", magic, note.empty() ? "" : "# " + note + "\n",
                         pattern.cells.width(), pattern.cells.height()));
}

void write_packed(const Pattern& pattern, Sink& sink) {
  write_header(pattern, "P4", sink);
  if (pattern.cells.empty()) return;
  std::string line(static_cast<std::size_t>((pattern.cells.width() + 7) / 8), '\0');
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    const std::uint64_t* row = pattern.cells.row(y);
    for (std::size_t i = 0; i < line.size(); ++i)
      line[i] = static_cast<char>(reverse_bits(row[i / 8] >> i % 8 * 8 & 0xFF));
    sink.write(line);
  }
}

void write_plain(const Pattern& pattern, Sink& sink) {
  write_header(pattern, "P1", sink);
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

const Format pbm = {{"pbm", ".pbm", "portable bitmap P4, black is alive", true},
                    [](std::string_view bytes) { return has_magic(bytes, '4'); },
                    read_packed,
                    write_packed};
const Format pbm_plain = {{"pbm-plain", "", "portable bitmap P1, digits", true},
                          [](std::string_view bytes) { return has_magic(bytes, '1'); },
                          read_plain,
                          write_plain};

}  // namespace moorea::patterns
