// SPDX-License-Identifier: MIT
// Worlds of an ensemble in a GPU's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernel.h"
#include "moorea/world_spec.h"

namespace moorea {

/// Arrays of 64 worlds of one rule and size, bit-sliced: bit i of word y * width + x is the cell of world i
/// in column x and row y.
class GpuLanes {
 public:
  virtual ~GpuLanes() = default;
  /// Copies all arrays to the GPU, or back.
  virtual void write(const std::uint64_t* cells) = 0;
  virtual void read(std::uint64_t* cells) const = 0;
  virtual void advance(std::uint64_t generations) = 0;

  /// Largest number of generations that advance_counting() accepts; 0 for worlds of a size that it does not
  /// count.
  virtual std::uint64_t max_counted() const = 0;
  /// Advances and counts: entry g * 64 * arrays + i is the population of world i after g + 1 generations.
  virtual std::vector<std::uint16_t> advance_counting(std::uint64_t generations) = 0;
};

/// Creates so many arrays without live cells on a GPU. Throws Error (unavailable) if the GPU or the run-time
/// compiler is, Error (run) if its memory does not suffice.
std::unique_ptr<GpuLanes> make_gpu_lanes(int device, const WorldSpec& world, std::int64_t arrays);

/// Memory that has the cells of a group of 32 worlds while they are advanced.
enum class LanesMemory { registers, shared, global };

/// Code of an ensemble's kernel.
struct LanesSource {
  LanesMemory memory;
  std::string definitions;        ///< RuntimeSource::definitions
  std::string counting;           ///< definitions of the kernel that counts; empty: there is none
  kernels::RuntimeSource source;  ///< without definitions
  int threads = 0;                ///< of a thread block
  int groups_a_block = 1;
  std::size_t cell_bytes = 0;  ///< of two generations of a group, unless they are in registers
};

/// Returns the kernel for worlds of a size, in the fastest memory where they fit. `max_shared_bytes` is the
/// maximum for a thread block.
LanesSource lanes_source(const kernels::World& world, std::size_t max_shared_bytes);

}  // namespace moorea
