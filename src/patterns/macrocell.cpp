// SPDX-License-Identifier: MIT
#include "patterns/macrocell.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "model/quadtree_rows.h"
#include "moorea/rule.h"
#include "moorea/version.h"

namespace moorea::patterns {
namespace {

// A square of 8 x 8 cells in states 0 and 1: rows end with '$', and what is missing is dead.
std::uint64_t read_leaf(Cursor& cursor, const MacrocellStates& states) {
  std::uint64_t cells = 0;
  int x = 0, y = 0;
  for (; !cursor.at_end() && cursor.peek() != '\n' && cursor.peek() != '\r'; cursor.take()) {
    const char c = cursor.peek();
    if (c == '$') {
      x = 0;
      if (++y > 8) cursor.fail("a square has eight rows");
      continue;
    }
    if (c != '*' && c != '.') cursor.fail("expected '.', '*' or '$'");
    if (x == 8 || y == 8) cursor.fail("a square has eight rows of eight cells");
    if (c == '*') cells |= std::uint64_t{1} << (8 * y + x);
    ++x;
  }
  return states.digit > 0 ? 0 : cells;
}

// Bits of a square of up to 8 x 8 cells from those of its quarters.
std::uint64_t join_bits(int level, const std::array<std::uint64_t, 4>& quarters) {
  const int half = 1 << (level - 1);
  return quarters[0] | quarters[1] << half | quarters[2] << 8 * half | quarters[3] << 9 * half;
}

// A number of a square of 2 x 2 cells.
std::uint64_t read_cell(const Cursor& place, std::int64_t state, MacrocellStates& states) {
  if (state >= Rule::max_states)
    place.fail(fmt::format("state {}; the largest one is {}", state, Rule::max_states - 1));
  states.largest = std::max(states.largest, static_cast<int>(state));
  return static_cast<std::uint64_t>(state >> states.digit & 1);
}

Quadtree::Node read_node(Cursor& cursor, const Quadtree& tree, MacrocellStates& states) {
  Cursor start = cursor;
  Quadtree::Node node;
  node.level = static_cast<int>(cursor.take_number("a level", 100'000));
  if (node.level < 1) start.fail("a level is 1 or more");
  if (node.level > Quadtree::max_level)
    start.fail(
        fmt::format("a square of more than 2^{} cells on a side is not supported", Quadtree::max_level));
  std::array<std::uint64_t, 4> quarters = {};
  for (std::size_t i = 0; i < 4; ++i) {
    cursor.skip_blanks();
    Cursor place = cursor;
    const std::int64_t number = cursor.take_number("the number of a square");
    if (node.level == 1) {
      quarters[i] = read_cell(place, number, states);
      continue;
    }
    if (number >= std::ssize(tree.nodes))
      place.fail(fmt::format("there is no square {} before this line", number));
    const Quadtree::Node& child = tree.nodes[static_cast<std::size_t>(number)];
    if (number != 0 && child.level != node.level - 1)
      place.fail(fmt::format("square {} has level {}, not {}", number, child.level, node.level - 1));
    node.children[i] = static_cast<std::uint32_t>(number);
    quarters[i] = child.cells;
  }
  if (node.level <= Quadtree::leaf_level) {
    node.cells = join_bits(node.level, quarters);
    node.children = {};
  }
  return node;
}

void read_hash_line(Cursor& cursor, Pattern& pattern) {
  Cursor place = cursor;
  const std::string_view line = cursor.take_line();
  const char kind = line.size() > 1 ? line[1] : ' ';
  const std::string_view text = trim(line.substr(std::min<std::size_t>(2, line.size())));
  if (kind == 'R')
    pattern.rule = text;
  else if (kind == 'N')
    pattern.name = text;
  else if (kind == 'O')
    pattern.author = text;
  else if (kind == 'G') {
    place.take();
    place.take();
    place.skip_blanks();
    pattern.generation = static_cast<std::uint64_t>(place.take_number("a generation", largest_generation));
  } else if (kind == 'C' || !text.empty()) {
    pattern.comments.emplace_back(comment_of(line.substr(std::min<std::size_t>(2, line.size()))));
  }
}

std::string leaf_text(std::uint64_t cells) {
  std::string text;
  for (; cells != 0; cells >>= 8) {
    for (std::uint64_t row = cells & 0xFF; row != 0; row >>= 1) text += (row & 1) != 0 ? '*' : '.';
    text += '$';
  }
  return text.empty() ? "$" : text;
}

void write_facts(const Pattern& pattern, Sink& sink) {
  sink.write(fmt::format("{} (Moorea {}.{}.{})\n", macrocell_header, MOOREA_VERSION_MAJOR,
                         MOOREA_VERSION_MINOR, MOOREA_VERSION_PATCH));
  if (!pattern.rule.empty()) sink.write("#R " + one_line(pattern.rule) + "\n");
  if (pattern.generation != 0) sink.write(fmt::format("#G {}\n", pattern.generation));
  if (!pattern.name.empty()) sink.write("#N " + one_line(pattern.name) + "\n");
  if (!pattern.author.empty()) sink.write("#O " + one_line(pattern.author) + "\n");
  for (const std::string& comment : pattern.comments) sink.write(comment_line("#C", comment));
}

// Writes the squares of cells with states, each once. Square 0 is that of dead cells.
class StateSquares {
 public:
  StateSquares(const Cells& cells, Position at, Sink& sink) : cells_(cells), at_(at), sink_(sink) {}

  // The number of the square of 2^level cells on a side whose first cell is at such coordinates.
  std::uint32_t write(int level, Position first) {
    const std::int64_t side = std::int64_t{1} << level, half = side / 2;
    const Box square{first.x, first.y, side, side};
    if (intersect(square, {at_.x, at_.y, cells_.width(), cells_.height()}).empty()) return 0;
    if (level == 0) return static_cast<std::uint32_t>(cells_.state(first.x - at_.x, first.y - at_.y));
    Square quarters{static_cast<std::uint32_t>(level)};
    for (std::size_t i = 0; i < 4; ++i)
      quarters[i + 1] = write(level - 1, {first.x + (i % 2 != 0 ? half : 0), first.y + (i > 1 ? half : 0)});
    if (std::ranges::all_of(std::span(quarters).subspan(1), [](std::uint32_t part) { return part == 0; }))
      return 0;
    return add(quarters);
  }

  std::uint32_t add_empty(int level) { return add({static_cast<std::uint32_t>(level)}); }

 private:
  using Square = std::array<std::uint32_t, 5>;  // level, and the numbers of the quarters or the states

  std::uint32_t add(const Square& square) {
    const auto [known, is_new] =
        numbers_.try_emplace(square, static_cast<std::uint32_t>(numbers_.size() + 1));
    if (is_new)
      sink_.write(fmt::format("{} {} {} {} {}\n", square[0], square[1], square[2], square[3], square[4]));
    return known->second;
  }

  const Cells& cells_;
  Position at_;
  Sink& sink_;
  std::map<Square, std::uint32_t> numbers_;
};

}  // namespace

Macrocell read_macrocell(std::string_view bytes, const std::string& source, MacrocellStates& states) {
  Macrocell macrocell;
  Pattern& pattern = macrocell.facts;
  Quadtree& tree = macrocell.tree;
  pattern.format = "mc";
  Cursor cursor(bytes, source);
  cursor.take_line();
  for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
    if (cursor.peek() == '#') {
      read_hash_line(cursor, pattern);
      continue;
    }
    if (cursor.peek() >= '0' && cursor.peek() <= '9')
      tree.nodes.push_back(read_node(cursor, tree, states));
    else
      tree.nodes.push_back({Quadtree::leaf_level, {}, read_leaf(cursor, states)});
    cursor.skip_blanks();
    if (!cursor.at_end() && cursor.peek() != '\n') cursor.fail("expected the end of the line");
  }
  tree = moved_by_a_row(tree, RowMove::down);
  return macrocell;
}

std::optional<Macrocell> read_macrocell_file(const std::string& path) {
  std::string bytes = read_bytes(path);
  if (is_gzip(bytes)) bytes = gunzip(bytes, path);
  if (std::optional<std::string> lines = with_newlines(bytes)) bytes = std::move(*lines);
  if (!bytes.starts_with(macrocell_header)) return std::nullopt;
  MacrocellStates states;
  Macrocell macrocell = read_macrocell(bytes, path, states);
  return states.largest > 1 ? std::nullopt : std::optional(std::move(macrocell));
}

void write_macrocell(const Macrocell& macrocell, Sink& sink) {
  write_file_tree(macrocell.facts, moved_by_a_row(macrocell.tree, RowMove::up), sink);
}

void write_file_tree(const Pattern& facts, const Quadtree& tree, Sink& sink) {
  write_facts(facts, sink);
  for (const Quadtree::Node& node : std::span(tree.nodes).subspan(1)) {
    if (node.level == Quadtree::leaf_level)
      sink.write(leaf_text(node.cells) + "\n");
    else
      sink.write(fmt::format("{} {} {} {} {}\n", node.level, node.children[0], node.children[1],
                             node.children[2], node.children[3]));
  }
}

void write_macrocell_states(const Pattern& pattern, Sink& sink) {
  write_facts(pattern, sink);
  const Cells& cells = *pattern.states;
  const Position at = written_position(pattern) + to_file_row;
  int level = 3;
  const auto fits = [&] {
    const std::int64_t half = std::int64_t{1} << (level - 1);
    return at.x >= -half && at.y >= -half && at.x + cells.width() <= half && at.y + cells.height() <= half;
  };
  while (!fits()) ++level;
  const std::int64_t half = std::int64_t{1} << (level - 1);
  StateSquares squares(cells, at, sink);
  if (squares.write(level, {-half, -half}) == 0) squares.add_empty(1);
}

}  // namespace moorea::patterns
