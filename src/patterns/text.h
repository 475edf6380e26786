// SPDX-License-Identifier: MIT
// Shared by the readers: a cursor that tracks line and column, and the collection of cells into a grid of the
// required size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/pattern.h"

namespace moorea::patterns {

/// Maximum of a size or run in a file.
constexpr std::int64_t largest_coordinate = std::int64_t{1} << 40;

/// Maximum of a pattern's coordinates in its plane.
constexpr std::int64_t largest_position = std::int64_t{1} << 60;

/// Maximum of a generation.
constexpr std::int64_t largest_generation = INT64_MAX;

/// Origin of a pattern, and its size limit.
struct Source {
  std::string name;  ///< for error messages
  double max_cells;  ///< including dead ones
};

/// Throws Error (run) for a pattern of more cells than its source allows.
void require_cells(const Source& source, std::int64_t width, std::int64_t height);

/// Reads text and counts lines and columns from 1.
class Cursor {
 public:
  Cursor(std::string_view text, const std::string& source) : text_(text), source_(&source) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool at_line_start() const { return column_ == 1; }
  std::string_view rest() const { return text_.substr(at_); }
  std::int64_t line() const { return line_; }

  char take();
  void skip_blanks();  ///< blanks, tabs and carriage returns
  void skip_space();   ///< those and line ends
  /// Returns the rest of the line without its end and surrounding blanks; moves to the next line.
  std::string_view take_line();
  /// Reads an unsigned number up to `largest`; `what` names it in errors.
  std::int64_t take_number(const std::string& what, std::int64_t largest = largest_coordinate);
  std::int64_t take_signed(const std::string& what);
  /// Whether the text continues with `word`, ignoring case; then moves past it.
  bool take_word(std::string_view word);

  /// Returns a copy that ends with this line.
  Cursor this_line() const;

  /// Throws Error (run): "source, line L, column C: text".
  [[noreturn]] void fail(const std::string& text) const;

 private:
  std::string_view text_;
  const std::string* source_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t column_ = 1;
};

std::string_view trim(std::string_view text);
bool starts_with_word(std::string_view text, std::string_view word);  ///< ignores case

/// Replaces line ends by blanks, for formats in which a line is a unit.
std::string one_line(std::string text);

/// Text of a comment behind its mark, of which one blank is part; indentation is kept.
std::string_view comment_of(std::string_view behind_mark);

/// A line of a comment: the mark, and the text if there is any.
std::string comment_line(std::string_view mark, const std::string& text);

/// Smallest box around runs of live cells, extended run by run.
class Extent {
 public:
  void add(std::int64_t x, std::int64_t y, std::int64_t length);
  bool empty() const { return right_ <= left_; }
  /// Returns the box from the minimum coordinates, or from (0, 0) if `from_zero`.
  Box box(bool from_zero) const;

 private:
  std::int64_t left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

/// Makes `length` cells alive from (x, y) to the right.
void fill_run(Grid& grid, std::int64_t x, std::int64_t y, std::int64_t length);

/// Runs `scan` twice: first to determine the size, then to set the cells, so that memory is allocated only
/// after the whole file has been validated. `scan` calls its argument with (x, y, length) for each run of
/// live cells. Returns the grid; *box receives its position and size.
template <class Scan>
Grid gather(const Source& source, const Scan& scan, bool from_zero, Box* box) {
  Extent extent;
  scan([&](std::int64_t x, std::int64_t y, std::int64_t length) { extent.add(x, y, length); });
  *box = extent.box(from_zero);
  require_cells(source, box->width, box->height);
  Grid grid(box->width, box->height);
  scan([&](std::int64_t x, std::int64_t y, std::int64_t length) {
    fill_run(grid, x - box->x, y - box->y, length);
  });
  return grid;
}

/// Reads two numbers with a scanf format such as "%lld %lld"; nullopt if they are missing or too large.
std::optional<Position> read_position(const std::string& text, const char* format);

/// Reads "Pos=-3,-2 Gen=100 Rule=B3/S23:T10,10", the information of #CXRLE that other formats carry in a
/// comment after the word "Moorea". `line` is the text after the comment sign; returns false for any other
/// text.
bool read_note(std::string_view line, Pattern& pattern);

/// Returns a comment as a line that no reader interprets as a note or a name.
std::string comment_text(std::string text);
std::string write_note(const Pattern& pattern, bool with_position);

/// Coordinates of the top-left cell of a pattern in the middle of the plane.
Position middle_of(const Pattern& pattern);

/// Coordinates of the top-left cell of a pattern in the plane: its own, or those of place() in the bounded
/// grid of its rule, where a header that is larger than the cells moves them, or middle_of().
Position written_position(const Pattern& pattern);

}  // namespace moorea::patterns
