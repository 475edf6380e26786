// SPDX-License-Identifier: MIT
// Rules by transitions: a byte per cell, and a few look-ups in tables that are equal to the decision tree,
// where these fit into the nearer caches. The codes of many cells are made first, in vectors, and then looked
// up. Otherwise the neighbourhoods seen last with their results, of which few occur again and again.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/states/bytes.h"

constexpr std::int64_t max_table_bytes = 1 << 20;
constexpr int max_lookups = 3;  // more take longer than neighbourhoods seen last
constexpr std::int64_t cells_at_once = 256;
constexpr int recent_bits = 20;      // of the number of places for neighbourhoods seen last
constexpr int max_recent_bits = 56;  // of a neighbourhood, beside its result

bool has_tables(const TransitionTree& tree) {
  return tree.tables.number > 0 && tree.tables.number <= max_lookups;
}

int bits_of(int states) { return std::bit_width(static_cast<unsigned>(states) - 1); }

// Whether a neighbourhood and its result fit into 64 bits.
bool are_recent_kept(const TransitionTree& tree) {
  return bits_of(tree.states) * (tree.corners ? 9 : 5) <= max_recent_bits;
}

std::int64_t memory_bytes(const TransitionTree& tree) {
  return has_tables(tree) || !are_recent_kept(tree) ? 0 : std::int64_t{8} << recent_bits;
}

// A neighbourhood as a number: columns from left to right, of each the cells from top to bottom, without
// corners the middle one alone of the two outer columns.
template <bool corners>
std::uint64_t next_of_number(const TransitionTree& tree, std::uint64_t cells, int bits) {
  constexpr int with_corners[] = {8, 2, 6, 0, 5, 7, 1, 3, 4}, without[] = {3, 4, 0, 1, 2};
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::int64_t node = tree.root;
  const auto ask = [&](int place) {
    node = tree.nodes[node * tree.states + static_cast<std::int64_t>(cells >> place * bits & mask)];
  };
  if constexpr (corners)
    for (const int place : with_corners) ask(place);
  else
    for (const int place : without) ask(place);
  return static_cast<std::uint64_t>(node);
}

// Next states of neighbourhoods, of which those seen last are in memory with their results in the lowest
// byte.
template <bool corners>
struct Recent {
  const TransitionTree& tree;
  std::uint64_t* known;
  int bits;  // of a state

  std::uint8_t operator()(std::uint64_t cells) const {
    // Threads that find the same neighbourhood at the same time store the same result
    const std::atomic_ref<std::uint64_t> place(known[cells * 0x9E3779B97F4A7C15 >> (64 - recent_bits)]);
    const std::uint64_t found = place.load(std::memory_order_relaxed);
    // All cells in state 0 have the number 0, as unused places
    if (found >> 8 == cells && cells != 0) return static_cast<std::uint8_t>(found);
    const std::uint64_t result = next_of_number<corners>(tree, cells, bits);
    place.store(cells << 8 | result, std::memory_order_relaxed);
    return static_cast<std::uint8_t>(result);
  }
};

template <bool corners>
void advance_row(const std::uint8_t* from, std::ptrdiff_t row, std::uint8_t* to, std::int64_t columns,
                 const Recent<corners>& next) {
  const int bits = next.bits;
  const auto column = [&](std::int64_t x) {
    return static_cast<std::uint64_t>(from[x - row]) << 2 * bits | std::uint64_t{from[x]} << bits |
           from[x + row];
  };
  if constexpr (corners) {
    const std::uint64_t mask = (std::uint64_t{1} << 6 * bits) - 1;
    std::uint64_t left = column(-1) << 3 * bits | column(0);
    for (std::int64_t x = 0; x < columns; ++x) {
      const std::uint64_t cells = left << 3 * bits | column(x + 1);
      to[x] = next(cells);
      left = cells & mask;
    }
  } else {
    for (std::int64_t x = 0; x < columns; ++x)
      to[x] = next(std::uint64_t{from[x - 1]} << 4 * bits | column(x) << bits | from[x + 1]);
  }
}

template <bool corners>
void advance_by_recent(const StateRows& rows) {
  const Recent<corners> next = {rows.tree, static_cast<std::uint64_t*>(rows.memory),
                                bits_of(rows.tree.states)};
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(rows.from + (y + 1) * rows.from_row);
    auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    advance_row(from, rows.from_row, to, rows.columns, next);
  }
}

