// SPDX-License-Identifier: MIT
// Larger than Life in bit planes: the same bit of adjacent columns are adjacent cells, as in cpu/strided.h,
// and counts are numbers of several vectors, a binary digit of all cells in each. Windows slide: a square's
// count changes by the sums of two columns, of which each changes by two cells from row to row; other
// neighbourhoods' by the cells at both ends of their runs. The cost of a square hardly depends on its size.
//
// Include inside an unnamed namespace of moorea::kernels, after the shifts, halo_columns.h and states/ages.h,
// and after defining for the type `word`
//   spread(bit)                  all bits 0 or all 1
//   xor3(a, b, c), majority(a, b, c)
//   borrow(a, b, c)              majority(~a, b, c)
//   turns(c, v, d)               c & (v ^ d)
#ifndef MOOREA_KERNELS_STEP_WIDE_PLANES_H
#define MOOREA_KERNELS_STEP_WIDE_PLANES_H

constexpr int max_wide_radius = 500;
constexpr int max_digits = 20;              // of counts
constexpr int max_limits = 32;              // that have planes
constexpr std::int64_t chunk_columns = 64;  // whose sums fit into a second-level cache, mostly the first

// Lane i of the result is lane i + by of the vector, cyclically or with dead cells beyond its ends.
static inline word moved_lanes(const word& vector, std::int64_t by, bool cyclic) {
  if (by == 1) return cyclic ? rotate_down(vector) : lanes_down(vector);
  if (by == -1) return cyclic ? rotate_up(vector) : lanes_up(vector);
  constexpr std::int64_t parts = word_lanes / 64;
  if (cyclic) by = (by % word_lanes + word_lanes) % word_lanes;
  Lanes around[3 * parts + 1] = {};
  // (auto would lose the attribute of the type)
  const Lanes* const from = reinterpret_cast<const Lanes*>(&vector);
  word result = spread(0);
  if (by <= -word_lanes || by >= word_lanes) return result;
  for (std::int64_t i = 0; i < parts; ++i) {
    around[parts + i] = from[i];
    around[2 * parts + i] = cyclic ? from[i] : 0;
  }
  Lanes* const to = reinterpret_cast<Lanes*>(&result);
  const std::int64_t first = word_lanes + by;
  const Lanes* const at = around + first / 64;
  const auto shift = static_cast<unsigned>(first % 64);
  for (std::int64_t i = 0; i < parts; ++i)
    to[i] = shift == 0 ? at[i] : at[i] >> shift | at[i + 1] << (64 - shift);
  return result;
}

// The halo columns of a row's live cells, and the cells after its last one if it does not fill its vectors.
static inline void fill_wide_row(const StateRows& rows, word* row) {
  const std::int64_t columns = rows.columns, width = rows.width, apart = rows.planes;
  const auto cell_at = [&](std::int64_t x) {
    x = (x % width + width) % width;
    return rows.torus ? lane(row + x % columns * apart, x / columns) : 0;
  };
  const std::int64_t all = columns * word_lanes;
  const bool is_full = width == all;
  for (std::int64_t x = width; x < all && x < width + rows.reach; ++x)
    set_lane(row + x % columns * apart, x / columns, cell_at(x));
  const auto fill = [&](std::int64_t column) {
    const std::int64_t by = column >= 0 ? column / columns : -((columns - 1 - column) / columns);
    word* const to = row + column * apart;
    *to = moved_lanes(row[(column - by * columns) * apart], by, is_full && rows.torus);
    if (is_full || !rows.torus) return;
    for (std::int64_t i = 0; i < -by && i < word_lanes; ++i) set_lane(to, i, cell_at(column + i * columns));
    for (std::int64_t i = by > word_lanes ? 0 : word_lanes - by; i < word_lanes; ++i)
      if (column + i * columns < width + rows.reach) set_lane(to, i, cell_at(column + i * columns));
  };
  for (std::int64_t i = 0; i < rows.reach; ++i) {
    fill(-1 - i);
    fill(columns + i);
  }
}

static inline void fill_wide_halo(const StateRows& rows, std::int64_t count) {
  for (std::int64_t y = 0; y < count; ++y)
    fill_wide_row(rows, reinterpret_cast<word*>(rows.to + y * rows.to_row));
}

// Where births and survivals change: whether a count reaches a limit is a chain of majorities with the
// inverted digits of the limit, which have planes for the first limits.
struct Limits {
  std::int64_t number;
  const CountLimit* limit;
  word inverted[max_limits][max_digits];
};

static inline word inverted_digit(const CountLimit& limit, int k) {
  return spread((static_cast<unsigned>(limit.count) >> k & 1) ^ 1);
}

