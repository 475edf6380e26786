// SPDX-License-Identifier: MIT
// Kernels and devices of this build and this machine, and the reasons why some cannot run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moorea/device.h"
#include "moorea/launch.h"
#include "moorea/rule.h"
#include "moorea/tiles.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Properties of a kernel for one rule on this machine.
struct KernelInfo {
  std::string name;  ///< path below src/kernels, "cpu/bits", or path of a kernel file
  Backend backend = Backend::cpu;
  std::string summary;         ///< one line
  std::string layout;          ///< memory layout of the cells: "bytes", "bits", "strided", ...
  int max_steps = 1;           ///< maximum generations in one pass over memory
  bool passes_chosen = false;  ///< whether Options::generations_a_pass can lower max_steps
  TileSize tile;               ///< default tile; 0 x 0 for kernels that process no tiles
  /// Default share of the threads that use the wider of two vector widths; 0 for kernels of one width.
  double wide_share = 0;
  /// Default thread block (OpenCL: work-group); 0 x 0 if it is not configurable. With a height of 1 only the
  /// width is configurable.
  ThreadBlock block;
  int bytes_a_thread = 0;  ///< default bytes computed by each thread; 0 if not configurable
  /// Default order of a mesh's faces for kernels of meshes, as to_string(Numbering); empty for other kernels.
  std::string numbering;
  /// Bits of memory read and written per cell and pass.
  double bits_moved_per_cell = 0;
  /// Logic and shift operations per 64 cells and generation of this rule; 0 if unknown.
  double operations_per_word = 0;
  bool skips = false;             ///< whether it skips inactive regions
  std::string logic;              ///< evaluation of the rule: "network", "machine code", or "masks: REASON"
  bool runs = false;              ///< whether it can run this rule on this machine
  std::string reason;             ///< why it cannot
  std::uint64_t fingerprint = 0;  ///< hash of a kernel file's text; 0 for built-in kernels
  std::string warnings;           ///< the compiler's, of a kernel file in C++ that it accepted
};

/// A kernel, or two that alternate on one world: `quiet` runs while little changes.
struct KernelPair {
  std::string busy;
  std::string quiet;  ///< empty: `busy` runs always

  /// Reads "cpu/bits" and "cpu/strided + cpu/tiles". Names are not checked.
  static KernelPair parse(const std::string& text);
  /// The inverse of parse().
  std::string str() const;
};

/// All kernels of this build, ordered by name.
std::vector<KernelInfo> list_kernels(const Rule& rule = {});

/// Properties of a kernel by name, or of the kernel file FILE.cpp, FILE.cu or FILE.cl. Throws Error (usage)
/// for an unknown name, Error (run) for a file that cannot be read or compiled.
KernelInfo kernel_info(const std::string& name, const Rule& rule = {});

/// Logic operations of a bit-packed kernel per word of cells and generation, including the sums of a row; the
/// smallest known numbers (docs/logic.md). Of Generations, those of births and survivals alone, as in
/// Rule::two_state(). Of rules by transitions those of all digits of a state; 0 if they are looked up.
struct RuleCost {
  double gates_per_word = 0;       ///< with three-input instructions (AVX-512, CUDA)
  double operations_per_word = 0;  ///< with and, or, exclusive or and and-not (AVX2, plain integers)
};
RuleCost rule_cost(const Rule& rule);

/// RuleCost::gates_per_word, read from a table; the other number can take a search of milliseconds.
double gates_per_word(const Rule& rule);

/// A device that can run kernels.
struct DeviceInfo {
  std::string name;          ///< DeviceRef::str(), accepted by --device
  std::string description;   ///< chip and relevant features
  int threads = 1;           ///< hardware threads, or compute units of an OpenCL device
  std::uint64_t memory = 0;  ///< bytes available at present
  bool uses_cpus = false;    ///< whether it computes on this machine's CPUs, shared with other processes
};

/// All devices of this machine that can run kernels; the CPU is the first.
std::vector<DeviceInfo> list_devices();

/// Folder of compiled code and of the measurements of moorea tune: $XDG_CACHE_HOME/moorea or ~/.cache/moorea;
/// empty if neither variable is set.
std::string cache_folder();

/// Version of the library, source revision ("unknown" outside a checkout) and compiler of this build.
std::string version();
std::string revision();
std::string compiler();

}  // namespace moorea
#pragma GCC visibility pop
