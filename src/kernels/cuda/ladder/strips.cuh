// SPDX-License-Identifier: MIT
// Strips of bytes in registers: a thread computes eight columns and 32 rows of cells. Families of rules
// differ in what they need for it. Life and ANNEAL are a few operations per row, in words of four cells, and
// keep three rows. All other rules are looked up in masks, which is expensive, and therefore done once for
// eight rows: their cells become words of 4 x 8 bits, whose neighbours are counted by full adders, and ten
// rows are in registers. Include inside an unnamed namespace, after cuda/ladder/cells.cuh and
// cuda/ladder/families.cuh.
#ifndef MOOREA_KERNELS_STEP_STRIPS_CUDA_H
#define MOOREA_KERNELS_STEP_STRIPS_CUDA_H

using word = std::uint32_t;

constexpr int strip_cells = 8, strip_rows = 32, group_rows = 8;
constexpr word ones = 0x01010101;  // a byte per cell

// With at most 64 registers a thread, blocks of this many can be launched on every GPU.
constexpr int max_block_threads = 1024;

// Eight cells of a row and the two adjacent ones, as bytes 0 or 1.
struct RowOfStrip {
  word low, high, left, right;
};

// Rows are aligned to eight bytes, and bytes after the halo may be read; no stored cell depends on them.
static __device__ inline RowOfStrip row_at(const std::uint8_t* at) {
  const uint2 pair = *reinterpret_cast<const uint2*>(at);
  return {pair.x & ones, pair.y & ones, at[-1], at[8]};
}

// Two words of columns, or of sums of columns.
struct Pair {
  word low, high;
};

// The columns to the left and to the right of each; bytes are columns.
static __device__ inline Pair from_left(const RowOfStrip& row) {
  return {row.low << 8 | row.left, __funnelshift_l(row.low, row.high, 8)};
}
static __device__ inline Pair from_right(const RowOfStrip& row) {
  return {__funnelshift_r(row.low, row.high, 8), row.high >> 8 | row.right << 24};
}

static __device__ inline void store_strip(std::uint8_t* to, const Pair& next, std::int64_t left) {
  if (left >= strip_cells) {
    *reinterpret_cast<uint2*>(to) = make_uint2(next.low, next.high);
    return;
  }
  for (int i = 0; i < left; ++i)
    to[i] = static_cast<std::uint8_t>((i < 4 ? next.low : next.high) >> (8 * (i % 4)));
}

struct Strip {
  const std::uint8_t* from;  // its first cell
  std::uint8_t* to;
  std::ptrdiff_t pitch;
  std::int64_t columns, rows;  // in the world, from the first cell on
};

// ---- row by row

// 1 in each byte of `values`, all at most 15, that equals n.
static __device__ inline word equal(word values, word n) {
  return ~((values ^ n * ones) + 15 * ones) >> 4 & ones;
}

struct LifeOfTotals {
  static __device__ word next(word total, word cells) { return equal((total - cells) | cells, 3); }
};

struct AnnealOfTotals {
  static __device__ word next(word total, word) { return equal(total, 4) | ((total + 2 * ones) >> 3 & ones); }
};

static __device__ inline Pair sums_of(const RowOfStrip& row) {
  const Pair left = from_left(row), right = from_right(row);
  return {left.low + row.low + right.low, left.high + row.high + right.high};
}

template <class Rule>
static __device__ inline void step_by_rows(Strip strip) {
  Pair above = sums_of(row_at(strip.from - strip.pitch));
  RowOfStrip row = row_at(strip.from);
  Pair own = sums_of(row);
#pragma unroll 1
  for (int y = 0; y < strip.rows; ++y) {
    strip.from += strip.pitch;
    const RowOfStrip next_row = row_at(strip.from);
    const Pair below = sums_of(next_row);

    const Pair next = {Rule::next(above.low + own.low + below.low, row.low),
                       Rule::next(above.high + own.high + below.high, row.high)};

    store_strip(strip.to, next, strip.columns);
    strip.to += strip.pitch;
    above = own;
    own = below;
    row = next_row;
  }
}

// ---- eight rows at a time: bit r of a byte is row r

static __device__ inline word majority(word a, word b, word c) { return (a & b) | (c & (a ^ b)); }

static __device__ inline RowOfStrip sum_of(const RowOfStrip& a, const RowOfStrip& b, const RowOfStrip& c) {
  return {a.low ^ b.low ^ c.low, a.high ^ b.high ^ c.high, a.left ^ b.left ^ c.left,
          a.right ^ b.right ^ c.right};
}
static __device__ inline RowOfStrip carry_of(const RowOfStrip& a, const RowOfStrip& b, const RowOfStrip& c) {
  return {majority(a.low, b.low, c.low), majority(a.high, b.high, c.high), majority(a.left, b.left, c.left),
          majority(a.right, b.right, c.right)};
}

// Number of live cells among the 3 x 3 around each, 0 to 9, as bits.
struct TotalBits {
  word bits[4];
};

