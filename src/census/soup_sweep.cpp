// SPDX-License-Identifier: MIT
// The loop over tiles, compiled for each set of instructions, for squares of one strip and of several, and
// for Life apart from all other rules.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <utility>

#include "census/soup_kernel.h"

namespace moorea {
namespace soup_kernel {
namespace {

// Tiles of a strip with changes: in any row, in the first and in the last one. Without branches, because it
// is hard to predict which they are.
struct Changes {
  std::uint64_t any = 0, first = 0, last = 0;

  MOOREA_SOUP_INLINE void add(int tile, unsigned rows) {
    any |= std::uint64_t{rows != 0} << tile;
    first |= std::uint64_t{rows & 1} << tile;
    last |= std::uint64_t{rows >> 7} << tile;
  }
  // A tile is computed next if it has changed, or if cells next to it have.
  MOOREA_SOUP_INLINE std::uint64_t around() const { return any | first >> 1 | last << 1; }
  // Those of a mask and of the masks before and after it.
  MOOREA_SOUP_INLINE void enlist(std::uint64_t* mask, bool is_first, bool is_last) const {
    mask[0] |= around();
    if (!is_first) mask[-1] |= first << 63;
    if (!is_last) mask[1] |= last >> 63;
  }
};

// With up to 63 tiles, those of a single strip are bits of one word.
template <class StepTile>
MOOREA_SOUP_INLINE bool sweep_alone(const SoupSweep& call, std::uint64_t generations, StepTile step) {
  const SoupSquare& square = call.square;
  const std::int64_t array = square.array();
  const std::uint64_t columns = call.outside[0], all = (std::uint64_t{1} << square.tiles()) - 1,
                      inner = (std::uint64_t{1} << call.end_tile) - (std::uint64_t{1} << call.first_tile);
  std::uint64_t* from = call.cells[call.parity] + square.even(0);
  std::uint64_t* to = call.cells[1 - call.parity] + square.even(0);
  std::uint64_t due = call.next[0], again = call.again[0], touched = call.touched[0], outside = 0;
  Rows born = {};
  for (; generations > 0 && due != 0; --generations) {
    touched |= due;
    Changes changes;
    for (std::uint64_t left = due; left != 0; left &= left - 1) {
      const int tile = __builtin_ctzll(left);
      const std::int64_t row = tile * SoupSquare::tile_rows;
      const Change change = step(call.rule, from + row, to + row, array, columns, born);
      changes.add(tile, change.any);
      outside |= change.in_columns;
    }
    outside |= changes.any & ~inner;
    due = (changes.around() & all) | again;
    again = 0;
    std::swap(from, to);
  }
  call.next[0] = due;
  call.again[0] = again;
  call.touched[0] = touched;
  return outside != 0;
}

// Computes the due tiles of a mask, and returns whether cells outside the inner part have changed.
template <class StepTile>
MOOREA_SOUP_INLINE bool step_due(const SoupSweep& call, std::uint64_t parity, std::int64_t strip,
                                 std::int64_t mask, Rows& born, StepTile step) {
  const SoupSquare& square = call.square;
  const std::int64_t masks = square.masks(), array = square.array(), first_tile = mask * 64,
                     first_word = square.even(strip) + first_tile * SoupSquare::tile_rows;
  const std::uint64_t* const from = call.cells[parity] + first_word;
  std::uint64_t* const to = call.cells[1 - parity] + first_word;
  Changes here, left, right;
  unsigned outside = 0;
  for (std::uint64_t due = call.due[strip * masks + mask]; due != 0; due &= due - 1) {
    const int tile = __builtin_ctzll(due);
    const std::int64_t row = tile * SoupSquare::tile_rows;
    const Change change = step(call.rule, from + row, to + row, array, call.outside[strip], born);
    here.add(tile, change.any);
    left.add(tile, change.left);
    right.add(tile, change.right);
    const bool is_outside = first_tile + tile < call.first_tile || first_tile + tile >= call.end_tile;
    outside |= change.in_columns | (is_outside ? change.any : 0);
  }
  const bool is_first = mask == 0, is_last = mask + 1 == masks;
  std::uint64_t* const next = call.next + strip * masks + mask;
  here.enlist(next, is_first, is_last);
  if (strip > 0) left.enlist(next - masks, is_first, is_last);
  if (strip + 1 < square.strips()) right.enlist(next + masks, is_first, is_last);
  return outside != 0;
}

template <class StepTile>
MOOREA_SOUP_INLINE bool sweep(const SoupSweep& call, std::uint64_t generations, StepTile step) {
  const SoupSquare& square = call.square;
  const std::int64_t strips = square.strips(), masks = square.masks();
  // Of the last mask of a strip: tiles that there are
  const std::uint64_t last_mask = ~std::uint64_t{0} >> (masks * 64 - square.tiles());
  bool outside = false;
  std::uint64_t parity = call.parity;
  for (std::uint64_t g = 0; g < generations; ++g, parity = 1 - parity) {
    for (std::int64_t strip = 0, i = 0; strip < strips; ++strip) {
      for (std::int64_t mask = 0; mask < masks; ++mask, ++i) {
        call.due[i] = mask + 1 < masks ? call.next[i] : call.next[i] & last_mask;
        call.touched[i] |= call.due[i];
        call.next[i] = call.again[i];
        call.again[i] = 0;
      }
    }
    Rows born = {};
    for (std::int64_t strip = 0, i = 0; strip < strips; ++strip) {
      for (std::int64_t mask = 0; mask < masks; ++mask, ++i) {
        if (call.due[i] != 0) outside |= step_due(call, parity, strip, mask, born, step);
      }
    }
    std::uint64_t rows[8], sum = 0;
    std::memcpy(rows, &born, sizeof rows);
    for (const std::uint64_t row : rows) sum += row;
    call.population[1 - parity] += sum;
    call.populations[g] = call.population[1 - parity];
  }
  return outside;
}

template <bool is_life>
bool alone_portable(const SoupSweep& call, std::uint64_t generations) {
  return sweep_alone(call, generations, step_tile<is_life, true>);
}
template <bool is_life>
bool portable(const SoupSweep& call, std::uint64_t generations) {
  return sweep(call, generations, step_tile<is_life, false>);
}

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
template <bool is_life>
MOOREA_SOUP_AVX2 bool alone_avx2(const SoupSweep& call, std::uint64_t generations) {
  return sweep_alone(call, generations, step_tile<is_life, true>);
}
template <bool is_life>
MOOREA_SOUP_AVX2 bool avx2(const SoupSweep& call, std::uint64_t generations) {
  return sweep(call, generations, step_tile<is_life, false>);
}

// By VPTERNLOG, whose constant has the result for each value of 4 * a + 2 * b + c, and shifts of two words.
struct LogicAvx512 {
  template <int table>
  MOOREA_SOUP_AVX512 static inline void ternary(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    to = reinterpret_cast<Rows>(_mm512_ternarylogic_epi64(
        reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b), reinterpret_cast<__m512i>(c), table));
  }
  MOOREA_SOUP_AVX512 static inline void parity(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    ternary<0b10010110>(a, b, c, to);
  }
  MOOREA_SOUP_AVX512 static inline void majority(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    ternary<0b11101000>(a, b, c, to);
  }
  MOOREA_SOUP_AVX512 static inline void add_both(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    ternary<0b01111000>(a, b, c, to);
  }
  MOOREA_SOUP_AVX512 static inline void before(const Rows& odd, const Rows& left, Rows& to) {
    to = reinterpret_cast<Rows>(
        _mm512_shldi_epi64(reinterpret_cast<__m512i>(odd), reinterpret_cast<__m512i>(left), 1));
  }
  MOOREA_SOUP_AVX512 static inline void after(const Rows& even, const Rows& right, Rows& to) {
    to = reinterpret_cast<Rows>(
        _mm512_shrdi_epi64(reinterpret_cast<__m512i>(even), reinterpret_cast<__m512i>(right), 1));
  }
  // two ? one : alive & ~one, where two and four differ
  MOOREA_SOUP_AVX512 static inline void life(const Rows& one, const Rows& two, const Rows& four,
                                             const Rows& alive, Rows& to) {
    Rows next;
    ternary<0b11000010>(two, one, alive, next);
    ternary<0b01100000>(next, two, four, to);
  }
};

// As step_tile(); rows are compared and counted as vectors.
template <bool is_life, bool is_alone>
MOOREA_SOUP_AVX512 inline Change step_tile_avx512(const SoupRule& rule, const std::uint64_t* from,
                                                  std::uint64_t* to, std::int64_t array,
                                                  std::uint64_t columns, Rows& born) {
  Pair next;
  next_tile<LogicAvx512, is_life, is_alone>(rule, from, array, next);
  const auto even = reinterpret_cast<__m512i>(next.even), odd = reinterpret_cast<__m512i>(next.odd);
  const __m512i old_even = _mm512_loadu_si512(to), old_odd = _mm512_loadu_si512(to + array);
  _mm512_storeu_si512(to, even);
  _mm512_storeu_si512(to + array, odd);
  const __m512i in_even = _mm512_xor_si512(even, old_even), in_odd = _mm512_xor_si512(odd, old_odd),
                differs = _mm512_or_si512(in_even, in_odd);
  Change change;
  change.any = _mm512_test_epi64_mask(differs, differs);
  change.in_columns = _mm512_test_epi64_mask(differs, _mm512_set1_epi64(static_cast<std::int64_t>(columns)));
  if (is_alone) return change;
  change.left = _mm512_test_epi64_mask(in_even, _mm512_set1_epi64(1));
  change.right = _mm512_movepi64_mask(in_odd);
  const __m512i more =
      _mm512_sub_epi64(_mm512_add_epi64(_mm512_popcnt_epi64(even), _mm512_popcnt_epi64(odd)),
                       _mm512_add_epi64(_mm512_popcnt_epi64(old_even), _mm512_popcnt_epi64(old_odd)));
  born += reinterpret_cast<Rows>(more);
  return change;
}

template <bool is_life>
MOOREA_SOUP_AVX512 bool alone_avx512(const SoupSweep& call, std::uint64_t generations) {
  return sweep_alone(call, generations, step_tile_avx512<is_life, true>);
}
template <bool is_life>
MOOREA_SOUP_AVX512 bool avx512(const SoupSweep& call, std::uint64_t generations) {
  return sweep(call, generations, step_tile_avx512<is_life, false>);
}
#endif

template <bool is_life>
std::vector<SoupSweep::Function> functions_of(bool is_alone) {
  std::vector<SoupSweep::Function> usable;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vbmi2") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    usable.push_back(is_alone ? alone_avx512<is_life> : avx512<is_life>);
  if (__builtin_cpu_supports("avx2")) usable.push_back(is_alone ? alone_avx2<is_life> : avx2<is_life>);
#endif
  usable.push_back(is_alone ? alone_portable<is_life> : portable<is_life>);
  return usable;
}

}  // namespace
}  // namespace soup_kernel

std::vector<SoupSweep::Function> SoupSweep::usable(const SoupRule& rule, const SoupSquare& square) {
  const bool is_alone = square.strips() == 1;
  return rule.is_life() ? soup_kernel::functions_of<true>(is_alone)
                        : soup_kernel::functions_of<false>(is_alone);
}

}  // namespace moorea
