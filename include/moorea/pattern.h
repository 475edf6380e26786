// SPDX-License-Identifier: MIT
// Patterns in files: RLE, plaintext, Life 1.05 (read only), Life 1.06 and PBM, each also gzipped.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/grid.h"
#include "moorea/rule.h"

namespace moorea {

/// The contents of a pattern file.
struct Pattern {
  Grid cells;
  /// The size that the header of an RLE file gives, dead borders included: `cells` may be smaller. It is
  /// where a pattern without a position stands that this decides, see place().
  std::optional<Size> header;
  /// Where the top-left cell of `cells` stands in the plane, when the file says so.
  std::optional<Position> position;
  std::uint64_t generation = 0;
  /// The rule as the file writes it, perhaps with a bounded-grid suffix; empty when the file names none.
  std::string rule;
  std::string name;
  std::string author;
  std::vector<std::string> comments;
  /// The format it was read from ("rle", "cells", "life105", "life106", "pbm", "pbm-plain").
  std::string format;

  /// `rule` parsed; Life when it is empty. Throws Error (run) when the rule is not of Moorea's family.
  RuleSpec rule_spec() const;
};

struct FormatInfo {
  std::string_view name;        ///< what --format takes
  std::string_view extensions;  ///< the file names that choose it, separated by blanks
  std::string_view summary;
  bool writable;
};

/// Every file format.
std::span<const FormatInfo> pattern_formats();

/// Reads a pattern from a file, or from standard input when `path` is "-". The format is found by content,
/// and gzip is unpacked. Throws Error (run) with the file, line and column of what is wrong.
Pattern read_pattern(const std::string& path);

/// As read_pattern, from the bytes of a file; `source` names them in errors and its ending helps where the
/// content is ambiguous. Throws Error (run) before it takes memory for a pattern of more than `max_cells`
/// cells, dead ones included.
Pattern parse_pattern(std::string_view bytes, const std::string& source,
                      double max_cells = std::numeric_limits<double>::infinity());

/// Writes a pattern to a file, or to standard output when `path` is "-". `format` is a name of
/// pattern_formats(); when empty it follows from the file's name, with RLE for "-". A name that ends in ".gz"
/// is gzipped. The file appears under its name only when it is complete. Throws Error.
void write_pattern(const Pattern& pattern, const std::string& path, const std::string& format = "");

/// Throws Error (usage) if write_pattern would refuse this path and format before it writes a byte; call it
/// ahead of a long run.
void check_writable(const std::string& path, const std::string& format = "");

/// The text (for PBM the bytes) that write_pattern would write, not gzipped.
std::string format_pattern(const Pattern& pattern, const std::string& format = "rle");

/// A world of width x height cells with the pattern in it. A pattern with a position p stands at
/// (width/2 + p.x, height/2 + p.y); one without stands in the centre, by the size in its header, or in the
/// top-left corner where the header's size does not fit into the world or is 0. That is what Golly does in
/// bounded grids. Without a header the size is that of `cells`. Throws Error (run) when the live cells do not
/// fit there, Error (usage) for a position beyond max_coordinate.
Grid place(const Pattern& pattern, std::int64_t width, std::int64_t height);

}  // namespace moorea
