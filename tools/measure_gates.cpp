// SPDX-License-Identifier: MIT
// How many logic instructions on 512-bit vectors begin in a second: those of three inputs and of two, on
// values made shortly before, as in a network of gates. The measured reason for what src/logic/schedule.cpp
// takes them to cost. Prints JSON; needs a CPU with AVX-512.
#include <fmt/format.h>
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace {

constexpr std::size_t registers = 28;
constexpr auto instructions = std::make_index_sequence<240>();

enum class Inputs { settled, three, two };

// Instruction i makes register i from itself and those made `ago` before, or from two that never change.
template <Inputs inputs, std::size_t ago, std::size_t i>
[[gnu::always_inline]] inline void instruct(__m512i* values, __m512i settled) {
  __m512i& result = values[i % registers];
  const __m512i a = values[(i + registers - ago) % registers],
                b = values[(i + registers - ago - 1) % registers];
  if constexpr (inputs == Inputs::settled) {
    asm volatile("vpternlogq $0x96, %1, %1, %0" : "+v"(result) : "v"(settled));
  } else if constexpr (inputs == Inputs::three) {
    asm volatile("vpternlogq $0x96, %1, %2, %0" : "+v"(result) : "v"(a), "v"(b));
  } else {
    asm volatile("vpxorq %1, %2, %0" : "=v"(result) : "v"(a), "v"(b));
  }
}

template <Inputs even, Inputs odd, std::size_t ago, std::size_t... i>
void loop(long rounds, std::index_sequence<i...>) {
  const __m512i settled = _mm512_set1_epi64(5);
  __m512i values[registers];
  std::fill(std::begin(values), std::end(values), settled);
  for (; rounds > 0; --rounds) (instruct < i % 2 == 0 ? even : odd, ago, i > (values, settled), ...);
  for (const __m512i& value : values) asm volatile("" : : "v"(value));
}

template <Inputs even, Inputs odd, std::size_t ago>
double rate() {
  constexpr long rounds = 1'000'000;
  double best = 0;
  for (int sample = 0; sample < 7; ++sample) {
    const auto start = std::chrono::steady_clock::now();
    loop<even, odd, ago>(rounds, instructions);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(rounds * instructions.size()) / seconds.count());
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
      "{:.3g}, "
      "\"two inputs\": {:.3g}, \"three and two by turns\": {:.3g}}}}}\n",
      rate<Inputs::settled, Inputs::settled, 12>(), rate<Inputs::three, Inputs::three, 12>(),
      rate<Inputs::two, Inputs::two, 12>(), rate<Inputs::three, Inputs::two, 20>());
}
