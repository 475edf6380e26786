// SPDX-License-Identifier: MIT
// Pictures of charts in SVG. Series differ in colour, in the shape of their points and in their dashes, so
// that they can be distinguished in print and by readers with impaired colour vision.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace app {

/// One document with all charts in a column, with titles and captions, black on white. There is at least one
/// chart.
std::string svg(const std::vector<Chart>& charts);

/// A document of the chart without title and caption, for a page that has these; its style sheet may set the
/// classes ink, paper, grid and axis.
std::string svg_figure(const Chart& chart);

/// Text with the special characters of XML and HTML escaped, quotes included.
std::string escaped(const std::string& text);

}  // namespace app
