// SPDX-License-Identifier: MIT
#include "lab/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include "lab/sweep.h"
#include "moorea/error.h"
#include "moorea/picture.h"
#include "moorea/support/bytes.h"
#include "report/page.h"
#include "report/relative.h"
#include "report/svg.h"

namespace app {
namespace {

constexpr double quick_budget = 0.04, full_budget = 2;  // seconds a configuration
constexpr int quick_rounds = 1, full_rounds = 3;
constexpr std::int64_t preview_side = 256;

// Caches of the first core as reported by Linux: "L1 data 48K, L2 2048K, L3 32M".
std::string caches() {
  std::vector<std::string> parts;
  for (int i = 0;; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    std::string level, type, size;
    if (!(std::ifstream(folder + "level") >> level)) break;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> size;
    if (type == "Instruction") continue;
    parts.push_back(fmt::format("L{}{} {}", level, type == "Data" ? " data" : "", size));
  }
  return parts.empty() ? "not reported by this system" : joined(parts, ", ");
}

// ", 1980 MHz (maximum 1980)" of a clock that is known.
std::string clock_text(const Json& device, const char* key, const char* name) {
  const Json now = value_at(device, key, "now"), maximum = value_at(device, key, "maximum");
  if (now.is_null() && maximum.is_null()) return "";
  if (maximum.is_null()) return fmt::format(", {} at {:.0f} MHz", name, now.get<double>());
  return fmt::format(", {} at {}{:.0f} MHz", name,
                     now.is_number()
                         ? fmt::format("{:.0f} MHz after the measurements, at most ", now.get<double>())
                         : "up to ",
                     maximum.get<double>());
}

// Versions, memory and clocks of a device, as far as they are known.
std::string facts_text(const Json& device) {
  std::string text;
  if (device.contains("memory_bytes"))
    text += " of " + moorea::human_bytes(device["memory_bytes"].get<double>());
  if (device.contains("driver")) text += ", driver " + words(device["driver"]);
  if (device.contains("api")) text += ", " + words(device["api"]);
  if (device.contains("runtime")) text += ", runtime " + words(device["runtime"]);
  return text + clock_text(device, "core_megahertz", "cores") +
         clock_text(device, "memory_megahertz", "memory");
}

std::vector<std::vector<std::string>> machine_table() {
  const Json machine = machine_json();
  std::vector<std::vector<std::string>> lines = {{"machine", ""}};
  for (const Json& device : machine["machine"]["devices"]) {
    lines.push_back({device["name"].get<std::string>(),
                     fmt::format("{}, {} threads, {} memory available{}",
                                 device["description"].get<std::string>(), device["threads"].dump(),
                                 moorea::human_bytes(device["memory_available_bytes"].get<double>()),
                                 facts_text(device))});
  }
  lines.push_back({"caches", caches()});
  lines.push_back({"system", machine["machine"]["system"].get<std::string>()});
  lines.push_back({"program", fmt::format("Moorea {}, revision {}, {}", machine["version"].get<std::string>(),
                                          machine["revision"].get<std::string>(),
                                          machine["compiler"].get<std::string>())});
  lines.push_back({"date", machine["date"].get<std::string>()});
  return lines;
}

std::string percent(const Json& part) {
  return part.is_number() ? fmt::format("{:.1f}%", 100 * part.get<double>()) : "-";
}

// "x cpu/ladder/01_serial:1", the head of the column of speeds that are related to it.
std::string relative_head(const Json& document) {
  for (const Json& row : document["results"]) {
    if (row.contains("relative_to")) return "x " + words(row["relative_to"]);
  }
  return "";
}

// Table of a document's rows, measured values first. Empty columns are left out, and `same` receives the
// values that all rows share.
std::vector<std::vector<std::string>> results_table(const Json& document, std::string& same) {
  std::vector<std::vector<std::string>> lines = {{"kernel", "cells/s", relative_head(document), "spread",
                                                  "of copy", "of logic", "busy", "registers", "occupancy",
                                                  "J per 1e9", "size", "threads", "tile", "schedule",
                                                  "wide share", "block", "device", "rule", "start"}};
  constexpr std::size_t first_fact = 10;  // the columns from here on are the configuration
  for (const Json& row : document["results"]) {
    const Json tiling = row.value("tiling", Json()), block = row.value("block", Json());
    const std::string busy = busy_mark(row);
    lines.push_back(
        {row["kernel"].get<std::string>(),
         short_number(row["cells_per_second"].get<double>()) +
             (is_mostly_skipped(row) ? " (mostly skipped: ash)" : ""),
         row.contains("times_reference") ? human_number(row["times_reference"].get<double>()) : "-",
         percent(row["spread"]), percent(row["part_of_copy_bandwidth"]),
         percent(row["part_of_logic_throughput"]), busy.empty() ? "-" : busy.substr(busy.find(' ') + 1),
         row.contains("registers_per_thread") ? row["registers_per_thread"].dump() : "-",
         percent(row.value("occupancy", Json())),
         row.contains("joules_per_billion_updates")
             ? short_number(row["joules_per_billion_updates"].get<double>())
             : "-",
         fmt::format("{}x{}", row["width"].dump(), row["height"].dump()), row["threads"].dump(),
         tiling.is_null() ? "-" : fmt::format("{}x{}", tiling["width"].dump(), tiling["height"].dump()),
         tiling.is_null() ? "-" : tiling["schedule"].get<std::string>(),
         row.contains("wide_share") ? row["wide_share"].dump() : "-",
         block.is_null() ? "-" : fmt::format("{}x{}", block["width"].dump(), block["height"].dump()),
         row["device"].get<std::string>(), row["rule"].get<std::string>(),
         row["start"].get<std::string>() + death_text(row)});
  }
  std::vector<std::string> said;
  for (std::size_t column = lines[0].size(); column-- > 0;) {
    const std::string& first = lines.size() > 1 ? lines[1][column] : lines[0][column];
    const bool constant =
        std::all_of(lines.begin() + 1, lines.end(), [&](const auto& line) { return line[column] == first; });
    if (!constant || (first != "-" && (column < first_fact || lines.size() < 3))) continue;
    if (first != "-") said.insert(said.begin(), fmt::format("{} {}", lines[0][column], first));
    for (auto& line : lines) line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
  }
  same = said.empty() ? "" : fmt::format("In all rows: {}.", joined(said, ", "));
  return lines;
}

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

// Population density, with as many cells per pixel as make the longer side at most preview_side.
moorea::Picture density_of(const moorea::Grid& cells) {
  const std::int64_t zoom =
      std::max<std::int64_t>(1, (std::max(cells.width(), cells.height()) + preview_side - 1) / preview_side);
  moorea::Picture picture{cells.width() / zoom, cells.height() / zoom, {}};
  for (std::int64_t y = 0; y < picture.height; ++y) {
    for (std::int64_t x = 0; x < picture.width; ++x) {
      std::uint32_t alive = 0;
      for (std::int64_t v = 0; v < zoom; ++v) {
        for (std::int64_t u = 0; u < zoom; ++u) alive += cells.alive(x * zoom + u, y * zoom + v) ? 1 : 0;
      }
      picture.levels.push_back(moorea::density_level(alive, zoom * zoom));
    }
  }
  return picture;
}

// An image of the page itself, or the reason for its absence in a build without PNG.
std::string image(const Report::Picture& picture) {
  try {
    return fmt::format("<img alt=\"{}\" width=\"256\" src=\"data:image/png;base64,{}\">",
                       escaped(picture.caption),
                       base64(moorea::png_bytes(density_of(picture.cells), moorea::palette("ink"))));
  } catch (const moorea::Error& error) {
    if (error.kind() != moorea::ErrorKind::unavailable) throw;
    return fmt::format("<p class=\"soft\">No picture: {}.</p>", escaped(error.what()));
  }
}

std::string part_path(const std::string& begin, std::size_t number) {
  return fmt::format("{}-{}.json", begin, number);
}

}  // namespace

Report::Report(std::string title, std::string question, std::string command, bool quick)
    : title_(std::move(title)), question_(std::move(question)), command_(std::move(command)), quick_(quick) {}

void Report::keep_parts(const std::string& begin, bool resume) {
  const std::string first = part_path(begin, 1);
  if (!resume && std::filesystem::exists(first)) {
    throw moorea::Error(
        fmt::format(
            "{} is left from an interrupted study; --resume continues it, and removing it starts over",
            first),
        moorea::ErrorKind::usage);
  }
  parts_begin_ = begin;
  resume_ = resume;
}

void Report::remove_parts() const {
  std::error_code ignored;
  for (const std::string& path : parts_) std::filesystem::remove(path, ignored);
}

// Some worlds may be too large for the reference; in the others speeds are related to it.
void Report::require_related(const Results& results, const Reference& reference) {
  const auto unrelated = static_cast<std::size_t>(
      std::count_if(results.measurements.begin(), results.measurements.end(),
                    [](const Measurement& each) { return !each.row.contains("times_reference"); }));
  if (unrelated == results.measurements.size())
    throw moorea::Error(fmt::format("--relative-to {}: it could not be measured: {}; choose another kernel",
                                    reference.str(),
                                    left_out_.empty() ? "it is in no row" : left_out_.back()));
  if (unrelated > 0)
    left_out_.push_back(fmt::format("{} in the worlds of {} rows, whose speeds are not related to it",
                                    reference.str(), unrelated));
}

Results Report::measure(std::vector<Selection> selections, double min_seconds) {
  SweepOptions how;
  how.sampling.budget = quick_ ? quick_budget : full_budget;
  how.sampling.rounds = quick_ ? quick_rounds : full_rounds;
  how.sampling.min_seconds = min_seconds;
  if (!parts_begin_.empty()) {
    parts_.push_back(part_path(parts_begin_, parts_.size() + 1));
    how.output = parts_.back();
    how.resume = resume_;
  }
  std::vector<Configuration> configurations;
  for (Selection& selection : selections) {
    if (reference_) selection.relative_to = reference_;
    how.relative_to = selection.relative_to;
    const Combined some = combine(selection);
    configurations.insert(configurations.end(), some.configurations.begin(), some.configurations.end());
    how.notes.insert(how.notes.end(), some.notes.begin(), some.notes.end());
  }
  left_out_.insert(left_out_.end(), how.notes.begin(), how.notes.end());
  Sweep sweep(configurations, how);
  sweep.on_skipped = [&](const Json& row, bool) {
    left_out_.push_back(fmt::format("{} at {}x{}: {}", row["kernel"].get<std::string>(), row["width"].dump(),
                                    row["height"].dump(), row["reason"].get<std::string>()));
    // There is no report of the others
    if (sweep.any_wrong()) throw WrongAnswer(left_out_.back());
  };
  sweep.run();
  if (was_interrupted()) throw moorea::Error(interruption_text());
  if (sweep.document()["results"].empty())
    throw moorea::Error(left_out_.back(), sweep.first_refusal().value_or(moorea::ErrorKind::run));
  std::string same;
  std::vector<std::vector<std::string>> table = results_table(sweep.document(), same);
  add_document(sweep.document(), std::move(table), same);
  Results results;
  app::add_document(results, sweep.document());
  if (how.relative_to) require_related(results, *how.relative_to);
  for (const Configuration& each : configurations) {
    if (!each.only_reference) continue;
    std::erase_if(results.measurements, [request = asked(each)](const Measurement& measurement) {
      return measurement.row["asked"] == request;
    });
  }
  return results;
}

void Report::add_document(Json document, std::vector<std::vector<std::string>> table, std::string same) {
  documents_.push_back(std::move(document));
  tables_.push_back({std::move(table), std::move(same)});
}

void Report::add_charts(const std::string& heading, const Results& results, ChartOptions options) {
  if (options.y.empty() && options.kind != ChartKind::roofline) options.y = chart_value();
  const std::vector<Chart> charts = make_charts(results, options);
  body_ += fmt::format("<h2>{}</h2>\n", escaped(heading));
  for (const Chart& chart : charts) {
    if (charts.size() > 1) body_ += fmt::format("<h3>{}</h3>\n", escaped(chart.title));
    body_ += html_figure(chart);
  }
}

void Report::add_chart(const std::string& heading, const Chart& chart) {
  add_html(heading, html_figure(chart));
}

void Report::add_html(const std::string& heading, const std::string& html) {
  body_ += fmt::format("<h2>{}</h2>\n{}", escaped(heading), html);
}

void Report::add_pictures(const std::string& heading, const std::vector<Picture>& pictures) {
  body_ += fmt::format("<h2>{}</h2>\n<div class=\"pictures\">\n", escaped(heading));
  for (const Picture& picture : pictures) {
    body_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", image(picture),
                         escaped(picture.caption));
  }
  body_ += "</div>\n";
}