static inline void make_limits(const WideCounts& counts, Limits& limits) {
  limits.number = counts.limit_count;
  limits.limit = counts.limits;
  // Counts that never occur could have too many digits
  while (limits.number > 0 && limits.limit[limits.number - 1].count > counts.cells) --limits.number;
  for (std::int64_t i = 0; i < limits.number && i < max_limits; ++i) {
    for (int k = 0; k < max_digits; ++k) limits.inverted[i][k] = inverted_digit(limits.limit[i], k);
  }
}

// The cells that are born or survive, with the counts of their neighbourhoods.
template <int digits>
static inline word lives_by(const Limits& limits, const word* count, word alive) {
  word lives = spread(0);
  const word concerned[2][2] = {{spread(0), alive}, {~alive, spread(1)}};
  for (std::int64_t i = 0; i < limits.number; ++i) {
    word reached = spread(1);
    if (i < max_limits) {
      for (int k = 0; k < digits; ++k) reached = majority(count[k], reached, limits.inverted[i][k]);
    } else {
      for (int k = 0; k < digits; ++k)
        reached = majority(count[k], reached, inverted_digit(limits.limit[i], k));
    }
    lives ^= reached & concerned[limits.limit[i].birth ? 1 : 0][limits.limit[i].survival ? 1 : 0];
  }
  return lives;
}

static inline void store_next(const StateRows& rows, const word* cell, word lives, word* to) {
  if (rows.planes == 1)
    to[0] = lives;
  else
    next_generation(cell, to, rows.planes - 1, rows.states, lives);
}

// Adds a difference of two numbers of `parts` digits to a number of more digits.
template <int digits, int parts>
static inline void add_difference(word* sum, const word* in, const word* out) {
  word difference[parts], lent = spread(0);
  for (int k = 0; k < parts; ++k) {
    difference[k] = xor3(in[k], out[k], lent);
    lent = borrow(in[k], out[k], lent);
  }
  word carry = spread(0);
  for (int k = 0; k < digits; ++k) {
    const word part = k < parts ? difference[k] : lent;  // the sign goes on
    const word next = majority(sum[k], part, carry);
    sum[k] = xor3(sum[k], part, carry);
    carry = next;
  }
}

template <int digits>
static inline void add_number(word* sum, const word* number, int parts) {
  word carry = spread(0);
  for (int k = 0; k < digits; ++k) {
    const word part = k < parts ? number[k] : spread(0);
    const word next = majority(sum[k], part, carry);
    sum[k] = xor3(sum[k], part, carry);
    carry = next;
  }
}

// Squares. `sums` has the live cells in each column of the neighbourhood's rows, for the columns of a chunk
// and those around it.
template <int digits>
static void advance_square(const StateRows& rows, const Limits& limits, std::int64_t begin,
                           std::int64_t end) {
  constexpr int parts = (digits + 1) / 2;
  const std::int64_t radius = rows.reach, apart = rows.planes, width = end - begin + 2 * radius;
  word sums[(chunk_columns + 2 * max_wide_radius) * parts];
  const auto cells = [&](std::int64_t row) {
    return reinterpret_cast<const word*>(rows.from + row * rows.from_row) + (begin - radius) * apart;
  };
  for (std::int64_t j = 0; j < width * parts; ++j) sums[j] = spread(0);
  // Of the rows above the first one's neighbourhood nothing leaves
  for (std::int64_t row = 0; row < 2 * radius; ++row) {
    const word* const in = cells(row);
    for (std::int64_t j = 0; j < width; ++j) {
      word carry = in[j * apart];
      for (int k = 0; k < parts; ++k) {
        const word digit = sums[j * parts + k];
        sums[j * parts + k] = digit ^ carry;
        carry &= digit;
      }
    }
  }
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const word *const in = cells(y + 2 * radius), *const out = cells(y > 0 ? y - 1 : 0);
    const word keeps = spread(y > 0 ? 1 : 0);
    for (std::int64_t j = 0; j < width; ++j) {
      const word leaves = out[j * apart] & keeps;
      word changes = in[j * apart] ^ leaves;
      for (int k = 0; k < parts; ++k) {
        const word digit = sums[j * parts + k];
        sums[j * parts + k] = digit ^ changes;
        changes = turns(changes, digit, leaves);
      }
    }
    word count[digits];
    for (int k = 0; k < digits; ++k) count[k] = spread(0);
    for (std::int64_t j = 0; j < 2 * radius; ++j) add_number<digits>(count, sums + j * parts, parts);
    const word* cell = cells(y + radius) + radius * apart;
    word* to = reinterpret_cast<word*>(rows.to + y * rows.to_row) + begin * apart;
    word nothing[parts];
    for (int k = 0; k < parts; ++k) nothing[k] = spread(0);
    for (std::int64_t j = 0; j < end - begin; ++j) {
      add_difference<digits, parts>(count, sums + (j + 2 * radius) * parts,
                                    j > 0 ? sums + (j - 1) * parts : nothing);
      store_next(rows, cell, lives_by<digits>(limits, count, cell[0]), to);
      cell += apart;
      to += apart;
    }
  }
}

