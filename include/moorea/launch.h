// SPDX-License-Identifier: MIT
// How a CUDA or OpenCL kernel is launched, and what that takes of the GPU. It is for studying such kernels:
// left alone, each one takes the thread block that suits it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace moorea {

/// Threads of a CUDA thread block or work-items of an OpenCL work-group, in columns and rows.
struct ThreadBlock {
  int width = 0;
  int height = 0;
};

constexpr int max_block_threads = 1024, max_bytes_a_thread = 64;

/// "64x4", or "256" for 256x1. Throws Error (usage) for anything else and for what require_valid() refuses.
ThreadBlock parse_thread_block(std::string_view text);
std::string to_string(const ThreadBlock& block);

/// Throws Error (usage) unless the block has 1 to max_block_threads threads.
void require_valid(const ThreadBlock& block);

/// What of a launch a kernel lets be chosen, as it is used; 0 where it does not.
struct LaunchShape {
  ThreadBlock block;
  int bytes_a_thread = 0;
};

/// What the main function of a CUDA kernel takes of a GPU.
struct KernelResources {
  int registers = 0;  ///< a thread
  /// Of shared memory, a thread block; only what the function declares where the kernel does not say what its
  /// thread blocks are.
  std::int64_t shared_bytes = 0;
  /// Threads that a multiprocessor holds at a time, as a part of the most it can hold; nothing in that case.
  std::optional<double> occupancy;
};

/// Seconds that the GPU takes for the whole world's cells, once.
struct ConversionTimes {
  double encode_seconds = 0;  ///< from packed rows to the kernel's layout
  double decode_seconds = 0;  ///< back
};

}  // namespace moorea
