// SPDX-License-Identifier: MIT
// A random world under a random rule, with a random kernel, threads and numbers of generations, against the
// reference kernel. Half of the worlds have a few cells at internal borders; those that have settled
// deactivate tiles and activate them again.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace {

using namespace moorea;

// The input as numbers, followed by zeros.
class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint64_t below(std::uint64_t end) {
    std::uint64_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | (at_ < size_ ? data_[at_++] : 0);
    return value % end;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

Rule rule_of(Numbers& numbers) {
  // Half of them are rules under which patterns settle, move or live long
  static constexpr const char* usual[] = {"B3/S23",  "B36/S23", "B3678/S34678",
                                          "B38/S23", "B3/S234", "B368/S245"};
  const std::uint64_t choice = numbers.below(12);
  if (choice < 6) return Rule::parse(usual[choice]);
  const std::uint64_t bits = numbers.below(1 << 18);
  return Rule(static_cast<unsigned>(bits & 0x1FF), static_cast<unsigned>(bits >> 9));
}

// A number below `end` near a multiple of a unit by which kernels and boards partition worlds.
std::int64_t at_border(Numbers& numbers, std::int64_t end) {
  static constexpr std::int64_t units[] = {8, 32, 48, 52, 64, 128, 256, 512};
  const std::int64_t unit = units[numbers.below(std::size(units))];
  const std::int64_t multiple =
      unit * static_cast<std::int64_t>(numbers.below(static_cast<std::uint64_t>(end / unit + 1)));
  return std::clamp<std::int64_t>(multiple + static_cast<std::int64_t>(numbers.below(17)) - 8, 0, end - 1);
}

// A few cells in one or two places: only the tile that owns them may activate them.
Grid few_cells(Numbers& numbers) {
  Grid start(1 + at_border(numbers, numbers.below(4) == 0 ? 1200 : 260),
             1 + at_border(numbers, numbers.below(4) == 0 ? 800 : 260));
  for (std::uint64_t places = 1 + numbers.below(2); places > 0; --places) {
    const Grid cells =
        Grid::random(1 + static_cast<std::int64_t>(numbers.below(4)),
                     1 + static_cast<std::int64_t>(numbers.below(4)), 0.6, numbers.below(1 << 30));
    start.paste(cells, {at_border(numbers, start.width()), at_border(numbers, start.height())});
  }
  return start;
}

Grid noise(Numbers& numbers) {
  const auto width = static_cast<std::int64_t>(1 + numbers.below(numbers.below(4) == 0 ? 1200 : 130));
  const auto height = static_cast<std::int64_t>(1 + numbers.below(numbers.below(4) == 0 ? 400 : 130));
  const double density = static_cast<double>(1 + numbers.below(numbers.below(2) == 0 ? 20 : 500)) / 1000;
  return Grid::random(width, height, density, numbers.below(1 << 30));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(data, size);
  const Rule rule = rule_of(numbers);
  std::vector<std::string> kernels = {""};
  for (const KernelInfo& kernel : list_kernels(Rule())) {
    if (kernel.runs) kernels.push_back(kernel.name);
  }
  Options options;
  options.kernel = kernels[numbers.below(kernels.size())];
  options.threads = 1 + static_cast<int>(numbers.below(3));
  const Topology topology = numbers.below(2) != 0 ? Topology::torus : Topology::plane;
  const bool sparse = numbers.below(2) != 0;
  Grid start = sparse ? few_cells(numbers) : noise(numbers);
  const std::int64_t width = start.width(), height = start.height();

  Options plain;
  plain.kernel = "cpu/bits";
  if (!sparse && numbers.below(3) == 0) {
    // Ash, with new cells added
    Simulation settled(rule, topology, start, plain);
    settled.step(600);
    start = settled.grid();
    for (std::uint64_t i = numbers.below(4); i > 0; --i) {
      start.paste(Grid::random(3, 3, 0.5, numbers.below(1 << 30)),
                  {static_cast<std::int64_t>(numbers.below(static_cast<std::uint64_t>(width))),
                   static_cast<std::int64_t>(numbers.below(static_cast<std::uint64_t>(height)))});
    }
  }
  plain.kernel = "cpu/reference";
  std::optional<Simulation> made;
  try {
    made.emplace(rule, topology, start, options);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unavailable) return 0;  // a kernel for worlds of certain sizes or rules
    throw;
  }
  Simulation& tried = *made;
  Simulation expected(rule, topology, start, plain);
  std::string steps;
  for (std::uint64_t portion = 1 + numbers.below(6); portion > 0; --portion) {
    const std::uint64_t generations = 1 + numbers.below(numbers.below(2) == 0 ? 13 : 90);
    steps += " " + std::to_string(generations);
    expected.step(generations);
    tried.step(generations);
    if (tried.grid() == expected.grid() && tried.population() == expected.population() &&
        tried.hash() == expected.hash() && tried.bounding_box() == expected.bounding_box()) {
      continue;
    }
    std::fprintf(stderr, "%s differs: %s, %s %lld x %lld, %d threads, steps%s\n",
                 options.kernel.empty() ? "auto" : options.kernel.c_str(), rule.str().c_str(),
                 std::string(to_string(topology)).c_str(), static_cast<long long>(width),
                 static_cast<long long>(height), options.threads, steps.c_str());
    std::abort();
  }
  return 0;
}
