// SPDX-License-Identifier: MIT
// The loop over tiles, compiled for each set of instructions, and for Life, other life-like rules, and those
// that do not count.
//
// Tiles that are due are listed for a batch of several generations, as all that a change can reach in them:
// between two generations of a batch no decision has to be waited for. Those that are vertically adjacent are
// one entry: the rows above and below a tile come from counts that its neighbours need as well.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
#include <type_traits>
#include <utility>

#include "census/soup_kernel.h"

namespace moorea {
namespace soup_kernel {
namespace {

constexpr unsigned batch = SoupSweep::batch;
static_assert(batch % 2 == 0 && batch <= SoupSquare::tile_rows);
constexpr std::uint64_t first_bits = (1U << batch) - 1, last_columns = first_bits << (64 - batch);

// Bits of the tile above, itself, and the one below, as far as changes of these rows of a tile reach them.
constexpr std::array<std::uint8_t, 256> reached = [] {
  std::array<std::uint8_t, 256> bits{};
  for (unsigned rows = 1; rows < 256; ++rows) {
    const bool above = (rows & first_bits) != 0, below = rows >> (8 - batch) != 0;
    bits[rows] = static_cast<std::uint8_t>((above ? 1 : 0) | 2 | (below ? 4 : 0));
  }
  return bits;
}();

template <class L, SoupRules rules>
class Sweep {
 public:
  explicit MOOREA_SOUP_INLINE Sweep(const SoupSweep& call)
      : call_(call),
        array_(call.square.array()),
        masks_(call.square.masks()),
        end_mask_(masks_ + call.square.strips() * masks_),
        from_(call.cells[call.parity]),
        to_(call.cells[1 - call.parity]),
        list_end_(call.list) {}

  MOOREA_SOUP_INLINE bool run(std::uint64_t generations) {
    for (std::int64_t i = masks_; i < end_mask_; ++i) list(i, call_.due[i]);
    while (generations > 0 && list_end_ != call_.list) {
      const std::uint64_t steps = generations < batch ? generations : batch;
      // Cells outside are as they were if they are so in all generations of even numbers
      for (std::uint64_t g = 1; g < steps; ++g) {
        if (steps == batch && g % 2 != 0)
          step<Watched::no_cells>();
        else
          step<Watched::outside>();
      }
      step<Watched::all_cells>();
      // The tiles of a shorter batch remain due: it does not determine those of an edited world
      list_due(steps < batch);
      generations -= steps;
    }
    std::uint64_t outside[rows], any = 0;
    store(outside_, outside);
    for (const std::uint64_t row : outside) any |= row;
    return any != 0;
  }

 private:
  using R = typename L::Rows;
  static constexpr int rows = rows_of<R>;
  static_assert(SoupSquare::tile_rows % rows == 0);

  // Which changes are recorded: those outside the inner part, and those that determine the tiles of the next
  // batch.
  enum class Watched { no_cells, outside, all_cells };

  // Rows of a run, from the first one on.
  class Flanked {
   public:
    MOOREA_SOUP_INLINE Flanked(const std::uint64_t* first, std::int64_t array) : array_(array) {
      above_.read(first - rows, array);
      here_.read(first, array);
    }
    MOOREA_SOUP_INLINE void next(const SoupRule& rule, const std::uint64_t* row, R& cells) {
      below_.read(row + rows, array_);
      next_rows<L, rules>(rule, above_, here_, below_, cells);
      above_ = here_;
      here_ = below_;
    }

   private:
    std::conditional_t<rules == SoupRules::cells, NeighbourRows<L>, CountedRows<L>> above_, here_, below_;
    std::int64_t array_;
  };

  // The same of a run beside which no cells are alive.
  class Lone {
   public:
    MOOREA_SOUP_INLINE Lone(const std::uint64_t*, std::int64_t) {}
    MOOREA_SOUP_INLINE void next(const SoupRule& rule, const std::uint64_t* row, R& cells) {
      LoneRows<L> lone;
      lone.read(row);
      next_rows<L, rules>(rule, lone, cells);
    }
  };

  static MOOREA_SOUP_INLINE std::uint64_t tiles_of(const SoupTileRun& run) {
    return (std::uint64_t{1} << run.end) - (std::uint64_t{1} << run.first);
  }

  // Whether no cells are alive beside a run: the tiles there, and those next to these in which cells at their
  // limits are alive, would have been due.
  MOOREA_SOUP_INLINE bool is_lone(const SoupTileRun& run) const {
    return ((call_.touched[run.mask - masks_] | call_.touched[run.mask + masks_]) & tiles_of(run)) == 0;
  }

