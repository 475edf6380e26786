// SPDX-License-Identifier: MIT
// Life 1.06: the line "#Life 1.06", then the column and row of one live cell per line, in any order.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/quadtree_squares.h"
#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

bool recognises(std::string_view bytes) { return starts_with_word(trim(bytes), "#Life 1.06"); }

// Calls run(x, y, 1) for each live cell; `pattern`, if given, receives the comments.
template <class Run>
void read_lines(std::string_view bytes, const std::string& source, Pattern* pattern, const Run& run) {
  Cursor cursor(bytes, source);
  for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
    if (cursor.peek() == '#') {
      const std::string_view line = cursor.take_line();
      if (pattern == nullptr || starts_with_word(line, "#Life") || line.size() < 3) continue;
      if (!read_note(line.substr(2), *pattern)) pattern->comments.emplace_back(trim(line.substr(2)));
      continue;
    }
    const std::int64_t x = cursor.take_signed("the column of a live cell");
    cursor.skip_blanks();
    const std::int64_t y = cursor.take_signed("the row of a live cell");
    cursor.skip_blanks();
    if (!cursor.at_end() && cursor.peek() != '\n')
      cursor.fail("expected the end of the line after column and row");
    run(x, y, 1);
  }
}

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Box box;
  Pattern* facts = &pattern;  // of the first reading
  pattern.cells = gather(
      source, [&](const auto& run) { read_lines(bytes, source.name, std::exchange(facts, nullptr), run); },
      false, &box);
  pattern.position = Position{box.x, box.y};
  return pattern;
}

std::optional<PatternTree> read_tree(std::string_view bytes, const std::string& source,
                                     const IsSparse& is_sparse) {
  PatternTree file;
  std::vector<Position> cells;
  Extent extent;
  read_lines(bytes, source, &file.facts, [&](std::int64_t x, std::int64_t y, std::int64_t length) {
    cells.push_back({x, y});
    extent.add(x, y, length);
  });
  if (cells.empty() || !is_sparse(extent.box(false), static_cast<double>(cells.size()))) return std::nullopt;
  std::ranges::sort(cells, {}, [](const Position& cell) { return std::pair(cell.y, cell.x); });
  QuadtreeOfRuns runs;
  for (const Position& cell : cells) runs.add(cell.x, cell.y, 1);
  file.tree = runs.tree();
  return file;
}

void write(const Pattern& pattern, Sink& sink) {
  sink.write("#Life 1.06\n");
  const std::string note = write_note(pattern, false);
  if (!note.empty()) sink.write("#C " + note + "\n");
  const Position origin = written_position(pattern);
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    const std::uint64_t* const row = pattern.cells.row(y);
    for (std::int64_t word = 0; word < pattern.cells.words_per_row(); ++word) {
      for (std::uint64_t left = row[word]; left != 0; left &= left - 1) {
        const std::int64_t x = 64 * word + std::countr_zero(left);
        sink.write(fmt::format("{} {}\n", origin.x + x, origin.y + y));
      }
    }
  }
}

}  // namespace

extern const Format life106;
const Format life106 = {{"life106", ".life .lif", "Life 1.06, the coordinates of the live cells", true},
                        recognises,
                        read,
                        write,
                        nullptr,
                        true,
                        read_tree};

}  // namespace moorea::patterns
