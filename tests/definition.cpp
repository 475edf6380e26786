// SPDX-License-Identifier: MIT
#include "definition.h"

#include <cctype>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <tuple>
#include <utility>

#include "byte_world.h"

namespace moorea::test {
namespace {

struct Run {
  Grid start, end;
};

// Keyed by the world's hash, the rule, the topology and the number of generations.
using Runs = std::map<std::tuple<std::uint64_t, std::string, Topology, int>, Run>;

constexpr std::int64_t max_remembered = std::int64_t{1} << 30;  // cells

}  // namespace

Grid next_generation(const Grid& world, const Rule& rule, Topology topology) {
  const std::int64_t width = world.width(), height = world.height();
  // Neighbours are at most one step beyond an edge, so no division is needed, which would take most of the
  // time
  const auto wrapped = [](std::int64_t at, std::int64_t side) {
    return at < 0 ? at + side : at >= side ? at - side : at;
  };
  const bool torus = topology == Topology::torus;
  const auto is_alive = [&](std::int64_t x, std::int64_t y) {
    if (!torus && (x < 0 || x >= width || y < 0 || y >= height)) return false;
    const std::int64_t column = wrapped(x, width);
    return (world.row(wrapped(y, height))[column >> 6] >> (column & 63) & 1) != 0;
  };
  Grid next(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    SlidingNeighbourhood cells(y, is_alive);
    for (std::int64_t x = 0; x < width; ++x)
      if (rule.next(cells.at(x))) next.set(x, y);
  }
  return next;
}

// Results are cached up to a limit, because all kernels are compared on the same worlds, some of which take a
// second.
Grid after(const Grid& world, const Rule& rule, Topology topology, int generations) {
  static std::mutex guard;
  static Runs runs;
  static std::int64_t remembered = 0;
  const std::lock_guard lock(guard);
  const Runs::key_type key{world.hash(), rule.str(), topology, generations};
  if (const auto found = runs.find(key); found != runs.end() && found->second.start == world)
    return found->second.end;
  Grid end = world;
  for (int i = 0; i < generations; ++i) end = next_generation(end, rule, topology);
  remembered += 2 * world.width() * world.height();
  if (remembered > max_remembered) {
    runs.clear();
    remembered = 0;
  }
  runs[key] = {world, end};
  return end;
}

bool test_everything() {
  static const bool everything = std::getenv("MOOREA_TEST_ALL") != nullptr;
  return everything;
}

TestPart test_part() {
  const char* const part = std::getenv("MOOREA_TEST_PART");
  if (part == nullptr || test_everything()) return {};
  return {static_cast<unsigned>(std::atoi(part)) % 3, 3};
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
    if (named.name == named.rule.name() && named.rule.is_life_like()) rules.push_back(named.rule);
  }
  std::mt19937 random(20261120);
  for (int i = 0; i < sample; ++i) rules.push_back(numbered_rule(static_cast<unsigned>(random())));
  return rules;
}

}  // namespace moorea::test
