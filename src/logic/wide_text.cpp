// SPDX-License-Identifier: MIT
#include "logic/wide_text.h"

#include <fmt/core.h>

#include <bit>
#include <span>

namespace moorea {
namespace {

// An array with an entry for each element; `kind` has its type.
template <class Element, class Entry>
std::string array_text(const char* kind, const char* name, std::span<const Element> elements,
                       const Entry& entry) {
  std::string text = fmt::format("{} {}[] = {{", kind, name);
  for (const Element& element : elements) text += fmt::format("{}, ", entry(element));
  return text + (elements.empty() ? "0" : "") + "};\n";
}

// Whether a count reaches a limit is a chain of operations from its lowest digit on, by the limit's digits.
std::string lives_text(std::span<const LargerThanLife::Limit> limits, int digits) {
  std::string text =
      "MOOREA_STEP word lives_by(const word* count, word alive) {\n  word lives = 0, reached;\n";
  for (const auto& [count, birth, survival] : limits) {
    text += "  reached = ~word(0);\n";
    for (int k = 0; k < digits; ++k)
      text += fmt::format("  reached {}= count[{}];\n", (count >> k & 1) != 0 ? '&' : '|', k);
    text += fmt::format("  lives ^= reached{};\n", !survival ? " & ~alive" : !birth ? " & alive" : "");
  }
  return text + "  return lives;\n}\n";
}

}  // namespace

std::string wide_text(const LargerThanLife& counts) {
  using Limit = LargerThanLife::Limit;
  using Run = LargerThanLife::Run;
  const int cells = counts.neighbours() + 1, side = 2 * counts.radius() + 1;
  // Counts that never occur could have too many digits
  std::span<const Limit> limits = counts.limits();
  while (!limits.empty() && limits.back().count > cells) limits = limits.first(limits.size() - 1);
  const int digits = std::bit_width(static_cast<unsigned>(cells));
  std::string text =
      fmt::format("#define MOOREA_RADIUS {}\n#define MOOREA_DIGITS {}\n", counts.radius(), digits);
  text += lives_text(limits, digits);
  if (cells == side * side) return text + "#define MOOREA_SQUARE\n";
  const std::span<const Run> runs = counts.runs();
  text += fmt::format("constexpr int wide_cells = {}, wide_runs = {};\n", cells, runs.size());
  // (read by an index that is no constant)
  text += array_text("__constant__ int", "run_dy", runs, [](const Run& run) { return run.dy; });
  text += array_text("__constant__ int", "run_first", runs, [](const Run& run) { return run.first; });
  return text + array_text("__constant__ int", "run_last", runs, [](const Run& run) { return run.last; });
}

}  // namespace moorea
