// SPDX-License-Identifier: MIT
#include "definition.h"

#include <cctype>
#include <random>
#include <utility>

namespace moorea::test {

Grid next_generation(const Grid& world, const Rule& rule, Topology topology) {
  const std::int64_t width = world.width(), height = world.height();
  const auto alive = [&](std::int64_t x, std::int64_t y) {
    if (topology == Topology::torus) return world.alive((x + width) % width, (y + height) % height);
    return x >= 0 && x < width && y >= 0 && y < height && world.alive(x, y);
  };
  Grid next(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      int neighbours = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) neighbours += (dx != 0 || dy != 0) && alive(x + dx, y + dy);
      }
      if (rule.next(world.alive(x, y), neighbours)) next.set(x, y);
    }
  }
  return next;
}

Grid after(Grid world, const Rule& rule, Topology topology, int generations) {
  for (int i = 0; i < generations; ++i) world = next_generation(world, rule, topology);
  return world;
}

std::string test_name(std::string_view kernel) {
  std::string name(kernel);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

Rule numbered_rule(unsigned number) { return Rule(number & 0x1FF, number >> 9 & 0x1FF); }

std::vector<Rule> rules_to_test(int sample) {
  std::vector<Rule> rules = {numbered_rule(0), numbered_rule(0x3FFFF), Rule(1, 0),
                             Rule(0, 1),       Rule(1, 0x1FF),         Rule(0x100, 0x100)};
  for (const NamedRule& named : named_rules()) {
    if (named.name == named.rule.name()) rules.push_back(named.rule);
  }
  std::mt19937 random(20261120);
  for (int i = 0; i < sample; ++i) rules.push_back(numbered_rule(static_cast<unsigned>(random())));
  return rules;
}

}  // namespace moorea::test
