// SPDX-License-Identifier: MIT
// Message digests that apgsearch uses: SHA-256 (FIPS 180-4) makes soups, MD5 (RFC 1321) identifies
// hauls and is part of the apgcodes of patterns that grow.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace moorea {

struct Sha256Constants {
  std::array<std::uint32_t, 64> rounds{};  ///< fractional parts of the cube roots of the first primes
  std::array<std::uint32_t, 8> start{};    ///< fractional parts of their square roots
};
const Sha256Constants& sha256_constants();

/// The state after a block of 16 words, in which the first byte of the text is the highest one of the first
/// word.
using Sha256Step = void (*)(std::array<std::uint32_t, 8>& state, const std::array<std::uint32_t, 16>& block);
/// Those that this machine can execute, the fastest one first.
std::vector<Sha256Step> usable_sha256_steps();

std::array<std::uint8_t, 32> sha256(std::string_view text);
std::array<std::uint8_t, 32> sha256(std::string_view text, Sha256Step step);

/// As 32 hexadecimal digits.
std::string md5(std::string_view text);

}  // namespace moorea
