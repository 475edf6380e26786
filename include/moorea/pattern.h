// SPDX-License-Identifier: MIT
// Patterns in files: RLE, plaintext, Life 1.05 (read only), Life 1.06, macrocell and PBM, each also gzipped.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/cells.h"
#include "moorea/grid.h"
#include "moorea/rule.h"
#include "moorea/world_spec.h"

#pragma GCC visibility push(default)
namespace moorea {

/// The contents of a pattern file.
struct Pattern {
  Grid cells;
  /// The cells with their states, if there are more than two; then `cells` has those that are not in state 0.
  std::optional<Cells> states;
  /// Size in the header of an RLE file, dead borders included; `cells` may be smaller. It centres a pattern
  /// without a position, see place().
  std::optional<Size> header;
  /// Coordinates of the top-left cell of `cells` in the plane, if the file gives them.
  std::optional<Position> position;
  std::uint64_t generation = 0;
  /// The rule as written in the file, with its bounded-grid suffix if there is one; empty if the file has no
  /// rule.
  std::string rule;
  /// A rule by transitions that is called as in `rule`, if the file defines it or the pattern is of a world
  /// with it: its name may mean another rule elsewhere. Ignored if `rule` has another name.
  std::optional<Rule> own_rule;
  /// The surface that the cells are on, of a pattern of a world on one; null for planes and tori. No file but
  /// a checkpoint contains it.
  std::shared_ptr<const Mesh> mesh = nullptr;
  Adjacency adjacency = Adjacency::vertex;
  std::string name;
  std::string author;
  std::vector<std::string> comments;
  /// The format it was read from ("rle", "cells", "life105", "life106", "mc", "mcl", "pbm", "pbm-plain",
  /// "checkpoint").
  std::string format;

  /// The world that `rule` and `mesh` ask for, with own_rule if it is called so; Life on an unbounded plane
  /// if both are empty. Throws Error (run) for a rule of an unsupported family.
  WorldSpec world() const;

  /// Gives the pattern the rule and the bounds of a world, or its surface.
  void set_world(const WorldSpec& world);

  /// Takes name, author and comments of another pattern.
  void take_texts(const Pattern& other);
};

struct FormatInfo {
  std::string_view name;        ///< value of --format
  std::string_view extensions;  ///< extensions of its file names, separated by blanks
  std::string_view summary;
  bool writable;
};

/// All file formats.
std::span<const FormatInfo> pattern_formats();

/// Reads a pattern from a file, or from standard input if `path` is "-". The format is detected by content;
/// gzip is decompressed. Throws Error (run) with file, line and column of a mistake.
Pattern read_pattern(const std::string& path);

/// Parses the contents of a pattern file. `source` is its name in error messages; its extension decides if
/// the content is ambiguous. Throws Error (run) with line and column of a mistake, and, before it allocates
/// memory, for a pattern of more than `max_cells` cells, dead ones included.
Pattern parse_pattern(std::string_view bytes, const std::string& source,
                      double max_cells = std::numeric_limits<double>::infinity());

/// Writes a pattern to a file, or to standard output if `path` is "-". `format` is a name of
/// pattern_formats(); by default it follows from the file name's extension, RLE for "-". A name that ends in
/// ".gz" is compressed. The file appears under its name only when it is complete. Throws Error (usage) for an
/// unknown format, for a pattern with states in another one than RLE and macrocell, for a position beyond
/// max_coordinate and a generation from 2^63 on, Error (run) if writing fails.
void write_pattern(const Pattern& pattern, const std::string& path, const std::string& format = "");

/// Checks path and format as write_pattern() does before it writes; call it before a long run. Throws Error
/// (usage) if they are invalid.
void check_writable(const std::string& path, const std::string& format = "");

/// The contents of the file that write_pattern() writes, not compressed. Throws Error (usage) as it does.
std::string format_pattern(const Pattern& pattern, const std::string& format = "rle");

/// Creates a world of width x height cells that contains the pattern, placed as Golly does in bounded grids:
/// with position p at (width/2 + p.x, height/2 + p.y); without one in the centre, by the size in its header
/// (by default that of `cells`), or in the top-left corner if that size is 0 or exceeds the world. Throws
/// Error (run) if the live cells do not fit, Error (usage) for a position beyond max_coordinate.
Grid place(const Pattern& pattern, std::int64_t width, std::int64_t height);

/// Creates a world of width x height cells of 2 to Rule::max_states states that contains the pattern, at the
/// position where place() puts it; live cells of a pattern without states are in state 1. Throws Error (run)
/// if the live cells do not fit or one is in a state >= `states`, Error (usage) for a position beyond
/// max_coordinate or another number of states.
Cells place_states(const Pattern& pattern, std::int64_t width, std::int64_t height, int states);

}  // namespace moorea
#pragma GCC visibility pop
