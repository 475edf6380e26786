// SPDX-License-Identifier: MIT
// Straight-line code for a rule: signals of rows, and next states of pairs of rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "logic/cell_network.h"
#include "logic/emit_x86.h"
#include "logic/line_writer.h"
#include "logic/network.h"
#include "logic/schedule.h"
#include "logic/two_input.h"

namespace moorea::straight_line {

// What the logic needs of a row's three cells around a column: their sum, as ones and twos, if the rule
// counts, else the left, the middle and the right cell.
struct RowSignals {
  std::array<int, 3> values{-1, -1, -1};
  std::size_t count = 0;
};

// Generates straight-line code for a rule: signals of rows, and next states of pairs of rows.
class Writer : public LineWriter {
 public:
  Writer(const Rule& rule, VectorUnit unit)
      : LineWriter(unit),
        counts_(rule.two_state().is_life_like()),
        wires_(rule.is_wires()),
        history_(rule.has_history()),
        states_(rule.states()) {
    if (!counts_) {
      cells_ = cell_network_for(rule.two_state());
    } else if (has_gates()) {
      network_ = schedule_for(rule.two_state()).network;
    } else {
      circuit_ = circuit_for(rule.two_state());
    }
  }

  bool counts() const { return counts_; }

  // Whether columns are numbered from right to left, and rows from the lowest to the highest.
  void mirror(bool columns, bool rows) {
    columns_mirrored_ = columns;
    rows_mirrored_ = rows;
  }

  // Signals of a row, in registers.
  RowSignals fresh_signals() {
    if (counts_) return {{fresh(), fresh(), -1}, 2};
    return {{fresh(), fresh(), fresh()}, 3};
  }

  // Signals of `columns` adjacent columns of a row.
  std::vector<RowSignals> strided_signals(int row, int columns) {
    const int left = load({false, row, -1}), a = load({false, row, 0}), b = load({false, row, 1});
    if (!counts_) {
      std::vector<RowSignals> signals = {cells(left, a, b)};
      if (columns == 2) signals.push_back(cells(a, b, load({false, row, 2})));
      return signals;
    }
    const int half = two(Action::exclusive, a, columns == 2 ? b : left);
    if (columns == 1) return {sum(left, a, half, b)};
    const RowSignals first = sum(a, b, half, left);
    return {first, sum(a, b, half, load({false, row, 2}))};
  }

  RowSignals tile_signals(int row) {
    const int middle = load({false, row, 0});
    const int left = one(Action::shift_left, middle), right = one(Action::shift_right, middle);
    if (!counts_) return {{left, middle, right}, 3};
    return sum(left, middle, two(Action::exclusive, left, middle), right);
  }

  // Computes the next states of rows b and c with the given centre cells and stores them at to_b and to_c.
  void pair(const RowSignals& a, const RowSignals& b, const RowSignals& c, const RowSignals& d,
            Place centre_b, Place centre_c, Place to_b, Place to_c) {
    const std::vector<int> next = next_of_pair(a, b, c, d, centre_b, centre_c);
    store(to_b, next[0]);
    store(to_c, next[1]);
  }

  // Computes the next state of the row in the middle of three, of a rule that does not count.
  void single(const RowSignals& above, const RowSignals& middle, const RowSignals& below, Place to) {
    store(to, next_state(above, middle, below));
  }

  // As pair(), of a rule of Generations, of wires or with history: the centres are in plane 0, whose births
  // and survivals are computed, and the ages of the other cells in the others.
  void states_pair(const RowSignals& a, const RowSignals& b, const RowSignals& c, const RowSignals& d,
                   Place centre_b, Place centre_c) {
    const std::vector<int> lives = next_of_pair(a, b, c, d, centre_b, centre_c);
    const auto store_next = [&](int i, Place centre) {
      const auto at = static_cast<std::size_t>(i);
      if (wires_)
        conduct(lives[at], centre, centres_[at]);
      else if (history_)
        remember(lives[at], centre, centres_[at]);
      else
        age(lives[at], centre, centres_[at]);
    };
    store_next(0, centre_b);
    store_next(1, centre_c);
  }

 private:
  std::vector<int> next_of_pair(const RowSignals& a, const RowSignals& b, const RowSignals& c,
                                const RowSignals& d, Place centre_b, Place centre_c) {
    if (!counts_) {
      centres_ = {b.values[1], c.values[1]};
      const int first = next_state(a, b, c);
      return {first, next_state(b, c, d)};
    }
    std::vector<int> signals;
    for (const RowSignals* row : {&a, &b, &c, &d})
      signals.insert(signals.end(), {row->values[0], row->values[1]});
    return logic(std::move(signals), {centre_b, centre_c});
  }

