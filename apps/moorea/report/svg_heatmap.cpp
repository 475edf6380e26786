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

constexpr double min_left = left_margin + 20, max_left = 320;
constexpr double max_map_scale = 200;
constexpr double letter = 7;                 // width, about
constexpr std::size_t longest_name = 34;     // of a column; of longer ones the end
constexpr double slope = 0.64, angle = -40;  // of names that are wider than a column

// Room for the names of the rows and the label beside them.
double left_of(const Chart& chart) {
  std::size_t longest = 0;
  for (const std::string& name : chart.y.names) longest = std::max(longest, name.size());
  return std::clamp(48 + letter * static_cast<double>(longest), min_left, max_left);
}

std::string end_of(const std::string& name) {
  if (name.size() <= longest_name) return name;
  std::size_t begin = name.size() - longest_name + 3;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0) == 0x80) ++begin;  // UTF-8
  return "..." + name.substr(begin);
}

class HeatMap {
 public:
  explicit HeatMap(const Chart& chart)
      : chart_(chart),
        columns_(static_cast<double>(chart.x.names.size())),
        rows_(static_cast<double>(chart.y.names.size())),
        left_(left_of(chart)),
        width_(std::min(96.0, (picture_width - left_ - 130) / columns_)),
        height_(std::clamp(400 / rows_, 26.0, 48.0)),
        bottom_(title_height + rows_ * height_) {
    for (const ChartPoint& cell : chart.series.front().points) {
      minimum_ = std::min(minimum_, cell.low), maximum_ = std::max(maximum_, cell.low);
      if (!cell.busy) best_ = std::max(best_, cell.low);
    }
    for (const ChartPoint& cell : chart.series.front().points) draw_cell(cell);
    draw_row_names();
    draw_column_names();
    const double height = std::min(bottom_ - title_height, max_map_scale);
    marks_ += colour_scale({left_ + columns_ * width_ + 24, title_height, height}, short_number(minimum_),
                           short_number(maximum_));
  }

  Drawing drawing() && { return {std::move(marks_), bottom_ + 34 + names_height()}; }

 private:
  void draw_cell(const ChartPoint& cell) {
    const double x = left_ + cell.x * width_, y = bottom_ - (cell.y + 1) * height_;
    const CellColour colour = colour_of_value(scaled(cell.low), scaled(minimum_), scaled(maximum_));
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

  double scaled(double value) const { return chart_.log_colours ? std::log(value) : value; }

  std::size_t longest_column_name() const {
    std::size_t longest = 0;
    for (const std::string& name : chart_.x.names) longest = std::max(longest, end_of(name).size());
    return longest;
  }
  bool names_slope() const { return letter * static_cast<double>(longest_column_name()) > width_; }
  double names_height() const {
    return names_slope() ? 10 + slope * letter * static_cast<double>(longest_column_name()) : 18;
  }

  void draw_row_names() {
    for (std::size_t i = 0; i < chart_.y.names.size(); ++i)
      marks_ += text_mark(left_ - 8, bottom_ - (static_cast<double>(i) + 0.5) * height_ + 4,
                          end_of(chart_.y.names[i]), {"end"});
    marks_ += vertical_label((title_height + bottom_) / 2, chart_.y.label, bottom_ - title_height);
  }

  void draw_column_names() {
    for (std::size_t i = 0; i < chart_.x.names.size(); ++i) {
      const double x = left_ + (static_cast<double>(i) + 0.5) * width_;
      const std::string name = end_of(chart_.x.names[i]);
      marks_ += names_slope() ? text_mark(0, 0, name,
                                          {"end", 12,
                                           fmt::format("transform=\"translate({:.1f} {:.1f}) rotate({})\"",
                                                       x + 4, bottom_ + 14, angle)})
                              : text_mark(x, bottom_ + 18, name, {"middle"});
    }
    marks_ +=
        text_mark(left_ + columns_ * width_ / 2, bottom_ + 22 + names_height(), chart_.x.label, {"middle"});
  }

  const Chart& chart_;
  const double columns_, rows_;
  const double left_;
  const double width_, height_;  // of a cell
  const double bottom_;
  double minimum_ = INFINITY, maximum_ = -INFINITY;
  double best_ = -INFINITY;  // of those that no other process disturbed; it has a frame
  std::string marks_;
};

}  // namespace

Drawing draw_heat_map(const Chart& chart) { return HeatMap(chart).drawing(); }

}  // namespace app
