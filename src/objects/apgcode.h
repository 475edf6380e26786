// SPDX-License-Identifier: MIT
// Names of objects that do not depend on their position, orientation and phase.
#pragma once

#include <string>

#include "objects/cycle.h"

namespace moorea {

/// The object's apgcode (A. P. Goucher, "apgsearch", 2014; LifeWiki, "Apgcode"): "xs" and the number of cells
/// of a still life, "xp" and the period of an oscillator, "xq" and the period of a spaceship, then the
/// extended Wechsler code of a phase. Of all phases and orientations the code is the shortest, and of the
/// shortest the first in ASCII order. Empty if no phase fits into 40 x 40 cells.
std::string apgcode(const Cycle& cycle);

}  // namespace moorea
