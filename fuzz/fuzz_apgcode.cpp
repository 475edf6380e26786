// SPDX-License-Identifier: MIT
// Any text as an apgcode: either it is refused as a mistake of its user, or there is a pattern of live cells.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "moorea/census.h"
#include "moorea/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const moorea::Pattern object =
        moorea::apgcode_pattern({reinterpret_cast<const char*>(data), size}, moorea::Rule());
    if (object.cells.width() < 1 || object.cells.height() < 1) std::abort();
  } catch (const moorea::Error& error) {
    if (error.kind() != moorea::ErrorKind::usage) std::abort();
  }
  return 0;
}