std::string Report::busy_warning() const {
  std::vector<const Json*> rows;
  for (const Json& document : documents_) {
    for (const Json& row : document["results"]) rows.push_back(&row);
  }
  const std::string busy = busy_text(rows);
  return busy.empty() ? "" : busy + "; measure again when they have ended.";
}

std::string Report::html() const {
  std::string text = fmt::format("<h1>{}</h1>\n<p>{}</p>\n", escaped(title_), escaped(question_));
  if (const std::string busy = busy_warning(); !busy.empty())
    text += fmt::format("<p class=\"warning\"><strong>A busy machine:</strong> {}</p>\n", escaped(busy));
  if (!findings_.empty()) {
    text += "<h2>What the numbers say</h2>\n<ul class=\"findings\">\n";
    for (const std::string& sentence : findings_) text += fmt::format("<li>{}</li>\n", escaped(sentence));
    text += "</ul>\n";
  }
  text += body_;
  text += "<h2>Where and how it was measured</h2>\n" +
          fmt::format("<div class=\"facts\">{}</div>\n", html_table(machine_table()));
  text += fmt::format(
      "<p class=\"soft\">{}Made again by <code>{}</code>.{}</p>\n",
      quick_ ? "The quick form: few samples in small worlds. " : "", escaped(command_),
      documents_.empty() ? "" : " Every answer was compared with the reference's before it was timed.");
  if (!documents_.empty()) text += "<h2>All measurements</h2>\n";
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const Json& document = documents_[i];
    if (!tables_[i].same.empty()) text += fmt::format("<p class=\"soft\">{}</p>\n", escaped(tables_[i].same));
    text += html_table(tables_[i].lines);
    if (document.contains("core_frequency"))
      text += fmt::format("<p class=\"soft\">Clock frequency of the cores: {}.</p>\n",
                          escaped(document["core_frequency"].get<std::string>()));
  }
  if (!left_out_.empty()) {
    text += "<details><summary>What could not be measured</summary>\n<ul>\n";
    for (const std::string& reason : left_out_) text += fmt::format("<li>{}</li>\n", escaped(reason));
    text += "</ul></details>\n";
  }
  return html_page(title_, text);
}

}  // namespace app
