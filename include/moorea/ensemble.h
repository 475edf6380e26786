// SPDX-License-Identifier: MIT
// Ensembles: many worlds of one size that are advanced together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moorea/box.h"
#include "moorea/grid.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Returns the seed of the noise of world `world` in an ensemble with the seed `seed`, for Grid::random():
/// output number `world`, counted from 0, of SplitMix64 (Steele, Lea and Flood 2014) with the state `seed`.
/// It depends on nothing else, and worlds of one ensemble have different seeds.
constexpr std::uint64_t world_seed(std::uint64_t seed, std::uint64_t world) {
  std::uint64_t z = seed + 0x9E3779B97F4A7C15 * (world + 1);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

/// Consecutive worlds of one rule.
struct RuleGroup {
  Rule rule;
  std::uint64_t worlds = 0;
};

/// Worlds of an ensemble at generation 0. World i is the same in every batch, on every device and with any
/// number of threads.
struct EnsembleSpec {
  Topology topology = Topology::torus;  ///< plane or torus
  Size size = {64, 64};                 ///< cells of each world
  std::vector<RuleGroup> groups;        ///< world 0 is the first of the first group
  double density = 0.5;  ///< world i is Grid::random(width, height, density, world_seed(seed, i))
  std::uint64_t seed = 0;
  /// Instead of noise: the cells of a world, by its index. Several threads may call it at once.
  std::function<Grid(std::uint64_t world)> start;

  /// Of all groups. Throws Error (usage) for more than 2^64 - 1.
  std::uint64_t worlds() const;
  const Rule& rule(std::uint64_t world) const;  ///< the world's; `world` is below worlds()
  Grid cells(std::uint64_t world) const;        ///< the world's cells at generation 0
};

/// Execution of an ensemble.
struct EnsembleOptions {
  /// Name of a CPU kernel of the strided layout, "cpu/strided", "cpu/strided_avx2" or "cpu/strided_avx512",
  /// which have 64, 256 and 512 worlds per vector. Empty: the widest that this machine supports, or a
  /// narrower one that suffices for each group; but AVX-512, if available, for any number of worlds of up to
  /// about 120,000 cells.
  std::string kernel;
  int threads = 0;  ///< 0: all CPUs available to this process
  /// "cpu", "cuda" or a CUDA device of list_devices(). A GPU advances all worlds by step(generations), and by
  /// step_counting() if they fit its registers; the other functions copy the cells to the CPU at need and run
  /// there.
  std::string device = "cpu";
};

/// Worlds of one size that stay in memory and are advanced together, bit-sliced: bit k of a vector is a cell
/// of world k. docs/ensembles.md describes the method.
///
/// Threads: not thread-safe; at most one thread may use an Ensemble at a time.
///
/// Results are arrays with one entry per world, in the order of the worlds' indices.
///
/// Interruption: `go_on` is called by the calling thread about every 20 ms. If it returns false, or throws,
/// the function ends between two passes over memory. Each world is then complete at a generation of its own,
/// which generations() has; step() with an array advances all worlds to the same one.
class Ensemble {
 public:
  /// Throws Error (usage) for an empty size or ensemble, a topology other than plane and torus, a density
  /// outside 0 to 1, a start of another size, or an unknown kernel; Error (unavailable) if the machine does
  /// not support the kernel; Error (memory) if the worlds do not fit; and what `spec.start` throws.
  explicit Ensemble(const EnsembleSpec& spec, const EnsembleOptions& options = {});
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;
  ~Ensemble();

  std::uint64_t size() const;         ///< number of worlds
  const EnsembleSpec& spec() const;   ///< as given
  const std::string& kernel() const;  ///< name of the kernel that runs
  int threads() const;                ///< maximum number of threads

  /// Advances all worlds by `generations`, unless `go_on` interrupts.
  void step(std::uint64_t generations = 1, const std::function<bool()>& go_on = {});
  /// Advances world i by generations[i], unless `go_on` interrupts. Throws Error (usage) if the array has
  /// another size than the ensemble.
  void step(std::span<const std::uint64_t> generations, const std::function<bool()>& go_on = {});
  /// Advances all worlds by one generation and returns for each the number of cells that were born or died.
  std::vector<std::uint64_t> step_comparing();
  /// Advances all worlds by `generations` and returns the population of each after each generation: entry
  /// g * size() + i is that of world i after g + 1 generations. Entries of generations that a world has not
  /// completed because `go_on` interrupted are 0. Throws Error (memory) if the array does not fit in memory.
  std::vector<std::uint64_t> step_counting(std::uint64_t generations,
                                           const std::function<bool()>& go_on = {});

  std::vector<std::uint64_t> generations() const;  ///< completed generations
  std::vector<std::uint64_t> populations() const;  ///< live cells
  std::vector<std::uint64_t> hashes() const;       ///< Grid::hash of each world
  /// Smallest box that contains all live cells of a world; empty if all are dead.
  std::vector<std::optional<Box>> bounding_boxes() const;
  /// Period of each world: the smallest number d from 1 to `max_period` such that the world's present state
  /// recurs after d generations; 0 if there is none, or if it was not found before `go_on` interrupted.
  /// Computes up to `max_period` generations and restores the present states.
  std::vector<std::uint32_t> periods(std::uint32_t max_period = 60,
                                     const std::function<bool()>& go_on = {}) const;

  /// Cells of one world. Throws Error (usage) for an index of size() or more.
  Grid world(std::uint64_t index) const;
  /// Cells of `count` worlds from `first` on, faster than one by one. Throws Error (usage) unless all exist.
  std::vector<Grid> worlds(std::uint64_t first, std::uint64_t count) const;
  /// Replaces the cells of one world. Throws Error (usage) for another size or an index of size() or more.
  void set_world(std::uint64_t index, const Grid& cells);

 private:
  struct Worlds;
  std::unique_ptr<Worlds> worlds_;
};

}  // namespace moorea
#pragma GCC visibility pop
