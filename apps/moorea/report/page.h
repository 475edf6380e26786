// SPDX-License-Identifier: MIT
// A page that needs nothing but itself: its style and pictures are in it, and it has no script.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "report/chart.h"

namespace app {

/// `body` as a whole HTML document. Follows the reader's light or dark setting; prints black on white.
std::string html_page(const std::string& title, const std::string& body);

/// A chart as a figure, with its numbers as a table that can be opened below.
std::string html_figure(const Chart& chart);

/// A table; the first line has the heads. Numbers are set flush right.
std::string html_table(const std::vector<std::vector<std::string>>& lines);

}  // namespace app
