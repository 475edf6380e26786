// SPDX-License-Identifier: MIT
// Runs a cellular automaton: a rule, a world, a generation counter and observers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "moorea/cells.h"
#include "moorea/device.h"
#include "moorea/grid.h"
#include "moorea/launch.h"
#include "moorea/mesh.h"
#include "moorea/out_of_core.h"
#include "moorea/pattern.h"
#include "moorea/plane_change.h"
#include "moorea/rule.h"
#include "moorea/tiles.h"
#include "moorea/topology.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Kernel, device and resources of a simulation. By default all of them are selected automatically.
struct Options {
  /// Empty: selected automatically. Otherwise a name of list_kernels(), the path of a kernel file (.cpp, .cu
  /// or .cl; see docs/your-own-kernel.md), or a kernel pair "cpu/strided + cpu/tiles", whose second kernel
  /// runs while the world is quiet.
  std::string kernel;
  /// "auto" or a name of list_devices(). "cuda" and "opencl" are the first device of that backend,
  /// "opencl:TEXT" the first whose platform or device name contains the text. Several names with commas
  /// between them, "cpu,cuda:0", divide the world by rows among these devices; `kernel` then names one kernel
  /// for each backend, with commas too, or none. "cuda:all" stands for all CUDA devices, and "all" for those
  /// of the CPU and all GPUs that are fastest together.
  std::string device = "auto";
  /// Shares of the rows, one for each of several devices. Default: by the devices' speeds, which are measured
  /// before and while the world runs; then rows move from slow devices to fast ones.
  std::vector<double> shares;
  int threads = 0;           ///< CPU threads; 0: all CPUs available to this process
  std::uint64_t memory = 0;  ///< bytes up to which an unbounded plane grows; 0: the available memory

  // Used only where Moorea selects kernel and device; see plan_run() in moorea/plan.h
  /// Expected number of generations, for which the total time on each device is predicted, including its
  /// start-up; default: default_generations. It does not limit the generations that can be computed.
  std::optional<std::uint64_t> generations;
  bool use_tuning = true;  ///< whether the measurements of moorea tune are used

  // Only for kernels with a configurable tile size (KernelInfo::tile is not 0 x 0; cpu/tiles has a fixed
  // one); Error (usage) with other kernels
  std::optional<TileSize> tile;          ///< default: KernelInfo::tile
  std::optional<TileSchedule> schedule;  ///< default: OMP_SCHEDULE of the environment, or static
  std::optional<Placement> placement;    ///< default: none

  /// Share of the threads that use wide vectors, 0 to 1, rounded to whole threads. Only for kernels with
  /// vectors of two widths (KernelInfo::wide_share is not 0); Error (usage) with other kernels.
  std::optional<double> wide_share;

  // Only for CUDA and OpenCL kernels with a configurable launch (KernelInfo::block, bytes_a_thread); Error
  // (usage) with other kernels
  std::optional<ThreadBlock> block;
  std::optional<int> bytes_a_thread;  ///< bytes computed by each thread, 1 to max_bytes_a_thread

  /// Order of a mesh's faces in memory, for kernels of meshes (KernelInfo::numbering is not empty); Error
  /// (usage) with other kernels. Default: that of the kernel.
  std::optional<Numbering> numbering;

  /// Maximum number of generations in one pass over memory, 1 to KernelInfo::max_steps. Only with a named
  /// kernel that supports it (KernelInfo::passes_chosen); Error (usage) otherwise.
  std::optional<int> generations_a_pass;

  /// Keeps rows of the world in the machine's memory, for worlds larger than the device's. Only for one
  /// device and flat worlds of fixed size; Error (usage or unavailable) otherwise. Never chosen
  /// automatically.
  std::optional<OutOfCore> out_of_core;
};

class CellTree;
struct RunPlan;

/// A device's part of a world that is divided by rows among several; see Simulation::parts().
struct PartState {
  std::string device;          ///< as in list_devices()
  std::string kernel;          ///< kernel or kernel pair
  int threads = 1;             ///< of the CPU
  std::int64_t y = 0;          ///< first row, in the cells' coordinates
  std::int64_t rows = 0;       ///< at present
  double busy_seconds = 0;     ///< computing and exchanging rows, in all steps so far
  double idle_seconds = 0;     ///< waiting for the other parts
  double row_generations = 0;  ///< rows times generations
  /// Memory through which rows pass between it and the next part, on a torus the first after the last: "main
  /// memory", "page-locked memory" that a GPU reads and writes by itself, "device memory" that both are on,
  /// or "peer memory" of one GPU to which another one stores. Empty where there is no next part.
  std::string path;
};

