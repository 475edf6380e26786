// SPDX-License-Identifier: MIT
// Macrocell, Golly's format of quadtrees: a line per square, equal squares once. A line is a square of 8 x 8
// cells as text, or a level and the numbers of four earlier lines. Golly's help, "File formats", describes
// it.
#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/placed_quadtree.h"
#include "patterns/format.h"
#include "patterns/macrocell.h"
#include "patterns/pattern_rule.h"
#include "patterns/rle_states.h"

namespace moorea::patterns {
namespace {

bool recognises(std::string_view bytes) { return bytes.starts_with(macrocell_header); }

template <class Call>
auto named(const std::string& source, const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", source, error.what()));
  }
}

// The cells of a file with states above 1: a tree for each binary digit.
Pattern read_states(std::string_view bytes, const Source& source, Macrocell first, int largest) {
  Pattern pattern = std::move(first.facts);
  const int rule_states = states_of_rule(pattern);
  if (rule_states != 0 && largest >= rule_states) {
    throw Error(fmt::format("{}: a cell in state {}, but the states of the pattern's rule are 0 to {}",
                            source.name, largest, rule_states - 1));
  }
  std::vector<Quadtree> trees = {std::move(first.tree)};
  for (MacrocellStates states{1, 0}; largest >> states.digit != 0; ++states.digit)
    trees.push_back(read_macrocell(bytes, source.name, states).tree);
  Box box;
  for (const Quadtree& tree : trees)
    if (const auto live = named(source.name, [&] { return tree.bounding_box(); })) box = unite(box, *live);
  require_cells(source, box.width, box.height);
  Cells cells(box.width, box.height, std::max(largest + 1, rule_states));
  for (std::size_t digit = 0; digit < trees.size(); ++digit)
    cells.plane(static_cast<int>(digit)) = trees[digit].window(box);
  pattern.position = box.position();
  pattern.cells = cells.live();
  pattern.states = std::move(cells);
  return pattern;
}

Pattern read(std::string_view bytes, const Source& source) {
  MacrocellStates states;
  Macrocell macrocell = read_macrocell(bytes, source.name, states);
  if (states.largest > 1) return read_states(bytes, source, std::move(macrocell), states.largest);
  std::optional<Box> box = named(source.name, [&] { return macrocell.tree.bounding_box(); });
  if (!box) box = Box{};
  require_cells(source, box->width, box->height);
  Pattern pattern = std::move(macrocell.facts);
  pattern.position = box->position();
  pattern.cells = macrocell.tree.window(*box);
  return pattern;
}

std::optional<PatternTree> read_tree(std::string_view bytes, const std::string& source,
                                     const IsSparse& is_sparse) {
  MacrocellStates states;
  Macrocell macrocell = read_macrocell(bytes, source, states);
  if (states.largest > 1) return std::nullopt;
  const std::optional<Box> box = named(source, [&] { return macrocell.tree.bounding_box(); });
  if (!box || !named(source, [&] { return is_sparse(*box, population(macrocell.tree).approximate()); }))
    return std::nullopt;
  return macrocell;
}

void write(const Pattern& pattern, Sink& sink) {
  if (pattern.states) return write_macrocell_states(pattern, sink);
  write_file_tree(pattern, Quadtree::of(pattern.cells, written_position(pattern) + to_file_row), sink);
}

}  // namespace

extern const Format macrocell;
const Format macrocell = {{"mc", ".mc", "Macrocell, a quadtree with shared squares", true},
                          recognises,
                          read,
                          write,
                          nullptr,
                          false,
                          read_tree,
                          true};

}  // namespace moorea::patterns
