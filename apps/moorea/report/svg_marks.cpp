// SPDX-License-Identifier: MIT
#include "report/svg_marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "report/svg.h"

namespace app {
namespace {

// Colours of Okabe and Ito (jfly.uni-koeln.de/color) without black and yellow, which are invisible on dark
// and on white pages, and two similar ones.
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#E69F00", "#56B4E9", "#707070", "#882255"};
constexpr const char* dashes[] = {"", "6 3", "2 3", "9 3 2 3"};
constexpr const char* shapes[] = {"M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
                                  "M-4 -4h8v8h-8z",
                                  "M0 -5.5l5.2 9h-10.4z",
                                  "M0 -6l5 6l-5 6l-5 -6z",
                                  "M0 5.5l5.2 -9h-10.4z",
                                  "M-5 -1.6h3.4v-3.4h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4z"};

}  // namespace

std::string text_mark(double x, double y, const std::string& words, const TextStyle& style) {
  return fmt::format(
      "<text class=\"ink\" fill=\"#222\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" "
      "{}>{}</text>\n",
      x, y, style.size, style.anchor, style.attributes, escaped(words));
}

std::string line_mark(double x0, double y0, double x1, double y1, const char* kind) {
  const bool grid = kind == std::string("grid");
  return fmt::format(
      "<line class=\"{}\" stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
      grid ? "#ddd" : "#555", x0, y0, x1, y1);
}

std::string vertical_label(double y, const std::string& words, double length) {
  constexpr double letter = 7, line = 16, shortest = 112;
  std::string marks;
  double x = 20;
  for (const std::string& part :
       wrapped(words, static_cast<std::size_t>(std::max(length, shortest) / letter))) {
    marks += text_mark(0, 0, part,
                       {"middle", 13, fmt::format("transform=\"translate({} {:.1f}) rotate(-90)\"", x, y)});
    x += line;
  }
  return marks;
}

const char* colour_of(std::size_t series) { return colours[series % std::size(colours)]; }

std::string dashes_of(std::size_t series) {
  const char* dash = dashes[series / 2 % std::size(dashes)];
  return *dash != '\0' ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "";
}

std::string shape_of(std::size_t series, double x, double y, double scale) {
  return fmt::format("<path d=\"{}\" transform=\"translate({:.1f} {:.1f}){}\" fill=\"{}\"/>",
                     shapes[series % std::size(shapes)], x, y,
                     scale == 1 ? "" : fmt::format(" scale({:.1f})", scale), colour_of(series));
}

const char* paleness(const ChartPoint& point) { return point.busy ? " opacity=\"0.4\"" : ""; }

std::string remarks_on(const ChartPoint& point) {
  return std::string(point.busy ? ", measured on a busy machine" : "") +
         (point.mostly_skipped ? ", mostly skipped: ash" : "");
}

std::string tooltip(const Chart& chart, const ChartSeries& series, const ChartPoint& point) {
  const std::string place = !chart.x.names.empty() && point.x < static_cast<double>(chart.x.names.size())
                                ? chart.x.names[static_cast<std::size_t>(point.x)]
                                : short_number(point.x);
  const std::string what = !point.label.empty()
                               ? point.label
                               : fmt::format("{}{}{}", series.name, series.name.empty() ? "" : ", ", place);
  return fmt::format("<title>{}: {} ({} to {}){}</title>", escaped(what), short_number(point.y),
                     short_number(point.low), short_number(point.high), remarks_on(point));
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

}  // namespace app
