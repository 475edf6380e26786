// SPDX-License-Identifier: MIT
// Run Length Encoded: comment lines, a header "x = 3, y = 3, rule = B3/S23", then runs "bo$2bo$3o!".
// Existing files are sloppy: no header, blanks and line ends anywhere, headers over several lines, text after
// the "!". All of that is accepted; a missing "!" and cells outside the header's size are errors, because
// they indicate lost data. Extended comments "#CXRLE Pos=x,y Gen=n" are Golly's, and so are the letters of
// more than two states.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "model/quadtree_squares.h"
#include "patterns/format.h"
#include "patterns/pattern_rule.h"
#include "patterns/rle_states.h"
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
    pattern.comments.emplace_back(comment_of(line.substr(2)));
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

// The runs of a file, and how to read them.
struct Body {
  Cursor begin;
  std::optional<Size> size;  // from the header
  RleLetters letters;
};

Body body_of(const Cursor& begin, const Pattern& facts) {
  // Some programs write x = 0, y = 0
  const bool sized = facts.header && (facts.header->width != 0 || facts.header->height != 0);
  return {begin, sized ? facts.header : std::nullopt, rle_letters(begin.rest(), facts)};
}

[[noreturn]] void fail_at_tag(const Cursor& at, char tag) {
  at.fail(tag >= ' ' && tag <= '~'
              ? fmt::format("expected a run of 'b', 'o' or '$', or '!', not '{}'", tag)
              : fmt::format("expected a run of 'b', 'o' or '$', or '!', not the byte 0x{:02x}",
                            static_cast<unsigned char>(tag)));
}

// Calls run(x, y, length, state) for each run of cells in a state above 0.
template <class Run>
void read_body(const Body& body, const Run& run) {
  Cursor cursor = body.begin;
  std::int64_t x = 0, y = 0;
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
    if (tag == '$') {
      x = 0;
      y += count;
    } else {
      const int state = tag == 'b' ? 0 : tag == 'o' ? 1 : take_rle_state(body.letters, tag, tag_at, cursor);
      if (state < 0) fail_at_tag(tag_at, tag);
      if (state > 0 && count > 0) {
        if (body.size && (x + count > body.size->width || y >= body.size->height)) {
          start.fail(fmt::format("a live cell in column {} of row {}, but the header says x = {}, y = {}",
                                 x + count - 1, y, body.size->width, body.size->height));
        }
        run(x, y, count, state);
      }
      x += count;
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

// The pattern's rule if its @RULE file follows the cells, as LifeViewer has it.
void read_rule(std::string_view bytes, Pattern& pattern, const std::string& source) {
  constexpr std::string_view begin = "\n@RULE ";
  const std::size_t at = bytes.find(begin);
  if (at == std::string_view::npos) return;
  const std::string_view line = bytes.substr(at + 1, bytes.find('\n', at + 1) - at - 1);
  if (trim(line.substr(begin.size() - 1)) != trim(core_of(pattern))) return;
  const Rule rule = Rule::define(bytes.substr(at + 1), "the rule in " + source);
  if (rule.transitions() != nullptr)
    pattern.own_rule = rule;
  else
    pattern.rule = notation_of(pattern, rule);
}

// Reads what comes before the runs, and the rule behind them.
Pattern read_facts(Cursor& cursor, std::string_view bytes, const std::string& source) {
  Pattern pattern;
  for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
    if (cursor.peek() == '#') {
      read_comment(cursor, pattern);
    } else {
      pattern.header = read_header(cursor, pattern);
      break;
    }
  }
  read_rule(bytes, pattern, source);
  return pattern;
}

Pattern read(std::string_view bytes, const Source& source) {
  Cursor cursor(bytes, source.name);
  Pattern pattern = read_facts(cursor, bytes, source.name);
  const Body body = body_of(cursor, pattern);
  read_runs(
      source, body.letters.rule_states, [&](const auto& run) { read_body(body, run); }, pattern);
  return pattern;
}

// The box of the live cells from (0, 0) on if it is sparse and no state is above 1. The size in the header,
// beyond which no cells are, ends the search in other files as soon as enough cells are alive.
std::optional<Box> find_sparse_box(const Body& body, const IsSparse& is_sparse) {
  struct NotSparse {};
  constexpr std::uint64_t runs_a_look = 1024;
  const Box most = body.size ? Box{0, 0, body.size->width, body.size->height} : Box{};
  Extent extent;
  double population = 0;
  std::uint64_t runs = 0;
  try {
    read_body(body, [&](std::int64_t x, std::int64_t y, std::int64_t length, int state) {
      if (state > 1) throw NotSparse();
      if (body.size && runs++ % runs_a_look == 0 && !is_sparse(most, population)) throw NotSparse();
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
  file.facts = read_facts(cursor, bytes, source);
  const Body body = body_of(cursor, file.facts);
  const std::optional<Box> found = find_sparse_box(body, is_sparse);
  if (!found) return std::nullopt;
  const Box& box = *found;
  const Position at = file.facts.position.value_or(Position{-(box.width / 2), -(box.height / 2)});
  QuadtreeOfRuns runs;
  read_body(body, [&](std::int64_t x, std::int64_t y, std::int64_t length, int) {
    runs.add(at.x + x, at.y + y, length);
  });
  file.tree = runs.tree();
  return file;
}

// Returns the end of the cells from (x, y) on that are in the same state.
std::int64_t end_of_run(const Cells& cells, std::int64_t x, std::int64_t y) {
  const int state = cells.state(x, y);
  while (x < cells.width()) {
    std::uint64_t differ = 0;
    for (int digit = 0; digit < cells.planes(); ++digit) {
      const std::uint64_t word = cells.plane(digit).row(y)[x >> 6];
      differ |= (state >> digit & 1) != 0 ? ~word : word;
    }
    differ >>= x & 63;
    if (differ != 0) return std::min<std::int64_t>(x + __builtin_ctzll(differ), cells.width());
    x = (x | 63) + 1;
  }
  return cells.width();
}

void write_states(const Cells& cells, RleWriter& writer) {
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0, end = 0; x < cells.width(); x = end) {
      end = end_of_run(cells, x, y);
      if (const int state = cells.state(x, y); state != 0) writer.run(x, y, end - x, state);
    }
  }
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

void write_live(const Grid& cells, RleWriter& writer) {
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    std::int64_t end = 0;
    for (std::int64_t start = find_cell(cells, y, 0, true); start < cells.width();
         start = find_cell(cells, y, end, true)) {
      end = find_cell(cells, y, start, false);
      writer.run(start, y, end - start);
    }
  }
}

void write(const Pattern& pattern, Sink& sink) {
  const Size cells = pattern.states ? Size{pattern.states->width(), pattern.states->height()}
                                    : Size{pattern.cells.width(), pattern.cells.height()};
  // The size in the source file, by which readers centre the pattern; a wrong x = 0 is not repeated
  const Size size = pattern.header.value_or(Size());
  RleWriter writer(pattern, {std::max(size.width, cells.width), std::max(size.height, cells.height)}, sink);
  if (pattern.states)
    write_states(*pattern.states, writer);
  else
    write_live(pattern.cells, writer);
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
                    read_tree,
                    true};

}  // namespace moorea::patterns
