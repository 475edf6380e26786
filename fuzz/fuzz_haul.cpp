// SPDX-License-Identifier: MIT
// Any text as the haul of a census: either it is refused with an error that names the file, or it is written
// and read again without a change.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "moorea/census.h"
#include "moorea/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const moorea::SavedHaul saved = moorea::read_haul({reinterpret_cast<const char*>(data), size}, "any.txt");
    moorea::CensusSpec spec;
    spec.root = saved.root;
    spec.symmetry = saved.symmetry;
    const std::string text = moorea::haul_text(saved.haul, spec);
    const moorea::SavedHaul again = moorea::read_haul(text, "written.txt");
    if (again.haul.soups != saved.haul.soups || moorea::haul_text(again.haul, spec) != text) std::abort();
  } catch (const moorea::Error& error) {
    if (std::string_view(error.what()).find("any.txt") == std::string_view::npos) std::abort();
  }
  return 0;
}
