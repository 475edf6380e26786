// SPDX-License-Identifier: MIT
#include "logic/wide_text.h"

#include <fmt/core.h>

#include <bit>
#include <span>

namespace moorea {
namespace {

using Limit = LargerThanLife::Limit;
using Run = LargerThanLife::Run;

int cells_of(const LargerThanLife& counts) { return counts.neighbours() + 1; }
int digits_for(int cells) { return std::bit_width(static_cast<unsigned>(cells)); }

// An array with an entry for each element; `kind` has its type.
template <class Element, class Entry>
std::string array_text(const char* kind, const char* name, std::span<const Element> elements,
                       const Entry& entry) {
  std::string text = fmt::format("{} {}[] = {{", kind, name);
  for (const Element& element : elements) text += fmt::format("{}, ", entry(element));
  return text + (elements.empty() ? "0" : "") + "};\n";
}

// Whether a count reaches a limit is a chain of operations from its lowest digit on, by the limit's digits.
std::string lives_text(const LargerThanLife& counts) {
  const int cells = cells_of(counts), digits = digits_for(cells);
  // Counts that never occur could have too many digits
  std::span<const Limit> limits = counts.limits();
  while (!limits.empty() && limits.back().count > cells) limits = limits.first(limits.size() - 1);
  std::string text =
      "MOOREA_STEP word lives_by(const word* count, word alive) {\n  word lives = 0, reached;\n";
  for (const auto& [count, birth, survival] : limits) {
    text += "  reached = ~(word)0;\n";
    for (int k = 0; k < digits; ++k)
      text += fmt::format("  reached {}= count[{}];\n", (count >> k & 1) != 0 ? '&' : '|', k);
    text += fmt::format("  lives ^= reached{};\n", !survival ? " & ~alive" : !birth ? " & alive" : "");
  }
  return text + "  return lives;\n}\n";
}

// The runs of neighbours, which are read by an index that is no constant.
std::string runs_text(const char* kind, const LargerThanLife& counts) {
  const std::span<const Run> runs = counts.runs();
  return array_text(kind, "run_dy", runs, [](const Run& run) { return run.dy; }) +
         array_text(kind, "run_first", runs, [](const Run& run) { return run.first; }) +
         array_text(kind, "run_last", runs, [](const Run& run) { return run.last; });
}

}  // namespace

std::string wide_text(const LargerThanLife& counts) {
  const int cells = cells_of(counts), side = 2 * counts.radius() + 1;
  std::string text = fmt::format("#define MOOREA_RADIUS {}\n#define MOOREA_COUNT_DIGITS {}\n",
                                 counts.radius(), digits_for(cells));
  text += lives_text(counts);
  if (cells == side * side) return text + "#define MOOREA_SQUARE\n";
  text += fmt::format("constexpr int wide_cells = {}, wide_runs = {};\n", cells, counts.runs().size());
  return text + runs_text("__constant__ int", counts);
}

std::string opencl_wide_text(const LargerThanLife& counts) {
  const int cells = cells_of(counts);
  return fmt::format("#define COUNT_DIGITS {}\n#define WIDE_CELLS {}\n#define WIDE_RUNS {}\n",
                     digits_for(cells), cells, counts.runs().size()) +
         runs_text("constant int", counts) + lives_text(counts);
}

}  // namespace moorea
