// SPDX-License-Identifier: MIT
// Which kernels and devices exist, and why one cannot run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moorea/device.h"
#include "moorea/launch.h"
#include "moorea/rule.h"
#include "moorea/tiles.h"

namespace moorea {

struct KernelInfo {
  std::string name;  ///< its path below src/kernels, "cpu/bits", or that of a kernel file
  Backend backend = Backend::cpu;
  std::string summary;         ///< one line
  std::string layout;          ///< how it keeps cells: "bytes", "bits", "strided", ...
  int max_steps = 1;           ///< generations in one pass over memory, at most
  bool passes_chosen = false;  ///< whether Options::generations_a_pass can make them fewer
  TileSize tile;               ///< the tile that it takes by itself; 0 x 0 when it takes no tiles
  /// The thread block (OpenCL: work-group) that it takes by itself, 0 x 0 where none can be chosen; a height
  /// of 1 stays.
  ThreadBlock block;
  int bytes_a_thread = 0;  ///< that it makes by itself; 0 where they cannot be chosen
  /// Bits of memory that one cell costs each pass, read and written.
  double bits_moved_per_cell = 0;
  /// Logic and shift operations for 64 cells and one generation of this rule; 0 when it does not count so.
  double operations_per_word = 0;
  bool skips = false;  ///< leaves out what rests
  std::string logic;   ///< where the rule is its choice: "network", "machine code", or "masks" and why
  bool runs = false;   ///< here, with this rule
  std::string reason;  ///< why not, when it does not
  std::uint64_t fingerprint = 0;  ///< of a kernel file's text
};

/// Every kernel of this build, in the order of their names.
std::vector<KernelInfo> list_kernels(const Rule& rule = {});

/// One of them, or the kernel in a file FILE.cpp, FILE.cu or FILE.cl. Throws Error (usage) where there is no
/// such kernel, Error (run) for a file that cannot be read or compiled.
KernelInfo kernel_info(const std::string& name, const Rule& rule = {});

/// What a word of cells and a generation cost a bit-packed kernel in logic, its row's sum included: the best
/// that is known, as docs/logic.md tells.
struct RuleCost {
  double gates_per_word = 0;       ///< with instructions of three inputs (AVX-512, CUDA)
  double operations_per_word = 0;  ///< with and, or, exclusive or, and and-not (AVX2, plain integers)
};
RuleCost rule_cost(const Rule& rule);

/// The first of them alone: that is known at once, the other one is searched for in some rules.
double gates_per_word(const Rule& rule);

struct DeviceInfo {
  std::string name;          ///< what --device takes
  std::string description;   ///< the chip and what Moorea uses of it
  int threads = 1;           ///< that it offers
  std::uint64_t memory = 0;  ///< bytes available now
  bool uses_cpus = false;    ///< computes on this machine's CPUs, which other processes use, too
};

/// Every device that can run a kernel here.
std::vector<DeviceInfo> list_devices();

/// The speed limits of a device, measured now; takes about half a second.
struct Ceilings {
  double copy_bytes_per_second = 0;  ///< read plus written, from memory to memory
  /// 64-bit words through a two- or three-input logic operation; 0 where that is not measured (OpenCL).
  double logic_words_per_second = 0;
  std::string logic_instruction;  ///< what that was measured with
};
Ceilings measure_ceilings(const std::string& device, int threads);

/// Where Moorea keeps what it compiled and what moorea tune measured: $XDG_CACHE_HOME/moorea or
/// ~/.cache/moorea; empty where neither is set.
std::string cache_folder();

/// The version of the library and the source revision it was built from ("unknown" outside a checkout).
std::string version();
std::string revision();
std::string compiler();

}  // namespace moorea
