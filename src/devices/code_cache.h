// SPDX-License-Identifier: MIT
// Code that was compiled at run time, kept in the user's cache folder ($XDG_CACHE_HOME or ~/.cache, below
// moorea) for the next run. A cache that cannot be read or written costs time and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace moorea {

/// FNV-1a: names a file, guards nothing.
std::uint64_t fingerprint(std::string_view text);

/// What was kept under this name; empty: nothing.
std::vector<char> cached_code(const std::string& name);

/// Keeps it, and returns where; an empty path where there is no such place.
std::filesystem::path keep_code(const std::string& name, const char* data, std::size_t size);

}  // namespace moorea
