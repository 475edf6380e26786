// SPDX-License-Identifier: MIT
// The symmetries complete a fundamental domain by images of it, in the order in which apgsearch does, since
// that decides on which lines and at which corners the axes are: for soups that Catagolue names to be the
// same here, cell by cell.
#include "census/soup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "census/soup_digest.h"
#include "model/bits.h"
#include "moorea/census.h"
#include "moorea/error.h"
#include "moorea/support/nearest.h"

namespace moorea {
namespace {

// An image of a cell: (x, y), or (y, x) if swapped, with signs and offsets.
struct Image {
  bool swapped = false;
  int sign_x = 1, sign_y = 1;
  int x = 0, y = 0;  // added afterwards

  Position of(const Position& at) const {
    const Position from = swapped ? Position{at.y, at.x} : at;
    return {sign_x * from.x + x, sign_y * from.y + y};
  }
};

// Each image doubles the cells.
constexpr Image flip_y1 = {false, 1, -1, 0, 0}, flip_y2 = {false, 1, -1, 0, -1};
constexpr Image flip_x1 = {false, -1, 1, 0, 0}, flip_x2 = {false, -1, 1, -1, 0};
constexpr Image turn_1 = {false, -1, -1, 0, 0}, turn_2 = {false, -1, -1, 0, -1},
                turn_4 = {false, -1, -1, -1, -1};
constexpr Image quarter_1 = {true, 1, -1, 0, 0}, quarter_4 = {true, 1, -1, 0, -1};
constexpr Image diagonal = {true, 1, 1, 0, 0};
constexpr Image other_diagonal_1 = {true, -1, -1, 0, 0}, other_diagonal_4 = {true, -1, -1, -1, -1};

enum class Domain { square, triangle, two_triangles };

struct Symmetry {
  std::string_view name;
  Domain domain;
  std::array<std::optional<Image>, 3> images;
};

const Symmetry symmetries[] = {
    {plain_symmetry, Domain::square, {}},
    {"C2_1", Domain::square, {turn_1}},
    {"C2_2", Domain::square, {turn_2}},
    {"C2_4", Domain::square, {turn_4}},
    {"C4_1", Domain::square, {turn_1, quarter_1}},
    {"C4_4", Domain::square, {turn_4, quarter_4}},
    {"D2_+1", Domain::square, {flip_y1}},
    {"D2_+2", Domain::square, {flip_y2}},
    {"D2_x", Domain::triangle, {diagonal}},
    {"D4_+1", Domain::square, {flip_y1, flip_x1}},
    {"D4_+2", Domain::square, {flip_y1, flip_x2}},
    {"D4_+4", Domain::square, {flip_y2, flip_x2}},
    {"D4_x1", Domain::two_triangles, {diagonal, other_diagonal_1}},
    {"D4_x4", Domain::two_triangles, {diagonal, other_diagonal_4}},
    {"D8_1", Domain::triangle, {diagonal, turn_1, quarter_1}},
    {"D8_4", Domain::triangle, {diagonal, turn_4, quarter_4}},
};

const Symmetry& symmetry_of(std::string_view name) {
  for (const Symmetry& each : symmetries) {
    if (each.name == name) return each;
  }
  std::vector<std::string> names;
  for (const Symmetry& each : symmetries) names.emplace_back(each.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) {
    for (const std::string& each : names) hint += (hint.empty() ? ": expected " : ", ") + each;
  }
  throw Error("there is no symmetry \"" + std::string(name) + "\"" + hint, ErrorKind::usage);
}

// Cells of the digest: bit i of a row is column i.
std::array<unsigned, plain_side> digest_rows(std::string_view text) {
  const auto digest = soup_digest(text);
  std::array<unsigned, plain_side> rows{};
  for (std::size_t y = 0; y < rows.size(); ++y)
    rows[y] = reversed_bits(digest[2 * y]) | unsigned{reversed_bits(digest[2 * y + 1])} << 8;
  return rows;
}

// Cells of the digest, those outside a triangle turned into the second one if there are two.
CellList domain_cells(std::string_view text, const Symmetry& symmetry) {
  CellList cells;
  cells.reserve(256);
  std::int64_t y = 0;
  for (const unsigned row : digest_rows(text)) {
    for (unsigned left = row; left != 0; left &= left - 1) {
      const std::int64_t x = std::countr_zero(left);
      const Position turned = {y, symmetry.images[1] && symmetry.images[1]->x == 0 ? -x : -x - 1};
      if (symmetry.domain == Domain::square || x >= y) cells.push_back({x, y});
      if (symmetry.domain == Domain::two_triangles && x <= y) cells.push_back(turned);
    }
    ++y;
  }
  return cells;
}

}  // namespace

CellList soup_cells(std::string_view text, std::string_view symmetry) {
  const Symmetry& chosen = symmetry_of(symmetry);
  CellList cells = domain_cells(text, chosen);
  for (const std::optional<Image>& image : chosen.images) {
    if (!image) break;
    const std::size_t count = cells.size();
    for (std::size_t i = 0; i < count; ++i) cells.push_back(image->of(cells[i]));
  }
  if (chosen.domain == Domain::square && !chosen.images.front()) return cells;  // already in order
  std::sort(cells.begin(), cells.end(), RowOrder());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

bool put_in_rows(const CellList& cells, std::span<std::uint64_t> rows) {
  const Box box = bounds(cells);
  const auto side = static_cast<std::int64_t>(rows.size());
  if (box.width > side || box.height > side) return false;
  const Position corner = {(side - box.width) / 2 - box.x, (side - box.height) / 2 - box.y};
  for (const Position& cell : cells) {
    const Position at = cell + corner;
    rows[static_cast<std::size_t>(at.y)] |= std::uint64_t{1} << at.x;
  }
  return true;
}

Box middle_of_soup(const CellList& cells, std::string_view symmetry, std::int64_t side) {
  const Box box = symmetry == plain_symmetry ? Box{0, 0, plain_side, plain_side} : bounds_of_unsorted(cells);
  // As put_in_rows() and the GPU have it
  return {box.x - (side - box.width) / 2, box.y - (side - box.height) / 2, side, side};
}

bool put_soup_in_rows(std::string_view text, std::string_view symmetry, std::span<std::uint64_t> rows) {
  if (symmetry != plain_symmetry || rows.size() < plain_side)
    return put_in_rows(soup_cells(text, symmetry), rows);
  // Without a list of cells
  const std::size_t first = (rows.size() - plain_side) / 2;
  std::size_t y = first;
  for (const std::uint64_t row : digest_rows(text)) rows[y++] |= row << first;
  return true;
}

std::vector<std::string> soup_symmetries() {
  std::vector<std::string> names;
  for (const Symmetry& each : symmetries) names.emplace_back(each.name);
  return names;
}

Pattern soup_pattern(std::string_view text, std::string_view symmetry, const Rule& rule) {
  Pattern pattern = pattern_of(soup_cells(text, symmetry));
  pattern.rule = rule.str();
  return pattern;
}

}  // namespace moorea
