// SPDX-License-Identifier: MIT
// Any text as a rule: either it is refused with a usage error, or its canonical text reads back as the same
// rule.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "moorea/error.h"
#include "moorea/rule.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const moorea::RuleSpec spec = moorea::RuleSpec::parse(text);
    const std::string canonical = spec.rule.str() + (spec.bounds ? spec.bounds->suffix() : "");
    const moorea::RuleSpec again = moorea::RuleSpec::parse(canonical);
    if (again.rule != spec.rule || again.bounds != spec.bounds) std::abort();
  } catch (const moorea::Error& error) {
    if (error.kind() != moorea::ErrorKind::usage) std::abort();
  }
  return 0;
}
