// SPDX-License-Identifier: MIT
// A rule, a world, a generation counter and observers: the one class that runs a cellular automaton.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moorea/grid.h"
#include "moorea/launch.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/tiles.h"
#include "moorea/topology.h"
#include "moorea/trace.h"

namespace moorea {

/// How to run; every default lets Moorea choose.
struct Options {
  /// A name of list_kernels(), the path of a kernel file that ends in .cpp, .cu or .cl
  /// (docs/your-own-kernel.md), two of them as in "cpu/strided + cpu/tiles", the second for times when little
  /// happens, or empty.
  std::string kernel;
  /// A name of list_devices(), or "auto"; "cuda" and "opencl" are the first of their kind, "opencl:NAME" the
  /// first of whose platform or device that is a part of the name.
  std::string device = "auto";
  int threads = 0;           ///< CPU threads that compute; 0: all the cores this process may use
  std::uint64_t memory = 0;  ///< bytes a growing plane may use; 0: what the machine has available

  // For kernels that take tiles (KernelInfo::tile); an error (usage) with others
  std::optional<TileSize> tile;
  std::optional<TileSchedule> schedule;  ///< else the environment's OMP_SCHEDULE, else static
  std::optional<Placement> placement;    ///< else none

  // For CUDA and OpenCL kernels that let them be chosen (KernelInfo::block, bytes_a_thread); an error (usage)
  // with others
  std::optional<ThreadBlock> block;
  std::optional<int> bytes_a_thread;  ///< that a thread makes, 1 to max_bytes_a_thread

  /// At most so many generations in one pass over the world, 1 to KernelInfo::max_steps. For a kernel that is
  /// named and lets it be chosen (KernelInfo::passes_chosen); an error (usage) with others.
  std::optional<int> generations_a_pass;
};

/// What a generation did.
struct Activity {
  std::uint64_t population = 0;  ///< live cells after it
  std::uint64_t changed = 0;     ///< cells that were born or died
};

class Simulation {
 public:
  /// A world of fixed size. The cell in column x and row y of `world` has the coordinates (x, y).
  /// Throws Error (usage) for an empty world or an unknown kernel, Error (unavailable) when the kernel or
  /// device named cannot run this, Error (run) with the figure when the buffers do not fit in memory, or with
  /// the compiler's words for a kernel file.
  Simulation(Rule rule, Topology topology, Grid world, const Options& options = {});

  /// A plane that grows with the pattern, so that nothing it emits meets an edge while memory allows. Cells
  /// keep the coordinates that the pattern's position gives them. Throws as above, and Error (usage) for a
  /// rule with B0, whose empty plane does not stay empty.
  static Simulation unbounded(Rule rule, const Pattern& start, const Options& options = {});

  /// A pattern's own world: the bounded grid that its rule asks for, else an unbounded plane; with the
  /// pattern's rule and generation.
  static Simulation of(const Pattern& start, const Options& options = {});

  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Advances by `generations`. `go_on` is asked between passes, about every 50 ms, and false stops there.
  /// Returns the generations done.
  std::uint64_t step(std::uint64_t generations = 1, const std::function<bool()>& go_on = {});

  /// The same, and returns the live cells after each generation that was done. On a GPU the kernel
  /// cuda/strided_counting does both at once where it has the layout of the one that runs otherwise; it
  /// leaves nothing out that rests. Elsewhere one generation after the other is made and counted.
  std::vector<std::uint64_t> step_counting(std::uint64_t generations,
                                           const std::function<bool()>& go_on = {});

  /// The same, with the cells that each generation changed. CUDA and OpenCL compare the two generations in
  /// the device's memory; elsewhere the whole world is copied for that.
  std::vector<Activity> step_comparing(std::uint64_t generations, const std::function<bool()>& go_on = {});

  /// The same, pass by pass, and returns what each thread computed when. Throws Error (unavailable) for
  /// kernels that cut the world their own way: those of GPUs and OpenCL devices, and those that run where
  /// none is named.
  std::vector<TileEvent> step_tracing(std::uint64_t generations, const std::function<bool()>& go_on = {});

