// SPDX-License-Identifier: MIT
// A census: the periods of soups on small tori, each advanced until it is periodic.
//
// prints: 2000 soups of 32 x 32 cells: 402 of period 1 1559 of period 2 1 of period 6 38 of period 128
#include <iostream>
#include <map>

#include "moorea/moorea.h"

int main() {
  moorea::EnsembleSpec spec;
  spec.size = {32, 32};
  spec.groups = {{moorea::Rule::parse("Life"), 2000}};
  moorea::SurveyOptions options;
  options.generations = 20'000;
  options.until_periodic = true;
  options.max_period = 128;  // of a glider on this torus
  std::map<std::uint32_t, int> periods;
  const moorea::SurveyTotals totals =
      moorea::survey(spec, options, [&](std::span<const moorea::WorldRecord> records) {
        for (const moorea::WorldRecord& world : records) ++periods[world.period];
        return true;
      });
  std::cout << totals.worlds << " soups of 32 x 32 cells:";
  for (const auto& [period, number] : periods) std::cout << " " << number << " of period " << period;
  std::cout << "\n";
}
