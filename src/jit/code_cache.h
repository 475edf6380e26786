// SPDX-License-Identifier: MIT
// Code that was compiled at run time, kept in the user's cache folder ($XDG_CACHE_HOME or ~/.cache, below
// moorea) for the next run. A cache that cannot be read or written costs time and nothing else. Drivers crash
// on damaged code, so every entry has a checksum; the folder has a size limit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace moorea {

/// All entries together; those that were used last stay.
constexpr std::uintmax_t max_cache_bytes = std::uintmax_t{64} << 20;

/// FNV-1a, which finds damage and names files; no protection against intent.
std::uint64_t fingerprint(std::string_view text);

/// The code kept under this name; empty where there is none or it is damaged, so that it is made again.
std::vector<char> cached_code(const std::string& name);

/// Keeps code under a name that ends in .opencl or .cubin, then removes the oldest beyond max_cache_bytes.
void keep_code(const std::string& name, const char* data, std::size_t size);

/// Keeps a source text, name.cl, for a person to read; returns its path, empty where it cannot be written.
std::filesystem::path keep_text(const std::string& name, const std::string& text);

/// Removes entries of this folder, those first whose last use is the longest ago, until the rest has at most
/// `max_bytes`. Other files stay.
void trim_cache(const std::filesystem::path& folder, std::uintmax_t max_bytes);

}  // namespace moorea
