// SPDX-License-Identifier: MIT
#include "report/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace app {
namespace {

constexpr double width = 960;       // of the whole picture
constexpr double left_margin = 96;  // for the numbers at the left axis
constexpr double legend_width = 280;
constexpr double title_height = 44;
constexpr double plot_height = 380;
constexpr double bar_height = 22;
constexpr double group_height = 30;  // of a heading above bars
constexpr double note_height = 16;
constexpr std::size_t caption_columns = 128;
constexpr double caption_line = 16;

// Okabe and Ito's colours (jfly.uni-koeln.de/color) without black and yellow, which vanish on dark and on
// white pages, and two more of a similar kind.
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#E69F00", "#56B4E9", "#707070", "#882255"};
constexpr const char* dashes[] = {"", "6 3", "2 3", "9 3 2 3"};

// Five colours of matplotlib's viridis, between which is mixed: even steps look even, also in grey.
constexpr double viridis[5][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

struct Scale {
  double low = 0, high = 1;  // values
  double from = 0, to = 1;   // places
  bool log = false;

  double operator()(double value) const {
    const double part = log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + part * (to - from);
  }
};

std::string text(double x, double y, const std::string& words, const char* anchor = "start", int size = 13,
                 const char* more = "") {
  return fmt::format(
      "<text class=\"ink\" fill=\"#222\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" "
      "{}>{}</text>\n",
      x, y, size, anchor, more, escaped(words));
}

std::string line(double x0, double y0, double x1, double y1, const char* kind) {
  const bool grid = kind == std::string("grid");
  return fmt::format(
      "<line class=\"{}\" stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
      grid ? "#ddd" : "#555", x0, y0, x1, y1);
}

// A point's shape, of about the same area for each series.
std::string marker(std::size_t series, double x, double y, double scale = 1) {
  static constexpr const char* paths[] = {"M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
                                          "M-4 -4h8v8h-8z",
                                          "M0 -5.5l5.2 9h-10.4z",
                                          "M0 -6l5 6l-5 6l-5 -6z",
                                          "M0 5.5l5.2 -9h-10.4z",
                                          "M-5 -1.6h3.4v-3.4h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4z"};
  return fmt::format("<path d=\"{}\" transform=\"translate({:.1f} {:.1f}){}\" fill=\"{}\"/>",
                     paths[series % std::size(paths)], x, y,
                     scale == 1 ? "" : fmt::format(" scale({:.1f})", scale),
                     colours[series % std::size(colours)]);
}

std::string dash_of(std::size_t series) {
  const char* dash = dashes[series / 2 % std::size(dashes)];
  return *dash != '\0' ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "";
}

// Round numbers between the ends, about as many as asked for.
std::vector<double> even_ticks(double low, double high, int about) {
  const double raw = (high - low) / about, power = std::pow(10, std::floor(std::log10(raw)));
  const double step = raw / power < 1.5   ? power
                      : raw / power < 3.5 ? 2 * power
                      : raw / power < 7.5 ? 5 * power
                                          : 10 * power;
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9; tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  const std::vector<double> factors = decades < 2.3 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
  const double step = decades > 9 ? 1000 : 10;
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high * 1.0001; power *= step) {
    for (const double factor : factors) {
      if (power * factor >= low * 0.9999 && power * factor <= high * 1.0001) ticks.push_back(power * factor);
    }
  }
  return ticks;
}

std::vector<std::string> wrapped(const std::string& words, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

// A picture without its frame, and how high it is.
struct Drawing {
  std::string marks;
  double height = 0;
};

void add_caption(Drawing& drawing, const std::string& caption) {
  drawing.height += 8;
  for (const std::string& words : wrapped(caption, caption_columns)) {
    drawing.height += caption_line;
    drawing.marks += text(16, drawing.height, words, "start", 12);
  }
  drawing.height += 16;
}

// What was measured on a busy machine is pale.
const char* paleness(const ChartPoint& point) { return point.busy ? " opacity=\"0.4\"" : ""; }

std::string tooltip(const Chart& chart, const ChartSeries& series, const ChartPoint& point) {
  const std::string place = !chart.x.names.empty() && point.x < static_cast<double>(chart.x.names.size())
                                ? chart.x.names[static_cast<std::size_t>(point.x)]
                                : short_number(point.x);
  const std::string what = !point.label.empty()
                               ? point.label
                               : fmt::format("{}{}{}", series.name, series.name.empty() ? "" : ", ", place);
  return fmt::format("<title>{}: {} ({} to {}){}</title>", escaped(what), short_number(point.y),
                     short_number(point.low), short_number(point.high),
                     point.busy ? ", measured on a busy machine" : "");
}

// How many later lines lie upon each: such a one is drawn as much wider, so that it shows on both sides.
std::vector<int> covering(const Chart& chart, const Scale& x, const Scale& y) {
  constexpr double near = 3;  // pixels
  const auto lies_on = [&](const ChartSeries& upper, const ChartSeries& lower) {
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
      above[i] += lies_on(chart.series[k], chart.series[i]) ? 1 : 0;
  }
  return above;
}

// Lines over two axes: line, speed-up, roofline.
Drawing draw_lines(const Chart& chart) {
  Drawing drawing;
  const bool legend = chart.series.size() + chart.limits.size() > 1;
  const double right = width - (legend ? legend_width : 24), bottom = title_height + plot_height;
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  std::set<double> places;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      x0 = std::min(x0, point.x), x1 = std::max(x1, point.x);
      y0 = std::min(y0, point.low), y1 = std::max(y1, point.high);
      places.insert(point.x);
    }
  }
  for (const ChartLimit& limit : chart.limits) {
    x0 = std::min(x0, limit.x0), x1 = std::max(x1, limit.x1);
    y0 = std::min({y0, limit.y0, limit.y1}), y1 = std::max({y1, limit.y0, limit.y1});
  }
  if (!chart.y.log) y0 = 0;
  Scale x{x0, x1, left_margin + 14, right - 14, chart.x.log}, y{y0, y1, bottom, title_height, chart.y.log};
  if (x0 == x1) x.low = x0 - 1, x.high = x1 + 1, x.log = false;
  if (chart.y.log) {
    y.low = y0 / 1.3, y.high = y1 * 1.3;
  } else {
    y.high = y1 > 0 ? y1 * 1.06 : 1;
  }
  for (const double tick : y.log ? log_ticks(y.low, y.high) : even_ticks(y.low, y.high, 7)) {
    drawing.marks += line(left_margin, y(tick), right, y(tick), "grid");
    drawing.marks += text(left_margin - 8, y(tick) + 4, short_number(tick), "end");
  }
  // The places that were measured, unless they are too many to be read
  std::vector<double> ticks(places.begin(), places.end());
  if (ticks.size() > 12 || chart.kind == ChartKind::roofline)
    ticks = x.log ? log_ticks(x.low, x.high) : even_ticks(x.low, x.high, 8);
  double last = -INFINITY;
  for (const double tick : ticks) {
    drawing.marks += line(x(tick), bottom, x(tick), bottom + 5, "axis");
    if (x(tick) - last < 40) continue;
    last = x(tick);
    drawing.marks += text(
        x(tick), bottom + 20,
        chart.x.names.empty() ? short_number(tick) : chart.x.names[static_cast<std::size_t>(tick)], "middle");
  }
  drawing.marks += line(left_margin, bottom, right, bottom, "axis") +
                   line(left_margin, title_height, left_margin, bottom, "axis");
  drawing.marks += text((left_margin + right) / 2, bottom + 42, chart.x.label, "middle");
  drawing.marks += text(
      0, 0, chart.y.label, "middle", 13,
      fmt::format("transform=\"translate(20 {:.1f}) rotate(-90)\"", (title_height + bottom) / 2).c_str());
  double entry = title_height + 10;
  const auto name = [&](const std::string& words, const std::string& sample) {
    if (!legend) return;
    drawing.marks +=
        fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", right + 14, entry, sample);
    for (const std::string& part : wrapped(words, 34)) {
      drawing.marks += text(right + 48, entry + 4, part, "start", 12);
      entry += 16;
    }
    entry += 4;
  };
  for (const ChartLimit& limit : chart.limits) {
    drawing.marks += fmt::format(
        "<line class=\"axis\" stroke=\"#555\" stroke-dasharray=\"3 4\" x1=\"{:.1f}\" y1=\"{:.1f}\" "
        "x2=\"{:.1f}\" y2=\"{:.1f}\"><title>{}</title></line>\n",
        x(limit.x0), y(limit.y0), x(limit.x1), y(limit.y1), escaped(limit.name));
  }
  const std::vector<int> above = covering(chart, x, y);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    const int wide = 2 + 4 * above[i];
    const char* colour = colours[i % std::size(colours)];
    std::string path;
    for (const ChartPoint& point : series.points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(point.x), y(point.y));
    drawing.marks += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
                                 colour, wide, above[i] > 0 ? " stroke-opacity=\"0.5\"" : dash_of(i));
    for (const ChartPoint& point : series.points) {
      drawing.marks += fmt::format(
          "<g{}><line stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>{}{}</g>\n",
          paleness(point), colour, x(point.x), y(point.low), x(point.x), y(point.high),
          marker(i, x(point.x), y(point.y), 1 + 0.6 * above[i]), tooltip(chart, series, point));
    }
    name(series.name, fmt::format("<path d=\"M0 0H28\" stroke=\"{}\" stroke-width=\"{}\"{}/>{}", colour, wide,
                                  above[i] > 0 ? " stroke-opacity=\"0.5\"" : dash_of(i),
                                  marker(i, 14, 0, 1 + 0.6 * above[i])));
  }
  for (const ChartLimit& limit : chart.limits)
    name(limit.name, "<path class=\"axis\" d=\"M0 0H28\" stroke=\"#555\" stroke-dasharray=\"3 4\"/>");
  drawing.height = std::max(bottom + 54, entry);
  return drawing;
}

