// SPDX-License-Identifier: MIT
// Soups that a GPU runs until they have settled, or until it finds something that it leaves to the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "kernels/kernel.h"
#include "moorea/rule.h"

namespace moorea {

namespace gpu_soups {
using word = std::uint32_t;
#include "devices/soups_call.h"
}  // namespace gpu_soups

/// A table of known clusters in the memory of a GPU, where calls of several threads read it.
class GpuSoupTable {
 public:
  virtual ~GpuSoupTable() = default;
};

/// The memory of such tables, of which several are in use while the newest ones replace older ones.
class GpuSoupTables {
 public:
  virtual ~GpuSoupTables() = default;
  /// A copy of these places, a power of two. One thread at a time.
  virtual std::shared_ptr<const GpuSoupTable> copy(std::span<const gpu_soups::SoupCluster> places) = 0;
};

class GpuSoups {
 public:
  virtual ~GpuSoups() = default;
  /// Soups of one call.
  virtual std::size_t max_soups() const = 0;
  /// Begins to run soups, which are copied: cells of half as many columns and rows as the square has, as
  /// words of packed rows, and what else those have that go on, or nothing if all are at generation 0, as
  /// those on squares of 128 columns always are.
  virtual void begin(std::span<const gpu_soups::word> soups, std::span<const gpu_soups::SoupStart> starts,
                     std::shared_ptr<const GpuSoupTable> table) = 0;
  /// Begins to run soups that the GPU makes, on squares of 128 columns, by their numbers.
  virtual void begin(const gpu_soups::SoupNames& names, std::span<const std::uint64_t> numbers,
                     std::shared_ptr<const GpuSoupTable> table) = 0;
  /// Whether results() would not wait.
  virtual bool is_ready() = 0;
  /// Waits for those of the last begin(). They and what follows are valid until the next results().
  virtual std::span<const gpu_soups::SoupResult> results() = 0;
  /// Ids of the clusters of one of the last results() that has settled.
  virtual std::span<const gpu_soups::word> clusters(const gpu_soups::SoupResult& result) const = 0;
  /// Ships that have left its square.
  virtual std::span<const gpu_soups::SoupShip> ships(const gpu_soups::SoupResult& result) const = 0;
  /// Rows of a square of the last results() that has a board: words of 32 columns.
  virtual std::span<const gpu_soups::word> board(const gpu_soups::SoupResult& result) const = 0;
};

struct GpuSoupsSpec {
  Rule rule;
  std::int64_t size = 128;            ///< columns and rows of a square: 128, 256 or 512
  std::uint64_t max_generations = 0;  ///< after which a soup is left to the host
  std::size_t max_soups = 0, max_boards = 0;
  /// Columns and rows beyond which a soup is cut off, as its ring says; 0: nowhere.
  std::int64_t reach = 0;

  std::size_t board_words() const { return static_cast<std::size_t>(size * size / 32); }
  std::size_t start_words() const { return board_words() / 4; }
  /// Clusters and ships of all soups of a call for which there is space: half as many as one soup may have
  /// for each on the smallest squares, several times as many as soups of Life have, and as many on others.
  std::size_t max_clusters() const {
    return max_soups * gpu_soups::max_soup_clusters / (size == 128 ? 2 : 1);
  }
  std::size_t max_ships() const { return max_soups * gpu_soups::max_soup_ships / (size == 128 ? 2 : 1); }
};

/// These throw Error (unavailable) if the GPU or the run-time compiler is.
std::unique_ptr<GpuSoupTables> make_gpu_soup_tables(int device);
std::unique_ptr<GpuSoups> make_gpu_soups(int device, const GpuSoupsSpec& spec);

/// Compiles the kernel for squares of this size, so that make_gpu_soups() finds it.
void compile_gpu_soups(int device, const Rule& rule, std::int64_t size, std::int64_t reach);

/// The kernel for squares of this size, and soups with this reach.
struct SoupsSource {
  std::string definitions;
  std::int64_t size = 128;

  kernels::RuntimeSource source() const;  ///< valid as long as this
};
SoupsSource soups_source(std::int64_t size, std::int64_t reach);

}  // namespace moorea
