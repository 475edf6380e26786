// SPDX-License-Identifier: MIT
// Fewer gates that compute the same.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "logic/resubstitution.h"

namespace moorea {
namespace {

constexpr std::size_t six_inputs = 6;

std::vector<bool> outputs_of(const GateList& list, unsigned inputs) {
  std::vector<bool> signals, outputs;
  for (std::size_t i = 0; i < list.inputs; ++i) signals.push_back((inputs >> i & 1) != 0);
  for (const CellNetwork::Gate& gate : list.gates) {
    const unsigned at =
        (signals[gate.a] ? 4u : 0u) | (signals[gate.b] ? 2u : 0u) | (signals[gate.c] ? 1u : 0u);
    signals.push_back((gate.table >> at & 1) != 0);
  }
  for (const std::uint16_t output : list.outputs) outputs.push_back(signals[output]);
  return outputs;
}

GateList random_list(std::mt19937& random, std::size_t gates) {
  GateList list = {six_inputs, {}, {}};
  for (std::size_t g = 0; g < gates; ++g) {
    const auto signal = [&] { return static_cast<std::uint16_t>(random() % (six_inputs + g)); };
    const std::uint16_t a = signal(), b = signal(), c = signal();
    list.gates.push_back({a, b, c, static_cast<std::uint8_t>(random())});
  }
  const auto last = static_cast<std::uint16_t>(six_inputs + gates - 1);
  list.outputs = {last, static_cast<std::uint16_t>(last - 1), static_cast<std::uint16_t>(random() % last)};
  return list;
}

TEST(Resubstitution, OutputsStayTheSame) {
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const GateList list = random_list(random, 2 + random() % 30);
    const GateList fewer = resubstituted(list, 500'000);
    // An output may need its complement
    EXPECT_LE(fewer.gates.size(), list.gates.size() + list.outputs.size());
    for (unsigned n = 0; n < 1u << six_inputs; ++n) ASSERT_EQ(outputs_of(fewer, n), outputs_of(list, n)) << i;
    for (const CellNetwork::Gate& gate : fewer.gates)
      EXPECT_TRUE((gate.table & 1) == 0 || gate.table == 0x0F) << i;
    EXPECT_EQ(resubstituted(list, 500'000).gates.size(), fewer.gates.size());
  }
}

// A parity of five inputs by gates of two operands, of which the last two become one.
TEST(Resubstitution, FindsFewerGates) {
  constexpr std::uint8_t parity_of_two = 0x3C;  // of the first two operands
  const GateList list = {six_inputs,
                         {{0, 1, 1, parity_of_two},
                          {2, 3, 3, parity_of_two},
                          {6, 7, 7, parity_of_two},
                          {8, 4, 4, parity_of_two}},
                         {9}};
  EXPECT_EQ(resubstituted(list, 1'000'000).gates.size(), 3u);
}

}  // namespace
}  // namespace moorea
