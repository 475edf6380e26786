// SPDX-License-Identifier: MIT
// Drawing of a heat map, with its colour scale.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "moorea/picture.h"
#include "report/svg.h"
#include "report/svg_drawings.h"

namespace app {
namespace {

constexpr double left = left_margin + 20;
constexpr double max_scale_height = 200;
constexpr int scale_steps = 32;

struct CellColour {
  std::string text;       // "#rrggbb"
  double brightness = 0;  // 0 to 255
};

// The colour of a fraction between 0 and 1: equal steps look equal, in grey as well.
CellColour colour_at(double fraction) {
  static const moorea::Palette viridis = moorea::palette("viridis");
  const double last = static_cast<double>(viridis.size() - 1);
  const auto [red, green, blue] =
      viridis[static_cast<std::size_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * last))];
  return {fmt::format("#{:02x}{:02x}{:02x}", red, green, blue), 0.299 * red + 0.587 * green + 0.114 * blue};
}

class HeatMap {
 public:
  explicit HeatMap(const Chart& chart)
      : chart_(chart),
        columns_(static_cast<double>(chart.x.names.size())),
        rows_(static_cast<double>(chart.y.names.size())),
        width_(std::min(96.0, (picture_width - left - 130) / columns_)),
        height_(std::clamp(400 / rows_, 26.0, 48.0)),
        bottom_(title_height + rows_ * height_) {
    for (const ChartPoint& cell : chart.series.front().points)
      minimum_ = std::min(minimum_, cell.low), maximum_ = std::max(maximum_, cell.low);
    for (const ChartPoint& cell : chart.series.front().points) draw_cell(cell);
    draw_labels();
    draw_scale();
  }

  Drawing drawing() && { return {std::move(marks_), bottom_ + 52}; }

 private:
  void draw_cell(const ChartPoint& cell) {
    const double x = left + cell.x * width_, y = bottom_ - (cell.y + 1) * height_;
    const CellColour colour =
        colour_at(maximum_ > minimum_ ? (cell.low - minimum_) / (maximum_ - minimum_) : 1);
    marks_ += fmt::format(
        "<g><rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/><title>{} {}, {} "
        "{}: {}</title></g>\n",
        colour.text, x + 1, y + 1, width_ - 2, height_ - 2, escaped(chart_.x.label),
        escaped(chart_.x.names[static_cast<std::size_t>(cell.x)]), escaped(chart_.y.label),
        escaped(chart_.y.names[static_cast<std::size_t>(cell.y)]), short_number(cell.low));
    if (cell.low == maximum_)
      marks_ += fmt::format(
          "<rect class=\"axis\" fill=\"none\" stroke=\"#555\" stroke-width=\"3\" x=\"{:.1f}\" y=\"{:.1f}\" "
          "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
          x, y, width_, height_);
    if (width_ >= 44)
      marks_ += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
          x + width_ / 2, y + height_ / 2 + 4, colour.brightness > 130 ? "#000" : "#fff",
          short_number(cell.low));
  }

  void draw_labels() {
    for (std::size_t i = 0; i < chart_.x.names.size(); ++i)
      marks_ += text_mark(left + (static_cast<double>(i) + 0.5) * width_, bottom_ + 18, chart_.x.names[i],
                          {"middle"});
    for (std::size_t i = 0; i < chart_.y.names.size(); ++i)
      marks_ += text_mark(left - 8, bottom_ - (static_cast<double>(i) + 0.5) * height_ + 4, chart_.y.names[i],
                          {"end"});
    marks_ += text_mark(left + columns_ * width_ / 2, bottom_ + 40, chart_.x.label, {"middle"});
    marks_ += vertical_label((title_height + bottom_) / 2, chart_.y.label);
  }

  // From the minimum at its lower end to the maximum at its upper end
  void draw_scale() {
    const double x = left + columns_ * width_ + 24,
                 height = std::min(bottom_ - title_height, max_scale_height);
    for (int i = 0; i < scale_steps; ++i) {
      marks_ += fmt::format("<rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"16\" height=\"{:.1f}\"/>\n",
                            colour_at((scale_steps - 1 - i) / (scale_steps - 1.0)).text, x,
                            title_height + height * i / scale_steps, height / scale_steps + 0.5);
    }
    marks_ += text_mark(x + 22, title_height + 10, short_number(maximum_)) +
              text_mark(x + 22, title_height + height, short_number(minimum_));
  }

  const Chart& chart_;
  const double columns_, rows_;
  const double width_, height_;  // of a cell
  const double bottom_;
  double minimum_ = INFINITY, maximum_ = -INFINITY;
  std::string marks_;
};

}  // namespace

Drawing draw_heat_map(const Chart& chart) { return HeatMap(chart).drawing(); }

}  // namespace app
