// SPDX-License-Identifier: MIT
// Any text as a rule: either it is refused with a usage error, or its canonical text reads back as the same
// rule.
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
  } catch (const moorea::Error& error) {
    if (error.kind() != moorea::ErrorKind::usage) std::abort();
  }
  return 0;
}