// Adds the cells input(0) to input(number - 1), seven at a time.
template <int digits, class Input>
static inline void add_cells(word* sum, std::int64_t number, const Input& input) {
  for (std::int64_t i = 0; i < number; i += 7) {
    word cell[7];
    for (std::int64_t k = 0; k < 7; ++k) cell[k] = i + k < number ? input(i + k) : spread(0);
    const word low = xor3(cell[0], cell[1], cell[2]), other = xor3(cell[3], cell[4], cell[5]);
    const word twos = majority(cell[0], cell[1], cell[2]), more = majority(cell[3], cell[4], cell[5]);
    const word last = majority(low, other, cell[6]);
    const word seven[3] = {xor3(low, other, cell[6]), xor3(twos, more, last), majority(twos, more, last)};
    add_number<digits>(sum, seven, 3);
  }
}

// Neighbourhoods of any shape.
template <int digits>
static void advance_runs(const StateRows& rows, const Limits& limits) {
  const WideCounts& counts = rows.counts;
  const std::int64_t apart = rows.planes;
  const auto cell_at = [&](const word* cell, int dy, int dx) {
    return *reinterpret_cast<const word*>(reinterpret_cast<const std::byte*>(cell + dx * apart) +
                                          dy * rows.from_row);
  };
  // Sliding costs two cells for each run
  const bool slides = counts.cells > 2 * counts.run_count;
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const word* cell = reinterpret_cast<const word*>(rows.from + (y + rows.reach) * rows.from_row);
    word* to = reinterpret_cast<word*>(rows.to + y * rows.to_row);
    word count[digits] = {};
    for (std::int64_t j = 0; j < rows.columns; ++j) {
      if (j == 0 || !slides) {
        for (int k = 0; k < digits; ++k) count[k] = spread(0);
        for (std::int64_t i = 0; i < counts.run_count; ++i) {
          const NeighbourRun& run = counts.runs[i];
          add_cells<digits>(count, run.last - run.first + 1, [&](std::int64_t k) {
            return cell_at(cell, run.dy, run.first + static_cast<int>(k));
          });
        }
      } else {
        word in[digits], out[digits];
        for (int k = 0; k < digits; ++k) in[k] = out[k] = spread(0);
        add_cells<digits>(in, counts.run_count, [&](std::int64_t i) {
          return cell_at(cell, counts.runs[i].dy, counts.runs[i].last);
        });
        add_cells<digits>(out, counts.run_count, [&](std::int64_t i) {
          return cell_at(cell, counts.runs[i].dy, counts.runs[i].first - 1);
        });
        add_difference<digits, digits>(count, in, out);
      }
      store_next(rows, cell, lives_by<digits>(limits, count, cell[0]), to);
      cell += apart;
      to += apart;
    }
  }
}

template <int digits>
static void advance_wide(const StateRows& rows) {
  Limits limits;
  make_limits(rows.counts, limits);
  const std::int64_t side = 2 * rows.reach + 1;
  if (rows.counts.cells < side * side) return advance_runs<digits>(rows, limits);
  for (std::int64_t begin = 0; begin < rows.columns; begin += chunk_columns) {
    const std::int64_t end = begin + chunk_columns < rows.columns ? begin + chunk_columns : rows.columns;
    advance_square<digits>(rows, limits, begin, end);
  }
}

static void step_wide(const StateRows& rows) {
  const unsigned cells = static_cast<unsigned>(rows.counts.cells);
  if (cells < 1u << 4)
    advance_wide<4>(rows);
  else if (cells < 1u << 5)
    advance_wide<5>(rows);
  else if (cells < 1u << 6)
    advance_wide<6>(rows);
  else if (cells < 1u << 7)
    advance_wide<7>(rows);
  else if (cells < 1u << 8)
    advance_wide<8>(rows);
  else if (cells < 1u << 9)
    advance_wide<9>(rows);
  else if (cells < 1u << 10)
    advance_wide<10>(rows);
  else if (cells < 1u << 12)
    advance_wide<12>(rows);
  else if (cells < 1u << 14)
    advance_wide<14>(rows);
  else if (cells < 1u << 16)
    advance_wide<16>(rows);
  else
    advance_wide<20>(rows);
  fill_wide_halo(rows, 2 * rows.pairs);
}

static StatesBinding bind_wide(RuleMask) { return {.step = step_wide, .fill_halo_columns = fill_wide_halo}; }

#endif
