// SPDX-License-Identifier: MIT
// The kernel and the device that options and built-in preferences choose for a world. `plan.h` adds what was
// measured.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "boards/board.h"
#include "boards/growing_board.h"
#include "boards/row_balance.h"
#include "choose/kernel_options.h"
#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "moorea/device.h"
#include "moorea/inventory.h"
#include "moorea/launch.h"
#include "moorea/out_of_core.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/tiles.h"
#include "moorea/topology.h"

namespace moorea {

class PlaneBoard;

struct Choice {
  const kernels::TableEntry* entry = nullptr;
  std::shared_ptr<const ShallowKernel> shallow;  ///< what `entry` is then
  BoundKernel bound;
  /// For worlds where little happens, where nothing was named; of Larger than Life for narrow planes.
  const kernels::TableEntry* quiet = nullptr;
  BoundKernel quiet_bound;
  BoundKernel
      counting;  ///< on GPUs: for populations of every generation; its kernel is null where there is none
  DeviceRef device;
  int threads = 1;
  std::optional<Tiling> tiling;             ///< for kernels that take tiles
  std::optional<LaunchShape> launch_shape;  ///< for kernels that let it be chosen
  Numbering numbering = Numbering::given;   ///< for kernels of meshes

  /// Whether the world is a tree that HashLife advances; `entry` computes its base case then.
  bool is_tree = false;

  /// Whether an unbounded plane may become a tree while HashLife is measured to be faster.
  bool may_be_tree = false;

  std::optional<OutOfCorePlan> out_of_core;  ///< of a world that is out of core
  bool urgent = false;                       ///< on GPUs: before the work of other boards on the device

  /// Of a world that is divided by rows among several devices, the choice of each part from top to bottom.
  /// The members above are those of the first part then. Rows are in proportion to `shares`, if the options
  /// give them, else to `speeds`, if they are known, else equal.
  std::vector<Choice> parts;
  std::vector<double> shares;
  std::vector<PartSpeed> speeds;

  std::uint64_t max_bytes = 0;  ///< Options::memory, for trees

  KernelPair kernels() const;
  std::string kernel_names() const;  ///< "cpu/strided + cpu/tiles"; of parts each once, with commas
  std::string device_names() const;  ///< "cuda:0"; of parts "cpu,cuda:0"
};

/// The world's size is 0 where it is not known yet. Throws Error (usage) for a name or number that cannot be,
/// Error (unavailable) with the reason when what was named cannot run this rule here. Never falls back from
/// what was named.
Choice choose(const WorldSpec& world, const Options& options);

/// Throws Error (unavailable) if the kernel cannot have such a world.
void require_board(const WorldSpec& world, const Choice& choice);

/// Throws as require_board(), and Error (run) if there is no memory.
std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice);

/// Whether an unbounded plane of this choice is, mostly, stored as tiles that exist where something lives: on
/// the CPU if the kernel, or the one for quiet worlds, has tiles.
bool has_sparse_plane(const Choice& choice);

/// An empty unbounded plane of cells that may become a tree; Choice::may_be_tree. `max_bytes` as below.
std::unique_ptr<PlaneBoard> make_plane_board(const Rule& rule, const Choice& choice, std::uint64_t max_bytes);

/// An empty unbounded plane of boards that are replaced by larger ones, each of at most `max_bytes`.
std::unique_ptr<GrowingBoard> make_growing_board(const Rule& rule, const Choice& choice,
                                                 std::uint64_t max_bytes);

/// An empty unbounded plane of which `choice` says how it is run, a tree or a plane that grows; it takes at
/// most `max_bytes` (0: the memory that is available).
std::unique_ptr<Board> make_unbounded_board(const Rule& rule, const Choice& choice, std::uint64_t max_bytes);

/// Whether its boards lie in the machine's memory, as on the CPU and on GPUs that have no other.
bool in_main_memory(const Choice& choice);

/// Bytes of the buffers that make_board() asks for.
double board_bytes(const WorldSpec& world, const Choice& choice);

}  // namespace moorea
