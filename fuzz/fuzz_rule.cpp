// SPDX-License-Identifier: MIT
// Any text as a rule: either it is refused with a usage error, or its canonical text reads back as the same
// rule, and so do that of its births and survivals, and that with more states.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/world_spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const moorea::WorldSpec spec = moorea::WorldSpec::parse(text);
    const std::string canonical = spec.str();
    const moorea::WorldSpec again = moorea::WorldSpec::parse(canonical);
    if (again != spec) std::abort();
    const moorea::Rule& rule = spec.rule;
    if (rule.states() < 2 || rule.states() > moorea::Rule::max_states) std::abort();
    for (const moorea::Rule& other : {rule.two_state(), rule.with_states(moorea::Rule::max_states)})
      if (moorea::Rule::parse(other.str()) != other) std::abort();
  } catch (const moorea::Error& error) {
    if (error.kind() != moorea::ErrorKind::usage) std::abort();
  }
  return 0;
}