/// Result of one generation.
struct Activity {
  std::uint64_t population = 0;  ///< live cells after the generation
  std::uint64_t changed =
      0;  ///< cells whose state changed in it; with two states, those that were born or died
};

/// Population, hash and bounding box of a world, determined in one visit of its cells.
struct WorldSummary {
  std::uint64_t population = 0;     ///< live cells
  std::uint64_t hash = 0;           ///< Grid::hash of the live cells at their coordinates
  std::optional<Box> bounding_box;  ///< smallest box that contains all live cells; empty if all are dead
};

/// Packed cells of a world in a GPU's memory, like ConstGridView but with 32-bit words: bit i of word j of a
/// row is the cell in column 32 * j + i, and bits beyond the width are 0.
struct DeviceView {
  const std::uint32_t* words = nullptr;  ///< row 0, an address of the device
  std::int64_t bytes_per_row = 0;        ///< from row to row
  Size size;                             ///< cells
  DeviceRef device;
  void* stream = nullptr;  ///< the cudaStream_t in which the simulation works
};

/// Return value of an observer.
enum class Flow {
  go_on,
  stop  ///< the call of step() returns with this generation
};

/// Handle of an observer, which is removed when the handle is destroyed.
class [[nodiscard]] Observation {
 public:
  Observation() = default;
  Observation(Observation&&) noexcept = default;
  Observation& operator=(Observation&& other) noexcept;
  ~Observation();

  /// Removes the observer now; it may be called while the observer runs.
  void remove();
  /// Keeps the observer as long as the simulation exists.
  void release();

 private:
  friend class Simulation;
  struct Observer;
  explicit Observation(const std::shared_ptr<Observer>& observer) : observer_(observer) {}
  std::weak_ptr<Observer> observer_;
};

/// A world that is advanced by one kernel or kernel pair on one device.
///
/// Threads: not thread-safe; at most one thread may use a Simulation at a time. Different simulations may be
/// used concurrently. Observers and go_on run on the thread that calls step().
///
/// Exceptions: if an observer or go_on throws, the world is at the generation at which it was called. If a
/// device fails in step() with Error (run), the cells are undefined until reset(). All other functions give
/// the strong exception guarantee.
///
/// Complexity: population(), hash(), bounding_box(), summary() visit the rows that may hold live cells;
/// window(), read() and paste() visit the rows of their rectangle.
class Simulation {
 public:
  /// Creates a world of fixed size. The cell in column x and row y of `world` has the coordinates (x, y).
  /// Throws Error (usage) for an empty world, Topology::unbounded, an unknown kernel or an invalid option,
  /// Error (unavailable) if the named kernel or device cannot run this world, Error (memory) if the buffers
  /// do not fit in memory (the text gives their size), Error (run) if a kernel file does not compile (the
  /// text contains the compiler's messages).
  Simulation(Rule rule, Topology topology, const Grid& world, const Options& options = {});

  /// Creates the world `spec`, which is not unbounded, with cells of its size: the only way to a surface.
  /// Throws Error as the constructor above does.
  Simulation(const WorldSpec& spec, const Grid& cells, const Options& options = {});

  /// Creates the world `spec` with cells of several states. Where a function has two, live cells are those
  /// that are not in state 0. Throws Error as the constructor above does, and Error (usage) for more states
  /// than the rule has.
  Simulation(const WorldSpec& spec, const Cells& cells, const Options& options = {});

  /// Creates an unbounded plane, which grows with the pattern as long as memory allows (see edge_met()).
  /// Cells keep the coordinates given by the pattern's position; a pattern without a position is centred at
  /// (0, 0). Throws Error as the constructor does, and Error (usage) for rules with B0, under which empty
  /// space does not stay empty.
  static Simulation unbounded(Rule rule, const Pattern& start, const Options& options = {});

  /// Creates an unbounded plane from cells that are far apart or many, and equal in part: a plane that can be
  /// a tree begins as one, without expanding them. Throws Error as unbounded() does, and Error (usage) for
  /// cells beyond max_coordinate.
  static Simulation of_tree(Rule rule, const CellTree& start, const Options& options = {});

  /// Creates the world that the pattern's rule describes, with the pattern's cells and generation: a plane or
  /// torus if the rule has a bounded-grid suffix such as ":T100,50", otherwise an unbounded plane. Throws
  /// Error as the constructor and unbounded() do.
  static Simulation of(const Pattern& start, const Options& options = {});

  /// Creates `world` with the pattern's cells and generation; the pattern's own rule is ignored. place()
  /// defines the position in a world of fixed size. Throws Error as the constructor and unbounded() do.
  static Simulation of(const Pattern& start, const WorldSpec& world, const Options& options = {});

