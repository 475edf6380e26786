// SPDX-License-Identifier: MIT
// Colours of pictures and of states.
#pragma once

#include <array>
#include <cstdint>

#pragma GCC visibility push(default)
namespace moorea {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// Colour of each level; level 0 is the background.
using Palette = std::array<Colour, 256>;

}  // namespace moorea
#pragma GCC visibility pop
