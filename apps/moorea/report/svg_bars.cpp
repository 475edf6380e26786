// SPDX-License-Identifier: MIT
// Drawing of bars in rows, with headings above groups of them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/svg_drawings.h"
#include "report/svg_scale.h"

namespace app {
namespace {

constexpr double bar_height = 22;
constexpr double group_height = 30;  // of a heading above bars
constexpr double note_height = 16;
constexpr double bar_thickness = bar_height - 6;

bool starts_group(const std::vector<ChartPoint>& points, std::size_t i) {
  return !points[i].group.empty() && (i == 0 || points[i - 1].group != points[i].group);
}

class Bars {
 public:
  explicit Bars(const Chart& chart) : chart_(chart), points_(chart.series.front().points) {
    place();
    set_scale();
    for (const double tick : x_.ticks(6)) {
      marks_ += line_mark(x_(tick), title_height, x_(tick), bottom_, "grid");
      marks_ += text_mark(x_(tick), bottom_ + 18, short_number(tick), {"middle"});
    }
    for (std::size_t i = 0; i < points_.size(); ++i) draw(i);
    marks_ += line_mark(left_, title_height, left_, bottom_, "axis");
    marks_ += text_mark((left_ + right_) / 2, bottom_ + 40,
                        chart.x.label + (chart.x.log ? " (logarithmic)" : ""), {"middle"});
  }

  Drawing drawing() && { return {std::move(marks_), bottom_ + 52}; }

 private:
  // Leaves room for the labels at the left, for the numbers at the right, and for headings and notes.
  void place() {
    std::size_t longest = 0;
    bool any_remark = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const ChartPoint& point = points_[i];
      longest = std::max(longest, point.label.size());
      any_remark = any_remark || point.busy || point.mostly_skipped;
      if (starts_group(points_, i)) bottom_ += i == 0 ? group_height - 8 : group_height;
      tops_.push_back(bottom_);
      bottom_ += bar_height + (point.note.empty() ? 0 : note_height);
    }
    bottom_ += 2;
    left_ = std::min(24 + 7.2 * static_cast<double>(longest), 480.0);
    right_ = picture_width - (any_remark ? 240 : 90);
  }

  void set_scale() {
    double maximum = 0, minimum = INFINITY;
    for (const ChartPoint& point : points_)
      maximum = std::max(maximum, point.high), minimum = std::min(minimum, point.low);
    x_ = {0, maximum > 0 ? maximum : 1, left_, right_, chart_.x.log};
    if (chart_.x.log) x_.low = std::pow(10, std::floor(std::log10(minimum) - 0.3));
  }

  void draw(std::size_t i) {
    const ChartPoint& point = points_[i];
    const double y = tops_[i], middle = y + bar_thickness / 2;
    if (starts_group(points_, i))
      marks_ += text_mark(8, y - 8, point.group, {"start", 13, "font-weight=\"600\""});
    if (!point.note.empty()) marks_ += text_mark(left_ + 4, y + 28, point.note, {"start", 11});
    marks_ += fmt::format(
        "<g{}><rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/><line "
        "class=\"axis\" stroke=\"#555\" x1=\"{:.1f}\" "
        "y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>{}</g>\n",
        paleness(point), colour_of(0), left_, y, std::max(x_(point.y) - left_, 1.0), bar_thickness,
        x_(point.low), middle, x_(point.high), middle, tooltip(chart_, chart_.series.front(), point));
    marks_ += text_mark(left_ - 8, y + 12, point.label, {"end", 12});
    marks_ += text_mark(std::max(x_(point.high), left_) + 6, y + 12,
                        short_number(point.y) + (point.mostly_skipped ? " (mostly skipped: ash)" : "") +
                            (point.busy ? " (busy)" : ""),
                        {"start", 12});
  }

  const Chart& chart_;
  const std::vector<ChartPoint>& points_;
  std::vector<double> tops_;  // upper edges of the bars
  double left_ = 0, right_ = 0, bottom_ = title_height + 4;
  Scale x_;
  std::string marks_;
};

}  // namespace

Drawing draw_bars(const Chart& chart) { return Bars(chart).drawing(); }

}  // namespace app
