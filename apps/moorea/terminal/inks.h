// SPDX-License-Identifier: MIT
// Colours of pictures among those of a terminal.
#pragma once

#include <array>

#include "moorea/colour.h"

namespace app {

/// Colours of a picture's levels on a terminal of 256 colours, in which each is the nearest one.
struct Inks {
  std::array<short, 256> colour{};
  bool are_states = false;  ///< whether the levels are states: of several dots that share an ink the lowest
                            ///< live state decides, else the brightest level
};

/// Inks of densities: the background, then greys from dark to light.
Inks shades();

/// Inks of levels in a palette.
Inks inks_of_levels(const moorea::Palette& palette);

/// Inks of states with such colours.
Inks inks_of_states(const moorea::Palette& colours);

}  // namespace app
