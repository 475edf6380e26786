// SPDX-License-Identifier: MIT
// Rules by transitions as look-ups in tables.
#include "logic/state_lookups.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "logic/state_logic.h"
#include "logic/transition_text.h"
#include "moorea/transitions.h"
#include "transition_rules.h"

namespace moorea {
namespace {

// The state that follows by the tables, for states of the cells in the order of the tree.
int looked_up(const StateLookups& lookups, const std::vector<int>& asked) {
  std::int64_t entry = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < lookups.cells.size(); ++i) {
    std::int64_t code = 0, weight = 1;
    for (int k = 0; k < lookups.cells[i]; ++k, weight *= lookups.radix) code += weight * asked[at++];
    EXPECT_EQ(weight, lookups.codes(i));
    const auto place = static_cast<std::size_t>(entry * lookups.codes(i) + code);
    entry = i + 1 < lookups.cells.size() ? lookups.nodes[static_cast<std::size_t>(lookups.begins[i]) + place]
                                         : lookups.results[place];
  }
  EXPECT_EQ(at, asked.size());
  return static_cast<int>(entry);
}

TEST(StateLookups, SayTheSameAsTheTree) {
  std::mt19937 random(3);
  for (const int states : {3, 8, 12, 29, 256}) {
    for (const bool corners : {false, true}) {
      const Rule rule = test::random_transitions(states, corners, random);
      const int power = 1 << state_digits(rule);
      for (const int radix : {states, power}) {
        std::size_t fewest = 9;
        for (const std::int64_t max_bytes : {12 << 10, 128 << 10, 64 << 20}) {
          const auto lookups = state_lookups(rule, radix, max_bytes);
          if (lookups == nullptr) continue;
          EXPECT_LE(lookups->bytes(), max_bytes);
          EXPECT_LE(lookups->cells.size(), fewest);  // more memory, fewer look-ups
          fewest = lookups->cells.size();
          EXPECT_EQ(lookups, state_lookups(rule, radix, max_bytes));
          for (int i = 0; i < 300; ++i) {
            Transitions::Neighbourhood cells;
            for (std::uint8_t& cell : cells)
              cell = static_cast<std::uint8_t>(random() % static_cast<unsigned>(states));
            std::vector<int> asked;
            if (corners)
              for (const int place : Transitions::order_with_corners)
                asked.push_back(cells[static_cast<std::size_t>(place)]);
            else
              for (const int place : Transitions::order_without)
                asked.push_back(cells[static_cast<std::size_t>(place)]);
            ASSERT_EQ(looked_up(*lookups, asked), rule.transitions()->next(cells));
          }
        }
        EXPECT_LT(fewest, corners ? 9u : 5u);
      }
    }
  }
}

TEST(StateLookups, AreAsFewAsPossible) {
  std::mt19937 random(4);
  const auto number = [&](int states, bool corners, int radix, std::int64_t bytes) {
    return state_lookups(test::random_transitions(states, corners, random), radix, bytes)->cells;
  };
  // All neighbourhoods: 8^5, 9^5 and 3^9 of them
  EXPECT_EQ(number(8, false, 8, 32 << 10), std::vector<int>{5});
  EXPECT_EQ(number(9, false, 9, 59049), std::vector<int>{5});
  EXPECT_EQ(number(3, true, 3, 19683), std::vector<int>{9});
  EXPECT_EQ(number(9, false, 16, 1 << 20).size(), 2u);  // 16^5 are more than codes have
  EXPECT_EQ(number(8, true, 8, 1 << 20).size(), 2u);    // five cells and four
}

TEST(StateLookups, AreRefusedIfTheyAreTooLarge) {
  std::mt19937 random(5);
  const Rule rule = test::random_transitions(256, true, random);
  EXPECT_EQ(state_lookups(rule, 256, 5 << 10), nullptr);
  EXPECT_NE(state_lookups(rule, 256, 64 << 10), nullptr);
  const GpuTransitions on_gpu = gpu_transitions(rule);
  ASSERT_NE(on_gpu.lookups, nullptr);
  EXPECT_EQ(on_gpu.network, nullptr);
  EXPECT_LE(on_gpu.lookups->bytes(), 112 << 10);  // two thread blocks of a multiprocessor
  EXPECT_EQ(std::ssize(table_bytes(on_gpu)), on_gpu.lookups->bytes());
}

}  // namespace
}  // namespace moorea
