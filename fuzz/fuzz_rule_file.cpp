// SPDX-License-Identifier: MIT
// Any text as an @RULE file: either it is refused with an error that names the file, or all its entries and
// results are nodes and states of the rule.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "moorea/error.h"
#include "moorea/transitions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const moorea::Transitions rule =
        moorea::Transitions::parse({reinterpret_cast<const char*>(data), size}, "any.rule");
    moorea::Transitions::Neighbourhood cells{};
    for (int state = 0; state < rule.states(); ++state) {
      cells.fill(static_cast<std::uint8_t>(state));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = 0;
        const int next = rule.next(cells);
        if (next < 0 || next >= rule.states()) std::abort();
      }
    }
  } catch (const moorea::Error& error) {
    if (std::string_view(error.what()).find("any.rule") == std::string_view::npos) std::abort();
  }
  return 0;
}
