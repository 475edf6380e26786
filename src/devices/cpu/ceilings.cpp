// SPDX-License-Identifier: MIT
#include "devices/cpu/ceilings.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

#include "devices/cpu/threads.h"
#include "devices/traits.h"
#include "model/memory.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Minimum of several samples: a limit is what an undisturbed machine achieves.
double best_seconds(int samples, const std::function<void()>& work) {
  double best = seconds_of(work);
  for (int i = 1; i < samples; ++i) best = std::min(best, seconds_of(work));
  return best;
}

// Fourteen independent chains, to hide latency and the loop's own instructions at four operations per cycle.
// The vector loops are assembly, because compilers fold such operations or spill them to memory.
constexpr int operations = 14;
constexpr std::int64_t logic_rounds = 4'000'000;

#if defined(__x86_64__)

void logic_avx512(std::int64_t rounds) {
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm0\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm1\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm2\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm3\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm4\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm5\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm6\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm7\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm8\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm9\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm10\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm11\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm12\n"
      "vpternlogq $0x96, %%zmm15, %%zmm14, %%zmm13\n"
      "dec %0\n"
      "jnz 1b\n"
      "vzeroupper\n"
      : "+r"(rounds)
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "cc");
}

void logic_avx2(std::int64_t rounds) {
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      "vpxor %%ymm15, %%ymm0, %%ymm0\n"
      "vpxor %%ymm15, %%ymm1, %%ymm1\n"
      "vpxor %%ymm15, %%ymm2, %%ymm2\n"
      "vpxor %%ymm15, %%ymm3, %%ymm3\n"
      "vpxor %%ymm15, %%ymm4, %%ymm4\n"
      "vpxor %%ymm15, %%ymm5, %%ymm5\n"
      "vpxor %%ymm15, %%ymm6, %%ymm6\n"
      "vpxor %%ymm15, %%ymm7, %%ymm7\n"
      "vpxor %%ymm15, %%ymm8, %%ymm8\n"
      "vpxor %%ymm15, %%ymm9, %%ymm9\n"
      "vpxor %%ymm15, %%ymm10, %%ymm10\n"
      "vpxor %%ymm15, %%ymm11, %%ymm11\n"
      "vpxor %%ymm15, %%ymm12, %%ymm12\n"
      "vpxor %%ymm15, %%ymm13, %%ymm13\n"
      "dec %0\n"
      "jnz 1b\n"
      "vzeroupper\n"
      : "+r"(rounds)
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "cc");
}

#endif

void logic_words(std::int64_t rounds) {
  std::uint64_t a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, operand = 0x5555;
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (int half = 0; half < 2; ++half) {
      a ^= operand, b ^= operand, c ^= operand, d ^= operand, e ^= operand, f ^= operand, g ^= operand;
      asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g));
    }
  }
}

}  // namespace

Ceilings measure_cpu_ceilings(int threads) {
  Ceilings ceilings;
  const auto bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(256u << 20, available_memory() / 8)) / 64 * 64;
  using Memory = std::unique_ptr<char[], void (*)(void*)>;
  const Memory from(static_cast<char*>(std::malloc(bytes)), std::free),
      to(static_cast<char*>(std::malloc(bytes)), std::free);
  if (from && to) {
    std::memset(from.get(), 1, bytes);
    std::memset(to.get(), 2, bytes);
    const double seconds = best_seconds(4, [&] {
      team(threads, [&](int thread, int count) {
        const std::size_t begin = bytes / static_cast<unsigned>(count) * static_cast<unsigned>(thread);
        const std::size_t end = thread + 1 == count ? bytes : begin + bytes / static_cast<unsigned>(count);
        std::memcpy(to.get() + begin, from.get() + begin, end - begin);
      });
    });
    ceilings.copy_bytes_per_second = 2 * static_cast<double>(bytes) / seconds;
  }

  void (*logic)(std::int64_t) = logic_words;
  int words = 1;
  ceilings.logic_instruction = "64-bit logic";
#if defined(__x86_64__)
  const kernels::InstructionSets traits = machine_instruction_sets();
  if (traits.avx512) {
    logic = logic_avx512, words = 8, ceilings.logic_instruction = "AVX-512 three-input logic";
  } else if (traits.avx2) {
    logic = logic_avx2, words = 4, ceilings.logic_instruction = "AVX2 logic";
  }
#endif
  const double seconds = best_seconds(4, [&] { team(threads, [&](int, int) { logic(logic_rounds); }); });
  ceilings.logic_words_per_second =
      static_cast<double>(logic_rounds) * operations * words * threads / seconds;
  return ceilings;
}

}  // namespace moorea
