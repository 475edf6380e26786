// SPDX-License-Identifier: MIT
// Drawing of a heat map, with its colour scale.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/svg.h"
#include "report/svg_colours.h"
#include "report/svg_drawings.h"

namespace app {
namespace {

constexpr double map_left = left_margin + 20;
constexpr double max_map_scale = 200;

class HeatMap {
 public:
  explicit HeatMap(const Chart& chart)
      : chart_(chart),
        columns_(static_cast<double>(chart.x.names.size())),
        rows_(static_cast<double>(chart.y.names.size())),
        width_(std::min(96.0, (picture_width - map_left - 130) / columns_)),
        height_(std::clamp(400 / rows_, 26.0, 48.0)),
        bottom_(title_height + rows_ * height_) {
    for (const ChartPoint& cell : chart.series.front().points) {
      minimum_ = std::min(minimum_, cell.low), maximum_ = std::max(maximum_, cell.low);
      if (!cell.busy) best_ = std::max(best_, cell.low);
    }
    for (const ChartPoint& cell : chart.series.front().points) draw_cell(cell);
    draw_labels();
    const double height = std::min(bottom_ - title_height, max_map_scale);
    marks_ += colour_scale({map_left + columns_ * width_ + 24, title_height, height}, short_number(minimum_),
                           short_number(maximum_));
  }

  Drawing drawing() && { return {std::move(marks_), bottom_ + 52}; }

 private:
  void draw_cell(const ChartPoint& cell) {
    const double x = map_left + cell.x * width_, y = bottom_ - (cell.y + 1) * height_;
    const CellColour colour = colour_of_value(cell.low, minimum_, maximum_);
    marks_ += fmt::format(
        "<g{}><rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/><title>{} {}, "
        "{} "
        "{}: {}{}</title></g>\n",
        paleness(cell), colour.text, x + 1, y + 1, width_ - 2, height_ - 2, escaped(chart_.x.label),
        escaped(chart_.x.names[static_cast<std::size_t>(cell.x)]), escaped(chart_.y.label),
        escaped(chart_.y.names[static_cast<std::size_t>(cell.y)]), short_number(cell.low), remarks_on(cell));
    if (cell.low == best_ && !cell.busy)
      marks_ += fmt::format(
          "<rect class=\"axis\" fill=\"none\" stroke=\"#555\" stroke-width=\"3\" x=\"{:.1f}\" y=\"{:.1f}\" "
          "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
          x, y, width_, height_);
    if (width_ < 44) return;
    // (on a pale cell in the colour of other text)
    const char* fill = cell.busy ? "" : colour.brightness > 130 ? " fill=\"#000\"" : " fill=\"#fff\"";
    marks_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\"{}>{}</text>\n",
                    x + width_ / 2, y + height_ / 2 + 4, fill, short_number(cell.low));
  }

  void draw_labels() {
    for (std::size_t i = 0; i < chart_.x.names.size(); ++i)
      marks_ += text_mark(map_left + (static_cast<double>(i) + 0.5) * width_, bottom_ + 18, chart_.x.names[i],
                          {"middle"});
    for (std::size_t i = 0; i < chart_.y.names.size(); ++i)
      marks_ += text_mark(map_left - 8, bottom_ - (static_cast<double>(i) + 0.5) * height_ + 4,
                          chart_.y.names[i], {"end"});
    marks_ += text_mark(map_left + columns_ * width_ / 2, bottom_ + 40, chart_.x.label, {"middle"});
    marks_ += vertical_label((title_height + bottom_) / 2, chart_.y.label);
  }

  const Chart& chart_;
  const double columns_, rows_;
  const double width_, height_;  // of a cell
  const double bottom_;
  double minimum_ = INFINITY, maximum_ = -INFINITY;
  double best_ = -INFINITY;  // of those that no other process disturbed; it has a frame
  std::string marks_;
};

}  // namespace

Drawing draw_heat_map(const Chart& chart) { return HeatMap(chart).drawing(); }

}  // namespace app
