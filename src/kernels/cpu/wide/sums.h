// SPDX-License-Identifier: MIT
// Larger than Life with a byte per cell, counts by differences of sums: those of a row's cells from the left
// up to each column. A square's count is one such difference, of the sums of the cells in each column of its
// rows, which change by two cells from row to row; other neighbourhoods' counts are a difference for each of
// their runs. The cost of a square does not depend on its size, and not on the width of the world.
//
// Sums are numbers modulo 2^16 if counts have fewer digits than that, otherwise modulo 2^32: what their
// differences lose are multiples of it.
//
// Include inside an unnamed namespace of moorea::kernels, after defining Narrow and Wide, structures with
//   Number, Numbers              16 or 32 bits, and a vector of them
//   Bytes                        a vector of as many bytes
//   numbers_of(bytes)            a number for each byte
//   bytes_of(numbers)            the lowest byte of each number
//   sums_of(numbers, &sum)       sums of numbers up to each one, beginning with `sum`, which is one number in
//                                all lanes and becomes the last sum
#ifndef MOOREA_KERNELS_STEP_WIDE_SUMS_H
#define MOOREA_KERNELS_STEP_WIDE_SUMS_H

constexpr std::int64_t max_sums_reach = 500;
constexpr std::int64_t square_columns = 2048;          // of a chunk, whose sums fit into a first-level cache
constexpr std::int64_t run_scratch_bytes = 512 << 10;  // of the sums of a chunk's rows: a second-level cache
constexpr std::int64_t spare_numbers = 64;             // after a row of sums: vectors end after its last one

template <class Vector, class Number>
static inline Vector load_vector(const Number* at) {
  Vector vector;
  __builtin_memcpy(&vector, at, sizeof vector);
  return vector;
}

template <class Vector, class Number>
static inline void store_vector(Number* at, const Vector& vector) {
  __builtin_memcpy(at, &vector, sizeof vector);
}

template <class Form>
constexpr std::int64_t numbers_a_vector = static_cast<std::int64_t>(sizeof(typename Form::Bytes));

// 1 for each live cell from `at` on.
template <class Form>
static inline typename Form::Numbers live_cells(const StateRows& rows, const std::uint8_t* at) {
  auto cells = load_vector<typename Form::Bytes>(at);
  if (rows.states > 2) cells = reinterpret_cast<typename Form::Bytes>(cells == 1) & 1;
  return Form::numbers_of(cells);
}

static inline const std::uint8_t* cells_of(const StateRows& rows, std::int64_t row, std::int64_t column) {
  return reinterpret_cast<const std::uint8_t*>(rows.from + row * rows.from_row) + column;
}

// Counts from the first one on to that which is larger by `more`.
struct CountRange {
  std::uint32_t first, more;
};

// The counts with which dead cells are born and live ones stay alive.
struct Lives {
  const CountRange *births, *survivals;
  std::int64_t birth_count, survival_count;
};

// The counts with which cells of one kind live, from those at which this changes. Returns their number.
static inline std::int64_t make_ranges(const WideCounts& counts, bool birth, CountRange* ranges) {
  std::int64_t number = 0;
  bool is_in = false;
  for (std::int64_t i = 0; i < counts.limit_count; ++i) {
    const CountLimit& limit = counts.limits[i];
    if (limit.count > counts.cells) break;  // never occurs, and could have too many digits
    if (!(birth ? limit.birth : limit.survival)) continue;
    const auto count = static_cast<std::uint32_t>(limit.count);
    if (is_in)
      ranges[number - 1].more = count - 1 - ranges[number - 1].first;
    else
      ranges[number++] = {count, static_cast<std::uint32_t>(counts.cells) - count};
    is_in = !is_in;
  }
  return number;
}

template <class Form>
static inline typename Form::Numbers are_in(const CountRange* ranges, std::int64_t number,
                                            const typename Form::Numbers& counts) {
  using Number = typename Form::Number;
  typename Form::Numbers result = {};  // all bits 1 or all 0
  for (std::int64_t i = 0; i < number; ++i)
    result |= reinterpret_cast<typename Form::Numbers>(counts - static_cast<Number>(ranges[i].first) <=
                                                       static_cast<Number>(ranges[i].more));
  return result;
}

