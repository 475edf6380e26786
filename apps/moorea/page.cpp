// SPDX-License-Identifier: MIT
#include "page.h"

#include <fmt/core.h>

#include "svg.h"

namespace app {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5b6068; --paper: #ffffff; --line: #dcdfe3; --raised: #f6f7f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --soft: #a2a8b0; --paper: #15171a; --line: #363a40; --raised: #1e2125; }
}
@media print { :root { --ink: #000; --soft: #333; --paper: #fff; --line: #bbb; --raised: #fff; } details > * { display: block; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", Arial, sans-serif; max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
p.soft, footer, figcaption, summary { color: var(--soft); font-size: 0.9rem; }
figure { margin: 1.5rem 0; break-inside: avoid; } figure svg { max-width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; } th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } th { background: var(--raised); }
svg .ink { fill: var(--ink); } svg .paper { fill: var(--paper); } svg .grid { stroke: var(--line); } svg .axis { stroke: var(--soft); }
ul.findings li { margin: 0.4rem 0; }
.facts td { white-space: normal; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; } .pictures figure { margin: 0; } img { image-rendering: pixelated; max-width: 100%; }
)";

bool is_number(const std::string& text) {
  return !text.empty() && (text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9')) &&
         text.find_first_not_of("0123456789.+-eE%x kMGTP") == std::string::npos;
}

std::string place(const ChartAxis& axis, double value) {
  return axis.names.empty() ? fmt::format("{:g}", value) : axis.names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(title), style, body);
}

std::string html_table(const std::vector<std::vector<std::string>>& lines) {
  std::string rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* tag = i == 0 ? "th" : "td";
    rows += "<tr>";
    for (std::size_t k = 0; k < lines[i].size(); ++k) {
      // A column of numbers has its head flush right, too
      const std::string& sample =
          i == 0 && lines.size() > 1 && k < lines[1].size() ? lines[1][k] : lines[i][k];
      rows += fmt::format("<{}{}>{}</{}>", tag, is_number(sample) ? " class=\"number\"" : "",
                          escaped(lines[i][k]), tag);
    }
    rows += "</tr>\n";
  }
  return fmt::format("<div class=\"scroll\"><table>\n{}</table></div>\n", rows);
}

std::string html_figure(const Chart& chart) {
  std::vector<std::vector<std::string>> lines;
  if (chart.kind == ChartKind::heatmap) {
    lines.push_back({chart.x.label, chart.y.label, chart.value});
  } else if (chart.kind == ChartKind::bars) {
    lines.push_back({"what", chart.x.label, "quartiles"});
  } else {
    lines.push_back({"series", chart.x.label, chart.y.label, "quartiles"});
  }
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      const std::string quartiles = fmt::format("{:.4g} to {:.4g}", point.low, point.high);
      if (chart.kind == ChartKind::heatmap) {
        lines.push_back({place(chart.x, point.x), place(chart.y, point.y), fmt::format("{:.4g}", point.low)});
      } else if (chart.kind == ChartKind::bars) {
        lines.push_back({point.label, fmt::format("{:.4g}", point.y), quartiles});
      } else {
        lines.push_back({series.name, place(chart.x, point.x), fmt::format("{:.4g}", point.y), quartiles});
      }
    }
  }
  return fmt::format(
      "<figure>\n<div class=\"scroll\">{}</div>\n<figcaption>{}</figcaption>\n<details><summary>The "
      "numbers</summary>\n{}</details>\n</figure>\n",
      svg_figure(chart), escaped(chart.caption), html_table(lines));
}

}  // namespace app
