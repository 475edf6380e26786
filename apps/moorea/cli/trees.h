// SPDX-License-Identifier: MIT
// Worlds of any size in files and reports.
#pragma once

#include <string>

#include "cli/app.h"
#include "moorea/big_integer.h"

namespace app {

/// The kernel that has a world as a tree; it is none of moorea::list_kernels(), whose kernels compute cells.
constexpr const char* tree_kernel_name = "hashlife";
/// A line that says what it is for, with its limits.
constexpr const char* tree_kernel_summary =
    "a tree of equal squares, for regular patterns and many generations: unbounded planes and tori of powers "
    "of two; not for noise";

/// Whether the name is one of a macrocell file, into which a tree can be written without expanding it.
bool is_tree_file(const std::string& path);

/// Whether a world begins as a tree, if it can be one: a macrocell file, or a checkpoint that has a tree.
bool begins_as_tree(const std::string& path);

/// Whether the content of a file may be a macrocell file, also compressed; not of standard input, which can
/// be read only once.
bool may_hold_tree(const std::string& path);

/// A number for JSON: readers keep numbers exactly up to 2^53; larger ones are text.
Json number_json(const moorea::BigInteger& number);

/// The digits of such a number.
std::string number_text(const Json& json);

}  // namespace app
