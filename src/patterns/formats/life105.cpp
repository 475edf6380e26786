// SPDX-License-Identifier: MIT
// Life 1.05, read only: "#D" comments, "#R 23/3" or "#N" for the rule, and blocks of '.' and '*', each after
// the position of its top-left cell, "#P x y".
#include <utility>

#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

bool recognises(std::string_view bytes) { return starts_with_word(trim(bytes), "#Life 1.05"); }

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  const auto scan = [&](const auto& run, bool first) {
    Cursor cursor(bytes, source.name);
    std::int64_t left = 0, y = 0;
    while (!cursor.at_end()) {
      if (cursor.peek() == '#') {
        const Cursor start = cursor;
        const std::string_view line = cursor.take_line();
        const char kind = line.size() > 1 ? line[1] : '\0';
        const std::string_view rest = line.size() > 2 ? trim(line.substr(2)) : std::string_view();
        if (kind == 'P' && rest.empty()) {
          left = y = 0;
        } else if (kind == 'P') {
          Cursor place = start;
          place.take_word("#P");
          place.skip_blanks();
          left = place.take_signed("a column after #P");
          place.skip_blanks();
          y = place.take_signed("a row after #P");
        } else if (first && kind == 'R') {
          pattern.rule = rest;
        } else if (first && (kind == 'D' || kind == 'C')) {
          pattern.comments.emplace_back(rest);
        }
        continue;
      }
      for (std::int64_t x = left; !cursor.at_end() && cursor.peek() != '\n'; cursor.take()) {
        const char c = cursor.peek();
        if (c == '*' || c == 'O' || c == 'o') {
          run(x++, y, 1);
        } else if (c == '.') {
          ++x;
        } else if (c != '\r' && c != ' ' && c != '\t') {
          cursor.fail("expected '.' for a dead cell, '*' for a live one or a line with '#'");
        }
      }
      if (!cursor.at_end()) cursor.take();
      ++y;
    }
  };
  Box box;
  bool first = true;
  pattern.cells = gather(
      source, [&](const auto& run) { scan(run, std::exchange(first, false)); }, false, &box);
  pattern.position = Position{box.x, box.y};
  return pattern;
}

}  // namespace

extern const Format life105;
const Format life105 = {
    {"life105", "", "Life 1.05, blocks of '.' and '*'", false}, recognises, read, nullptr};

}  // namespace moorea::patterns