  // One generation of the tiles in the list.
  template <Watched watched>
  MOOREA_SOUP_INLINE void step() {
    for (const SoupTileRun* run = call_.list; run != list_end_; ++run) {
      if (watched == Watched::outside && is_inside(*run))
        step_run<Watched::no_cells>(*run);
      else
        step_run<watched>(*run);
    }
    std::swap(from_, to_);
  }

  // Whether no cell of a run is outside the inner part.
  MOOREA_SOUP_INLINE bool is_inside(const SoupTileRun& run) const {
    return call_.outside_columns[run.mask] == 0 && (tiles_of(run) & ~call_.inner[run.mask]) == 0;
  }

  template <Watched watched>
  MOOREA_SOUP_INLINE void step_run(const SoupTileRun& run) {
    if (is_lone(run))
      step_rows<watched, Lone>(run);
    else
      step_rows<watched, Flanked>(run);
  }

  template <Watched watched, class RunRows>
  MOOREA_SOUP_INLINE void step_rows(const SoupTileRun& run) {
    const std::int64_t mask = run.mask;
    const unsigned end = run.end;
    std::int64_t word = call_.first_words[mask] + run.first * SoupSquare::tile_rows;
    RunRows rows_of_run(from_ + word, array_);
    std::uint64_t next[3] = {};  // tiles on the left, in the same strip, and on the right
    for (unsigned bit = run.first; bit != end; ++bit) {
      Change change;
      for (int row = 0; row < SoupSquare::tile_rows; row += rows, word += rows) {
        R cells;
        rows_of_run.next(call_.rule, from_ + word, cells);
        if (watched == Watched::no_cells)
          store(cells, to_ + word);
        else
          replace<watched>(mask, bit, row, cells, to_ + word, change);
      }
      if (watched != Watched::all_cells) continue;
      next[1] |= std::uint64_t{reached[change.any]} << (bit - 1);
      if ((change.left | change.right) == 0) continue;
      next[0] |= std::uint64_t{reached[change.left]} << (bit - 1);
      next[2] |= std::uint64_t{reached[change.right]} << (bit - 1);
    }
    if (watched != Watched::all_cells) return;
    call_.next[mask - masks_] |= next[0];
    call_.next[mask] |= next[1];
    call_.next[mask + masks_] |= next[2];
  }

  // Stores the rows of a tile from `row` on over their state of two generations before.
  template <Watched watched>
  MOOREA_SOUP_INLINE void replace(std::int64_t mask, unsigned bit, int row, const R& cells, std::uint64_t* to,
                                  Change& change) {
    R differs;
    load(differs, to);
    store(cells, to);
    differs ^= cells;
    const std::uint64_t outside = call_.outside_columns[mask] | ((call_.inner[mask] >> bit & 1) - 1);
    L::add_in_columns(differs, outside, outside_);
    if (watched != Watched::all_cells) return;
    const Change found = L::change(differs, first_bits, last_columns);
    change.any |= found.any << row;
    change.left |= found.left << row;
    change.right |= found.right << row;
  }

  // Appends the tiles of a mask, those that are vertically adjacent as one.
  MOOREA_SOUP_INLINE void list(std::int64_t mask, std::uint64_t due) {
    call_.touched[mask] |= due;
    while (due != 0) {
      const int first = __builtin_ctzll(due);
      const std::uint64_t after = due + (std::uint64_t{1} << first);
      *list_end_++ = {static_cast<std::uint16_t>(mask), static_cast<std::uint8_t>(first),
                      static_cast<std::uint8_t>(__builtin_ctzll(after))};
      due &= after;
    }
  }

  MOOREA_SOUP_INLINE void list_due(bool keeps) {
    const std::uint64_t last_valid = call_.square.valid_tiles(masks_ - 1),
                        kept = keeps ? ~std::uint64_t{0} : 0;
    list_end_ = call_.list;
    std::uint64_t from_above = 0;
    std::int64_t left = masks_;  // of a strip
    for (std::int64_t i = masks_; i < end_mask_; ++i) {
      // Bits 0 and 63 of a mask are tiles of those before and after it
      const std::uint64_t here = call_.next[i], valid = --left == 0 ? last_valid : SoupSquare::all_tiles;
      call_.due[i] = ((here | from_above | (call_.next[i + 1] & 1) << 62) & valid) | (call_.due[i] & kept);
      from_above = here >> 63 << 1;
      call_.next[i] = 0;
      if (left == 0) left = masks_;
      list(i, call_.due[i]);
    }
  }

  const SoupSweep call_;
  const std::int64_t array_, masks_, end_mask_;
  std::uint64_t *from_, *to_;
  SoupTileRun* list_end_;
  R outside_ = {};
};

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
