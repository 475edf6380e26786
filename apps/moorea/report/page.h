// SPDX-License-Identifier: MIT
// Self-contained HTML pages: style and pictures are embedded, and there is no script.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "report/chart.h"

namespace app {

/// A complete HTML document around `body`. Follows the reader's light or dark setting; prints black on white.
std::string html_page(const std::string& title, const std::string& body);

/// A heading of the second level.
std::string html_heading(const std::string& text);

/// A paragraph in small letters.
std::string html_note(const std::string& text);

/// A chart as a figure, with a table of its numbers below that can be opened.
std::string html_figure(const Chart& chart);

/// A table, whose first line contains the heads. Numbers are aligned right.
std::string html_table(const std::vector<std::vector<std::string>>& lines);

}  // namespace app