// From the sum and the carry of each column of three cells.
static __device__ inline TotalBits total_of(const word (&sums)[3], const word (&carries)[3]) {
  const word carry = majority(sums[0], sums[1], sums[2]), twos = carries[0] ^ carries[1] ^ carries[2],
             fours = majority(carries[0], carries[1], carries[2]);
  return {{sums[0] ^ sums[1] ^ sums[2], twos ^ carry, fours ^ (twos & carry), fours & twos & carry}};
}

static __device__ inline word where(unsigned mask, int n) { return 0u - (mask >> n & 1u); }

// All ones where the total is n.
static __device__ inline word has_total(const TotalBits& total, int n) {
  word all = ~0u;
#pragma unroll
  for (int i = 0; i < 4; ++i) all &= n >> i & 1 ? total.bits[i] : ~total.bits[i];
  return all;
}

struct RuleOfTotals {
  static __device__ word next(const TotalBits& total, word, const RuleMask& rule) {
    const unsigned alive = rule.birth | unsigned{rule.survival} << 1;
    word next = 0;
#pragma unroll
    for (int n = 0; n < 10; ++n) next |= has_total(total, n) & where(alive, n);
    return next;
  }
};

struct RuleOfCounts {
  static __device__ word next(const TotalBits& total, word cells, const RuleMask& rule) {
    const unsigned survival = unsigned{rule.survival} << 1;  // the total counts the cell itself
    word next = 0;
#pragma unroll
    for (int n = 0; n < 10; ++n)
      next |= has_total(total, n) & ((where(rule.birth, n) & ~cells) | (where(survival, n) & cells));
    return next;
  }
};

template <class Rule>
static __device__ inline void step_by_groups(const Strip& strip, const RuleMask& mask) {
#pragma unroll 1
  for (int first = 0; first < strip.rows; first += group_rows) {
    const std::uint8_t* from = strip.from + first * strip.pitch;
    const RowOfStrip before = row_at(from - strip.pitch);
    RowOfStrip cells = {};
    RowOfStrip after = {};
#pragma unroll
    for (int row = 0; row <= group_rows; ++row) {
      // Rows after the halo are not read; no stored cell depends on them
      if (first + row > strip.rows) continue;
      const RowOfStrip one = row_at(from + row * strip.pitch);
      if (row == group_rows) {
        after = one;
      } else {
        cells = {cells.low | one.low << row, cells.high | one.high << row, cells.left | one.left << row,
                 cells.right | one.right << row};
      }
    }
    constexpr word not_first = 0xFE * ones, not_last = 0x7F * ones;
    const RowOfStrip above = {
        (cells.low << 1 & not_first) | before.low, (cells.high << 1 & not_first) | before.high,
        (cells.left << 1 & not_first) | before.left, (cells.right << 1 & not_first) | before.right};
    const RowOfStrip below = {
        (cells.low >> 1 & not_last) | after.low << 7, (cells.high >> 1 & not_last) | after.high << 7,
        (cells.left >> 1 & not_last) | after.left << 7, (cells.right >> 1 & not_last) | after.right << 7};

    const RowOfStrip sums = sum_of(above, cells, below), carries = carry_of(above, cells, below);
    const Pair left_sums = from_left(sums), right_sums = from_right(sums), left_carries = from_left(carries),
               right_carries = from_right(carries);
    const Pair next = {Rule::next(total_of({left_sums.low, sums.low, right_sums.low},
                                           {left_carries.low, carries.low, right_carries.low}),
                                  cells.low, mask),
                       Rule::next(total_of({left_sums.high, sums.high, right_sums.high},
                                           {left_carries.high, carries.high, right_carries.high}),
                                  cells.high, mask)};

    std::uint8_t* to = strip.to + first * strip.pitch;
#pragma unroll
    for (int row = 0; row < group_rows; ++row) {
      if (first + row < strip.rows)
        store_strip(to + row * strip.pitch, {next.low >> row & ones, next.high >> row & ones}, strip.columns);
    }
  }
}

// ---- a thread

// The number of a family is its place in Family; those below `families` are known.
template <int families>
static __device__ __forceinline__ void step_strip(const Block& block, Family family) {
  const std::int64_t x = strip_cells * (first_column() + threadIdx.x),
                     y = strip_rows * (first_row() + threadIdx.y);
  if (x >= block.width || y >= block.height) return;
  const std::int64_t rows = block.height - y < strip_rows ? block.height - y : strip_rows;
  const Strip strip = {static_cast<const std::uint8_t*>(block.from) + y * block.pitch + x,
                       static_cast<std::uint8_t*>(block.to) + y * block.pitch + x, block.pitch,
                       block.width - x, rows};
  if (families > 3 && family == Family::outer_totalistic) {
    step_by_groups<RuleOfCounts>(strip, block.rule);
  } else if (families > 2 && family == Family::totalistic) {
    step_by_groups<RuleOfTotals>(strip, block.rule);
  } else if (families > 1 && family == Family::anneal) {
    step_by_rows<AnnealOfTotals>(strip);
  } else {
    step_by_rows<LifeOfTotals>(strip);
  }
}

static inline dim3 grid_of_strips(const Block& block, const dim3& threads) {
  return grid_of((block.width + strip_cells - 1) / strip_cells, (block.height + strip_rows - 1) / strip_rows,
                 threads);
}

#endif