// The next states of a vector of cells, with the counts of their neighbourhoods.
template <class Form>
static inline typename Form::Bytes next_states(const StateRows& rows, const Lives& lives,
                                               const typename Form::Bytes& cells,
                                               const typename Form::Numbers& counts) {
  using Bytes = typename Form::Bytes;
  const auto born = are_in<Form>(lives.births, lives.birth_count, counts);
  const auto stays = are_in<Form>(lives.survivals, lives.survival_count, counts);
  const Bytes is_dead = reinterpret_cast<Bytes>(cells == 0), is_live = reinterpret_cast<Bytes>(cells == 1);
  const Bytes next = (is_dead & Form::bytes_of(born)) | (is_live & Form::bytes_of(stays));
  if (rows.states == 2) return next & 1;
  Bytes aged = cells + 1;
  aged &= ~is_dead & ~reinterpret_cast<Bytes>(aged == static_cast<std::uint8_t>(rows.states));
  return (next & 1) | (~next & aged);
}

// Computes `number` cells of a row from column `begin` on: counts_at(j) are the counts of a vector's cells,
// of which the first is in column begin + j.
template <class Form, class CountsAt>
static inline void next_row(const StateRows& rows, const Lives& lives, std::int64_t y, std::int64_t begin,
                            std::int64_t number, const CountsAt& counts_at) {
  constexpr std::int64_t lanes = numbers_a_vector<Form>;
  const std::uint8_t* const from = cells_of(rows, y + rows.reach, begin);
  auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row) + begin;
  for (std::int64_t j = 0; j < number; j += lanes) {
    const auto next =
        next_states<Form>(rows, lives, load_vector<typename Form::Bytes>(from + j), counts_at(j));
    if (j + lanes <= number)
      store_vector(to + j, next);
    else
      __builtin_memcpy(to + j, &next, static_cast<std::size_t>(number - j));
  }
}

// Squares, `number` columns from column `begin` on.
template <class Form>
static void advance_square_sums(const StateRows& rows, const Lives& lives, std::int64_t begin,
                                std::int64_t number) {
  using Number = typename Form::Number;
  using Numbers = typename Form::Numbers;
  constexpr std::int64_t lanes = numbers_a_vector<Form>;
  constexpr std::int64_t most = square_columns + 2 * max_sums_reach + spare_numbers;
  const std::int64_t reach = rows.reach, all = number + 2 * reach;
  alignas(64) Number in_column[most], sums[most];  // the live cells in a column, and in all columns up to one
  Number* const before = sums + lanes - 1;         // so that what is stored is aligned
  for (std::int64_t j = 0; j < all; j += lanes) store_vector(in_column + j, Numbers{});
  for (std::int64_t row = 0; row < 2 * reach; ++row) {
    const std::uint8_t* const in = cells_of(rows, row, begin - reach);
    for (std::int64_t j = 0; j < all; j += lanes)
      store_vector(in_column + j, load_vector<Numbers>(in_column + j) + live_cells<Form>(rows, in + j));
  }
  before[0] = 0;
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const std::uint8_t* const in = cells_of(rows, y + 2 * reach, begin - reach);
    const std::uint8_t* const out = cells_of(rows, y, begin - reach);  // leaves after this row
    Numbers sum = {};
    for (std::int64_t j = 0; j < all; j += lanes) {
      const Numbers cells = load_vector<Numbers>(in_column + j) + live_cells<Form>(rows, in + j);
      store_vector(before + j + 1, Form::sums_of(cells, &sum));
      store_vector(in_column + j, cells - live_cells<Form>(rows, out + j));
    }
    next_row<Form>(rows, lives, y, begin, number, [&](std::int64_t j) {
      return load_vector<Numbers>(before + j + 2 * reach + 1) - load_vector<Numbers>(before + j);
    });
  }
}

// Of the ranges of counts, before the sums.
static inline std::int64_t ranges_bytes(const WideCounts& counts) {
  const auto bytes = 2 * counts.limit_count * static_cast<std::int64_t>(sizeof(CountRange));
  return (bytes + 63) / 64 * 64;
}