// Codes of some cells: those at `at` plus each of the distances, the first one is the lowest digit.
template <int number>
void make_codes(const std::uint8_t* at, const std::ptrdiff_t* distances, int states, std::int64_t count,
                std::uint16_t* codes) {
  const auto radix = static_cast<std::uint16_t>(states);
  const std::uint8_t* cells[number];
  for (int i = 0; i < number; ++i) cells[i] = at + distances[i];
  for (std::int64_t x = 0; x < count; ++x) {
    std::uint16_t code = cells[number - 1][x];
    for (int i = number - 1; i-- > 0;)
      code = static_cast<std::uint16_t>(static_cast<std::uint16_t>(code * radix) + cells[i][x]);
    codes[x] = code;
  }
}

using MakeCodes = void (*)(const std::uint8_t*, const std::ptrdiff_t*, int, std::int64_t, std::uint16_t*);
constexpr MakeCodes codes_of[] = {nullptr,       make_codes<1>, make_codes<2>, make_codes<3>, make_codes<4>,
                                  make_codes<5>, make_codes<6>, make_codes<7>, make_codes<8>, make_codes<9>};

// The entries of a first look-up. Four codes are loaded at once, which halves the loads.
template <class Entry>
void look_up_first(const Entry* table, const std::uint16_t* codes, std::int64_t count, Entry* to) {
  std::int64_t x = 0;
  for (; x + 4 <= count; x += 4) {
    std::uint64_t four;
    std::memcpy(&four, codes + x, sizeof four);
    to[x] = table[four & 0xFFFF];
    to[x + 1] = table[four >> 16 & 0xFFFF];
    to[x + 2] = table[four >> 32 & 0xFFFF];
    to[x + 3] = table[four >> 48];
  }
  for (; x < count; ++x) to[x] = table[codes[x]];
}

// The entries that follow those of another look-up, of which each has so many codes.
template <class Entry>
void look_up_next(const Entry* table, int number, const std::uint16_t* entries, const std::uint16_t* codes,
                  std::int64_t count, Entry* to) {
  for (std::int64_t x = 0; x < count; ++x)
    to[x] = table[std::size_t{entries[x]} * static_cast<std::size_t>(number) + codes[x]];
}

void advance_by_tables(const StateRows& rows) {
  const LookupTables& tables = rows.tree.tables;
  const std::ptrdiff_t row = rows.from_row;
  const std::ptrdiff_t distances[] = {-row - 1, -row + 1, row - 1, row + 1, -row, -1, 1, row, 0};
  const std::ptrdiff_t* const first_distance = distances + (rows.tree.corners ? 0 : 4);
  std::uint16_t codes[cells_at_once], entries[cells_at_once];
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(rows.from + (y + 1) * row);
    auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    for (std::int64_t x = 0; x < rows.columns; x += cells_at_once) {
      const std::int64_t count = std::min(cells_at_once, rows.columns - x);
      const std::ptrdiff_t* asked = first_distance;
      for (int i = 0; i < tables.number; ++i) {
        const int cells = tables.cells[i], number = tables.codes[i];
        codes_of[cells](from + x, asked, rows.tree.states, count, codes);
        const auto look_up = [&](const auto* table, auto* next) {
          i == 0 ? look_up_first(table, codes, count, next)
                 : look_up_next(table, number, entries, codes, count, next);
        };
        i + 1 < tables.number ? look_up(tables.nodes[i], entries) : look_up(tables.results, to + x);
        asked += cells;
      }
    }
  }
}

void step(const StateRows& rows) {
  if (has_tables(rows.tree))
    advance_by_tables(rows);
  else if (!are_recent_kept(rows.tree))
    step_bytes(rows, [&](const std::uint8_t* at) { return next_by_tree(rows, at); });
  else if (rows.tree.corners)
    advance_by_recent<true>(rows);
  else
    advance_by_recent<false>(rows);
  fill_byte_halo(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_byte_halo}; }

}  // namespace

extern const Kernel cpu_states_lookup;
constexpr Kernel cpu_states_lookup = {
    .summary = "rules by transitions: a byte per cell, a few look-ups, or neighbourhoods seen last",
    .layout = Layout::bytes,
    .max_steps = 4,
    .supports = {.families = transitions | wires},
    .contract =
        StatesContract{
            .bind = bind, .lanes = 1, .max_table_bytes = max_table_bytes, .memory_bytes = memory_bytes},
};

}  // namespace moorea::kernels
