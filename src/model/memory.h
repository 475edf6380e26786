// SPDX-License-Identifier: MIT
// How much memory there is, asked before a large allocation: an overcommitting kernel would say yes and kill
// later.
#pragma once

#include <cstdint>
#include <string>

namespace moorea {

/// Bytes that this process can still take without swapping: the system's figure, the control group's, the
/// address-space limit's and the environment's MOOREA_MEMORY (as in 512M or 4G), whichever is least.
std::uint64_t available_memory();

/// "512.0 MiB"
std::string human_bytes(double bytes);

/// Bytes of a packed grid; saturates instead of overflowing.
double grid_bytes(std::int64_t width, std::int64_t height);

/// Throws Error (run) with both figures unless `bytes` are available for `what`.
void require_memory(double bytes, const std::string& what);

}  // namespace moorea
