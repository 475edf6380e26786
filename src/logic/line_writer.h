// SPDX-License-Identifier: MIT
// Straight-line code of loads, gates and stores, before registers are allocated.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "logic/cell_network.h"
#include "logic/emit_x86.h"
#include "logic/network.h"
#include "logic/registers.h"
#include "logic/two_input.h"

namespace moorea::straight_line {

// A memory operand: row (0 to 4 rows after the base), column (-1 to 2) and plane of cells with several
// states, of the source or the destination.
struct Place {
  bool written = false;
  int row = 0, column = 0, plane = 0;
  int number() const { return (((written ? 8 : 0) + row) * 8 + column + 1) * 16 + plane; }
  static Place of(int number) { return {number >= 1024, number / 128 % 8, number / 16 % 8 - 1, number % 16}; }
};

class LineWriter {
 public:
  explicit LineWriter(VectorUnit unit) : gates_(unit == VectorUnit::avx512) {}

  int load(Place place) { return append({Action::load, fresh(), {}, 0, place.number()}); }

  void store(Place place, int value) {
    code_.instructions.push_back({Action::store, -1, {value, -1, -1}, 0, place.number()});
  }

  int two(Action action, int a, int b) { return append({action, fresh(), {a, b, -1}, 0, 0}); }

  int one(Action action, int a) { return append({action, fresh(), {a, -1, -1}, 0, 0}); }

  int three(int a, int b, int c, std::uint8_t table) {
    return append({Action::gate, fresh(), {a, b, c}, table, 0});
  }

  // A gate of a CellNetwork or a StateNetwork, whose operands are these values; value(signal) is only asked
  // for those that it depends on. Gates are 0 for operands that are 0, except complements, of one operand.
  template <class Value>
  int cell_gate(const CellNetwork::Gate& gate, const Value& value) {
    const unsigned looks_at = operands_of(gate.table);
    if (looks_at == 0) {
      const int any = value(gate.a), none = two(Action::exclusive, any, any);
      return gate.table == 0 ? none : one(Action::complement, none);
    }
    if (looks_at == 4) return one(Action::complement, value(gate.a));
    std::vector<int> values(3, -1);
    if ((looks_at & 4) != 0) values[0] = value(gate.a);
    if ((looks_at & 2) != 0) values[1] = value(gate.b);
    if ((looks_at & 1) != 0) values[2] = value(gate.c);
    if (gates_ && looks_at == 7) return three(values[0], values[1], values[2], gate.table);
    for (const Operation& operation : operations_of(gate.table))
      values.push_back(two(action_of(operation.what), values[operation.a], values[operation.b]));
    return values.back();
  }

  void enter(const std::vector<int>& values) { code_.entering = values; }
  void leave(const std::vector<int>& values) { code_.leaving = values; }
  void load_again() { code_.loads_again = true; }
  int fresh() { return code_.values++; }
  const StraightLine& code() const { return code_; }
  void clear() { code_ = {}; }

 protected:
  bool has_gates() const { return gates_; }

  static Action action_of(Operator what) {
    switch (what) {
      case Operator::conjunction:
        return Action::conjunction;
      case Operator::disjunction:
        return Action::disjunction;
      case Operator::exclusive:
        return Action::exclusive;
      case Operator::and_not:
        return Action::and_not;
      case Operator::complement:
        break;
    }
    return Action::complement;
  }

 private:
  int append(const Instruction& instruction) {
    code_.instructions.push_back(instruction);
    return instruction.result;
  }

  bool gates_;  // of three operands
  StraightLine code_;
};

}  // namespace moorea::straight_line
