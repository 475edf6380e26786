// SPDX-License-Identifier: MIT
#include "report/svg.h"

#include <fmt/core.h>

#include "report/svg_drawings.h"

namespace app {
namespace {

constexpr std::size_t caption_columns = 128, title_columns = 92;
constexpr double title_line = 22;
constexpr double caption_line = 16;

Drawing draw(const Chart& chart) {
  if (chart.kind == ChartKind::heatmap) return draw_heat_map(chart);
  if (chart.kind == ChartKind::maps) return draw_maps(chart);
  return chart.kind == ChartKind::bars ? draw_bars(chart) : draw_lines(chart);
}

void add_title_and_caption(Drawing& drawing, const Chart& chart) {
  std::string title;
  double below = 0;  // the first line
  for (const std::string& line : wrapped(chart.title, title_columns)) {
    if (!title.empty()) below += title_line;
    title += text_mark(16, 26 + below, line, {"start", 17, "font-weight=\"600\""});
  }
  drawing.marks = title + (below == 0 ? drawing.marks
                                      : fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n", below,
                                                    drawing.marks));
  drawing.height += 8 + below;
  for (const std::string& words : wrapped(chart.caption, caption_columns)) {
    drawing.height += caption_line;
    drawing.marks += text_mark(16, drawing.height, words, {"start", 12});
  }
  drawing.height += 16;
}

std::string document(const std::string& marks, double top, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {:.0f} {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" role=\"img\" aria-label=\"{}\" "
      "font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\">\n<rect class=\"paper\" fill=\"#fff\" "
      "y=\"{:.0f}\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
      top, picture_width, height - top, picture_width, height - top, escaped(title), top, marks);
}

}  // namespace

std::string svg_figure(const Chart& chart) {
  const Drawing drawing = draw(chart);
  return document(drawing.marks, title_height - 16, drawing.height, chart.title);
}

std::string svg(const std::vector<Chart>& charts) {
  std::string marks;
  double height = 0;
  for (const Chart& chart : charts) {
    Drawing drawing = draw(chart);
    add_title_and_caption(drawing, chart);
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
