// SPDX-License-Identifier: MIT
// The part of CUDA's C++ that Moorea's kernels for strided cells use, for one thread block at a time on a
// CPU. A test compiles the text of a kernel behind this header. Threads are fibers, which take turns: each
// runs until the next function that all threads of its block call.
//
// Copies to shared memory are those of GPUs before Ampere, which are synchronous.
#pragma once

#include <ucontext.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#define __CUDA_ARCH__ 750
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static
#define __constant__ static const
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

namespace cuda_on_cpu {

constexpr std::size_t max_threads = 256, stack_bytes = 256 << 10;

struct Place {
  unsigned x, y;
};

// A thread, or the caller of all. swapcontext would make two system calls at each turn, so that a fiber is
// only begun as a context, and then left and entered by jumps.
struct Fiber {
  ucontext_t context;
  void* place[5];  // of __builtin_setjmp
  bool is_begun;
};

[[gnu::noinline]] inline void jump_to(Fiber& fiber) { __builtin_longjmp(fiber.place, 1); }

[[gnu::noinline]] inline void change(Fiber& from, Fiber& to) {
  if (__builtin_setjmp(from.place) != 0) return;
  if (to.is_begun) jump_to(to);
  to.is_begun = true;
  setcontext(&to.context);
}

class ThreadBlock {
 public:
  explicit ThreadBlock(std::size_t threads)
      : threads_(threads), stacks_(threads, std::vector<std::byte>(stack_bytes)) {
    caller_.is_begun = true;
  }

  void run(const std::function<void()>& kernel) {
    kernel_ = &kernel;
    calls_.fill(0);
    ended_.fill(false);
    for (std::size_t i = 0; i < threads_; ++i) {
      ucontext_t& context = fibers_[i].context;
      getcontext(&context);
      context.uc_stack.ss_sp = stacks_[i].data();
      context.uc_stack.ss_size = stack_bytes;
      makecontext(&context, begin, 0);
      fibers_[i].is_begun = false;
    }
    running_ = threads_ - 1;
    for (std::size_t ended = 0; ended < threads_; ++ended) {
      running_ = next();
      change(caller_, fibers_[running_]);  // returns when a thread ends
      ended_[running_] = true;
    }
  }

  // Whether one of all threads has given true.
  bool any(bool value) {
    const auto& values = exchange(value ? 1 : 0);
    bool found = false;
    for (std::size_t i = 0; i < threads_; ++i) found = found || values[i] != 0;
    return found;
  }

  unsigned thread() const { return static_cast<unsigned>(running_); }

  // Waits until all threads have called this as often, and returns what each has given.
  const std::array<std::uint32_t, max_threads>& exchange(std::uint32_t value) {
    const std::size_t me = running_, other = next();
    auto& values = values_[calls_[me]++ % 2];
    values[me] = value;
    running_ = other;
    if (me != other) change(fibers_[me], fibers_[other]);
    return values;
  }

 private:
  static void begin();

  std::size_t next() const {
    std::size_t other = running_;
    do other = (other + 1) % threads_;
    while (ended_[other] && other != running_);
    return other;
  }

  std::size_t threads_, running_ = 0;
  const std::function<void()>* kernel_ = nullptr;
  std::vector<std::vector<std::byte>> stacks_;
  std::array<Fiber, max_threads> fibers_;
  Fiber caller_;
  std::array<std::size_t, max_threads> calls_{};
  std::array<bool, max_threads> ended_{};
  std::array<std::uint32_t, max_threads> values_[2];
};

inline ThreadBlock* current;
inline Place block_place, grid_size;

inline void ThreadBlock::begin() {
  (*current->kernel_)();
  jump_to(current->caller_);
}

inline void run_grid(Place grid, std::size_t threads, const std::function<void()>& kernel) {
  ThreadBlock block(threads);
  current = &block;
  grid_size = grid;
  for (block_place.y = 0; block_place.y < grid.y; ++block_place.y) {
    for (block_place.x = 0; block_place.x < grid.x; ++block_place.x) block.run(kernel);
  }
}

}  // namespace cuda_on_cpu

