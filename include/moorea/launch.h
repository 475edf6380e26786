// SPDX-License-Identifier: MIT
// How a CUDA kernel is launched. It is for studying such kernels: left alone,
// each one takes the thread block that suits it.
#pragma once

#include <string>
#include <string_view>

namespace moorea {

/// Threads of a CUDA thread block, in columns and rows.
struct ThreadBlock {
  int width = 0;
  int height = 0;
};

constexpr int most_block_threads = 1024, most_bytes_a_thread = 64;

/// "64x4", or "256" for 256x1. Throws Error (usage) for anything else and for what require_valid() refuses.
ThreadBlock parse_thread_block(std::string_view text);
std::string to_string(const ThreadBlock& block);

/// Throws Error (usage) unless the block has 1 to most_block_threads threads.
void require_valid(const ThreadBlock& block);

/// What of a launch a kernel lets be chosen, as it is used; 0 where it does not.
struct LaunchShape {
  ThreadBlock block;
  int bytes_a_thread = 0;
};

}  // namespace moorea
