// SPDX-License-Identifier: MIT
// Drawing of maps side by side, with one colour scale.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/svg.h"
#include "report/svg_colours.h"
#include "report/svg_drawings.h"

namespace app {
namespace {

constexpr std::size_t max_in_a_row = 4;
constexpr double left = 72, right = 84, gap = 18;
constexpr double name_line = 15, time_height = 40;  // above and below a map
constexpr std::size_t max_name_lines = 3;
constexpr double map_height = 260, min_label_height = 13, max_scale_height = 160;

class Maps {
 public:
  explicit Maps(const Chart& chart)
      : chart_(chart),
        columns_(std::min(chart.series.size(), max_in_a_row)),
        width_((picture_width - left - right - gap * static_cast<double>(columns_ - 1)) /
               static_cast<double>(columns_)),
        cell_height_(std::clamp(map_height / static_cast<double>(chart.y.names.size()), 2.0, 48.0)) {
    for (const ChartSeries& series : chart.series) {
      for (const ChartPoint& cell : series.points) {
        minimum_ = std::min(minimum_, cell.low), maximum_ = std::max(maximum_, cell.low);
        end_ = std::max(end_, cell.x + chart.cell_width);
      }
    }
    double y = title_height;
    for (std::size_t first = 0; first < chart.series.size(); first += columns_) y = draw_row(first, y);
    height_ = y;
    marks_ += colour_scale(
        {picture_width - right + 16, title_height + name_line, std::min(height(), max_scale_height)},
        fmt::format("{:.0f}", minimum_), fmt::format("{:.0f}", maximum_));
  }

  Drawing drawing() && { return {std::move(marks_), height_}; }

 private:
  double height() const { return cell_height_ * static_cast<double>(chart_.y.names.size()); }

  std::vector<std::string> name_lines(const ChartSeries& series) const {
    std::vector<std::string> lines = wrapped(series.name, static_cast<std::size_t>(width_ / 6));
    if (lines.size() > max_name_lines) lines.resize(max_name_lines);
    return lines;
  }

  // Draws the maps from `first` on below y; returns where they end.
  double draw_row(std::size_t first, double y) {
    const std::size_t end = std::min(first + columns_, chart_.series.size());
    std::size_t lines = 1;
    for (std::size_t i = first; i < end; ++i) lines = std::max(lines, name_lines(chart_.series[i]).size());
    const double top = y + name_line * static_cast<double>(lines);
    for (std::size_t i = first; i < end; ++i) {
      const double x = left + static_cast<double>(i - first) * (width_ + gap);
      draw_name(chart_.series[i], x, y);
      // Without the smooth edges that would show the paper between adjacent cells
      marks_ += "<g shape-rendering=\"crispEdges\">\n";
      for (const ChartPoint& cell : chart_.series[i].points) draw_cell(chart_.series[i], cell, x, top);
      marks_ += "</g>\n";
      draw_times(x, top + height());
    }
    draw_cores(top);
    return top + height() + time_height;
  }

  void draw_name(const ChartSeries& series, double x, double y) {
    for (const std::string& line : name_lines(series)) {
      marks_ += text_mark(x, y + 10, line, {"start", 11});
      y += name_line;
    }
  }

  void draw_cell(const ChartSeries& series, const ChartPoint& cell, double x, double top) {
    const double scale = width_ / end_, core = static_cast<double>(chart_.y.names.size()) - 1 - cell.y;
    marks_ += fmt::format(
        "<rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}, core {}, "
        "{:.3g} s: {:.0f} MHz</title></rect>\n",
        colour_of_value(cell.low, minimum_, maximum_).text, x + cell.x * scale, top + core * cell_height_,
        chart_.cell_width * scale + 0.1, cell_height_ + 0.1, escaped(series.name),
        chart_.y.names[static_cast<std::size_t>(cell.y)], cell.x, cell.low);
  }

  void draw_times(double x, double bottom) {
    marks_ += text_mark(x, bottom + 16, "0", {"start", 11}) +
              text_mark(x + width_, bottom + 16, short_number(end_), {"end", 11}) +
              text_mark(x + width_ / 2, bottom + 16, chart_.x.label, {"middle", 11});
  }

  // As many as can be read.
  void draw_cores(double top) {
    const auto cores = static_cast<std::ptrdiff_t>(chart_.y.names.size());
    const auto every = static_cast<std::ptrdiff_t>(std::ceil(min_label_height / cell_height_));
    for (std::ptrdiff_t i = 0; i < cores; i += every)
      marks_ += text_mark(left - 6, top + (static_cast<double>(cores - 1 - i) + 0.5) * cell_height_ + 4,
                          chart_.y.names[static_cast<std::size_t>(i)], {"end", 11});
    marks_ += vertical_label(top + height() / 2, chart_.y.label, height());
  }

  const Chart& chart_;
  const std::size_t columns_;  // of maps
  const double width_, cell_height_;
  double minimum_ = INFINITY, maximum_ = -INFINITY, end_ = 0;
  double height_ = 0;
  std::string marks_;
};

}  // namespace

Drawing draw_maps(const Chart& chart) { return Maps(chart).drawing(); }

}  // namespace app
