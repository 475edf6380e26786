// SPDX-License-Identifier: MIT
// Macrocell files as trees, without expanding them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/quadtree.h"
#include "moorea/pattern.h"
#include "patterns/files.h"
#include "patterns/format.h"
#include "patterns/text.h"

namespace moorea::patterns {

constexpr std::string_view macrocell_header = "[M2]";

using Macrocell = PatternTree;

/// Throws Error (run) with the position.
Macrocell read_macrocell(std::string_view bytes, const std::string& source);

/// Reads a file ("-": standard input), which may be gzipped; empty if it has another format. Throws Error
/// (run).
std::optional<Macrocell> read_macrocell_file(const std::string& path);

void write_macrocell(const Macrocell& macrocell, Sink& sink);

}  // namespace moorea::patterns
