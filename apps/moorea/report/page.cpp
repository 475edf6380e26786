// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <fmt/core.h>

#include "report/svg.h"

namespace app {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5b6068; --paper: #ffffff; --line: #dcdfe3; --raised: #f6f7f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --soft: #a2a8b0; --paper: #15171a; --line: #363a40; --raised: #1e2125; }
}
@media print { :root { --ink: #000; --soft: #333; --paper: #fff; --line: #bbb; --raised: #fff; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", Arial, sans-serif; max-width: 960px; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
p.soft, footer, figcaption, summary { color: var(--soft); font-size: 0.9rem; }
figure { margin: 1.5rem 0; break-inside: avoid; } figure svg, section svg { max-width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; } th, td { padding: 0.25rem 0.55rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; } .scroll + .scroll { margin-top: 1rem; } td:first-child { overflow-wrap: anywhere; } td { white-space: pre-line; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } td.number { white-space: nowrap; } th { background: var(--raised); }
@media screen and (max-width: 720px) {
  table.cards, .cards tbody, .cards td { display: block; } .cards tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 2px solid var(--line); padding: 0.4rem 0; } .cards tr.heads, .cards td.none { display: none; }
  .cards td, .cards td.number { border: 0; padding: 0.1rem 0; text-align: left; white-space: normal; overflow-wrap: anywhere; } .cards td::before { content: attr(data-head) ": "; color: var(--soft); } .cards td:first-child { font-weight: 600; grid-column: 1 / -1; }
  td:first-child { min-width: 8rem; } figure svg { max-width: none; min-width: 720px; }
}
@media print { @page { margin: 12mm; } body { margin: 0; max-width: none; font-size: 10pt; } .scroll { overflow: visible; } figure svg { max-height: 235mm; } table { font-size: 7.5pt; } th, td { padding: 0.15rem 0.3rem; } tr { break-inside: avoid; } h1, h2, h3 { break-after: avoid; } figcaption, p.soft { font-size: 8.5pt; } }
svg .ink { fill: var(--ink); } svg .paper { fill: var(--paper); } svg .grid { stroke: var(--line); } svg .axis { stroke: var(--soft); }
p.warning { border-left: 0.3rem solid #D55E00; padding: 0.4rem 0.8rem; background: var(--raised); }
ul.findings li { margin: 0.4rem 0; }
.facts td { white-space: normal; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; } .pictures figure { margin: 0; } img { image-rendering: pixelated; max-width: 100%; }
)";

bool is_number(const std::string& text) {
  return !text.empty() && (text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9')) &&
         text.find_first_not_of("0123456789.,+-eE%x kMGTPE") == std::string::npos;
}

std::string place(const ChartAxis& axis, double value) {
  return axis.names.empty() ? short_number(value, 6) : axis.names[static_cast<std::size_t>(value)];
}

std::vector<std::string> heads_of(const Chart& chart) {
  if (chart.kind == ChartKind::heatmap) return {chart.x.label, chart.y.label, chart.value};
  if (chart.kind == ChartKind::bars) return {"what", chart.x.label, "quartiles"};
  return {"series", chart.x.label, chart.y.label, "quartiles"};
}

std::vector<std::string> line_of(const Chart& chart, const ChartSeries& series, const ChartPoint& point) {
  if (chart.kind == ChartKind::heatmap)
    return {place(chart.x, point.x), place(chart.y, point.y), short_number(point.low, 4)};
  const std::string value = short_number(point.y, 4),
                    quartiles =
                        fmt::format("{} to {}", short_number(point.low, 4), short_number(point.high, 4));
  if (chart.kind == ChartKind::bars) return {point.label, value, quartiles};
  return {series.name, place(chart.x, point.x), value, quartiles};
}

std::string remark_on(const ChartPoint& point) {
  if (point.busy) return point.mostly_skipped ? "busy machine, ash" : "busy machine";
  return point.mostly_skipped ? "ash" : "-";
}

// The numbers that a chart draws, and what its paleness says.
std::vector<std::vector<std::string>> point_table(const Chart& chart) {
  std::vector<std::vector<std::string>> lines = {heads_of(chart)};
  bool has_remarks = false;
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) has_remarks |= point.busy || point.mostly_skipped;
  if (has_remarks) lines[0].push_back("remarks");
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      lines.push_back(line_of(chart, series, point));
      if (has_remarks) lines.back().push_back(remark_on(point));
    }
  }
  return lines;
}

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(title), style, body);
}

std::string html_heading(const std::string& text) { return fmt::format("<h2>{}</h2>\n", escaped(text)); }

std::string html_note(const std::string& text) {
  return fmt::format("<p class=\"soft\">{}</p>\n", escaped(text));
}

std::string html_table(const std::vector<std::vector<std::string>>& lines) {
  std::string rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* tag = i == 0 ? "th" : "td";
    rows += i == 0 ? "<tr class=\"heads\">" : "<tr>";
    for (std::size_t k = 0; k < lines[i].size(); ++k) {
      // The head of a column of numbers is aligned right as well
      std::string sample = lines[i][k];
      for (std::size_t row = 1; i == 0 && row < lines.size(); ++row) {
        if (k < lines[row].size()) sample = lines[row][k];
        if (sample != "-") break;
      }
      const char* const kind = i > 0 && lines[i][k] == "-" ? " class=\"none number\""
                               : is_number(sample)         ? " class=\"number\""
                                                           : "";
      rows += fmt::format("<{}{}{}>{}</{}>", tag, kind,
                          i == 0 || k >= lines[0].size() || lines[0][k].empty()
                              ? ""
                              : fmt::format(" data-head=\"{}\"", escaped(lines[0][k])),
                          escaped(lines[i][k]), tag);
    }
    rows += "</tr>\n";
  }
  // On a narrow screen each line of a table with many columns becomes a card
  const bool wide = !lines.empty() && lines[0].size() > 4;
  return fmt::format("<div class=\"scroll\"><table{}>\n{}</table></div>\n", wide ? " class=\"cards\"" : "",
                     rows);
}

std::string html_figure(const Chart& chart) {
  return fmt::format(
      "<figure>\n<div class=\"scroll\">{}</div>\n<figcaption>{}</figcaption>\n<details><summary>The "
      "numbers</summary>\n{}</details>\n</figure>\n",
      svg_figure(chart), escaped(chart.caption),
      html_table(chart.table.empty() ? point_table(chart) : chart.table));
}

}  // namespace app