  /// Calls `observer` at every generation that is a multiple of `every` (at least 1) which a step
  /// reaches. An observer may add others, which begin with a later generation.
  void observe(std::uint64_t every, std::function<void(const Simulation&)> observer);

  std::uint64_t generation() const;
  void set_generation(std::uint64_t generation);
  std::uint64_t population() const;  ///< live cells
  std::uint64_t hash() const;        ///< Grid::hash of the live cells at their coordinates

  const Rule& rule() const;
  Topology topology() const;
  bool grows() const;          ///< made by unbounded()
  std::int64_t width() const;  ///< of the world now, in cells
  std::int64_t height() const;
  Position origin() const;  ///< the coordinates of the world's top-left cell; (0, 0) unless it grows
  /// The world's rectangle: width() x height() cells at origin(). A growing plane is this large at present.
  Box box() const { return {origin().x, origin().y, width(), height()}; }

  /// The generation at which a growing plane could grow no more and live cells met its edge; from there on it
  /// is a bounded plane.
  std::optional<std::uint64_t> edge_met() const;

  const std::string& kernel() const;  ///< what runs; "A + B": A while the world is busy, B while it is quiet
  std::string device() const;         ///< name of the device it runs on, as in list_devices()
  int threads() const;                ///< CPU threads it may use

  /// How the world is cut into tiles and they are shared, if the kernel takes tiles.
  const std::optional<Tiling>& tiling() const;
  /// Of kernels that leave tiles out, also where it is they that choose the tiles.
  TileCounts tile_counts() const;

  /// The thread block and the bytes a thread makes, if the kernel lets one of them be chosen.
  const std::optional<LaunchShape>& launch_shape() const;
  /// Of CUDA kernels.
  std::optional<KernelResources> resources() const;
  /// Of CUDA kernels: the world's way between packed rows and the kernel's layout, timed now by the GPU's
  /// clock, the median of some samples. No cell changes.
  std::optional<ConversionTimes> time_conversion();

  /// Cells times generations so far, counting every cell of the world.
  double cell_updates() const;

  /// The smallest box that holds every live cell, in the cells' coordinates.
  std::optional<Box> bounding_box() const;

  /// The cells inside `box`, in the cells' coordinates; what lies outside the world is dead. Throws Error
  /// (usage) for a box beyond max_coordinate, Error (run) where the cells do not fit in memory.
  Grid window(const Box& box) const;

  /// The live cells in each square of a raster, in the cells' coordinates, row by row; counted on the device
  /// that holds the world, so that a picture of a large world costs what the picture is large. Throws Error
  /// (usage) for a raster without squares or with a scale that cannot be, Error (run) where they do not fit
  /// in memory.
  std::vector<std::uint32_t> density(const Raster& raster) const;

  /// The same as a byte a square, made on the device, too: how many of `limits` a square's live cells reach.
  /// They are in rising order from 1 on, and 255 at most. Throws as density(), and Error (usage) for other
  /// limits.
  std::vector<std::uint8_t> levels(const Raster& raster, std::span<const std::uint32_t> limits) const;

  /// The whole world.
  Grid grid() const;

  /// Replaces the cells of a rectangle: copies all of `cells` so that its top-left cell gets the coordinates
  /// `at`. What falls outside a world of fixed size is dropped; a plane that grows does so. The generation
  /// stays. It costs a copy of the live cells' box, of a world of fixed size as a whole. Throws Error (run)
  /// where they do not fit in memory, Error (usage) for coordinates beyond max_coordinate.
  void paste(const Grid& cells, Position at);

  /// What a file needs to go on from here: the live cells' box, or with `whole` every cell of a world of
  /// fixed size, with its position, the generation and the rule, whose suffix gives the bounds.
  Pattern snapshot(bool whole = false) const;

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  std::uint64_t step(std::uint64_t generations, const std::function<bool()>& go_on, std::uint64_t max_at_once,
                     const std::function<void(std::uint64_t)>& advance);
  std::unique_ptr<State> state_;
};

}  // namespace moorea
