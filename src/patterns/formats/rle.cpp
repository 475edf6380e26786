// SPDX-License-Identifier: MIT
// Run Length Encoded: comment lines, a header "x = 3, y = 3, rule = B3/S23", then runs "bo$2bo$3o!".
// Existing files are sloppy: no header, blanks and line ends anywhere, headers over several lines, text after
// the "!". All of that is accepted; a missing "!" and cells outside the header's size are errors, because
// they indicate lost data. Extended comments "#CXRLE Pos=x,y Gen=n" are Golly's.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "model/quadtree_squares.h"
#include "patterns/format.h"
#include "patterns/rle_writer.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

void read_extended(Cursor line, Pattern& pattern) {
  while (!line.at_end()) {
    line.skip_blanks();
    if (line.take_word("Pos=")) {
      Position position;
      position.x = line.take_signed("a column");
      if (line.peek() == ',') line.take();
      line.skip_blanks();
      position.y = line.take_signed("a row");
      pattern.position = position;
    } else if (line.take_word("Gen=")) {
      pattern.generation = static_cast<std::uint64_t>(line.take_number("a generation", largest_generation));
    } else if (!line.at_end()) {
      line.take();
    }
    if (line.peek() == ',') line.take();
  }
}

void read_comment(Cursor& cursor, Pattern& pattern) {
  const Cursor start = cursor;
  const std::string_view line = cursor.take_line();
  const char kind = line.size() > 1 ? line[1] : '\0';
  const std::string_view rest = line.size() > 2 ? trim(line.substr(2)) : std::string_view();
  if (starts_with_word(line, "#CXRLE")) {
    Cursor extended = start.this_line();
    extended.take_word("#CXRLE");
    read_extended(extended, pattern);
  } else if (kind == 'C' || kind == 'c' || kind == 'D') {
    pattern.comments.emplace_back(rest);
  } else if (kind == 'N') {
    pattern.name = rest;
  } else if (kind == 'O') {
    pattern.author = rest;
  } else if (kind == 'r') {
    pattern.rule = rest;
  } else if (kind == 'P' || kind == 'R') {
    const std::optional<Position> position = read_position(std::string(rest), "%lld %lld");
    if (position) pattern.position = position;
  }
}

// Reads "x = 3, y = 3, rule = B3/S23"; a line that ends with a comma continues in the next one.
std::optional<Size> read_header(Cursor& cursor, Pattern& pattern) {
  const auto takes_key = [](Cursor& at, std::string_view key) {
    Cursor ahead = at;
    if (!ahead.take_word(key)) return false;
    ahead.skip_blanks();
    if (ahead.peek() != '=') return false;
    ahead.take();
    ahead.skip_blanks();
    at = ahead;
    return true;
  };
  const auto next_item = [](Cursor& at) {
    at.skip_blanks();
    if (at.peek() != ',') return;
    at.take();
    at.skip_space();
  };
  if (!takes_key(cursor, "x")) return std::nullopt;
  Size header;
  header.width = cursor.take_number("the width after \"x =\"");
  next_item(cursor);
  cursor.skip_space();
  if (!takes_key(cursor, "y")) cursor.fail("expected \"y =\" and the height");
  header.height = cursor.take_number("the height after \"y =\"");
  next_item(cursor);
  Cursor ahead = cursor;
  ahead.skip_space();
  if (takes_key(ahead, "rule")) {
    cursor = ahead;
    pattern.rule = cursor.take_line();
  }
  return header;
}

// Calls run(x, y, length) for each run of live cells.
template <class Run>
void read_body(Cursor cursor, const std::optional<Size>& header, const Run& run) {
  const bool sized =
      header && (header->width != 0 || header->height != 0);  // some programs write x = 0, y = 0
  std::int64_t x = 0, y = 0;
  char state_letter = '\0', upper_dead = '\0';  // with "." or "A", a "B" is state 2, not an upper-case b
  for (;;) {
    cursor.skip_space();
    if (cursor.peek() == '#' && cursor.at_line_start()) {
      cursor.take_line();
      continue;
    }
    const Cursor start = cursor;
    std::int64_t count = 1;
    if (cursor.peek() >= '0' && cursor.peek() <= '9') {
      count = cursor.take_number("a run count");
      cursor.skip_space();
    }
    if (cursor.at_end()) cursor.fail("the pattern ends without '!'; the file may be truncated");
    const Cursor tag_at = cursor;
    const char tag = cursor.take();
    if (tag == '!') return;
    if (tag == '.' || tag == 'A') state_letter = tag;
    if (tag == 'B') upper_dead = tag;
    if (state_letter != '\0' && upper_dead != '\0') {
      tag_at.fail(
          "'B' in a pattern with '.' or 'A' is a state of a rule with more than two states, which Moorea "
          "does not run");
    }
    if (tag == '$') {
      x = 0;
      y += count;
    } else if (tag == 'b' || tag == 'B' || tag == '.') {
      x += count;
    } else if (tag == 'o' || tag == 'O' || tag == 'A') {
      if (count > 0) {
        if (sized && (x + count > header->width || y >= header->height)) {
          start.fail(fmt::format("a live cell in column {} of row {}, but the header says x = {}, y = {}",
                                 x + count - 1, y, header->width, header->height));
        }
        run(x, y, count);
      }
      x += count;
    } else if ((tag >= 'C' && tag <= 'Z') || (tag >= 'p' && tag <= 'y')) {
      tag_at.fail(
          fmt::format("'{}' is a state of a rule with more than two states, which Moorea does not run", tag));
    } else {
      tag_at.fail(tag >= ' ' && tag <= '~'
                      ? fmt::format("expected a run of 'b', 'o' or '$', or '!', not '{}'", tag)
                      : fmt::format("expected a run of 'b', 'o' or '$', or '!', not the byte 0x{:02x}",
                                    static_cast<unsigned char>(tag)));
    }
    if (x > largest_coordinate || y > largest_coordinate) {
      start.fail(fmt::format("the pattern reaches beyond {} cells", largest_coordinate));
    }
  }
}

