// SPDX-License-Identifier: MIT
// Partitions that do not depend on orientation and phase.
#include "objects/divided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "moorea/census.h"
#include "moorea/identify.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace {

using moorea::Grid;
using moorea::Pattern;
using moorea::Rule;

// The image of cells under one of the eight symmetries of a square.
Grid image_of(const Grid& cells, int symmetry) {
  const bool is_transposed = symmetry & 4;
  Grid image(is_transposed ? cells.height() : cells.width(), is_transposed ? cells.width() : cells.height());
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      if (!cells.alive(x, y)) continue;
      const std::int64_t column = symmetry & 1 ? cells.width() - 1 - x : x,
                         row = symmetry & 2 ? cells.height() - 1 - y : y;
      image.set(is_transposed ? row : column, is_transposed ? column : row);
    }
  }
  return image;
}

std::map<std::string, std::uint64_t> objects_of(const Grid& cells, const Rule& rule) {
  std::map<std::string, std::uint64_t> counts;
  Pattern pattern;
  pattern.cells = cells;
  pattern.rule = rule.str();
  for (const moorea::ObjectCount& each : moorea::identify(pattern).census) counts[each.apgcode] += each.count;
  return counts;
}

// Three parts are near a cell in which two of them influence each other: which are united does not depend on
// the order in which cells are visited.
TEST(Divided, OrientationDoesNotMatter) {
  const Pattern pattern = moorea::parse_pattern(
      "x = 9, y = 7, rule = B3/S23\n3b2o$2o2bo$2obo$3bobob2o$2obob2obo$o2bo$2b2o!\n", "test");
  for (int symmetry = 0; symmetry < 8; ++symmetry)
    EXPECT_EQ(objects_of(image_of(pattern.cells, symmetry), Rule()),
              (std::map<std::string, std::uint64_t>{{"xs18_c9b88gozwbd", 1}, {"xs4_33", 1}}))
        << symmetry;
}

// Oscillators whose cells are neighbours in one phase and not in the next.
TEST(Divided, PhaseDoesNotMatter) {
  const Rule rule = Rule::parse("B3678/S34678");
  const Pattern pattern =
      moorea::parse_pattern("x = 6, y = 6, rule = B3678/S34678\n5bo$3b2o$4bo$bo$b2o$o!\n", "test");
  for (const int generations : {0, 1, 2, 3}) {
    moorea::Simulation simulation = moorea::Simulation::unbounded(rule, pattern);
    simulation.step(static_cast<std::uint64_t>(generations));
    const Grid now = simulation.grid();
    for (int symmetry = 0; symmetry < 8; ++symmetry)
      EXPECT_EQ(objects_of(image_of(now, symmetry), rule),
                (std::map<std::string, std::uint64_t>{{"xp2_162", 2}}))
          << generations << ", " << symmetry;
  }
  // Objects that are separate in no phase stay one
  for (const char* const code :
       {"xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", "xp2_7", "xq4_153", "xp15_4r4z4r4"}) {
    const Pattern object = moorea::apgcode_pattern(code, Rule());
    EXPECT_EQ(objects_of(object.cells, Rule()), (std::map<std::string, std::uint64_t>{{code, 1}}));
  }
}

// The census counts what identify finds.
TEST(Divided, TheCensusAgrees) {
  moorea::CensusSpec spec;
  spec.rule = Rule::parse("B3678/S34678");
  spec.root = "x1";
  spec.symmetry = "D4_x1";
  spec.first = 488;
  spec.soups = 1;
  spec.max_generations = 3000;
  spec.threads = 1;
  moorea::Haul haul;
  moorea::take_census(spec, [&](const moorea::Haul& next) { haul.add(next); });
  std::map<std::string, std::uint64_t> counted;
  for (const auto& [code, entry] : haul.objects) counted[code] = entry.count;
  const Pattern soup = moorea::soup_pattern("x1488", spec.symmetry, spec.rule);
  EXPECT_EQ(counted, objects_of(soup.cells, spec.rule));
  EXPECT_EQ(counted.count("xp2_0og261z1"), 0u);
}

}  // namespace
