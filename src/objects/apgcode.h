// SPDX-License-Identifier: MIT
// Names of objects that do not depend on their position, orientation and phase.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "objects/cycle.h"

namespace moorea {

/// The object's apgcode (A. P. Goucher, "apgsearch", 2014; LifeWiki, "Apgcode"): "xs" and the number of cells
/// of a still life, "xp" and the period of an oscillator, "xq" and the period of a spaceship, then the
/// extended Wechsler code of a phase. Of all phases and orientations the code is the shortest, and of the
/// shortest the first in ASCII order. Empty if no phase fits into 40 x 40 cells.
std::string apgcode(const Cycle& cycle);

/// The apgcode of a pattern that grows linearly, "yl144_1_16_" and a digest, by its populations in successive
/// generations. The numbers (LifeWiki, "Apgcode") are a period p, after which the population has grown by as
/// much as in the p generations before, whichever they are; the period q of the growth in p generations; and
/// the sum of the growths in q generations over p successive ones. The digest is the MD5 of the sums of their
/// squares and cubes (ConwayLife.com forums, thread 2036, 24 February 2017). The populations are those of
/// four times as many generations as after which cells and all that they emit recur; p is searched among
/// these. Empty if there is none, or a growth is too large for its cube.
std::string apgcode_of_growth(std::span<const std::uint64_t> populations);

}  // namespace moorea