bool recognises(std::string_view bytes) {
  const std::string source;
  for (Cursor cursor(bytes, source); !cursor.at_end();) {
    const std::string_view line = cursor.take_line();
    if (line.empty()) continue;
    if (line[0] != '#') {
      if (line[0] != 'x' && line[0] != 'X') return false;
      const std::string_view rest = trim(line.substr(1));
      return !rest.empty() && rest[0] == '=';
    }
    if (starts_with_word(line, "#Life 1.0")) return false;
    if (starts_with_word(line, "#CXRLE")) return true;
  }
  return false;
}

// Reads what comes before the runs.
Pattern read_facts(Cursor& cursor) {
  Pattern pattern;
  for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
    if (cursor.peek() == '#') {
      read_comment(cursor, pattern);
    } else {
      pattern.header = read_header(cursor, pattern);
      break;
    }
  }
  return pattern;
}

Pattern read(std::string_view bytes, const Source& source) {
  Cursor cursor(bytes, source.name);
  Pattern pattern = read_facts(cursor);
  Box box;
  pattern.cells = gather(
      source, [&](const auto& run) { read_body(cursor, pattern.header, run); }, true, &box);
  return pattern;
}

// The box of the live cells from (0, 0) on if it is sparse. The size in the header, beyond which no cells
// are, ends the search in other files as soon as enough cells are alive.
std::optional<Box> find_sparse_box(const Cursor& body, const std::optional<Size>& header,
                                   const IsSparse& is_sparse) {
  struct NotSparse {};
  constexpr std::uint64_t runs_a_look = 1024;
  const bool sized = header && (header->width != 0 || header->height != 0);
  const Box most = sized ? Box{0, 0, header->width, header->height} : Box{};
  Extent extent;
  double population = 0;
  std::uint64_t runs = 0;
  try {
    read_body(body, header, [&](std::int64_t x, std::int64_t y, std::int64_t length) {
      if (sized && runs++ % runs_a_look == 0 && !is_sparse(most, population)) throw NotSparse();
      extent.add(x, y, length);
      population += static_cast<double>(length);
    });
  } catch (const NotSparse&) {
    return std::nullopt;
  }
  const Box box = extent.box(true);
  return is_sparse(box, population) ? std::optional(box) : std::nullopt;
}

std::optional<PatternTree> read_tree(std::string_view bytes, const std::string& source,
                                     const IsSparse& is_sparse) {
  Cursor cursor(bytes, source);
  PatternTree file;
  file.facts = read_facts(cursor);
  const std::optional<Box> found = find_sparse_box(cursor, file.facts.header, is_sparse);
  if (!found) return std::nullopt;
  const Box& box = *found;
  const Position at = file.facts.position.value_or(Position{-(box.width / 2), -(box.height / 2)});
  QuadtreeOfRuns runs;
  read_body(cursor, file.facts.header, [&](std::int64_t x, std::int64_t y, std::int64_t length) {
    runs.add(at.x + x, at.y + y, length);
  });
  file.tree = runs.tree();
  return file;
}

// Returns the next column from x on whose cell is `alive`, or the width.
std::int64_t find_cell(const Grid& grid, std::int64_t y, std::int64_t x, bool alive) {
  const std::uint64_t* row = grid.row(y);
  while (x < grid.width()) {
    const std::uint64_t word = (alive ? row[x >> 6] : ~row[x >> 6]) >> (x & 63);
    if (word != 0) return std::min<std::int64_t>(x + __builtin_ctzll(word), grid.width());
    x = (x | 63) + 1;
  }
  return grid.width();
}

void write(const Pattern& pattern, Sink& sink) {
  const Grid& cells = pattern.cells;
  // The size in the source file, by which readers centre the pattern; a wrong x = 0 is not repeated
  const Size size = pattern.header.value_or(Size());
  RleWriter writer(pattern, {std::max(size.width, cells.width()), std::max(size.height, cells.height())},
                   sink);
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    std::int64_t end = 0;
    for (std::int64_t start = find_cell(cells, y, 0, true); start < cells.width();
         start = find_cell(cells, y, end, true)) {
      end = find_cell(cells, y, start, false);
      writer.run(start, y, end - start);
    }
  }
  writer.finish();
}

// Recognises a file without a header by its letters.
bool resembles(std::string_view bytes) {
  return bytes.find_first_not_of("0123456789bBoO$! \t\r\n") == std::string_view::npos &&
         bytes.find_first_of("$!") != std::string_view::npos;
}

}  // namespace

extern const Format rle;
const Format rle = {{"rle", ".rle", "Run Length Encoded, with position, generation and rule", true},
                    recognises,
                    read,
                    write,
                    resembles,
                    true,
                    read_tree};

}  // namespace moorea::patterns
