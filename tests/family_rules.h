// SPDX-License-Identifier: MIT
// Rules of more states, of wide neighbourhoods, of blocks and by transitions, for tests of worlds that are
// divided.
#pragma once

#include <random>
#include <vector>

#include "moorea/rule.h"
#include "transition_rules.h"

namespace moorea::test {

inline std::vector<Rule> rules_of_families() {
  std::mt19937 random(5);
  std::vector<Rule> rules;
  for (const char* name : {"/2/3", "345/2/8", "B2-a/S12/G17", "LifeHistory", "WireWorld", "Bosco's Rule",
                           "R2,C3,M0,S3..8,B5..7,NM", "R10,C0,M1,S123..212,B123..170,NM", "Critters", "BBM"})
    rules.push_back(Rule::parse(name));
  rules.push_back(random_transitions(5, false, random));
  rules.push_back(random_transitions(9, true, random));
  rules.push_back(signals(4, {1, 2, 3}));
  return rules;
}

}  // namespace moorea::test
