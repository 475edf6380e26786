// SPDX-License-Identifier: MIT
// The loop over tiles, compiled for each set of instructions, and for Life, other life-like rules, and those
// that do not count.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "census/soup_loop.h"

namespace moorea {
namespace soup_kernel {
namespace {

template <SoupRules rules>
bool portable(const SoupSweep& call, std::uint64_t generations) {
  return Sweep<LogicOfPairs, rules>(call).run(generations);
}

#if defined(__x86_64__)
#define MOOREA_SOUP_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#ifdef __clang__
#define MOOREA_SOUP_WIDEST  // clang knows no such attribute, and uses vectors of the type's size
#else
#define MOOREA_SOUP_WIDEST ",prefer-vector-width=512"
#endif
#define MOOREA_SOUP_AVX512 \
  __attribute__((target("avx2,bmi,bmi2,avx512f,avx512dq,avx512vl" MOOREA_SOUP_WIDEST)))
using FourRows = std::uint64_t __attribute__((vector_size(32)));
using EightRows = std::uint64_t __attribute__((vector_size(64)));

struct LogicAvx2 : Logic<FourRows> {
  // The last row of `above` and the first three of `here`, and the last three of `here` and the first one of
  // `below`: a row of each pair of rows and one of the pair before or after it.
  MOOREA_SOUP_AVX2 static inline void row_above(const Rows& above, const Rows& here, Rows& to) {
    to = reinterpret_cast<Rows>(
        _mm256_alignr_epi8(reinterpret_cast<__m256i>(here), pairs_between(above, here), 8));
  }
  MOOREA_SOUP_AVX2 static inline void row_below(const Rows& here, const Rows& below, Rows& to) {
    to = reinterpret_cast<Rows>(
        _mm256_alignr_epi8(pairs_between(here, below), reinterpret_cast<__m256i>(here), 8));
  }
  MOOREA_SOUP_AVX2 static inline void cells(const SoupRule& rule, const Apart<Rows>* nine, Rows& to) {
    if (rule.avx2 == nullptr) return Logic<Rows>::cells(rule, nine, to);
    rule.avx2(nine, &to);
  }
  MOOREA_SOUP_AVX2 static inline Change change(const Rows& differs, std::uint64_t left, std::uint64_t right) {
    const __m256i columns = _mm256_set1_epi64x(static_cast<std::int64_t>(left | right));
    if (_mm256_testz_si256(reinterpret_cast<__m256i>(differs), columns) != 0)
      return {occupied(differs), 0, 0};
    return {occupied(differs), occupied(differs & left), occupied(differs & right)};
  }

 private:
  // The second pair of rows of `a` and the first one of `b`.
  MOOREA_SOUP_AVX2 static inline __m256i pairs_between(const Rows& a, const Rows& b) {
    return _mm256_permute2x128_si256(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b), 0x21);
  }
  MOOREA_SOUP_AVX2 static inline unsigned occupied(const Rows& rows) {
    const __m256i equal = _mm256_cmpeq_epi64(reinterpret_cast<__m256i>(rows), _mm256_setzero_si256());
    return 15 ^ static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
  }
};

template <SoupRules rules>
MOOREA_SOUP_AVX2 bool avx2(const SoupSweep& call, std::uint64_t generations) {
  return Sweep<LogicAvx2, rules>(call).run(generations);
}

// By VPTERNLOG, whose constant has the result for each value of 4 * a + 2 * b + c.
struct LogicAvx512 : Logic<EightRows> {
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
  // Masks of all rows: GCC 12 warns of the intrinsic without one, which leaves an operand undefined.
  MOOREA_SOUP_AVX512 static inline void row_above(const Rows& above, const Rows& here, Rows& to) {
    to = reinterpret_cast<Rows>(_mm512_maskz_alignr_epi64(0xff, reinterpret_cast<__m512i>(here),
                                                          reinterpret_cast<__m512i>(above), 7));
  }
  MOOREA_SOUP_AVX512 static inline void row_below(const Rows& here, const Rows& below, Rows& to) {
    to = reinterpret_cast<Rows>(_mm512_maskz_alignr_epi64(0xff, reinterpret_cast<__m512i>(below),
                                                          reinterpret_cast<__m512i>(here), 1));
  }
  // two ? one : alive & ~one, where two and four differ
  MOOREA_SOUP_AVX512 static inline void life(const Rows& one, const Rows& two, const Rows& four,
                                             const Rows& alive, Rows& to) {
    Rows next;
    ternary<0b11000010>(two, one, alive, next);
    ternary<0b01100000>(next, two, four, to);
  }
  MOOREA_SOUP_AVX512 static inline void cells(const SoupRule& rule, const Apart<Rows>* nine, Rows& to) {
    if (rule.avx512 == nullptr) return Logic<Rows>::cells(rule, nine, to);
    rule.avx512(nine, &to);
  }
  MOOREA_SOUP_AVX512 static inline __m512i all(std::uint64_t columns) {
    return _mm512_set1_epi64(static_cast<std::int64_t>(columns));
  }
  MOOREA_SOUP_AVX512 static inline Change change(const Rows& differs, std::uint64_t left,
                                                 std::uint64_t right) {
    const auto rows = reinterpret_cast<__m512i>(differs);
    return {_mm512_test_epi64_mask(rows, rows), _mm512_test_epi64_mask(rows, all(left)),
            _mm512_test_epi64_mask(rows, all(right))};
  }
  MOOREA_SOUP_AVX512 static inline void add_in_columns(const Rows& differs, std::uint64_t columns, Rows& to) {
    ternary<0b11111000>(to, differs, reinterpret_cast<Rows>(all(columns)), to);
  }
};

template <SoupRules rules>
MOOREA_SOUP_AVX512 bool avx512(const SoupSweep& call, std::uint64_t generations) {
  return Sweep<LogicAvx512, rules>(call).run(generations);
}
#endif

template <SoupRules rules>
std::vector<SoupSweep::Function> functions_of() {
  std::vector<SoupSweep::Function> usable;
#if defined(__x86_64__)
  const bool has_avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    usable.push_back(avx512<rules>);
  if (has_avx2) usable.push_back(avx2<rules>);
#endif
  usable.push_back(portable<rules>);
  return usable;
}

}  // namespace
}  // namespace soup_kernel

std::vector<SoupSweep::Function> SoupSweep::usable(const SoupRule& rule) {
  using soup_kernel::SoupRules;
  if (!rule.counts) return soup_kernel::functions_of<SoupRules::cells>();
  return rule.is_life() ? soup_kernel::functions_of<SoupRules::life>()
                        : soup_kernel::functions_of<SoupRules::counts>();
}

}  // namespace moorea
