// SPDX-License-Identifier: MIT
// Message digests that apgsearch uses: SHA-256 (FIPS 180-4) makes soups, MD5 (RFC 1321) identifies
// hauls and is part of the apgcodes of patterns that grow.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace moorea {

using Sha256State = std::array<std::uint32_t, 8>;
/// Words of a text, the first byte of which is the highest one of the first word.
using Sha256Block = std::array<std::uint32_t, 16>;

struct Sha256Constants {
  std::array<std::uint32_t, 64> rounds{};  ///< fractional parts of the cube roots of the first primes
  Sha256State start{};                     ///< fractional parts of their square roots
};
const Sha256Constants& sha256_constants();

/// Turns the state before a block into the one after it.
using Sha256Step = void (*)(Sha256State& state, const Sha256Block& block);
void sha256_step(Sha256State& state, const Sha256Block& block);

std::array<std::uint8_t, 32> sha256(std::string_view text, Sha256Step step = sha256_step);

/// As 32 hexadecimal digits.
std::string md5(std::string_view text);

}  // namespace moorea
