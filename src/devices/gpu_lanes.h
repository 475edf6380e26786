// SPDX-License-Identifier: MIT
// Worlds of an ensemble in a GPU's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernels/kernel.h"
#include "moorea/world_spec.h"

namespace moorea {

/// Populations, of 16 bits if all worlds have fewer than 65536 cells.
using LaneCounts = std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

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
  virtual LaneCounts advance_counting(std::uint64_t generations) = 0;
};

/// Creates so many arrays without live cells on a GPU. Throws Error (unavailable) if the GPU or the run-time
/// compiler is, Error (run) if its memory does not suffice.
std::unique_ptr<GpuLanes> make_gpu_lanes(int device, const WorldSpec& world, std::int64_t arrays);

/// An interval of a search for periods.
struct SearchInterval {
  std::uint32_t generations = 0;
  std::uint32_t max_period = 0;  ///< at most `generations`
  std::uint32_t stop = 0;        ///< generations after which limited worlds are kept; 0: no world is limited
};

/// Places for worlds of one rule and size in a GPU's memory, whose periods are searched. Bit w of word g of a
/// mask is place g * worlds_a_group() + w.
class GpuSearch {
 public:
  virtual ~GpuSearch() = default;
  virtual std::uint32_t places() const = 0;
  virtual std::uint32_t worlds_a_group() const = 0;
  /// Replaces the worlds of these places, which are in ascending order, by packed cells, one world after the
  /// other: bit i of word j of a row is column 64 * j + i, as in a Grid.
  virtual void fill(std::span<const std::uint32_t> places, std::span<const std::uint64_t> cells) = 0;
  /// Advances the groups that have active worlds. Returns for each place the distance, up to max_period,
  /// after which the state at the interval's beginning recurred, if it did and the world was searched, up to
  /// `stop` if it is limited; 0 otherwise.
  virtual std::span<const std::uint16_t> advance(const SearchInterval& interval,
                                                 std::span<const std::uint32_t> active,
                                                 std::span<const std::uint32_t> searched,
                                                 std::span<const std::uint32_t> limited) = 0;
  /// When the cells were: at present, at the beginning of the last interval, or after `stop` generations of
  /// it, which is defined for groups with limited worlds.
  enum class When { now, start, stop };
  /// Replaces `cells` by the worlds of these places, packed as for fill().
  virtual void read(std::span<const std::uint32_t> places, When when,
                    std::vector<std::uint64_t>& cells) const = 0;
};

/// Whether the periods of worlds of this size can be searched on a GPU.
bool gpu_finds_periods(const kernels::World& world);

/// Creates at least so many places on a GPU, unless its memory has less room. Throws Error (unavailable) if
/// the GPU or the run-time compiler is.
std::unique_ptr<GpuSearch> make_gpu_search(int device, const WorldSpec& world, std::uint64_t places);

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

/// Returns the kernel that searches periods in worlds of a size for which gpu_finds_periods().
LanesSource search_source(const kernels::World& world);

}  // namespace moorea
