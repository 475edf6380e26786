// SPDX-License-Identifier: MIT
// Life 1.06: the line "#Life 1.06", then the column and row of one live cell per line, in any order.
#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <utility>

#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

bool recognises(std::string_view bytes) { return starts_with_word(trim(bytes), "#Life 1.06"); }

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  const auto scan = [&](const auto& run, bool first) {
    Cursor cursor(bytes, source.name);
    for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
      if (cursor.peek() == '#') {
        const std::string_view line = cursor.take_line();
        if (!first || starts_with_word(line, "#Life") || line.size() < 3) continue;
        if (!read_note(line.substr(2), pattern)) pattern.comments.emplace_back(trim(line.substr(2)));
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
  };
  Box box;
  bool first = true;
  pattern.cells = gather(
      source, [&](const auto& run) { scan(run, std::exchange(first, false)); }, false, &box);
  pattern.position = Position{box.x, box.y};
  return pattern;
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
                        true};

}  // namespace moorea::patterns
