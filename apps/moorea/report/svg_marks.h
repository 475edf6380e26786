// SPDX-License-Identifier: MIT
// Elements of a picture in SVG, and the measures that all kinds of charts share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/chart.h"

namespace app {

// Pixels
constexpr double picture_width = 960;
constexpr double left_margin = 96;  // for the numbers at the left axis
constexpr double title_height = 44;

/// Elements of a picture without its frame, and its height.
struct Drawing {
  std::string marks;
  double height = 0;
};

struct TextStyle {
  const char* anchor = "start";
  int size = 13;
  std::string attributes{};  ///< further ones, as in XML
};

std::string text_mark(double x, double y, const std::string& words, const TextStyle& style = {});

/// A line of the class "grid" or "axis".
std::string line_mark(double x0, double y0, double x1, double y1, const char* kind);

/// The label of a vertical axis whose middle is at `y`, in lines of at most this length in pixels.
std::string vertical_label(double y, const std::string& words, double length);

/// Colour of the series of this number; they repeat after eight.
const char* colour_of(std::size_t series);

/// Dashes of its line as an attribute, or "".
std::string dashes_of(std::size_t series);

/// Shape of its points, of about equal area for all series.
std::string shape_of(std::size_t series, double x, double y, double scale);

/// Attribute that makes a point pale if it was measured on a busy machine, or "".
const char* paleness(const ChartPoint& point);

/// Addition to the tooltip of a point that was measured on a busy machine or is mostly skipped, or "".
std::string remarks_on(const ChartPoint& point);

/// Title element of a point, which browsers show under the pointer.
std::string tooltip(const Chart& chart, const ChartSeries& series, const ChartPoint& point);

/// Words in lines of at most so many characters, unless a word is longer.
std::vector<std::string> wrapped(const std::string& words, std::size_t columns);

}  // namespace app