// Columns of a chunk for neighbourhoods of any shape: `side` rows of sums, each of which begins `reach`
// columns before the chunk and ends as many after it.
template <class Number>
static std::int64_t run_columns(std::int64_t side) {
  const std::int64_t fitting = run_scratch_bytes / static_cast<std::int64_t>(sizeof(Number)) / side - side;
  return fitting > side ? fitting : side;
}

// From row to row of sums.
static inline std::int64_t sums_pitch(std::int64_t side, std::int64_t columns) {
  return side + columns + spare_numbers;
}

template <class Form>
static void advance_run_sums(const StateRows& rows, const Lives& lives, std::int64_t begin,
                             std::int64_t number) {
  using Number = typename Form::Number;
  using Numbers = typename Form::Numbers;
  constexpr std::int64_t lanes = numbers_a_vector<Form>;
  const std::int64_t reach = rows.reach, side = 2 * reach + 1;
  const std::int64_t pitch = sums_pitch(side, number);
  auto* const sums =
      reinterpret_cast<Number*>(static_cast<std::byte*>(rows.scratch) + ranges_bytes(rows.counts));
  // Row r of those that are read has its place, which r + side takes over
  const auto fill = [&](std::int64_t row) {
    Number* const before = sums + row % side * pitch;
    const std::uint8_t* const in = cells_of(rows, row, begin - reach);
    before[0] = 0;
    Numbers sum = {};
    for (std::int64_t j = 0; j < number + 2 * reach; j += lanes)
      store_vector(before + j + 1, Form::sums_of(live_cells<Form>(rows, in + j), &sum));
  };
  for (std::int64_t row = 0; row < 2 * reach; ++row) fill(row);
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    fill(y + 2 * reach);
    const std::int64_t first = (y + reach) % side;  // the place of the cells' own row
    next_row<Form>(rows, lives, y, begin, number, [&](std::int64_t j) {
      Numbers counts = {};
      for (std::int64_t i = 0; i < rows.counts.run_count; ++i) {
        const NeighbourRun& run = rows.counts.runs[i];
        std::int64_t place = first + run.dy;
        if (place < 0) place += side;
        if (place >= side) place -= side;
        const Number* const before = sums + place * pitch + reach + j;
        counts += load_vector<Numbers>(before + run.last + 1) - load_vector<Numbers>(before + run.first);
      }
      return counts;
    });
  }
}

template <class Form>
static void advance_sums(const StateRows& rows) {
  const std::int64_t side = 2 * rows.reach + 1;
  auto* const births = static_cast<CountRange*>(rows.scratch);
  auto* const survivals = births + rows.counts.limit_count;
  const Lives lives = {births, survivals, make_ranges(rows.counts, true, births),
                       make_ranges(rows.counts, false, survivals)};
  const bool is_square = rows.counts.cells == side * side;
  const std::int64_t most = is_square ? square_columns : run_columns<typename Form::Number>(side);
  for (std::int64_t begin = 0; begin < rows.columns; begin += most) {
    const std::int64_t number = rows.columns - begin < most ? rows.columns - begin : most;
    if (is_square)
      advance_square_sums<Form>(rows, lives, begin, number);
    else
      advance_run_sums<Form>(rows, lives, begin, number);
  }
}

static bool has_narrow_counts(std::int64_t cells) { return cells < 1 << 16; }

static void step_sums(const StateRows& rows) {
  if (has_narrow_counts(rows.counts.cells))
    advance_sums<Narrow>(rows);
  else
    advance_sums<Wide>(rows);
  fill_byte_halo(rows, 2 * rows.pairs);
}

static std::int64_t sums_scratch(const WideCounts& counts, int reach, std::int64_t columns) {
  const std::int64_t side = 2 * reach + 1;
  if (counts.cells == side * side) return ranges_bytes(counts);
  const bool narrow = has_narrow_counts(counts.cells);
  const std::int64_t most = narrow ? run_columns<Narrow::Number>(side) : run_columns<Wide::Number>(side);
  return ranges_bytes(counts) + side * sums_pitch(side, columns < most ? columns : most) * (narrow ? 2 : 4);
}

static StatesBinding bind_sums(RuleMask) { return {.step = step_sums, .fill_halo_columns = fill_byte_halo}; }

#endif
