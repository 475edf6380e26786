// SPDX-License-Identifier: MIT
// Rules by transitions for tests.
#pragma once

#include <fmt/core.h>

#include <array>
#include <random>
#include <string>

#include "moorea/rule.h"
#include "moorea/transitions.h"

namespace moorea::test {

/// Any decisions, with `width` nodes for each cell that is asked for.
inline Transitions::Tree random_tree(int states, bool corners, std::mt19937& random, int width = 5) {
  Transitions::Tree tree;
  tree.states = states;
  tree.corners = corners;
  const int levels = corners ? 9 : 5;
  for (int level = 0; level < levels; ++level) {
    for (int node = 0; node < width; ++node) {
      for (int state = 0; state < states; ++state) {
        const int entry = static_cast<int>(random() % static_cast<unsigned>(level == 0 ? states : width));
        tree.nodes.push_back(level == 0 ? entry : entry + (level - 1) * width);
      }
    }
  }
  tree.root = levels * width - 1;
  return tree;
}

inline Rule random_transitions(int states, bool corners, std::mt19937& random, int width = 5) {
  const Transitions::Tree tree = random_tree(states, corners, random, width);
  return Rule::by(Transitions("random-" + std::to_string(random()), tree));
}

/// Cells that move east, west and south, each in a state of its own among so many.
inline Rule signals(int states, const std::array<int, 3>& moving) {
  std::string all = "0";
  for (int state = 1; state < states; ++state) all += "," + std::to_string(state);
  const auto [east, west, south] = moving;
  return Rule::by(Transitions::parse(
      fmt::format(
          "@RULE Signals-{0}\n@TABLE\nn_states:{0}\nneighborhood:vonNeumann\nsymmetries:none\nvar a={{{1}}}\n"
          "var b=a\nvar c=a\nvar d=a\nvar "
          "e=a\n0,a,b,c,{2},{2}\n0,a,{3},c,d,{3}\n0,{4},b,c,d,{4}\ne,a,b,c,d,0\n",
          states, all, east, west, south),
      "test"));
}

}  // namespace moorea::test
