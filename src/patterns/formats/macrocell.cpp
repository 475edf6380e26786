// SPDX-License-Identifier: MIT
// Macrocell, Golly's format of quadtrees: a line per square, equal squares once. A line is a square of 8 x 8
// cells as text, or a level and the numbers of four earlier lines. Golly's help, "File formats", describes
// it.
#include <fmt/core.h>

#include "model/placed_quadtree.h"
#include "patterns/format.h"
#include "patterns/macrocell.h"

namespace moorea::patterns {
namespace {

bool recognises(std::string_view bytes) { return bytes.starts_with(macrocell_header); }

Pattern read(std::string_view bytes, const Source& source) {
  Macrocell macrocell = read_macrocell(bytes, source.name);
  std::optional<Box> box;
  try {
    box = macrocell.tree.bounding_box();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", source.name, error.what()));
  }
  if (!box) box = Box{};
  require_cells(source, box->width, box->height);
  Pattern pattern = std::move(macrocell.facts);
  pattern.position = box->position();
  pattern.cells = macrocell.tree.window(*box);
  return pattern;
}

std::optional<PatternTree> read_tree(std::string_view bytes, const std::string& source,
                                     const IsSparse& is_sparse) {
  Macrocell macrocell = read_macrocell(bytes, source);
  try {
    const std::optional<Box> box = macrocell.tree.bounding_box();
    if (!box || !is_sparse(*box, population(macrocell.tree).approximate())) return std::nullopt;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", source, error.what()));
  }
  return macrocell;
}

void write(const Pattern& pattern, Sink& sink) {
  Macrocell macrocell;
  macrocell.facts.rule = pattern.rule;
  macrocell.facts.generation = pattern.generation;
  macrocell.facts.name = pattern.name;
  macrocell.facts.comments = pattern.comments;
  macrocell.tree = Quadtree::of(
      pattern.cells,
      pattern.position.value_or(Position{-(pattern.cells.width() / 2), -(pattern.cells.height() / 2)}));
  write_macrocell(macrocell, sink);
}

}  // namespace

extern const Format macrocell;
const Format macrocell = {{"mc", ".mc", "Macrocell, a quadtree with shared squares", true},
                          recognises,
                          read,
                          write,
                          nullptr,
                          false,
                          read_tree};

}  // namespace moorea::patterns
