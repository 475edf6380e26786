// SPDX-License-Identifier: MIT
// Any bytes as a file of cells that are far apart, which become a tree: either they are refused with an
// error, or the tree can be written as RLE and as macrocell and read back with the same cells.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/pattern.h"

namespace {

using moorea::BigBox;
using moorea::BigInteger;
using moorea::CellTree;

struct TemporaryFile {
  std::string path = std::filesystem::temp_directory_path() / ("moorea-fuzz-" + std::to_string(getpid()));
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

// Squares of cells at the corners and in the middle of a box.
std::array<std::uint64_t, 5> samples(const CellTree& tree, const BigBox& box) {
  constexpr std::int64_t last = 63;
  const auto hash_at = [&](const BigInteger& x, const BigInteger& y) {
    return tree.grid({x, y, x + last, y + last}).hash();
  };
  const BigInteger left = box.left, top = box.top, right = box.right - last, bottom = box.bottom - last;
  return {hash_at(left, top), hash_at(right, top), hash_at(left, bottom), hash_at(right, bottom),
          hash_at((left + right) >> 1, (top + bottom) >> 1)};
}

bool equal(const CellTree& a, const CellTree& b) {
  const std::optional<BigBox> box = a.bounding_box();
  const std::optional<BigBox> other = b.bounding_box();
  if (a.population() != b.population() || box.has_value() != other.has_value()) return false;
  if (!box) return true;
  return box->left == other->left && box->top == other->top && box->right == other->right &&
         box->bottom == other->bottom && samples(a, *box) == samples(b, *box);
}

CellTree tree_of(const moorea::Pattern& pattern) {
  const moorea::Position at = pattern.position.value_or(moorea::Position());
  std::vector<moorea::Position> cells;
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    for (std::int64_t x = 0; x < pattern.cells.width(); ++x) {
      if (pattern.cells.alive(x, y)) cells.push_back(at + moorea::Position{x, y});
    }
  }
  return CellTree::of(cells);
}

// Whether all cells are within the coordinates that files are read with.
bool is_within_coordinates(const CellTree& tree) {
  const BigInteger last = BigInteger::power_of_two(60);
  const std::optional<BigBox> box = tree.bounding_box();
  const auto within = [&](const BigInteger& at) { return !(at > last) && !(at < -last); };
  return !box || (within(box->left) && within(box->top) && within(box->right) && within(box->bottom));
}

}  // namespace

// Patterns that need more memory are valid on a large machine, but take long here.
[[maybe_unused]] const int memory_is_limited = setenv("MOOREA_MEMORY", "64M", 1);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  moorea::Pattern facts;
  std::optional<CellTree> tree;
  try {
    facts = moorea::parse_pattern(bytes, "fuzz.rle", tree, 0);
  } catch (const moorea::Error& error) {
    if (!moorea::is_run_error(error.kind())) std::abort();
    return 0;
  }
  if (!tree || !is_within_coordinates(*tree)) return 0;
  if (facts.cells.population() != 0) std::abort();
  for (const char* const format : {"rle", "mc"}) {
    const TemporaryFile file;
    try {
      tree->write(file.path, facts, format);
    } catch (const moorea::Error& error) {
      if (!moorea::is_run_error(error.kind())) std::abort();
      continue;  // an RLE file has no room for such a rectangle
    }
    std::optional<CellTree> again;
    const moorea::Pattern read = moorea::read_pattern(file.path, again, 0);
    if (!again) again = tree_of(read);  // the rectangle of the cells alone is small
    if (!equal(*tree, *again) || read.format != format) std::abort();
  }
  return 0;
}