bool starts_group(const std::vector<ChartPoint>& points, std::size_t i) {
  return !points[i].group.empty() && (i == 0 || points[i - 1].group != points[i].group);
}

Drawing draw_bars(const Chart& chart) {
  Drawing drawing;
  const std::vector<ChartPoint>& points = chart.series.front().points;
  std::size_t longest = 0;
  for (const ChartPoint& point : points) longest = std::max(longest, point.label.size());
  const bool any_long = std::any_of(points.begin(), points.end(), [](const ChartPoint& point) {
    return point.busy || point.mostly_skipped;
  });
  const double left = std::min(24 + 7.2 * static_cast<double>(longest), 480.0),
               right = width - (any_long ? 240 : 90);
  std::vector<double> places;  // of the bars' upper edges
  double bottom = title_height + 4;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (starts_group(points, i)) bottom += i == 0 ? group_height - 8 : group_height;
    places.push_back(bottom);
    bottom += bar_height + (points[i].note.empty() ? 0 : note_height);
  }
  bottom += 2;
  double maximum = 0, minimum = INFINITY;
  for (const ChartPoint& point : points)
    maximum = std::max(maximum, point.high), minimum = std::min(minimum, point.low);
  Scale x{0, maximum > 0 ? maximum : 1, left, right, chart.x.log};
  if (chart.x.log) x.low = std::pow(10, std::floor(std::log10(minimum) - 0.3));
  for (const double tick : x.log ? log_ticks(x.low, x.high) : even_ticks(x.low, x.high, 6)) {
    drawing.marks += line(x(tick), title_height, x(tick), bottom, "grid");
    drawing.marks += text(x(tick), bottom + 18, short_number(tick), "middle");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ChartPoint& point = points[i];
    const double y = places[i], middle = y + (bar_height - 6) / 2;
    if (starts_group(points, i))
      drawing.marks += text(8, y - 8, point.group, "start", 13, "font-weight=\"600\"");
    if (!point.note.empty()) drawing.marks += text(left + 4, y + 28, point.note, "start", 11);
    drawing.marks += fmt::format(
        "<g{}><rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/><line "
        "class=\"axis\" stroke=\"#555\" x1=\"{:.1f}\" "
        "y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>{}</g>\n",
        paleness(point), colours[0], left, y, std::max(x(point.y) - left, 1.0), bar_height - 6, x(point.low),
        middle, x(point.high), middle, tooltip(chart, chart.series.front(), point));
    drawing.marks += text(left - 8, y + 12, point.label, "end", 12);
    drawing.marks += text(std::max(x(point.high), left) + 6, y + 12,
                          short_number(point.y) + (point.mostly_skipped ? " (mostly skipped: ash)" : "") +
                              (point.busy ? " (busy)" : ""),
                          "start", 12);
  }
  drawing.marks += line(left, title_height, left, bottom, "axis");
  drawing.marks +=
      text((left + right) / 2, bottom + 40, chart.x.label + (chart.x.log ? " (logarithmic)" : ""), "middle");
  drawing.height = bottom + 52;
  return drawing;
}

