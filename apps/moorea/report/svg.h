// SPDX-License-Identifier: MIT
// Draws charts. Series differ in colour, in the shape of their points and in their dashes, so that they are
// told apart in print and by eyes that see fewer colours.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace app {

/// One document with all charts below each other, with their titles and captions. Black on white.
std::string svg(const std::vector<Chart>& charts);

/// The chart alone, for a page that has its title and caption and may restyle the classes ink, paper, grid
/// and axis.
std::string svg_figure(const Chart& chart);

/// Text as XML and HTML take it, quotes included.
std::string escaped(const std::string& text);

}  // namespace app