  // Stores the next states of the cells at `centre`, of which those in `lives` are born or survive unless
  // they are dying. Live cells that do not survive get age 1; other ages are counted up, from the last one to
  // 0.
  void age(int lives, Place centre, int known_centre) {
    const unsigned last_age = static_cast<unsigned>(states_) - 2;
    const int alive = known_centre >= 0 ? known_centre : load(centre);
    std::vector<int> ages;
    for (unsigned rest = last_age; rest != 0; rest >>= 1) {
      centre.plane = static_cast<int>(ages.size()) + 1;
      ages.push_back(load(centre));
    }
    centre.written = true;
    const auto store_plane = [&](std::size_t plane, int value) {
      centre.plane = static_cast<int>(plane);
      store(centre, value);
    };
    const int dying = all_of(Action::disjunction, ages);
    store_plane(0, two(Action::and_not, lives, dying));
    const int starts = two(Action::and_not, alive, lives);
    if (last_age == 1) return store_plane(1, starts);
    // A counter of all ones returns to 0 by itself
    std::vector<int> of_last;
    for (std::size_t i = 0; i < ages.size(); ++i)
      if ((last_age >> i & 1) != 0) of_last.push_back(ages[i]);
    const bool overflows = of_last.size() == ages.size();
    const int is_last = overflows ? -1 : all_of(Action::conjunction, of_last);
    const auto unless_last = [&](int value) {
      return overflows ? value : two(Action::and_not, value, is_last);
    };
    const int first = unless_last(two(Action::and_not, dying, ages[0]));
    store_plane(1, two(Action::disjunction, first, starts));
    int carry = ages[0];
    for (std::size_t i = 1; i < ages.size(); ++i) {
      store_plane(i + 1, unless_last(two(Action::exclusive, ages[i], carry)));
      if (i + 1 < ages.size()) carry = two(Action::conjunction, carry, ages[i]);
    }
  }

  // Stores the next states of the cells at `centre`, of which those in `lives` become heads (live cells) if
  // they are wires (age 2); heads become tails (age 1), and tails wires.
  void conduct(int lives, Place centre, int known_centre) {
    const int head = known_centre >= 0 ? known_centre : load(centre);
    const auto plane = [&](int number, bool written) { return plane_of(centre, number, written); };
    const int tail = load(plane(1, false)), wire = load(plane(2, false));
    store(plane(0, true), two(Action::conjunction, wire, lives));
    store(plane(1, true), head);
    store(plane(2, true), has_gates() ? three(tail, wire, lives, 0xF4)
                                      : two(Action::disjunction, tail, two(Action::and_not, wire, lives)));
  }

  // Stores the next states of the cells at `centre`, whose planes are the digits of their states, by those in
  // `lives`, which are alive next unless they are in state 6.
  void remember(int lives, Place centre, int known_centre) {
    const auto plane = [&](int number, bool written) { return plane_of(centre, number, written); };
    const int low = known_centre >= 0 ? known_centre : load(centre);
    const int middle = load(plane(1, false)), high = load(plane(2, false));
    if (has_gates()) {
      // Tables of the state, whose highest digit is the first
      const int boundary = two(Action::conjunction, high, middle),
                alive = two(Action::and_not, lives, boundary);
      const auto store_digit = [&](int number, std::uint8_t if_alive, std::uint8_t if_dead) {
        store(plane(number, true),
              three(alive, three(high, middle, low, if_alive), three(high, middle, low, if_dead), 0xCA));
      };
      store(plane(0, true), alive);
      store_digit(1, 1 << 3 | 1 << 4, 1 << 1 | 1 << 2 | 1 << 6);
      store_digit(2, 1 << 5, 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
      return;
    }
    const int boundary = two(Action::conjunction, high, middle), starts = two(Action::conjunction, high, low);
    const int alive = two(Action::and_not, lives, boundary);
    // States 3 and 4 have a mark, 1 and 2 none
    const int marked = two(Action::disjunction, two(Action::conjunction, middle, low),
                           two(Action::and_not, two(Action::and_not, high, low), middle));
    const int unmarked = two(Action::and_not, two(Action::exclusive, middle, low), high);
    const auto store_digit = [&](int number, int if_alive, int if_dead) {
      const int next = two(Action::disjunction, two(Action::conjunction, if_alive, alive),
                           two(Action::and_not, if_dead, alive));
      store(plane(number, true), two(Action::disjunction, boundary, next));
    };
    store(plane(0, true), alive);
    store_digit(1, marked, unmarked);
    store_digit(2, starts, two(Action::disjunction, marked, starts));
  }

  static Place plane_of(Place place, int number, bool written) {
    place.plane = number;
    place.written = written;
    return place;
  }

  int all_of(Action action, const std::vector<int>& values) {
    int all = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
      // Three at once where there are gates for it
      if (has_gates() && i + 1 < values.size()) {
        all = three(all, values[i], values[i + 1], action == Action::conjunction ? 0x80 : 0xFE);
        ++i;
      } else {
        all = two(action, all, values[i]);
      }
    }
    return all;
  }

