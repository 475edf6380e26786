// SPDX-License-Identifier: MIT
// Any bytes as a message of a page to moorea serve: they are malformed, which is a usage error, or every
// number of the message is in its range.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "moorea/error.h"
#include "serve/messages.h"

namespace {

void require(bool fact) {
  if (!fact) std::abort();
}

bool is_near(std::int64_t x) { return std::abs(x) <= app::farthest_cell; }

void check(const moorea::Box& box) {
  require(is_near(box.x) && is_near(box.y) && box.width >= 1 && box.height >= 1 &&
          box.width <= INT64_MAX / box.height);
}

void check(const moorea::Bounds& bounds) {
  if (!bounds.is_unbounded()) check(moorea::Box{0, 0, bounds.width, bounds.height});
}

void check(const app::ClientMessage& message) {
  using namespace app::message;
  if (const auto* look = std::get_if<Look>(&message)) {
    const moorea::Raster& raster = look->raster;
    require(is_near(raster.x) && is_near(raster.y) && raster.columns >= 1 && raster.rows >= 1 &&
            raster.columns * raster.rows <= app::max_squares && raster.scale >= 1 &&
            raster.scale <= moorea::max_raster_scale);
  } else if (const auto* draw = std::get_if<Draw>(&message)) {
    require(!draw->cells.empty() && std::all_of(draw->cells.begin(), draw->cells.end(), [](const auto& cell) {
      return is_near(cell.x) && is_near(cell.y);
    }));
  } else if (const auto* clear = std::get_if<Clear>(&message)) {
    check(clear->box);
  } else if (const auto* copy = std::get_if<Copy>(&message)) {
    check(copy->box);
  } else if (const auto* fill = std::get_if<Fill>(&message)) {
    check(fill->box);
    require(fill->density >= 0 && fill->density <= 1);
  } else if (const auto* make = std::get_if<Make>(&message)) {
    check(make->bounds);
    require(make->density >= 0 && make->density <= 1);
  } else if (const auto* resize = std::get_if<Resize>(&message)) {
    check(resize->bounds);
  } else if (const auto* step = std::get_if<Step>(&message)) {
    require(step->generations >= 1);
  } else if (const auto* rule = std::get_if<SetRule>(&message)) {
    require(rule->rule.size() <= 200);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool binary : {false, true}) {
    try {
      check(app::parse_message(text, binary));
    } catch (const moorea::Error& error) {
      if (error.kind() != moorea::ErrorKind::usage) std::abort();
    }
  }
  return 0;
}
