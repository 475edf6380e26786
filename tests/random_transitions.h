// SPDX-License-Identifier: MIT
// Random rules by transitions.
#pragma once

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

}  // namespace moorea::test
