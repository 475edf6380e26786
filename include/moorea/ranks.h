// SPDX-License-Identifier: MIT
// One world on several processes ("ranks", as MPI calls them), each with a part of its rows.
//
// Every rank makes the same calls of the same simulation, in the same order (single program, multiple data).
// Results are those of the whole world and equal on all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Bytes for another rank. Messages with equal sender, receiver and tag arrive in the order in which they
/// are sent.
struct Outgoing {
  int rank = 0;
  int tag = 0;  ///< 0 to 99
  std::span<const std::byte> bytes;
};

/// Bytes from another rank; the sender sends as many.
struct Incoming {
  int rank = 0;
  int tag = 0;
  std::span<std::byte> bytes;
};

/// Communication of one rank with the others.
class RankLink {
 public:
  RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;
  virtual ~RankLink() = default;

  virtual int rank() const = 0;  ///< 0 to size() - 1
  virtual int size() const = 0;

  /// Ranks on the machine of this one, in rising order, this one included.
  virtual std::vector<int> ranks_of_host() const = 0;

  /// Whether messages may lie in the memory of CUDA devices; equal on all ranks.
  virtual bool reaches_gpus() const { return false; }

  /// Sends and receives at the same time, and returns when all is done. Throws Error of the kind that
  /// another rank raised, or Error (run) if a rank does not answer.
  virtual void transfer(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;

  /// Returns when `done`, which is called again and again, has returned true; that depends on `ranks`. Throws
  /// what `done` throws, and Error as transfer() does. This one throws only what `done` throws.
  virtual void wait_until(const std::function<bool()>& done, std::span<const int> ranks);

  /// Makes every transfer of all ranks fail from now on with this error; the text that others get names
  /// this rank. Further calls have no effect.
  virtual void raise(const std::string& text, ErrorKind kind) noexcept = 0;
};

/// Combines equally many values of all ranks to the same values on all ranks, with about 2 log2(size)
/// messages in sequence. `combine` adds the second values to the first; it is associative and commutative.
void reduce_ranks(
    RankLink& link, std::span<std::uint64_t> values,
    const std::function<void(std::span<std::uint64_t>, std::span<const std::uint64_t>)>& combine);
void sum_ranks(RankLink& link, std::span<std::uint64_t> values);
std::uint64_t max_of_ranks(RankLink& link, std::uint64_t value);
std::uint64_t min_of_ranks(RankLink& link, std::uint64_t value);
/// Returns when all ranks have called it.
void wait_for_ranks(RankLink& link);

/// Makes the rows [top, top + rows) of a world.
using RowSource = std::function<Grid(std::int64_t top, std::int64_t rows)>;

/// The rows of Grid::random(width, height, density, seed) from `top` on, for a height of at least
/// top + rows. Throws Error as it does.
Grid noise_rows(Size size, std::int64_t top, double density, std::uint64_t seed);

/// Position of the top-left cell of a pattern in the world that place() makes of it. Throws Error (usage) for
/// a position beyond max_coordinate.
Position place_of(const Pattern& pattern, Size world);

/// Rows of the world that place() makes of a pattern. Throws Error as place() does, and (run) for cells in
/// states above 1.
Grid place_rows(const Pattern& pattern, Size world, std::int64_t top, std::int64_t rows);

/// How rows pass between ranks.
enum class RowTransport {
  automatic,  ///< NCCL if each rank computes on one CUDA device of its own and has the library, else messages
  messages,   ///< RankLink::transfer
  nccl        ///< from GPU to GPU, without the CPUs
};

/// The version of NCCL here, or why there is none: "NCCL 2.28.3", "no NCCL: there is no libnccl.so.2".
std::string nccl_text();

/// A world of fixed size that is divided among ranks.
struct RankedWorld {
  WorldSpec spec;
  std::uint64_t generation = 0;
  RowSource start;                                   ///< called for a few of this rank's rows at a time
  std::vector<double> shares;                        ///< of the rows, one for each rank; default: equal ones
  RowTransport transport = RowTransport::automatic;  ///< equal on all ranks
};

/// The simulation of which this rank has a part. `options` are those of the part, and may differ between
/// ranks: "cuda" and "opencl" are a device of its own for each rank of a machine, as far as there are enough,
/// and so is the GPU that is selected automatically. A go_on of step() that returns false on one rank stops
/// all of them; step() ends at the same generation on all ranks. A window is sent to all ranks and may have
/// up to 2^30 cells. Throws Error as the constructors of Simulation do, on all ranks if on one, Error (usage)
/// for an unbounded plane or a surface, and Error (unavailable) if NCCL is asked for and one of the ranks
/// cannot use it.
Simulation simulate_ranks(const RankedWorld& world, const std::shared_ptr<RankLink>& link,
                          const Options& options = {});

/// Rows that ranks exchange at once, and generations between two exchanges, if each rank has at least
/// `min_rows`, kernels compute up to `steps` generations in a pass, and each rank computes on one CUDA device
/// or not.
std::int64_t halo_of_ranks(std::int64_t min_rows, std::int64_t steps, bool are_gpus);

/// The rows of a rank's part, in all columns. Throws Error (usage) for a simulation without ranks.
Box rows_of_rank(const Simulation& simulation);

/// Exchanges of rows with this rank's neighbours in all steps so far.
struct RankExchanges {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;  ///< sent to both neighbours
  double seconds = 0;       ///< copying rows from and to the device, and waiting for the neighbours' rows
  /// What rows pass through: "NCCL 2.28.3", "messages from GPU memory", "messages from main memory".
  std::string transport;
};

/// Throws Error (usage) for a simulation without ranks.
RankExchanges exchanges_of_rank(const Simulation& simulation);

/// Copies some of these rows without a message to other ranks. Throws Error (usage) for other rows.
Grid read_rows_of_rank(const Simulation& simulation, std::int64_t top, std::int64_t rows);

/// Copies rows of this rank, from `top` on, to a view of the world's width, without a message to other ranks.
/// Throws Error (usage) for rows of other ranks.
void read_rows_of_rank(const Simulation& simulation, std::int64_t top, const GridView& to);

/// Packs this rank's rows in the memory of its CUDA device, as Simulation::device_cells() packs a world,
/// without a message to other ranks. Throws Error (unavailable) unless they are there, (run) if that memory
/// is full, (usage) for a simulation without ranks.
DeviceView device_rows_of_rank(const Simulation& simulation);

}  // namespace moorea
#pragma GCC visibility pop