std::string mixed(double part, double* brightness) {
  const double place = std::clamp(part, 0.0, 1.0) * 4;
  const auto below = std::min(static_cast<std::size_t>(place), std::size_t{3});
  const double rest = place - static_cast<double>(below);
  int rgb[3];
  for (std::size_t i = 0; i < 3; ++i)
    rgb[i] =
        static_cast<int>(std::lround(viridis[below][i] + rest * (viridis[below + 1][i] - viridis[below][i])));
  *brightness = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

Drawing draw_heatmap(const Chart& chart) {
  Drawing drawing;
  const double left = left_margin + 20, columns = static_cast<double>(chart.x.names.size()),
               rows = static_cast<double>(chart.y.names.size());
  const double w = std::min(96.0, (width - left - 130) / columns), h = std::clamp(400 / rows, 26.0, 48.0);
  const double bottom = title_height + rows * h;
  double minimum = INFINITY, maximum = -INFINITY;
  for (const ChartPoint& cell : chart.series.front().points)
    minimum = std::min(minimum, cell.low), maximum = std::max(maximum, cell.low);
  const auto part = [&](double value) {
    return maximum > minimum ? (value - minimum) / (maximum - minimum) : 1;
  };
  double brightness = 0;
  for (const ChartPoint& cell : chart.series.front().points) {
    const double x = left + cell.x * w, y = bottom - (cell.y + 1) * h;
    const std::string colour = mixed(part(cell.low), &brightness);
    drawing.marks += fmt::format(
        "<g><rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/><title>{} {}, {} "
        "{}: {}</title></g>\n",
        colour, x + 1, y + 1, w - 2, h - 2, escaped(chart.x.label),
        escaped(chart.x.names[static_cast<std::size_t>(cell.x)]), escaped(chart.y.label),
        escaped(chart.y.names[static_cast<std::size_t>(cell.y)]), short_number(cell.low));
    if (cell.low == maximum)
      drawing.marks += fmt::format(
          "<rect class=\"axis\" fill=\"none\" stroke=\"#555\" stroke-width=\"3\" x=\"{:.1f}\" y=\"{:.1f}\" "
          "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
          x, y, w, h);
    if (w >= 44)
      drawing.marks += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
          x + w / 2, y + h / 2 + 4, brightness > 130 ? "#000" : "#fff", short_number(cell.low));
  }
  for (std::size_t i = 0; i < chart.x.names.size(); ++i)
    drawing.marks += text(left + (static_cast<double>(i) + 0.5) * w, bottom + 18, chart.x.names[i], "middle");
  for (std::size_t i = 0; i < chart.y.names.size(); ++i)
    drawing.marks += text(left - 8, bottom - (static_cast<double>(i) + 0.5) * h + 4, chart.y.names[i], "end");
  drawing.marks += text(left + columns * w / 2, bottom + 40, chart.x.label, "middle");
  drawing.marks += text(
      0, 0, chart.y.label, "middle", 13,
      fmt::format("transform=\"translate(20 {:.1f}) rotate(-90)\"", (title_height + bottom) / 2).c_str());
  // The scale, from the least value below to the greatest above
  const double x = left + columns * w + 24, height = std::min(bottom - title_height, 200.0);
  for (int i = 0; i < 32; ++i) {
    drawing.marks += fmt::format(
        "<rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"16\" height=\"{:.1f}\"/>\n",
        mixed((31 - i) / 31.0, &brightness), x, title_height + height * i / 32, height / 32 + 0.5);
  }
  drawing.marks += text(x + 22, title_height + 10, short_number(maximum)) +
                   text(x + 22, title_height + height, short_number(minimum));
  drawing.height = bottom + 52;
  return drawing;
}

