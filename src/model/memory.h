// SPDX-License-Identifier: MIT
// Available memory, checked before a large allocation: a kernel that overcommits would grant it and kill the
// process later.
#pragma once

#include <cstdint>
#include <string>

#include "moorea/support/bytes.h"

namespace moorea {

/// Returns the bytes that this process can still allocate without swapping: the minimum of the system's
/// figure, the control group's, the address-space limit's and the environment's MOOREA_MEMORY (as in 512M or
/// 4G).
std::uint64_t available_memory();

/// Returns the limit of the environment's MOOREA_MEMORY, or the largest number if it is not set. Throws Error
/// (usage) for other texts than numbers of bytes.
std::uint64_t chosen_memory();

/// Returns the bytes of a packed grid; as a double, so it cannot overflow.
double grid_bytes(std::int64_t width, std::int64_t height);

/// Throws Error (memory) with both figures unless `bytes` are available for `what`.
void require_memory(double bytes, const std::string& what);

}  // namespace moorea