  /// Replaces all cells: those of `cells`, its top-left cell at `at`, all others dead; the generation becomes
  /// 0. Kernel, compiled code and memory are kept, so that running many initial states costs little more than
  /// computing their generations.
  /// Throws Error (usage) if a live cell falls outside a world of fixed size.
  void reset(const Grid& cells, Position at = {});
  /// As reset() of a Grid, and throws Error (usage) for more states than the rule has.
  void reset(const Cells& cells, Position at = {});

  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Advances by `generations` and returns the number of completed generations. It is smaller if an observer
  /// returns Flow::stop, after which no further generation is computed, or if `go_on`, which is called
  /// between passes about every 50 ms, returns false.
  std::uint64_t step(std::uint64_t generations = 1, const std::function<bool()>& go_on = {});

  /// Advances by `generations` and returns the population after each completed generation, one entry per
  /// generation; `go_on` as in step(). Throws Error (memory) if they do not fit. On CUDA devices
  /// cuda/strided_counting advances and counts in one pass if the chosen kernel has the strided layout; it
  /// skips no inactive regions. In all other cases the world advances one generation at a time and is counted
  /// after each.
  std::vector<std::uint64_t> step_counting(std::uint64_t generations,
                                           const std::function<bool()>& go_on = {});

  /// Advances by `generations` and returns population and changed cells of each completed generation; `go_on`
  /// as in step(). CUDA and OpenCL devices compare two generations in device memory; on the CPU each
  /// generation costs a copy of the world.
  std::vector<Activity> step_comparing(std::uint64_t generations, const std::function<bool()>& go_on = {});

  /// Adds an observer `Flow observer(const Simulation&)` or `void observer(const Simulation&)`, which steps
  /// call at each generation that is a multiple of `every` (at least 1; Error (usage) otherwise), until the
  /// handle is destroyed. An observer may add others, which start at a later generation, and remove itself
  /// and others.
  template <class Observer>
  Observation observe(std::uint64_t every, Observer observer) {
    // Shared, because it need not be copyable
    return add_observer(every,
                        [shared = std::make_shared<Observer>(std::move(observer))](const Simulation& now) {
                          if constexpr (std::is_void_v<std::invoke_result_t<Observer&, const Simulation&>>) {
                            (*shared)(now);
                            return Flow::go_on;
                          } else {
                            return (*shared)(now);
                          }
                        });
  }

  /// Goes back by a number of generations under a rule with Rule::inverse(), and returns how many it went:
  /// fewer only if `go_on`, which step() describes, returned false. Takes the memory of a second world; no
  /// observers are called. Throws Error (usage) if the rule has no inverse, for planes with edges, where
  /// blocks lose cells, or if there are not as many generations before the present one.
  std::uint64_t step_back(std::uint64_t generations, const std::function<bool()>& go_on = {});

  /// The number of the present generation. Under a rule of blocks it decides where those of the next one
  /// begin.
  std::uint64_t generation() const;
  void set_generation(std::uint64_t generation);
  std::uint64_t population() const;   ///< live cells
  BigInteger far_population() const;  ///< live cells, also of a plane with more than 2^64
  std::uint64_t hash() const;         ///< Grid::hash or Cells::hash of the cells at their coordinates
  WorldSummary summary() const;

  const Rule& rule() const;
  Topology topology() const { return world().topology; }
  WorldSpec world() const;  ///< rule, topology and size; an unbounded plane has the size 0 x 0
  bool grows() const;       ///< whether the world is an unbounded plane
  /// Coordinates of the world's cells. A world of fixed size begins at (0, 0); of an unbounded plane this is
  /// the present allocation.
  Box box() const;
  std::int64_t width() const { return box().width; }
  std::int64_t height() const { return box().height; }
  Position origin() const { return box().position(); }

  /// Generation at which memory did not suffice to enlarge an unbounded plane with live cells at its edge;
  /// from then on it is computed as a bounded plane. Empty if that has not happened.
  std::optional<std::uint64_t> edge_met() const;

  /// Whether the cells are a tree that HashLife advances: a world whose kernel is hashlife, or an unbounded
  /// plane that has become a tree.
  bool is_tree() const;
  /// Changes of an unbounded plane between cells and a tree; see docs/unbounded.md.
  std::vector<PlaneChange> plane_changes() const;

  /// How this world is run, and why; see moorea/plan.h.
  const RunPlan& plan() const;

