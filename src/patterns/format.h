// SPDX-License-Identifier: MIT
// Interface of a file format: recognition, reading and writing. A format is one file, formats/NAME.cpp, which
// declares and defines `extern const Format NAME`; the build generates the table from the file names.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/quadtree.h"
#include "moorea/pattern.h"
#include "patterns/files.h"
#include "patterns/text.h"

namespace moorea::patterns {

/// A file's cells as a tree, and everything else in `facts`, whose cells are empty.
struct PatternTree {
  Pattern facts;
  Quadtree tree;
};

/// Whether a box with so many live cells is to be a tree.
using IsSparse = std::function<bool(const Box& box, double population)>;

struct Format {
  FormatInfo info;
  /// Whether the content can only be of this format.
  bool (*recognises)(std::string_view bytes);
  /// Throws Error (run) with the position.
  Pattern (*read)(std::string_view bytes, const Source& source);
  /// Null if info.writable is false.
  void (*write)(const Pattern& pattern, Sink& sink);
  /// (optional) Whether content that no format recognises looks like this one; queried in the table's order.
  bool (*resembles)(std::string_view bytes) = nullptr;
  /// Whether text that is neither recognised nor resembles a format is read as this one if the file's
  /// extension says so.
  bool by_extension = false;
  /// (optional) Reads a pattern of an unbounded plane, its tree at the coordinates that Simulation::unbounded
  /// would give it; empty if it is not sparse. Throws Error as read() does.
  std::optional<PatternTree> (*read_tree)(std::string_view bytes, const std::string& source,
                                          const IsSparse& is_sparse) = nullptr;
  /// Whether write() can write Pattern::states.
  bool has_states = false;
};

/// The format that write_pattern() writes. Throws Error (usage).
const Format& format_to_write(const std::string& path, const std::string& name);

/// Throws Error (usage) for a generation that files do not say.
void require_written_generation(std::uint64_t generation);

/// All formats; the first one is written if neither a name nor an extension selects another.
std::span<const Format* const> format_table();

}  // namespace moorea::patterns
