// SPDX-License-Identifier: MIT
// Plaintext (.cells): lines that begin with '!' are comments, then one row per line, '.' dead and 'O' alive.
#include <fmt/core.h>

#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

bool is_row(std::string_view line) { return line.find_first_not_of(".oO*") == std::string_view::npos; }

bool recognises(std::string_view bytes) {
  const std::string source;
  int bare_comments = 0;
  for (Cursor cursor(bytes, source); !cursor.at_end();) {
    const std::string_view line = cursor.take_line();
    if (line.empty()) continue;
    // A lone "!" or "o" could also be RLE without a header
    if (line[0] == '!' && line.size() > 1) return true;
    if (line[0] != '!')
      return is_row(line) && (bare_comments > 0 || line.find_first_of(".*") != std::string_view::npos);
    ++bare_comments;
  }
  return bare_comments > 1;
}

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern;
  Cursor body(bytes, source.name);
  while (body.peek() == '!') {
    const std::string_view behind_mark = body.take_line().substr(1), line = trim(behind_mark);
    if (read_note(line, pattern)) continue;
    if (starts_with_word(line, "Name:")) {
      pattern.name = trim(line.substr(5));
    } else if (starts_with_word(line, "Author:")) {
      pattern.author = trim(line.substr(7));
    } else {
      pattern.comments.emplace_back(comment_of(behind_mark));
    }
  }
  Box box;
  pattern.cells = gather(
      source,
      [&](const auto& run) {
        Cursor cursor = body;
        std::int64_t x = 0, y = 0;
        while (!cursor.at_end()) {
          if (cursor.at_line_start() && cursor.peek() == '!') {
            cursor.take_line();
            continue;
          }
          const char c = cursor.peek();
          if (c == '\n') {
            ++y;
            x = 0;
          } else if (c == 'O' || c == 'o' || c == '*') {
            run(x++, y, 1);
          } else if (c == '.' || c == ' ') {
            ++x;
          } else if (c != '\r') {
            cursor.fail("expected '.' for a dead cell or 'O' for a live one");
          }
          cursor.take();
        }
      },
      true, &box);
  return pattern;
}

void write(const Pattern& pattern, Sink& sink) {
  sink.write("!Name: " + one_line(pattern.name) + "\n");  // even if empty: it identifies the format
  if (!pattern.author.empty()) sink.write("!Author: " + one_line(pattern.author) + "\n");
  for (const std::string& comment : pattern.comments) sink.write("! " + comment_text(comment) + "\n");
  const std::string note = write_note(pattern, true);
  if (!note.empty()) sink.write("! " + note + "\n");
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    std::string line(static_cast<std::size_t>(pattern.cells.width()), '.');
    for (std::int64_t x = 0; x < pattern.cells.width(); ++x) {
      if (pattern.cells.alive(x, y)) line[x] = 'O';
    }
    sink.write(line + "\n");
  }
}

}  // namespace

extern const Format plaintext;
const Format plaintext = {
    {"cells", ".cells", "plaintext, '.' and 'O'", true}, recognises, read, write, nullptr, true};

}  // namespace moorea::patterns
