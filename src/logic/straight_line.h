// SPDX-License-Identifier: MIT
// Straight-line code for a rule, before registers are allocated: loads and stores of vectors of a window,
// sums of rows, and next states of pairs of rows.
#pragma once

#include <array>
#include <cstdint>

#include "logic/emit_x86.h"
#include "logic/network.h"
#include "logic/registers.h"
#include "logic/schedule.h"
#include "logic/two_input.h"

namespace moorea::straight_line {

// A memory operand: row (0 to 4 rows after the base) and column (-1 to 2), of the source or the destination.
struct Place {
  bool written = false;
  int row = 0, column = 0;
  int number() const { return ((written ? 8 : 0) + row) * 8 + column + 1; }
  static Place of(int number) { return {number >= 64, number / 8 % 8, number % 8 - 1}; }
};

struct Sum {
  int ones, twos;
};

// Generates straight-line code for a rule: sums of rows, and next states of pairs of rows.
class Writer {
 public:
  Writer(const Rule& rule, VectorUnit unit) : gates_(unit == VectorUnit::avx512) {
    if (gates_) {
      network_ = schedule_for(rule).network;
    } else {
      circuit_ = circuit_for(rule);
    }
  }

  int load(Place place) { return append({Action::load, fresh(), {}, 0, place.number()}); }

  void store(Place place, int value) {
    code_.instructions.push_back({Action::store, -1, {value, -1, -1}, 0, place.number()});
  }

  int two(Action action, int a, int b) { return append({action, fresh(), {a, b, -1}, 0, 0}); }

  int one(Action action, int a) { return append({action, fresh(), {a, -1, -1}, 0, 0}); }

  int three(int a, int b, int c, std::uint8_t table) {
    return append({Action::gate, fresh(), {a, b, c}, table, 0});
  }

  // `half` is left ^ centre or centre ^ right, and `other` the third cell.
  Sum sum(int a, int b, int half, int other) {
    Sum sum{};
    sum.ones = two(Action::exclusive, half, other);
    if (gates_) {
      sum.twos = three(other, a, b, 0xE8);
    } else {
      sum.twos =
          two(Action::disjunction, two(Action::conjunction, a, b), two(Action::conjunction, half, other));
    }
    return sum;
  }

  // Sums of `columns` adjacent columns of a row.
  std::vector<Sum> strided_sums(int row, int columns) {
    const int left = load({false, row, -1}), a = load({false, row, 0}), b = load({false, row, 1});
    const int half = two(Action::exclusive, a, columns == 2 ? b : left);
    if (columns == 1) return {sum(left, a, half, b)};
    const Sum first = sum(a, b, half, left);
    return {first, sum(a, b, half, load({false, row, 2}))};
  }

  Sum tile_sum(int row) {
    const int cells = load({false, row, 0});
    const int left = one(Action::shift_left, cells), right = one(Action::shift_right, cells);
    return sum(left, cells, two(Action::exclusive, left, cells), right);
  }

  // Computes the next states of rows b and c with the given centre cells and stores them at to_b and to_c.
  void pair(Sum a, Sum b, Sum c, Sum d, Place centre_b, Place centre_c, Place to_b, Place to_c) {
    const std::vector<int> next =
        logic({a.ones, a.twos, b.ones, b.twos, c.ones, c.twos, d.ones, d.twos}, {centre_b, centre_c});
    store(to_b, next[0]);
    store(to_c, next[1]);
  }

  void enter(const std::vector<int>& values) { code_.entering = values; }
  void leave(const std::vector<int>& values) { code_.leaving = values; }
  int fresh() { return code_.values++; }
  const StraightLine& code() const { return code_; }
  void clear() { code_ = {}; }

 private:
  int append(const Instruction& instruction) {
    code_.instructions.push_back(instruction);
    return instruction.result;
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
    if (gates_) {
      for (const Gate& gate : network_.gates) signals.push_back(gate_value(gate, signal));
    } else {
      for (const Operation& operation : circuit_.operations) {
        const int a = signal(operation.a);
        switch (operation.what) {
          case Operator::conjunction:
            signals.push_back(two(Action::conjunction, a, signal(operation.b)));
            break;
          case Operator::disjunction:
            signals.push_back(two(Action::disjunction, a, signal(operation.b)));
            break;
          case Operator::exclusive:
            signals.push_back(two(Action::exclusive, a, signal(operation.b)));
            break;
          case Operator::and_not:
            signals.push_back(two(Action::and_not, a, signal(operation.b)));
            break;
          case Operator::complement:
            signals.push_back(one(Action::complement, a));
            break;
        }
      }
    }
    const std::array<std::uint8_t, 2>& outputs = gates_ ? network_.outputs : circuit_.outputs;
    std::vector<int> next;
    for (std::size_t i = 0; i < centres.size(); ++i) next.push_back(signal(outputs[i]));
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

  bool gates_;
  Network network_;
  Circuit circuit_;
  StraightLine code_;
};

}  // namespace moorea::straight_line
