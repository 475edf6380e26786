#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of objects of Life, for src/objects/names.cpp: those entries of the Life Lexicon (S. A. Silver and others, as in
Debian's package golly) that draw an object and state its period. Usage: object_names.py MOOREA > src/objects/names.cpp"""
import sys

import life_lexicon

# Objects whose entries draw several things
names = {
    "xs4_33": "block",
    "xs7_178c": "eater",
    "xs14_g88m952z121": "half bakery",
    "xs6_356": "ship",
    "xp30_w33z8kqrqk8zzzx33": "queen bee shuttle",
    "xq4_6frc": "lightweight spaceship",
    "xq4_27dee6": "middleweight spaceship",
    "xq4_27deee6": "heavyweight spaceship",
    "yl30_1_5_74055a5f5e513fd2e62fb8d6117d3f03": "Gosper glider gun",
    "yl144_1_16_afb5f3db909e60548f086e22ee3353ac": "block-laying switch engine",
    "yl384_1_59_7aeb1999980c43b4945fb7fcdb023326": "glider-producing switch engine",
}
for entry in [*life_lexicon.objects(), *life_lexicon.objects(several=True)]:
    found = life_lexicon.identify(sys.argv[1], entry.cells)
    if found["apgcode"] and (found["period"], found["speed"]) == (entry.period, entry.speed):
        names.setdefault(found["apgcode"], entry.name)

print("""// SPDX-License-Identifier: MIT
// Names of objects of Life, from the Life Lexicon of S. A. Silver and others. Made by tools/object_names.py.
#include <algorithm>
#include <iterator>
#include <utility>

#include "moorea/identify.h"

namespace moorea {
namespace {

// In the order of the codes
constexpr std::pair<std::string_view, std::string_view> names[] = {""")
for code in sorted(names):
    print(f'    {{"{code}", "{names[code]}"}},')
print("""};

}  // namespace

std::string_view object_name(std::string_view apgcode) {
  const auto found =
      std::lower_bound(std::begin(names), std::end(names), apgcode,
                       [](const auto& entry, std::string_view code) { return entry.first < code; });
  return found != std::end(names) && found->first == apgcode ? found->second : std::string_view();
}

}  // namespace moorea""")
