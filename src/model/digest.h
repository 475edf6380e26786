// SPDX-License-Identifier: MIT
// Message digests that apgsearch uses: SHA-256 (FIPS 180-4) makes soups, MD5 (RFC 1321) identifies
// hauls and is part of the apgcodes of patterns that grow.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace moorea {

std::array<std::uint8_t, 32> sha256(std::string_view text);

/// As 32 hexadecimal digits.
std::string md5(std::string_view text);

}  // namespace moorea