#define threadIdx (cuda_on_cpu::Place{cuda_on_cpu::current->thread(), 0})
#define blockIdx cuda_on_cpu::block_place
#define gridDim cuda_on_cpu::grid_size
#define DYNAMIC_SHARED(name, number) static uint4 name[number]

// Views of words, as in shared memory.
struct [[gnu::may_alias]] uint2 {
  std::uint32_t x, y;
};
struct [[gnu::may_alias]] uint4 {
  std::uint32_t x, y, z, w;
};
inline uint2 make_uint2(std::uint32_t x, std::uint32_t y) { return {x, y}; }
inline uint4 make_uint4(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w) {
  return {x, y, z, w};
}

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
inline int __popc(std::uint32_t word) { return std::popcount(word); }
inline int __ffs(int word) { return word == 0 ? 0 : std::countr_zero(static_cast<std::uint32_t>(word)) + 1; }
inline std::uint32_t __brev(std::uint32_t word) {
  std::uint32_t reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (word >> i & 1) << (31 - i);
  return reversed;
}
inline int __clz(int word) { return std::countl_zero(static_cast<std::uint32_t>(word)); }
inline std::uint32_t __funnelshift_r(std::uint32_t low, std::uint32_t high, int bits) {
  return bits == 0 ? low : high << (32 - bits) | low >> bits;
}
inline std::uint32_t __funnelshift_l(std::uint32_t low, std::uint32_t high, int bits) {
  return bits == 0 ? high : high << bits | low >> (32 - bits);
}

// Value of the thread `from`, or of this one if there is none.
inline std::uint32_t value_of(std::uint32_t value, int from) {
  const auto& values = cuda_on_cpu::current->exchange(value);
  return from >= 0 && from < 32 ? values[threadIdx.x / 32 * 32 + static_cast<std::size_t>(from)] : value;
}
inline std::uint32_t __shfl_up_sync(std::uint32_t, std::uint32_t value, int lanes) {
  return value_of(value, static_cast<int>(threadIdx.x % 32) - lanes);
}
inline std::uint32_t __shfl_down_sync(std::uint32_t, std::uint32_t value, int lanes) {
  return value_of(value, static_cast<int>(threadIdx.x % 32) + lanes);
}
inline std::uint32_t __shfl_xor_sync(std::uint32_t, std::uint32_t value, int lanes) {
  return value_of(value, static_cast<int>(threadIdx.x % 32) ^ lanes);
}
inline std::uint32_t __shfl_sync(std::uint32_t, std::uint32_t value, int lane) {
  return value_of(value, lane);
}
inline std::uint32_t __ballot_sync(std::uint32_t, bool value) {
  const auto& values = cuda_on_cpu::current->exchange(value ? 1 : 0);
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < 32; ++i) all |= values[threadIdx.x / 32 * 32 + i] << i;
  return all;
}
inline bool __any_sync(std::uint32_t, bool value) { return __ballot_sync(0, value) != 0; }
inline void __syncthreads() { cuda_on_cpu::current->exchange(0); }
inline int __syncthreads_or(int value) { return cuda_on_cpu::current->any(value != 0) ? 1 : 0; }
inline void __syncwarp() { cuda_on_cpu::current->exchange(0); }
inline int atomicAdd(int* to, int value) {
  const int before = *to;
  *to += value;
  return before;
}
inline void atomicAdd(unsigned long long* to, unsigned long long value) { *to += value; }

typedef std::uint32_t word;
inline void atomicXor(word* to, word value) { *to ^= value; }
inline void atomicOr(word* to, word value) { *to |= value; }
template <int table>
inline word lut3(word a, word b, word c) {
  word result = 0;
  for (int i = 0; i < 8; ++i) {
    if ((table >> i & 1) != 0)
      result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  }
  return result;
}
#define LUT3(a, b, c, table) lut3<table>(a, b, c)
#define AND_NOT(a, b) ((a) & ~(b))
#define MOOREA_STEP [[maybe_unused]] static inline
