// SPDX-License-Identifier: MIT
// Interface of a file format: recognition, reading and writing. A format is one file, formats/NAME.cpp, which
// declares and defines `extern const Format NAME`; the build generates the table from the file names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "moorea/pattern.h"
#include "patterns/files.h"
#include "patterns/text.h"

namespace moorea::patterns {

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
};

/// All formats; the first one is written if neither a name nor an extension selects another.
std::span<const Format* const> format_table();

}  // namespace moorea::patterns
