// SPDX-License-Identifier: MIT
// One file format: how its files are recognised, read and written. Each format is one file of this folder.
#pragma once

#include <string>
#include <string_view>

#include "moorea/pattern.h"
#include "patterns/files.h"
#include "patterns/text.h"

namespace moorea::patterns {

struct Format {
  FormatInfo info;
  /// Whether the bytes can only be of this format.
  bool (*recognises)(std::string_view bytes);
  /// Throws Error (run) with the place.
  Pattern (*read)(std::string_view bytes, const Source& source);
  void (*write)(const Pattern& pattern, Sink& sink);
};

extern const Format rle;
extern const Format plaintext;
extern const Format life105;
extern const Format life106;
extern const Format pbm;
extern const Format pbm_plain;

}  // namespace moorea::patterns
