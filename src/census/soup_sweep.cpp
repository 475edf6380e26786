// SPDX-License-Identifier: MIT
// The loop over tiles, compiled for each set of instructions, and for Life apart from all other rules.
#include "census/soup_kernel.h"

namespace moorea {
namespace soup_kernel {
namespace {

// A tile is computed next if it has changed, or if cells next to it have.
MOOREA_SOUP_INLINE void enlist_changed(SoupTiles& tiles, std::uint32_t tile, std::uint32_t in_strip,
                                       const Change& change) {
  constexpr std::uint64_t left = 1, right = std::uint64_t{1} << 63;
  tiles.enlist(tile);
  if (change.first) tiles.enlist(tile - 1);
  if (change.last) tiles.enlist(tile + 1);
  if (change.any & left) {
    tiles.enlist(tile - in_strip);
    if (change.first & left) tiles.enlist(tile - in_strip - 1);
    if (change.last & left) tiles.enlist(tile - in_strip + 1);
  }
  if (change.any & right) {
    tiles.enlist(tile + in_strip);
    if (change.first & right) tiles.enlist(tile + in_strip - 1);
    if (change.last & right) tiles.enlist(tile + in_strip + 1);
  }
}

template <bool is_life>
MOOREA_SOUP_INLINE std::int64_t sweep(const SoupSweep& call) {
  std::int64_t population = 0;
  const auto in_strip = static_cast<std::uint32_t>(call.strip / SoupBoard::tile_rows);
  for (const std::uint32_t tile : call.due) {
    const std::size_t word = std::size_t{tile} * SoupBoard::tile_rows;
    const Change change = step_tile<is_life>(call.rule, call.from + word, call.to + word, call.strip);
    if (change.any == 0) continue;
    population += change.population;
    enlist_changed(*call.tiles, tile, in_strip, change);
  }
  return population;
}

std::int64_t life_portable(const SoupSweep& call) { return sweep<true>(call); }
std::int64_t rule_portable(const SoupSweep& call) { return sweep<false>(call); }

#if defined(__x86_64__)
#define MOOREA_SOUP_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define MOOREA_SOUP_AVX512                                                                           \
  __attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq," \
                        "avx512vbmi2,prefer-vector-width=512")))
MOOREA_SOUP_AVX2 std::int64_t life_avx2(const SoupSweep& call) { return sweep<true>(call); }
MOOREA_SOUP_AVX2 std::int64_t rule_avx2(const SoupSweep& call) { return sweep<false>(call); }
MOOREA_SOUP_AVX512 std::int64_t life_avx512(const SoupSweep& call) { return sweep<true>(call); }
MOOREA_SOUP_AVX512 std::int64_t rule_avx512(const SoupSweep& call) { return sweep<false>(call); }
#endif

}  // namespace
}  // namespace soup_kernel

SoupSweep::Function SoupSweep::choose(const SoupRule& rule) {
  using namespace soup_kernel;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vbmi2") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return rule.is_life() ? life_avx512 : rule_avx512;
  if (__builtin_cpu_supports("avx2")) return rule.is_life() ? life_avx2 : rule_avx2;
#endif
  return rule.is_life() ? life_portable : rule_portable;
}

}  // namespace moorea
