// SPDX-License-Identifier: MIT
// SHA-256 of the names of soups, by the processor's instructions for it where there are some: a census of
// soups that settle early makes 100,000 digests per second and thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/digest.h"

namespace moorea {

/// Steps that this machine can execute, the fastest one first.
std::vector<Sha256Step> usable_sha256_steps();

std::array<std::uint8_t, 32> soup_digest(std::string_view name);

}  // namespace moorea
