// SPDX-License-Identifier: MIT
// Throughput of logic instructions on 512-bit vectors: those of three inputs and of two, on recently computed
// values, as in a network of gates. The measurement justifies the costs assumed in src/logic/schedule.cpp.
// Prints JSON; needs a CPU with AVX-512.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace {

// Each register is computed from two that were computed 20 and 21 instructions before
// clang-format off
#define INSTRUCTIONS(even, odd) \
  even(0, 8, 7) odd(1, 9, 8) even(2, 10, 9) odd(3, 11, 10) \
  even(4, 12, 11) odd(5, 13, 12) even(6, 14, 13) odd(7, 15, 14) \
  even(8, 16, 15) odd(9, 17, 16) even(10, 18, 17) odd(11, 19, 18) \
  even(12, 20, 19) odd(13, 21, 20) even(14, 22, 21) odd(15, 23, 22) \
  even(16, 24, 23) odd(17, 25, 24) even(18, 26, 25) odd(19, 27, 26) \
  even(20, 0, 27) odd(21, 1, 0) even(22, 2, 1) odd(23, 3, 2) \
  even(24, 4, 3) odd(25, 5, 4) even(26, 6, 5) odd(27, 7, 6)
// clang-format on

#define SETTLED(to, a, b) "vpternlogq $0x96, %%zmm30, %%zmm31, %%zmm" #to "\n"
#define THREE(to, a, b) "vpternlogq $0x96, %%zmm" #a ", %%zmm" #b ", %%zmm" #to "\n"
#define TWO(to, a, b) "vpxorq %%zmm" #a ", %%zmm" #b ", %%zmm" #to "\n"

#define LOOP(name, even, odd)                                                                                \
  void name(long rounds) {                                                                                   \
    asm volatile(".p2align 6\n1:\n" INSTRUCTIONS(even, odd) "dec %0\njnz 1b\nvzeroupper\n"                   \
                 : "+r"(rounds)                                                                              \
                 :                                                                                           \
                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",  \
                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", \
                   "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "cc");                     \
  }
LOOP(settled, SETTLED, SETTLED)
LOOP(three, THREE, THREE)
LOOP(two, TWO, TWO)
LOOP(alternating, THREE, TWO)

double rate(void (*loop)(long)) {
  constexpr long rounds = 5'000'000, instructions = 28;
  double best = 0;
  for (int sample = 0; sample < 7; ++sample) {
    const auto start = std::chrono::steady_clock::now();
    loop(rounds);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(rounds * instructions) / seconds.count());
  }
  return best;
}

}  // namespace

int main() {
  if (!__builtin_cpu_supports("avx512f")) {
    fmt::print(stderr, "measure_gates: this CPU has no AVX-512\n");
    return 4;
  }
  fmt::print(
      "{{\"instructions_per_second\": {{\"three inputs, two of them settled\": {:.3g}, \"three inputs\": "
      "{:.3g}, \"two inputs\": {:.3g}, \"three and two by turns\": {:.3g}}}}}\n",
      rate(settled), rate(three), rate(two), rate(alternating));
}