// With its title and its caption, or as a page has it, which sets those itself.
Drawing draw(const Chart& chart, bool alone) {
  Drawing drawing = chart.kind == ChartKind::heatmap ? draw_heatmap(chart)
                    : chart.kind == ChartKind::bars  ? draw_bars(chart)
                                                     : draw_lines(chart);
  if (alone) {
    drawing.marks = text(16, 26, chart.title, "start", 17, "font-weight=\"600\"") + drawing.marks;
    add_caption(drawing, chart.caption);
  }
  return drawing;
}

std::string document(const std::string& marks, double top, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {:.0f} {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" role=\"img\" aria-label=\"{}\" "
      "font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\">\n<rect class=\"paper\" fill=\"#fff\" "
      "y=\"{:.0f}\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
      top, width, height - top, width, height - top, escaped(title), top, marks);
}

}  // namespace

std::string svg_figure(const Chart& chart) {
  const Drawing drawing = draw(chart, false);
  return document(drawing.marks, title_height - 16, drawing.height, chart.title);
}

std::string svg(const std::vector<Chart>& charts) {
  std::string marks;
  double height = 0;
  for (const Chart& chart : charts) {
    const Drawing drawing = draw(chart, true);
    marks += fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n", height, drawing.marks);
    height += drawing.height;
  }
  return document(marks, 0, height, charts.front().title);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace app
