// SPDX-License-Identifier: MIT
// Any bytes as a pattern file of format FUZZ_FORMAT: either it is refused with an error, or the result can be
// written in every format and read back with the same cells; with states above 1, in RLE and Macrocell alone.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "moorea/error.h"
#include "moorea/pattern.h"

namespace {

// Larger worlds are not written again, for speed.
constexpr std::int64_t largest_cells = 1 << 20;

std::string name_for(std::string_view format) {
  if (format == "plaintext") return "fuzz.cells";
  if (format == "life105" || format == "life106") return "fuzz.life";
  return "fuzz." + std::string(format);
}

// The cells with their position in the plane, independent of dead margins that a format drops.
std::uint64_t identity(const moorea::Pattern& pattern) {
  const auto box = pattern.cells.bounding_box();
  if (!box) return 0;
  return pattern.states ? pattern.states->hash(-box->position()) : pattern.cells.hash(-box->position());
}

// Whether the states, if there are any, are those of the cells, and one of them is above 1.
bool has_valid_states(const moorea::Pattern& pattern) {
  return !pattern.states || (pattern.states->live() == pattern.cells && pattern.states->largest_state() > 1);
}

bool is_refused(const moorea::Pattern& pattern, const std::string& format) {
  try {
    (void)moorea::format_pattern(pattern, format);
  } catch (const moorea::Error& error) {
    return error.kind() == moorea::ErrorKind::usage;
  }
  return false;
}

}  // namespace

// Patterns that need more memory are valid on a large machine, but take long here.
[[maybe_unused]] const int memory_is_limited = setenv("MOOREA_MEMORY", "64M", 1);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  moorea::Pattern pattern;
  try {
    pattern = moorea::parse_pattern(bytes, name_for(FUZZ_FORMAT));
  } catch (const moorea::Error& error) {
    if (!moorea::is_run_error(error.kind())) std::abort();
    return 0;
  }
  try {
    (void)pattern.world();
  } catch (const moorea::Error&) {
    pattern.rule.clear();
  }
  if (pattern.cells.width() * pattern.cells.height() > largest_cells) return 0;
  if (!has_valid_states(pattern)) std::abort();
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    if (!format.writable) continue;
    const std::string name(format.name);
    if (pattern.states && name != "rle" && name != "mc") {
      if (!is_refused(pattern, name)) std::abort();
      continue;
    }
    const moorea::Pattern again = moorea::parse_pattern(moorea::format_pattern(pattern, name), "again");
    if (identity(again) != identity(pattern) || again.states.has_value() != pattern.states.has_value() ||
        again.format != name)
      std::abort();
  }
  return 0;
}
