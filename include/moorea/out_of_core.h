// SPDX-License-Identifier: MIT
// Worlds larger than a device's memory: their rows stay in the machine's memory and pass through the device
// in bands, several generations per visit.
#pragma once

#include <cstdint>
#include <optional>

#pragma GCC visibility push(default)
namespace moorea {

/// Request to keep rows of a world in the machine's memory (Options::out_of_core). Moorea selects what is not
/// set.
struct OutOfCore {
  /// Maximum bytes of the device's memory that the world takes; 0: nine tenths of what is available. Devices
  /// whose memory is the machine's have no limit then, and keep no rows.
  std::uint64_t device_memory = 0;

  /// Share of the rows that stay in the machine's memory, above 0 and at most 1; the others stay on the
  /// device. Default: the rows that device_memory does not suffice for.
  std::optional<double> host_share = {};

  /// Maximum number of rows in a band, at least 1. Default: bands of 2^31 cells or 8192 rows, fewer if the
  /// device's memory or the world requires it.
  std::optional<std::int64_t> band_rows = {};

  /// Generations that a band advances on the device before it is transferred back, at least 1; at most the
  /// rows of the lowest band are used. Default: a 43rd of the band's rows, 4 to 256.
  std::optional<int> generations_a_visit = {};
};

/// Partition of a world that is out of core (RunPlan::out_of_core).
struct OutOfCorePlan {
  std::int64_t host_rows = 0;      ///< the uppermost rows, in the machine's memory
  std::int64_t resident_rows = 0;  ///< the others, in the device's memory
  std::int64_t bands = 0;          ///< of the host's rows; 0 if all rows fit in the device's memory
  std::int64_t band_rows = 0;      ///< of the highest band
  int generations_a_visit = 0;     ///< maximum; as many halo rows pass through the device with a band
  int bands_at_once = 0;           ///< on the device at the same time
  double device_bytes = 0;         ///< of the device's memory
};

}  // namespace moorea
#pragma GCC visibility pop
