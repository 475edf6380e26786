// SPDX-License-Identifier: MIT
// A curve in one line of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace app {

/// The last numbers as bars, one character each, `width` at most; the largest number has the highest bar.
std::string sparkline(const std::deque<std::uint64_t>& numbers, std::size_t width);

/// Populations by generation. A run that continues from an earlier generation replaces the later ones.
class PopulationCurve {
 public:
  void add(std::uint64_t generation, std::uint64_t population);
  std::string text(std::size_t width) const { return sparkline(populations_, width); }

 private:
  std::deque<std::uint64_t> generations_, populations_;
};

}  // namespace app
