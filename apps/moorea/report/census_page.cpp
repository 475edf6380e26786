// SPDX-License-Identifier: MIT
#include "report/census_page.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/numbers.h"
#include "moorea/error.h"
#include "moorea/identify.h"
#include "report/page.h"

namespace app {
namespace {

constexpr std::size_t max_rare = 60;    // objects with pictures, the rarest first
constexpr std::size_t max_common = 40;  // lines of the table

// A square of a few pixels for each live cell; empty for codes that are no objects.
std::string picture(const std::string& code, const moorea::Rule& rule) try {
  constexpr int scale = 6;
  const moorea::Grid cells = moorea::apgcode_pattern(code, rule).cells;
  std::string path;
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      if (cells.alive(x, y)) path += fmt::format("M{} {}h.9v.9h-.9z", x + 1, y + 1);
    }
  }
  const std::int64_t width = cells.width() + 2, height = cells.height() + 2;
  return fmt::format(
      "<svg role=\"img\" aria-label=\"{}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\"><path "
      "fill=\"currentColor\" d=\"{}\"/></svg>",
      code, width * scale, height * scale, width, height, path);
} catch (const moorea::Error&) {
  return "";
}

std::string rare_object(const CensusLine& line, const moorea::CensusSpec& spec) {
  std::string text = fmt::format("<section><h3>{}{}</h3>{}<p>{} in all.", line.code,
                                 line.name.empty() ? "" : " (" + line.name + ")",
                                 picture(line.code, spec.rule), line.entry.count);
  if (!line.entry.soups.empty())
    text += fmt::format(" Soup {}{}: <code>{}</code>", spec.root, line.entry.soups[0],
                        soup_command(spec, line.entry.soups[0]));
  return text + "</p></section>\n";
}

}  // namespace

std::vector<CensusLine> census_lines(const moorea::Haul& haul, const moorea::Rule& rule) {
  const bool is_life = rule == moorea::Rule();
  std::vector<CensusLine> lines;
  for (const moorea::Haul::Object* object : haul.by_count()) {
    const auto& [code, entry] = *object;
    lines.push_back({code, is_life ? std::string(moorea::object_name(code)) : std::string(), entry});
  }
  return lines;
}

std::uint64_t cut_off_soups(const moorea::Haul& haul) {
  const auto found = haul.objects.find(std::string(moorea::cut_off_code));
  return found == haul.objects.end() ? 0 : found->second.count;
}

std::string cut_off_note(const moorea::Haul& haul, const moorea::CensusSpec& spec) {
  return fmt::format("{} of {} cut off, because they left the middle {} columns and rows.",
                     cut_off_soups(haul), counted(haul.soups, "soup"), spec.reach);
}

std::string soup_command(const moorea::CensusSpec& spec, std::uint64_t soup) {
  std::string text = fmt::format("moorea census --show-soup {} --seed {}", soup, spec.root);
  if (spec.symmetry != "C1") text += " --symmetry " + spec.symmetry;
  if (spec.rule != moorea::Rule()) text += " --rule " + spec.rule.str();
  return text + " > soup.rle";
}

std::string census_page(const moorea::Haul& haul, const moorea::CensusSpec& spec) {
  const std::vector<CensusLine> lines = census_lines(haul, spec.rule);
  const auto objects = static_cast<double>(std::max<std::uint64_t>(haul.object_count(), 1));
  const std::string title = "Census of " + spec.rule.str();
  std::string body =
      fmt::format("<h1>{}</h1>\n", title) +
      html_note(fmt::format("{} of 16 x 16 cells, symmetry {}, rule {}, seed {}: {} of {}.",
                            counted(haul.soups, "soup"), spec.symmetry, spec.rule.str(), spec.root,
                            counted(haul.object_count(), "object"), counted(lines.size(), "kind")));
  if (spec.reach > 0) body += html_note(cut_off_note(haul, spec));
  std::vector<std::vector<std::string>> table = {{"object", "name", "count", "share"}};
  for (std::size_t i = 0; i < std::min(max_common, lines.size()); ++i)
    table.push_back({lines[i].code, lines[i].name, std::to_string(lines[i].entry.count),
                     fmt::format("{:.4g} %", 100 * static_cast<double>(lines[i].entry.count) / objects)});
  body += html_heading("The most frequent objects") + html_table(table);
  body += html_heading("The rarest objects");
  for (std::size_t i = 0; i < std::min(max_rare, lines.size()); ++i)
    body += rare_object(lines[lines.size() - 1 - i], spec);
  return html_page(title, body);
}

}  // namespace app
