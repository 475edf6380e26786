// SPDX-License-Identifier: MIT
#include "logic/four_inputs.h"

namespace moorea {
namespace {

// All inputs but one, the last one first.
constexpr std::array<int, 3> inputs_except(int input) {
  return {input < 3 ? 3 : 2, input < 2 ? 2 : 1, input == 0 ? 1 : 0};
}

// Numbers of the inputs, of the signal and of the first gate's result.
class Signals {
 public:
  Signals(const FourFunction& function, FourTable signal) : function_(function) {
    for (unsigned n = 0; n < 16; ++n) {
      for (unsigned input = 0; input < 4; ++input) tables_[input] |= (n >> input & 1) << n;
    }
    tables_[four_inputs_signal] = signal;
  }

  // The function as a gate of some inputs, if it is one.
  std::optional<FourGate> as_gate(const std::array<int, 3>& inputs) const {
    unsigned ones = 0, zeros = 0;
    for (unsigned n = 0; n < 16; ++n) {
      if ((function_.matters >> n & 1) == 0) continue;
      ((function_.values >> n & 1) != 0 ? ones : zeros) |= 1u << index(inputs, n);
    }
    if ((ones & zeros) != 0) return {};
    return FourGate{inputs, ones};
  }

  void set_first_gate(const FourGate& gate) {
    FourTable& result = tables_[four_inputs_first_gate];
    result = 0;
    for (unsigned n = 0; n < 16; ++n) result |= (gate.table >> index(gate.inputs, n) & 1) << n;
  }

 private:
  unsigned index(const std::array<int, 3>& inputs, unsigned n) const {
    const auto value = [&](int input) { return tables_[static_cast<std::size_t>(input)] >> n & 1; };
    return value(inputs[0]) << 2 | value(inputs[1]) << 1 | value(inputs[2]);
  }

  FourFunction function_;
  std::array<FourTable, four_inputs_first_gate + 1> tables_{};
};

}  // namespace

std::vector<FourGate> gates_of(const FourFunction& function, std::optional<FourTable> signal) {
  constexpr int first_gate = four_inputs_first_gate;
  Signals signals(function, signal.value_or(0));
  for (int input = 0; input < 4; ++input) {
    if (const auto gate = signals.as_gate(inputs_except(input))) return {*gate};
  }
  // A gate of three inputs, and one of its result, the fourth input and one of the three, or the signal
  for (int input = 0; input < 4; ++input) {
    const std::array<int, 3> three = inputs_except(input);
    for (unsigned table = 1; table < 255; ++table) {
      signals.set_first_gate({three, table});
      for (const int again : three) {
        if (const auto gate = signals.as_gate({first_gate, input, again})) return {{three, table}, *gate};
      }
      if (!signal) continue;
      if (const auto gate = signals.as_gate({first_gate, input, four_inputs_signal}))
        return {{three, table}, *gate};
    }
  }
  // A choice by the last input: the first input of the gate if the third is 1, else the second
  constexpr unsigned choice = 0xE4;
  const std::array<int, 3> three = inputs_except(3);
  return {{three, function.values & 0xFF},
          {three, function.values >> 8 & 0xFF},
          {{first_gate + 1, first_gate, 3}, choice}};
}

}  // namespace moorea
