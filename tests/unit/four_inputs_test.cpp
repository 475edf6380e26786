// SPDX-License-Identifier: MIT
// Functions of four inputs as gates.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include "logic/four_inputs.h"

namespace moorea {
namespace {

// Value of the last gate for input number n.
unsigned value_of(const std::vector<FourGate>& gates, unsigned signal, unsigned n) {
  std::array<unsigned, four_inputs_first_gate + 3> values{};
  for (unsigned input = 0; input < 4; ++input) values[input] = n >> input & 1;
  values[four_inputs_signal] = signal >> n & 1;
  std::size_t next = four_inputs_first_gate;
  for (const FourGate& gate : gates) {
    unsigned index = 0;
    for (const int input : gate.inputs) index = index << 1 | values.at(static_cast<std::size_t>(input));
    values.at(next++) = gate.table >> index & 1;
  }
  return values[next - 1];
}

TEST(FourInputs, GatesAreTheFunctionWhereItMatters) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const FourFunction function = {static_cast<unsigned>(random() & 0xFFFF),
                                   i % 2 == 0 ? 0xFFFFu : static_cast<unsigned>(random() & 0xFFFF)};
    const auto signal = static_cast<unsigned>(random() & 0xFFFF);
    const std::vector<FourGate> gates = i % 4 < 2 ? gates_of(function) : gates_of(function, signal);
    ASSERT_LE(gates.size(), 3u);
    for (unsigned n = 0; n < 16; ++n) {
      if ((function.matters >> n & 1) == 0) continue;
      ASSERT_EQ(value_of(gates, signal, n), function.values >> n & 1) << function.values << ", " << n;
    }
  }
}

TEST(FourInputs, FewGatesAreFound) {
  constexpr FourTable parity = 0x6996, majority_of_three = 0xE8E8, last = 0xFF00, third_alone = 0x1010;
  EXPECT_EQ(gates_of({majority_of_three}).size(), 1u);
  EXPECT_EQ(gates_of({parity}).size(), 2u);
  // Values that do not matter may make a function one of three inputs
  EXPECT_EQ(gates_of({parity, 0x00FF}).size(), 1u);
  // A choice between a function of three inputs and the signal
  EXPECT_EQ(gates_of({(parity & ~last) | (third_alone & last)}, parity).size(), 2u);
}

}  // namespace
}  // namespace moorea
