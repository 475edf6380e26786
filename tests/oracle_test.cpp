// SPDX-License-Identifier: MIT
// Facts published by others, read from tests/oracle/*.txt (the format is described in oracle/README.md) and
// checked with every kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "definition.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

struct Fact {
  std::string name, rle, rule = "B3/S23", world = "unbounded", runs, place;
  std::vector<std::string> expectations;
};

std::vector<Fact> read_facts(const std::filesystem::path& file) {
  std::vector<Fact> facts;
  std::ifstream input(file);
  int number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      throw std::runtime_error(file.string() + ": no key in line " + std::to_string(number));
    const std::string key = line.substr(0, colon), value = line.substr(colon + 2);
    if (key == "fact") {
      facts.push_back({});
      facts.back().name = value;
      facts.back().place = file.filename().string() + ":" + std::to_string(number);
    } else if (key == "rle") {
      facts.back().rle = value;
    } else if (key == "rule") {
      facts.back().rule = value;
    } else if (key == "world") {
      facts.back().world = value;
    } else if (key == "runs") {
      facts.back().runs = value;
    } else if (key == "expect") {
      facts.back().expectations.push_back(value);
    } else if (key != "source") {
      throw std::runtime_error(file.string() + ": unknown key " + key);
    }
  }
  return facts;
}

std::vector<Fact> all_facts() {
  std::vector<Fact> facts;
  for (const auto& entry : std::filesystem::directory_iterator(MOOREA_SOURCE_DIR "/tests/oracle")) {
    if (entry.path().extension() != ".txt") continue;
    for (Fact& fact : read_facts(entry.path())) facts.push_back(std::move(fact));
  }
  return facts;
}

Simulation start(const Fact& fact, const std::string& kernel) {
  Options options;
  options.kernel = kernel;
  std::string text = "x = 0, y = 0, rule = " + fact.rule;
  if (fact.world != "unbounded") text += ":" + fact.world;
  if (fact.rle.starts_with("noise")) {
    const WorldSpec spec = WorldSpec::parse(fact.rule + ":" + fact.world);
    return Simulation(spec.rule, spec.topology,
                      Grid::random(spec.width, spec.height, std::stod(fact.rle.substr(6)), 1), options);
  }
  return Simulation::of(parse_pattern(text + "\n" + fact.rle, fact.place), options);
}

Grid live_cells(const Simulation& simulation) {
  return simulation.window(simulation.bounding_box().value_or(Box{}));
}

Grid trimmed(const std::string& rle) {
  const Grid cells = parse_pattern("x = 0, y = 0\n" + rle, "oracle").cells;
  return cells.crop(cells.bounding_box().value_or(Box{}));
}

Grid complement(const Grid& grid) {
  Grid result(grid.width(), grid.height());
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    for (std::int64_t x = 0; x < grid.width(); ++x) result.set(x, y, !grid.alive(x, y));
  }
  return result;
}

// Some kernels support only worlds of certain sizes
bool takes(const Fact& fact, const std::string& kernel) {
  try {
    start(fact, kernel);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
    return false;
  }
}

// A growing plane queries its bounding box continually. That takes minutes on a device, and minutes in total
// on the ladder's first rungs and on kernels of meshes, which compute the empty cells too; `./test --all`
// runs all of these but the longest on a device.
bool is_long_for(const std::string& kernel, const std::string& expectation) {
  const bool is_device = kernel.starts_with("opencl/");
  const bool is_slow =
      kernel.starts_with("cpu/ladder/") || kernel.starts_with("cpu/mesh/") || kernel == "cpu/reference";
  if (!is_device && (!is_slow || test_everything())) return false;
  const std::int64_t longest = test_everything() ? 1200 : 1000;
  return std::stoll(expectation.substr(expectation.find(' '))) > longest;
}

void check(const Fact& fact, const std::string& expectation, const std::string& kernel) {
  std::istringstream words(expectation);
  std::string word, what;
  std::uint64_t generation = 0;
  ASSERT_TRUE(words >> word >> generation >> what && word == "generation") << expectation;
  Simulation simulation = start(fact, kernel);
  const Grid first = live_cells(simulation);
  const std::optional<Box> box = simulation.bounding_box();
  if (what == "population") {
    std::uint64_t population = 0;
    ASSERT_TRUE(words >> population);
    simulation.step(generation);
    EXPECT_EQ(simulation.population(), population);
  } else if (what == "displaced") {
    std::int64_t dx = 0, dy = 0;
    ASSERT_TRUE(words >> dx >> dy);
    simulation.step(generation);
    EXPECT_EQ(live_cells(simulation), first);
    EXPECT_EQ(simulation.bounding_box(), (Box{box->x + dx, box->y + dy, box->width, box->height}));
  } else if (what == "first-return") {
    // The smallest period: the pattern returns now and not before
    for (std::uint64_t i = 1; i <= generation; ++i) {
      simulation.step(1);
      const bool back = live_cells(simulation) == first && simulation.bounding_box() == box;
      EXPECT_EQ(back, i == generation) << "at generation " << i;
    }
  } else if (what == "cells") {
    std::string rle;
    ASSERT_TRUE(words >> rle);
    simulation.step(generation);
    EXPECT_EQ(live_cells(simulation), trimmed(rle));
  } else if (what == "contains-itself") {
    simulation.step(generation);
    const Grid now = simulation.window(*box);
    for (std::int64_t y = 0; y < box->height; ++y) {
      for (std::int64_t x = 0; x < box->width; ++x)
        EXPECT_TRUE(now.alive(x, y) || !first.alive(x, y)) << x << " " << y;
    }
  } else if (what == "none-survived") {
    simulation.step(generation - 1);
    const Grid before = simulation.grid();
    simulation.step(1);
    const Grid now = simulation.grid();
    for (std::int64_t y = 0; y < now.height(); ++y) {
      for (std::int64_t x = 0; x < now.width(); ++x) EXPECT_FALSE(before.alive(x, y) && now.alive(x, y));
    }
  } else if (what == "complement-of-complement") {
    Options options;
    options.kernel = kernel;
    Simulation other(simulation.rule(), simulation.topology(), complement(simulation.grid()), options);
    simulation.step(generation);
    other.step(generation);
    EXPECT_EQ(simulation.grid(), complement(other.grid()));
  } else {
    FAIL() << "unknown expectation " << expectation;
  }
}

void PrintTo(const Fact& fact, std::ostream* out) { *out << fact.place; }

class Published : public testing::TestWithParam<Fact> {};

TEST_P(Published, HoldsWithEveryKernel) {
  const Fact& fact = GetParam();
  ASSERT_FALSE(fact.expectations.empty());
  std::vector<std::string> kernels;
  if (fact.runs == "default-kernel") {
    kernels.emplace_back();
  } else {
    for (const KernelInfo& kernel : list_kernels(Rule::parse(fact.rule))) {
      if (kernel.runs) kernels.push_back(kernel.name);
    }
  }
  for (const std::string& kernel : kernels) {
    if (!takes(fact, kernel)) continue;
    for (const std::string& expectation : fact.expectations) {
      if (is_long_for(kernel, expectation)) continue;
      SCOPED_TRACE(fact.place + ", " + fact.name + ", " + kernel + ": " + expectation);
      check(fact, expectation, kernel);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Facts, Published, testing::ValuesIn(all_facts()), [](const auto& test_case) {
  std::string name = test_case.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace moorea::test