  const std::string& kernel() const;  ///< name of the kernel or kernel pair that runs
  std::string device() const;         ///< name of the device it runs on, as in list_devices()
  int threads() const;                ///< maximum number of CPU threads

  /// The parts of a world that is divided among several devices, from top to bottom; empty for a world on
  /// one device. An unbounded plane counts since it has last grown.
  std::vector<PartState> parts() const;

  /// Tile size, schedule and placement; empty for kernels without a configurable tile size.
  const std::optional<Tiling>& tiling() const;

  /// Thread block and bytes per thread; empty for kernels without a configurable launch.
  const std::optional<LaunchShape>& launch_shape() const;

  /// Order of a mesh's faces in memory; empty for kernels of flat worlds.
  std::optional<Numbering> numbering() const;

  /// Cells of the world times generations, summed over all steps so far.
  double cell_updates() const;

  /// Smallest box that contains all live cells, in the cells' coordinates; empty if all cells are dead.
  std::optional<Box> bounding_box() const;

  /// Copies the cells inside `box`, in the cells' coordinates; cells outside the world are dead. Throws Error
  /// (usage) for a box beyond max_coordinate, Error (memory) if the copy does not fit.
  Grid window(const Box& box) const;

  /// Copies the cells inside `box` to a view of the same size, in memory of the caller; cells outside the
  /// world are dead. Throws Error (usage) for another size or a box beyond max_coordinate.
  void read(const Box& box, const GridView& to) const;

  /// As window(), with the states of the cells.
  Cells states(const Box& box) const;

  /// Calls `visit` with the position of each live cell inside `box`, row by row from left to right.
  void for_each_live(const Box& box, const std::function<void(Position)>& visit) const;

  /// Packs the cells into memory of the device that holds the world, without a copy through the host. The
  /// view has the cells of box() at this generation. It is complete when the function returns and is valid
  /// until the next call of device_cells() or the destruction of the simulation; later steps do not change
  /// it. Throws Error (unavailable) if the world is not on a CUDA device, Error (memory) if the device's
  /// memory is exhausted.
  DeviceView device_cells() const;

  /// Counts the live cells in each square of a raster, in the cells' coordinates; row-major, columns x rows
  /// entries. The device that holds the world counts and transfers only the result. Throws Error (usage) for
  /// a raster without squares or with an invalid scale, Error (memory) if the result does not fit.
  std::vector<std::uint32_t> density(const Raster& raster) const;

  /// Classifies the squares of a raster by population, on the device: each entry, a byte, is the number of
  /// `limits` that the square's number of live cells reaches or exceeds; row-major. `limits` are at most 255
  /// increasing numbers, the first at least 1. Throws Error as density() does, and Error (usage) for invalid
  /// limits.
  std::vector<std::uint8_t> levels(const Raster& raster, std::span<const std::uint32_t> limits) const;

  /// Fraction of live cells in each square of a raster, 0 to 1, row-major; for squares of up to
  /// max_far_scale cells on a side. A plane that is a tree visits the nodes that are larger than a square,
  /// and once the different ones that are smaller. Throws Error as density() does.
  std::vector<float> fractions(const Raster& raster) const;

  /// Copies the whole world: width() x height() cells.
  Grid grid() const;

  /// Combines `cells`, the top-left one at the coordinates `at`, with the cells that are there; the
  /// generation stays. Cells outside a world of fixed size are dropped; an unbounded plane grows. Costs the
  /// rectangle's rows, not the world. Throws Error (memory) if an unbounded plane has no memory to grow,
  /// Error (usage) for coordinates beyond max_coordinate.
  void paste(const ConstGridView& cells, Position at, PasteMode mode = PasteMode::replace);

  /// Replaces the cells from `at` on by cells with states, as paste() does. Throws Error as it does, and
  /// Error (usage) for more states than the rule has.
  void paste(const Cells& cells, Position at);

  /// The live cells of an unbounded plane. A plane that is a tree is not expanded. Throws Error (usage) for
  /// another world, Error (memory).
  CellTree cell_tree() const;

  /// Returns a pattern from which a run can continue: the cells in the bounding box of the live cells, or,
  /// with `whole`, all cells of a world of fixed size; their position, the generation, and the rule with the
  /// suffix that describes the world's bounds.
  Pattern snapshot(bool whole = false) const;

 private:
  friend class SimulationAccess;
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  void require_inside(const std::optional<Box>& live, Position at) const;
  Observation add_observer(std::uint64_t every, std::function<Flow(const Simulation&)> observer);
  std::uint64_t step_with(std::uint64_t generations, const std::function<bool()>& go_on,
                          std::uint64_t max_at_once, const std::function<void(std::uint64_t)>& advance);
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
