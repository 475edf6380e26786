// SPDX-License-Identifier: MIT
// Launch configuration of CUDA and OpenCL kernels: options for studies, each kernel has a suitable default.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Size of a CUDA thread block in threads, or of an OpenCL work-group in work-items.
struct ThreadBlock {
  int width = 0;
  int height = 0;
};

constexpr int max_block_threads = 1024, max_bytes_a_thread = 64;

/// Parses "64x4", or "256" for 256x1. Throws Error (usage) for other texts and for blocks that
/// require_valid() refuses.
ThreadBlock parse_thread_block(std::string_view text);
std::string to_string(const ThreadBlock& block);

/// Throws Error (usage) unless the block has 1 to max_block_threads threads.
void require_valid(const ThreadBlock& block);

/// Configurable parameters of a launch; 0 if the kernel does not have the parameter.
struct LaunchShape {
  ThreadBlock block;
  int bytes_a_thread = 0;
};

}  // namespace moorea
#pragma GCC visibility pop
