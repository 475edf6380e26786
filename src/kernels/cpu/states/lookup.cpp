// SPDX-License-Identifier: MIT
// Rules by transitions: a byte per cell, and a table of all neighbourhoods that have occurred so far, of
// which few do, so that the nearest caches hold what is needed. Where all neighbourhoods are too many for a
// table, those seen last.
#include <atomic>
#include <bit>
#include <type_traits>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/states/bytes.h"

constexpr int max_table_bits = 27;
constexpr int recent_bits = 20;      // of the number of places for neighbourhoods seen last
constexpr int max_recent_bits = 56;  // of a neighbourhood, beside its result

constexpr int bits_of(int states) { return std::bit_width(static_cast<unsigned>(states) - 1); }
int all_bits(const TransitionTree& tree) { return bits_of(tree.states) * (tree.corners ? 9 : 5); }

std::int64_t memory_bytes(const TransitionTree& tree) {
  return all_bits(tree) <= max_table_bits ? std::int64_t{1} << all_bits(tree)
                                          : std::int64_t{8} << recent_bits;
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

// Neighbourhoods of a table: a byte for each, the result plus 1, or 0 if it has not occurred.
template <bool corners>
struct InTable {
  const TransitionTree& tree;
  std::uint8_t* known;
  std::uint8_t operator()(std::uint64_t cells, int bits) const {
    // Threads that find the same neighbourhood at the same time store the same result
    const std::atomic_ref<std::uint8_t> place(known[cells]);
    const std::uint8_t found = place.load(std::memory_order_relaxed);
    if (found != 0) return static_cast<std::uint8_t>(found - 1);
    const std::uint64_t result = next_of_number<corners>(tree, cells, bits);
    place.store(static_cast<std::uint8_t>(result + 1), std::memory_order_relaxed);
    return static_cast<std::uint8_t>(result);
  }
};

// Neighbourhoods seen last, with their results in the lowest byte.
template <bool corners>
struct Recent {
  const TransitionTree& tree;
  std::uint64_t* known;
  std::uint8_t operator()(std::uint64_t cells, int bits) const {
    const std::atomic_ref<std::uint64_t> place(known[cells * 0x9E3779B97F4A7C15 >> (64 - recent_bits)]);
    const std::uint64_t found = place.load(std::memory_order_relaxed);
    // All cells in state 0 have the number 0, as unused places
    if (found >> 8 == cells && cells != 0) return static_cast<std::uint8_t>(found);
    const std::uint64_t result = next_of_number<corners>(tree, cells, bits);
    place.store(cells << 8 | result, std::memory_order_relaxed);
    return static_cast<std::uint8_t>(result);
  }
};

// `constant_bits` of a state, or 0: as many as `any_bits` says.
template <bool corners, int constant_bits, class Known>
void advance_row(const std::uint8_t* from, std::ptrdiff_t row, std::uint8_t* to, std::int64_t columns,
                 int any_bits, const Known& known) {
  const int bits = constant_bits > 0 ? constant_bits : any_bits;
  const auto column = [&](std::int64_t x) {
    return static_cast<std::uint64_t>(from[x - row]) << 2 * bits | std::uint64_t{from[x]} << bits |
           from[x + row];
  };
  if constexpr (corners) {
    const std::uint64_t mask = (std::uint64_t{1} << 6 * bits) - 1;
    std::uint64_t left = column(-1) << 3 * bits | column(0);
    for (std::int64_t x = 0; x < columns; ++x) {
      const std::uint64_t cells = left << 3 * bits | column(x + 1);
      to[x] = known(cells, bits);
      left = cells & mask;
    }
  } else {
    for (std::int64_t x = 0; x < columns; ++x)
      to[x] = known(std::uint64_t{from[x - 1]} << 4 * bits | column(x) << bits | from[x + 1], bits);
  }
}

template <bool corners, class Known>
void advance(const StateRows& rows, const Known& known) {
  const int bits = bits_of(rows.tree.states);
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(rows.from + (y + 1) * rows.from_row);
    auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    const auto row_with = [&](auto number) {
      advance_row<corners, decltype(number)::value>(from, rows.from_row, to, rows.columns, bits, known);
    };
    if (bits == 2)
      row_with(std::integral_constant<int, 2>());
    else if (bits == 3)
      row_with(std::integral_constant<int, 3>());
    else
      row_with(std::integral_constant<int, 0>());
  }
}

template <bool corners>
void advance_known(const StateRows& rows) {
  if (all_bits(rows.tree) <= max_table_bits)
    advance<corners>(rows, InTable<corners>{rows.tree, static_cast<std::uint8_t*>(rows.memory)});
  else
    advance<corners>(rows, Recent<corners>{rows.tree, static_cast<std::uint64_t*>(rows.memory)});
}

void step(const StateRows& rows) {
  if (all_bits(rows.tree) > max_recent_bits)  // no number of 64 bits can hold them and the result
    step_bytes(rows, [&](const std::uint8_t* at) { return next_by_tree(rows, at); });
  else if (rows.tree.corners)
    advance_known<true>(rows);
  else
    advance_known<false>(rows);
  fill_byte_halo(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_byte_halo}; }

}  // namespace

extern const Kernel cpu_states_lookup;
constexpr Kernel cpu_states_lookup = {
    .summary = "rules by transitions: a byte per cell, the neighbourhoods that occurred in a table",
    .layout = Layout::bytes,
    .max_steps = 4,
    .supports = {.families = transitions | wires},
    .contract = StatesContract{.bind = bind, .lanes = 1, .memory_bytes = memory_bytes},
};

}  // namespace moorea::kernels