  RowSignals cells(int left, int middle, int right) const {
    if (columns_mirrored_) return {{right, middle, left}, 3};
    return {{left, middle, right}, 3};
  }

  // `half` is left ^ centre or centre ^ right, and `other` the third cell.
  RowSignals sum(int a, int b, int half, int other) {
    const int ones = two(Action::exclusive, half, other);
    if (has_gates()) return {{ones, three(other, a, b, 0xE8), -1}, 2};
    const int twos =
        two(Action::disjunction, two(Action::conjunction, a, b), two(Action::conjunction, half, other));
    return {{ones, twos, -1}, 2};
  }

  // The next state of the middle row of three, of a rule that does not count.
  int next_state(const RowSignals& above, const RowSignals& middle, const RowSignals& below) {
    std::vector<int> signals;
    for (const RowSignals* row :
         {rows_mirrored_ ? &below : &above, &middle, rows_mirrored_ ? &above : &below})
      signals.insert(signals.end(), row->values.begin(), row->values.end());
    for (const CellNetwork::Gate& gate : cells_.gates)
      signals.push_back(cell_gate(gate, [&](std::uint16_t signal) { return signals[signal]; }));
    return signals[cells_.output];
  }

  // Centre cells are loaded when the logic needs them, so they occupy no register before.
  std::vector<int> logic(std::vector<int> signals, const std::vector<Place>& centres) {
    const std::size_t first_centre = signals.size();
    signals.resize(first_centre + centres.size(), -1);
    const auto signal = [&](std::uint8_t number) {
      int& value = signals[number];
      if (value < 0) value = load(centres[number - first_centre]);
      return value;
    };
    if (has_gates()) {
      for (const Gate& gate : network_.gates) signals.push_back(gate_value(gate, signal));
    } else {
      for (const Operation& operation : circuit_.operations) {
        const int a = signal(operation.a);
        const Action action = action_of(operation.what);
        signals.push_back(action == Action::complement ? one(action, a)
                                                       : two(action, a, signal(operation.b)));
      }
    }
    const std::array<std::uint8_t, 2>& outputs = has_gates() ? network_.outputs : circuit_.outputs;
    std::vector<int> next;
    for (std::size_t i = 0; i < centres.size(); ++i) next.push_back(signal(outputs[i]));
    std::copy_n(signals.begin() + static_cast<std::ptrdiff_t>(first_centre), centres.size(),
                centres_.begin());
    return next;
  }

  template <class Signal>
  int gate_value(const Gate& gate, const Signal& signal) {
    const TwoOperands operands = two_operands(gate);
    if (operands.what == 0) {
      const int a = signal(gate.a), b = signal(gate.b);
      return three(a, b, signal(gate.c), gate.table);
    }
    const Action action = operands.what == '&'   ? Action::conjunction
                          : operands.what == '|' ? Action::disjunction
                          : operands.what == '^' ? Action::exclusive
                                                 : Action::and_not;
    const int a = signal(operands.a);
    return two(action, a, signal(operands.b));
  }

  bool counts_;   // whether births and survivals are those of a life-like rule
  bool wires_;    // Rule::is_wires()
  bool history_;  // Rule::has_history()
  int states_;
  std::array<int, 2> centres_{-1, -1};  // cells of the last pair, -1 if they were not loaded
  bool columns_mirrored_ = false, rows_mirrored_ = false;
  Network network_;
  Circuit circuit_;
  CellNetwork cells_;
};

}  // namespace moorea::straight_line
