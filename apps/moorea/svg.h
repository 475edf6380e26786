// SPDX-License-Identifier: MIT
// Draws charts. Series differ in colour, in the shape of their points and in their dashes, so that they are
// told apart in print and by eyes that see fewer colours.
#pragma once

#include <string>
#include <vector>

#include "chart.h"

namespace app {

/// The chart as an SVG document of its own, with its caption. Black on white; a page may restyle its classes
/// ink, paper, grid and axis.
std::string svg(const Chart& chart);

/// One document with all charts, below each other.
std::string svg(const std::vector<Chart>& charts);

/// A number in few characters: 12, 0.25, 1.5 G.
std::string short_number(double value);

/// Text as XML and HTML take it, quotes included.
std::string escaped(const std::string& text);

}  // namespace app
