// SPDX-License-Identifier: MIT
#include "moorea/tiles.h"

#include <fmt/core.h>

#include <charconv>

#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::string_view kinds[] = {"static", "dynamic", "guided"};
constexpr std::string_view placements[] = {"none", "close", "spread"};
constexpr std::int64_t largest_chunk = 1'000'000'000;

// Returns the index of a word in a list, or the list's length.
template <std::size_t n>
std::size_t find(const std::string_view (&list)[n], std::string_view word) {
  std::size_t i = 0;
  while (i < n && list[i] != word) ++i;
  return i;
}

}  // namespace

TileSchedule parse_schedule(std::string_view text) {
  const std::size_t comma = text.find(',');
  const std::size_t kind = find(kinds, text.substr(0, comma));
  TileSchedule schedule{static_cast<TileSchedule::Kind>(kind), 0};
  bool good = kind < std::size(kinds);
  if (comma != std::string_view::npos) {
    const std::string_view chunk = text.substr(comma + 1);
    const auto [end, error] = std::from_chars(chunk.data(), chunk.data() + chunk.size(), schedule.chunk);
    good = good && error == std::errc() && end == chunk.data() + chunk.size() && schedule.chunk >= 1 &&
           schedule.chunk <= largest_chunk;
  }
  if (!good) {
    throw Error(fmt::format("schedule \"{}\": expected static, dynamic or guided, and optionally "
                            "a chunk of tiles, as in dynamic,4",
                            text),
                ErrorKind::usage);
  }
  return schedule;
}

std::string to_string(const TileSchedule& schedule) {
  std::string text(kinds[static_cast<std::size_t>(schedule.kind)]);
  if (schedule.chunk != 0) text += fmt::format(",{}", schedule.chunk);
  return text;
}

Placement parse_placement(std::string_view text) {
  const std::size_t found = find(placements, text);
  if (found == std::size(placements)) {
    throw Error(fmt::format("placement \"{}\": expected none, close or spread", text), ErrorKind::usage);
  }
  return static_cast<Placement>(found);
}

std::string to_string(Placement placement) {
  return std::string(placements[static_cast<std::size_t>(placement)]);
}

}  // namespace moorea
