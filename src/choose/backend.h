// SPDX-License-Identifier: MIT
// What differs between the CPU, CUDA and OpenCL when a kernel is chosen and its board is made: one interface,
// one implementation for each backend, and no other place that tells them apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "choose/choose.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"
#include "moorea/lab/device_facts.h"

namespace moorea {

/// Names of two kernels that share a world, for busy and for quiet times; `quiet` is empty if one kernel does
/// both.
struct Candidate {
  std::string_view busy, quiet;
};

class BackendDriver {
 public:
  virtual ~BackendDriver() = default;

  /// Why no kernel of the backend can run here; null if they can.
  virtual const char* unavailable() const = 0;

  virtual std::vector<DeviceInfo> devices() const = 0;

  /// Index of the device that a name such as "cuda:1" or "opencl:pocl" means; empty if there is none.
  virtual std::optional<int> find(std::string_view name) const = 0;

  /// Kernels for a world where none is named, the fastest first; a size of 0 is not known yet.
  virtual std::vector<Candidate> candidates(const WorldSpec& world, int device) const = 0;

  /// Name of the kernel that counts live cells in each generation, for boards of its layout; empty if there
  /// is none.
  virtual std::string_view counting_kernel() const { return {}; }

  /// Whether a board can hand its world from kernel `busy` to kernel `quiet` and back.
  virtual bool can_switch(const kernels::Kernel& busy, const kernels::Kernel& quiet) const = 0;

  /// Why the chosen kernel cannot have a world of this size; null if it can.
  virtual const char* refusal(const WorldSpec& world, const Choice& choice) const = 0;

  /// Whether the device's memory is the machine's, so that a world there takes memory here.
  virtual bool in_main_memory(int device) const = 0;

  virtual std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) const = 0;

  /// An empty unbounded plane that takes at most `max_bytes` (0: the memory that is available); by default
  /// one that is replaced by a larger one.
  virtual std::unique_ptr<Board> make_unbounded_board(const Rule& rule, const Choice& choice,
                                                      std::uint64_t max_bytes) const {
    return make_growing_board(rule, choice, max_bytes);
  }

  /// Packed rows in the machine's memory, all 0, which boards of the device read and write fastest; it is
  /// released with its last owner. Throws Error (run) if the system refuses it.
  virtual std::shared_ptr<std::uint64_t[]> host_memory(int device, std::size_t words) const;

  /// Bytes of the buffers that make_board() allocates.
  virtual double board_bytes(const WorldSpec& world, const Choice& choice) const = 0;

  virtual Ceilings ceilings(const Choice& choice) const = 0;

  virtual DeviceFacts facts(int device) const = 0;
};

const BackendDriver& cpu_driver();
const BackendDriver& cuda_driver();
const BackendDriver& opencl_driver();

const BackendDriver& driver_of(Backend backend);

}  // namespace moorea
