// SPDX-License-Identifier: MIT
// Drawing of lines over two axes, with a legend.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "report/svg.h"
#include "report/svg_drawings.h"
#include "report/svg_scale.h"

namespace app {
namespace {

constexpr double legend_width = 280;
constexpr double plot_height = 380;
constexpr double plot_bottom = title_height + plot_height;
constexpr double tick_width = 40;       // minimum distance between two numbers at the lower axis
constexpr double column_width = 7;      // of a letter, about
constexpr double stagger_height = 14;   // between the two lines of long names
constexpr std::size_t max_places = 12;  // that are marked one by one
constexpr std::size_t legend_columns = 34;
constexpr std::size_t max_shapes = 60, few_shapes = 12;  // of a line; of more points only some are shapes

// Attributes of a limit's line: of each limit its own dashes.
std::string limit_stroke(std::size_t i) {
  constexpr const char* dashes[] = {"3 4", "9 4", "9 3 2 3", "14 5"};
  return fmt::format("stroke=\"#555\" stroke-dasharray=\"{}\"", dashes[i % std::size(dashes)]);
}

// The extent of all points and limits.
struct Extent {
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  std::set<double> places;  // of the points on the lower axis

  explicit Extent(const Chart& chart) {
    for (const ChartSeries& series : chart.series) {
      for (const ChartPoint& point : series.points) {
        add(point.x, point.low);
        add(point.x, point.high);
        places.insert(point.x);
      }
    }
    for (const ChartLimit& limit : chart.limits) {
      add(limit.x0, limit.y0);
      add(limit.x1, limit.y1);
    }
  }

  void add(double x, double y) {
    x0 = std::min(x0, x), x1 = std::max(x1, x);
    y0 = std::min(y0, y), y1 = std::max(y1, y);
  }
};

// For each series the number of later lines that cover it, up to two: it is drawn wider by that number, to
// show on both sides.
std::vector<int> covering_lines(const Chart& chart, const Scale& x, const Scale& y) {
  constexpr double near = 3;  // pixels
  constexpr int widest = 2;
  const auto covers = [&](const ChartSeries& upper, const ChartSeries& lower) {
    std::size_t shared = 0;
    for (const ChartPoint& point : upper.points) {
      for (const ChartPoint& other : lower.points) {
        if (x(point.x) != x(other.x)) continue;
        if (std::abs(y(point.y) - y(other.y)) > near) return false;
        ++shared;
      }
    }
    return shared > 0 && 2 * shared >= std::min(upper.points.size(), lower.points.size());
  };
  std::vector<int> above(chart.series.size());
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    for (std::size_t k = i + 1; k < chart.series.size(); ++k)
      above[i] = std::min(above[i] + (covers(chart.series[k], chart.series[i]) ? 1 : 0), widest);
  }
  return above;
}

class Lines {
 public:
  explicit Lines(const Chart& chart)
      : chart_(chart),
        has_legend_(chart.series.size() + chart.limits.size() > 1),
        right_(picture_width - (has_legend_ ? legend_width : 24)) {
    const Extent extent(chart);
    set_scales(extent);
    draw_left_axis();
    draw_lower_axis(extent.places);
    draw_labels();
    for (std::size_t i = 0; i < chart.limits.size(); ++i) draw_limit(chart.limits[i], i);
    const std::vector<int> above = covering_lines(chart, x_, y_);
    for (std::size_t i = 0; i < chart.series.size(); ++i) draw_series(i, above[i]);
    for (std::size_t i = 0; i < chart.limits.size(); ++i)
      add_to_legend(chart.limits[i].name,
                    fmt::format("<path class=\"axis\" d=\"M0 0H28\" {}/>", limit_stroke(i)));
  }

  Drawing drawing() && {
    return {std::move(marks_), std::max(plot_bottom + 54 + (staggers() ? stagger_height : 0), legend_y_)};
  }

 private:
  void set_scales(const Extent& extent) {
    const double y0 = chart_.y.log ? extent.y0 : 0, y1 = extent.y1;
    x_ = {extent.x0, extent.x1, left_margin + 14, right_ - 14, chart_.x.log};
    if (extent.x0 == extent.x1) x_.low = extent.x0 - 1, x_.high = extent.x1 + 1, x_.log = false;
    y_ = {y0, y1, plot_bottom, title_height, chart_.y.log};
    if (chart_.y.log) {
      y_.low = y0 / 1.3, y_.high = y1 * 1.3;
    } else {
      y_.high = y1 > 0 ? y1 * 1.06 : 1;
    }
  }

