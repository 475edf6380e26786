// SPDX-License-Identifier: MIT
// Compression of messages, as browsers decompress it.
#pragma once

#include <string>

namespace app {

/// Repetitions that the compression finds: of one byte, or of any bytes.
enum class Matches { runs, all };

/// Returns the bytes in zlib's format; empty in a build without zlib. Throws moorea::Error (run) if memory is
/// not sufficient.
std::string deflated(const std::string& bytes, Matches matches);

}  // namespace app
