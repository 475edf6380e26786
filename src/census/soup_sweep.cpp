// SPDX-License-Identifier: MIT
// The loop over tiles, compiled for each set of instructions, and for Life apart from all other rules.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

template <class StepTile>
MOOREA_SOUP_INLINE std::int64_t sweep(const SoupSweep& call, StepTile step) {
  std::int64_t population = 0;
  const auto in_strip = static_cast<std::uint32_t>(call.strip / SoupBoard::tile_rows);
  for (const std::uint32_t tile : call.due) {
    const std::size_t word = std::size_t{tile} * SoupBoard::tile_rows;
    const Change change = step(call.rule, call.from + word, call.to + word, call.strip);
    if (change.any == 0) continue;
    population += change.population;
    enlist_changed(*call.tiles, tile, in_strip, change);
  }
  return population;
}

std::int64_t life_portable(const SoupSweep& call) { return sweep(call, step_tile<true>); }
std::int64_t rule_portable(const SoupSweep& call) { return sweep(call, step_tile<false>); }

#if defined(__x86_64__)
#define MOOREA_SOUP_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#ifdef __clang__
#define MOOREA_SOUP_WIDEST  // clang knows no such attribute, and uses vectors of the type's size
#else
#define MOOREA_SOUP_WIDEST ",prefer-vector-width=512"
#endif
#define MOOREA_SOUP_AVX512                                                              \
  __attribute__((                                                                       \
      target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq," \
             "avx512vbmi2" MOOREA_SOUP_WIDEST)))
MOOREA_SOUP_AVX2 std::int64_t life_avx2(const SoupSweep& call) { return sweep(call, step_tile<true>); }
MOOREA_SOUP_AVX2 std::int64_t rule_avx2(const SoupSweep& call) { return sweep(call, step_tile<false>); }

// As step_tile(); rows are compared and counted as one vector.
template <bool is_life>
MOOREA_SOUP_AVX512 inline Change step_tile_avx512(const SoupRule& rule, const std::uint64_t* from,
                                                  std::uint64_t* to, std::int64_t strip) {
  Rows next;
  next_rows<is_life>(rule, from, strip, next);
  const auto now = reinterpret_cast<__m512i>(next);
  const __m512i before = _mm512_loadu_si512(to), difference = _mm512_xor_si512(now, before);
  Change change;
  if (_mm512_test_epi64_mask(difference, difference) == 0) return change;
  _mm512_storeu_si512(to, now);
  alignas(64) std::uint64_t rows[8];
  alignas(64) std::int64_t born[8];
  _mm512_store_si512(rows, difference);
  _mm512_store_si512(born, _mm512_sub_epi64(_mm512_popcnt_epi64(now), _mm512_popcnt_epi64(before)));
  for (int i = 0; i < 8; ++i) {
    change.any |= rows[i];
    change.population += born[i];
  }
  change.first = rows[0];
  change.last = rows[7];
  return change;
}

MOOREA_SOUP_AVX512 std::int64_t life_avx512(const SoupSweep& call) {
  return sweep(call, step_tile_avx512<true>);
}
MOOREA_SOUP_AVX512 std::int64_t rule_avx512(const SoupSweep& call) {
  return sweep(call, step_tile_avx512<false>);
}
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
