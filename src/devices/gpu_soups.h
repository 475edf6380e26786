// SPDX-License-Identifier: MIT
// Soups that a GPU runs until they have settled, or until it finds something that it leaves to the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/kernel.h"
#include "moorea/rule.h"

namespace moorea {

namespace gpu_soups {
using word = std::uint32_t;
#include "kernels/cuda/soups_call.h"
}  // namespace gpu_soups

class GpuSoups {
 public:
  virtual ~GpuSoups() = default;
  /// Soups of one call.
  virtual std::size_t max_soups() const = 0;
  /// Replaces the table of known clusters, whose places are a power of two; for the next begin().
  virtual void set_clusters(std::span<const gpu_soups::SoupCluster> places) = 0;
  /// Begins to run soups, each of soup_side words, which are copied: bit i of a row is column i.
  virtual void begin(std::span<const std::uint64_t> soups) = 0;
  /// Waits for those of the last begin(). The results are valid until the second begin() from now.
  virtual std::span<const gpu_soups::SoupResult> results() = 0;
};

/// Creates squares of 128 or 256 columns and rows on a GPU. A soup that has not settled after
/// `max_generations` is left to the host. Throws Error (unavailable) if the GPU or the run-time compiler is.
std::unique_ptr<GpuSoups> make_gpu_soups(int device, const Rule& rule, std::int64_t size,
                                         std::uint64_t max_generations, std::size_t max_soups);

/// The kernel for squares of this size.
kernels::RuntimeSource soups_source(std::int64_t size);

}  // namespace moorea
