// SPDX-License-Identifier: MIT
#include "report/svg_scale.h"

#include <cmath>

namespace app {
namespace {

std::vector<double> even_ticks(double low, double high, int about) {
  const double raw = (high - low) / about, power = std::pow(10, std::floor(std::log10(raw)));
  const double step = raw / power < 1.5   ? power
                      : raw / power < 3.5 ? 2 * power
                      : raw / power < 7.5 ? 5 * power
                                          : 10 * power;
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9; tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  const std::vector<double> factors = decades < 4 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
  const double step = decades > 9 ? 1000 : 10;
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high * 1.0001; power *= step) {
    for (const double factor : factors) {
      if (power * factor >= low * 0.9999 && power * factor <= high * 1.0001) ticks.push_back(power * factor);
    }
  }
  return ticks;
}

}  // namespace

double Scale::operator()(double value) const {
  const double part = log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + part * (to - from);
}

std::vector<double> Scale::ticks(int about) const {
  // Within about a decade powers of ten, their doubles and fives are too few
  constexpr std::size_t few = 3;
  std::vector<double> ticks = log ? log_ticks(low, high) : std::vector<double>();
  return ticks.size() >= few ? ticks : even_ticks(low, high, about);
}

}  // namespace app
