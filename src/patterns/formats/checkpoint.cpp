// SPDX-License-Identifier: MIT
// Checkpoints as patterns, so that all commands read them; moorea run --checkpoint writes them.
#include "moorea/checkpoint.h"

#include "patterns/format.h"

namespace moorea::patterns {
namespace {

Pattern read(std::string_view bytes, const Source& source) {
  const CheckpointReader reader(bytes, source.name);
  require_cells(source, reader.header().box.width, reader.header().box.height);
  return reader.pattern();
}

}  // namespace

extern const Format checkpoint;
const Format checkpoint = {
    {"checkpoint", "", "what moorea run --checkpoint saves: cells, position, generation, rule", false},
    CheckpointReader::recognises,
    read,
    nullptr};

}  // namespace moorea::patterns
