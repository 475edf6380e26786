// SPDX-License-Identifier: MIT
// Cache of code compiled at run time, in the user's cache folder ($XDG_CACHE_HOME or ~/.cache, below moorea).
// If it cannot be read or written, code is compiled again. Drivers crash on damaged code, so every entry has
// a checksum; the folder has a size limit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace moorea {

/// Size limit of all entries together; the least recently used are removed.
constexpr std::uintmax_t max_cache_bytes = std::uintmax_t{64} << 20;

/// Returns the FNV-1a hash of a text, which detects damage and names files; not secure against intent.
std::uint64_t fingerprint(std::string_view text);

/// Returns the code stored under this name; empty if there is none or it is damaged.
std::vector<char> cached_code(const std::string& name);

/// Stores code under a name that ends in .opencl or .cubin, then removes the oldest entries beyond
/// max_cache_bytes.
void keep_code(const std::string& name, const char* data, std::size_t size);

/// Stores a source text, name.cl, for inspection; returns its path, empty if it cannot be written.
std::filesystem::path keep_text(const std::string& name, const std::string& text);

/// Removes the least recently used entries of this folder until the rest has at most `max_bytes`. Other files
/// are kept.
void trim_cache(const std::filesystem::path& folder, std::uintmax_t max_bytes);

}  // namespace moorea
