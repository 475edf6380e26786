// SPDX-License-Identifier: MIT
// Checkpoints as patterns, so that all commands read them; moorea run --checkpoint writes them.
#include "moorea/checkpoint.h"
#include "model/placed_quadtree.h"
#include "patterns/format.h"

namespace moorea::patterns {
namespace {

Pattern read(std::string_view bytes, const Source& source) {
  const CheckpointReader reader(bytes, source.name);
  require_cells(source, reader.header().box.width, reader.header().box.height);
  return reader.pattern();
}

std::optional<PatternTree> read_tree(std::string_view bytes, const std::string& source, const IsSparse&) {
  const CheckpointReader reader(bytes, source);
  if (!reader.header().tree_words) return std::nullopt;
  return PatternTree{reader.facts(), reader.tree().cells().tree};
}

}  // namespace

extern const Format checkpoint;
const Format checkpoint = {
    {"checkpoint", "", "what moorea run --checkpoint saves: cells, position, generation, rule", false},
    CheckpointReader::recognises,
    read,
    nullptr,
    nullptr,
    false,
    read_tree};

}  // namespace moorea::patterns
