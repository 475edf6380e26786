// SPDX-License-Identifier: MIT
// Contract of CUDA kernels: a launch advances a block, which is the whole world, in the device's memory.
#pragma once

#include "kernels/contract/mesh.h"
#include "kernels/contract/shapes.h"
#include "moorea/kernel.h"

namespace moorea::kernels {

/// Launch parameters of a CUDA kernel; a parameter that is not configurable has the kernel's own value.
struct Launch {
  void* stream = nullptr;         ///< a cudaStream_t
  BlockShape block = {};          ///< CudaContract::block by default
  BlockShape item = {1, 1};       ///< as CudaBinding::item
  int bytes_a_thread = 0;         ///< CudaContract::bytes_a_thread by default
  const void* functions[2] = {};  ///< functions compiled at run time from CudaBinding::source
  /// CudaContract::scratch_bytes of device memory that only this kernel uses; its contents stay from call to
  /// call.
  void* scratch = nullptr;
  /// `from` was not produced by this kernel's previous call: discard cached activity.
  bool input_replaced = true;
  /// For CudaContract::counts: one number for each generation of the call.
  unsigned long long* populations = nullptr;
  int multiprocessors = 1;  ///< of the device
  /// The number of generations before the call is odd: where blocks begin, under a rule of blocks.
  bool odd = false;
  int reach = 1;  ///< Rule::reach()
  /// The device can start thread blocks of a kernel that wait for the end of the kernel before it.
  bool launches_early = false;
  const MeshTables* mesh = nullptr;  ///< for CudaContract::mesh; its arrays are in the device's memory
  /// For TransitionForm::gpu_text: table_bytes() of the rule's gpu_transitions(), in the device's memory.
  const void* tables = nullptr;
  std::int64_t table_bytes = 0;
  std::int64_t max_shared_bytes = 0;  ///< dynamic shared memory that a thread block can have
};

/// Launches the kernel that advances a block, whose cells are in the device's memory, in the stream. Rows
/// begin at a multiple of 128 bytes. With a byte per cell 64 bytes on both sides of a row may be read; those
/// beyond the halo are undefined.
using LaunchStep = void (*)(const Block& block, const Launch& launch);

/// Rows of a block that were replaced, from `first` to `end` - 1, which are rows of the world.
struct ReplacedRows {
  std::int64_t first, end;
};

/// Enqueues an update of the activity data in Launch::scratch: since this kernel's previous call, whose
/// result is Block::from, these rows of `from` were replaced by any cells, and nothing else was. The next
/// call computes what they influence.
using WakeRows = void (*)(const Block& block, const Launch& launch, const ReplacedRows& rows);

/// Main function of a launch: the one that computes the cells.
struct DeviceFunction {
  const void* function = nullptr;  ///< a __global__ function or one of Launch::functions
  int threads = 0;                 ///< per thread block; 0: unknown
  std::size_t shared_bytes = 0;    ///< dynamic shared memory per thread block
};

/// CUDA code that is compiled at run time, after `definitions` and the network of the rule: `text` may use
/// the type `word`, LUT3 and MOOREA_NEXT, the network for two rows as in common/networks.h. For a rule that
/// does not count, which only kernels that support nine_cells receive, there are instead MOOREA_NEXT_PAIR and
/// what else cuda/row_logic.cuh describes.
struct RuntimeSource {
  const char* text = nullptr;
  const char* definitions = "";
  const char* functions[2] = {};  ///< names of its extern "C" __global__ functions; the second may be null
  const char* path = nullptr;     ///< path of a user's file
};

struct CudaBinding {
  LaunchStep launch = nullptr;
  /// Main function that `launch` starts for this call. Null: the first of Launch::functions, with an unknown
  /// thread block.
  DeviceFunction (*device_function)(const Block& block, const Launch& how) = nullptr;
  /// Code for a world that is compiled before `launch` is called; null: there is none.
  RuntimeSource (*source)(const World& world, int multiprocessors) = nullptr;
  const RuntimeSource* file_source = nullptr;  ///< kernels from a user's file: instead of `source`
  BlockShape item = {1, 1};                    ///< kernels from a user's file: cells per thread
};

/// Rows of cells as a byte each, 0 or 1, and in a kernel's layout, both in the device's memory.
struct ByteRows {
  std::uint8_t* bytes;         ///< first cell; every row is aligned to 64 bytes
  std::ptrdiff_t bytes_pitch;  ///< bytes from row to row, a multiple of 64
  void* cells;                 ///< as Block::from
  std::ptrdiff_t pitch;        ///< bytes from row to row, as Block::pitch
  std::int64_t width;          ///< cells in a row; the bytes after the last one are undefined
  std::int64_t height;         ///< rows
  void* stream;                ///< a cudaStream_t
};

/// Enqueues a kernel that converts rows from one form to the other.
using ConvertRows = void (*)(const ByteRows& rows);

struct CudaContract {
  CudaBinding (*bind)(RuleMask rule) = nullptr;
  double operations_per_word = 0;  ///< logic and shift operations per 64 cells and generation; 0: unknown
  /// Default thread block, if it is configurable (1 to 1024 threads; a height of 1 is fixed), and default
  /// bytes per thread, if they are configurable (1 to 64).
  BlockShape block = {};
  int bytes_a_thread = 0;
  bool wraps = false;           ///< as BlockContract::wraps
  bool fills_own_halo = false;  ///< the launch fills the halo of `from` itself and may write it
  bool plane_steps = false;     ///< as BlockContract::plane_steps
  int longest_call = 0;         ///< maximum generations per call if that is more than Kernel::max_steps
  /// Kernels that skip tiles keep their activity data in scratch memory, which begins with two 64-bit
  /// numbers: the tiles computed and skipped so far.
  Activity activity = Activity::none;
  /// For kernels that skip tiles: replaced rows cost what they influence, as halo rows of a part of a world
  /// that are filled every few passes. Null: replaced rows discard all activity data.
  WakeRows wake_rows = nullptr;
  /// Strided layout: whether the kernel maintains the halo columns itself in such a call. Null: it does not.
  bool (*fills_halo_columns)(const World& world, int steps) = nullptr;
  std::int64_t (*scratch_bytes)(const World& world) = nullptr;  ///< additional memory of calls; null: none
  /// Kernels whose conversion from a byte per cell (encode) and back (decode) is part of their study: both
  /// are timed instead of the board's conversion from and to packed rows. Layout bits only. Null: neither
  /// exists.
  ConvertRows encode = nullptr;
  ConvertRows decode = nullptr;
  bool counts = false;  ///< adds the live cells after each generation of the call to Launch::populations
  /// Table of neighbours that the kernel reads, with words of 32 bits; its layout is faces or face_bits.
  MeshTable mesh = MeshTable::none;
  /// Returns why worlds of this size are unsupported on a GPU with so many multiprocessors, or null if they
  /// are supported. A null function supports all sizes.
  const char* (*refuses)(const World& world, int multiprocessors) = nullptr;
};

}  // namespace moorea::kernels
