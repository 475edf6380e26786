// SPDX-License-Identifier: MIT
#include "terminal/sparkline.h"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

constexpr std::size_t max_points = 512;

}  // namespace

std::string sparkline(const std::deque<std::uint64_t>& numbers, std::size_t width) {
  constexpr const char* bars[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                  "\u2585", "\u2586", "\u2587", "\u2588"};
  const std::size_t count = std::min(width, numbers.size());
  const auto first = numbers.end() - static_cast<std::ptrdiff_t>(count);
  std::uint64_t minimum = UINT64_MAX, maximum = 0;
  for (auto i = first; i != numbers.end(); ++i)
    minimum = std::min(minimum, *i), maximum = std::max(maximum, *i);
  std::string text;
  for (auto i = first; i != numbers.end(); ++i) {
    const double part =
        maximum == minimum ? 0 : static_cast<double>(*i - minimum) / static_cast<double>(maximum - minimum);
    text += bars[std::lround(7 * part)];
  }
  return text;
}

void PopulationCurve::add(std::uint64_t generation, std::uint64_t population) {
  while (!generations_.empty() && generations_.back() >= generation) {
    generations_.pop_back();
    populations_.pop_back();
  }
  generations_.push_back(generation);
  populations_.push_back(population);
  if (generations_.size() <= max_points) return;
  generations_.pop_front();
  populations_.pop_front();
}

}  // namespace app
