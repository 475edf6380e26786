// SPDX-License-Identifier: MIT
// Compression of cells: one zstd frame per chunk, with its content's checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace moorea {

/// Why this build cannot compress, or null.
const char* frames_unavailable_reason();

/// Throws Error (run) if memory is exhausted.
std::string compress_words(std::span<const std::uint64_t> words);

/// Decompresses into `words`; false unless the frame is valid and has exactly so many.
bool decompress_words(std::string_view frame, std::span<std::uint64_t> words);

}  // namespace moorea