  void draw_left_axis() {
    for (const double tick : y_.ticks(7)) {
      marks_ += line_mark(left_margin, y_(tick), right_, y_(tick), "grid");
      marks_ += text_mark(left_margin - 8, y_(tick) + 4, short_number(tick), {"end"});
    }
  }

  // Marks the places of the points, or round numbers if there are too many.
  void draw_lower_axis(const std::set<double>& places) {
    std::vector<double> ticks(places.begin(), places.end());
    if (ticks.size() > max_places || chart_.kind == ChartKind::roofline) ticks = x_.ticks(8);
    double last = -INFINITY;
    for (const double tick : ticks) {
      marks_ += line_mark(x_(tick), plot_bottom, x_(tick), plot_bottom + 5, "axis");
      if (x_(tick) - last < tick_width) continue;
      last = x_(tick);
      const bool is_lower = staggers() && std::lround(tick) % 2 == 1;
      marks_ += text_mark(
          x_(tick), plot_bottom + (is_lower ? 20 + stagger_height : 20),
          chart_.x.names.empty() ? short_number(tick) : chart_.x.names[static_cast<std::size_t>(tick)],
          {"middle"});
    }
  }

  // Whether adjacent names at the lower axis are too long for one line.
  bool staggers() const {
    const std::vector<std::string>& names = chart_.x.names;
    for (std::size_t i = 1; i < names.size(); ++i) {
      const double columns = static_cast<double>(names[i - 1].size() + names[i].size() + 2) / 2;
      if (columns * column_width > x_(static_cast<double>(i)) - x_(static_cast<double>(i - 1))) return true;
    }
    return false;
  }

  void draw_labels() {
    marks_ += line_mark(left_margin, plot_bottom, right_, plot_bottom, "axis") +
              line_mark(left_margin, title_height, left_margin, plot_bottom, "axis");
    marks_ += text_mark((left_margin + right_) / 2, plot_bottom + 42 + (staggers() ? stagger_height : 0),
                        chart_.x.label, {"middle"});
    marks_ += vertical_label((title_height + plot_bottom) / 2, chart_.y.label, plot_height);
  }

  void draw_limit(const ChartLimit& limit, std::size_t i) {
    marks_ += fmt::format(
        "<line class=\"axis\" {} x1=\"{:.1f}\" y1=\"{:.1f}\" "
        "x2=\"{:.1f}\" y2=\"{:.1f}\"><title>{}</title></line>\n",
        limit_stroke(i), x_(limit.x0), y_(limit.y0), x_(limit.x1), y_(limit.y1), escaped(limit.name));
  }

  void draw_series(std::size_t i, int lines_above) {
    const ChartSeries& series = chart_.series[i];
    const char* colour = colour_of(i);
    const double point_scale = 1 + 0.6 * lines_above;
    const std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", colour, 2 + 4 * lines_above,
                                           lines_above > 0 ? " stroke-opacity=\"0.5\"" : dashes_of(i));
    std::string path;
    for (const ChartPoint& point : series.points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_(point.x), y_(point.y));
    marks_ += fmt::format("<path d=\"{}\" fill=\"none\" {}/>\n", path, stroke);
    const std::size_t count = series.points.size(), every = count <= max_shapes ? 1 : count / few_shapes;
    for (std::size_t at = 0; at < count; ++at) {
      const ChartPoint& point = series.points[at];
      marks_ += fmt::format(
          "<g{}><line stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>{}{}</g>\n",
          paleness(point), colour, x_(point.x), y_(point.low), x_(point.x), y_(point.high),
          at % every == 0 ? shape_of(i, x_(point.x), y_(point.y), point_scale) : "",
          tooltip(chart_, series, point));
    }
    add_to_legend(series.name.empty() ? chart_.y.label : series.name,
                  fmt::format("<path d=\"M0 0H28\" {}/>{}", stroke, shape_of(i, 14, 0, point_scale)));
  }

  void add_to_legend(const std::string& name, const std::string& sample) {
    if (!has_legend_) return;
    marks_ +=
        fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", right_ + 14, legend_y_, sample);
    for (const std::string& part : wrapped(name, legend_columns)) {
      marks_ += text_mark(right_ + 48, legend_y_ + 4, part, {"start", 12});
      legend_y_ += 16;
    }
    legend_y_ += 4;
  }

  const Chart& chart_;
  const bool has_legend_;
  const double right_;
  Scale x_, y_;
  std::string marks_;
  double legend_y_ = title_height + 10;
};

}  // namespace

Drawing draw_lines(const Chart& chart) { return Lines(chart).drawing(); }

}  // namespace app
