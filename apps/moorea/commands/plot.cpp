// SPDX-License-Identifier: MIT
// moorea plot: charts of the measurements of moorea bench and of the populations of moorea run, and
// histograms of the worlds of moorea ensemble.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <sstream>

#include "cli/app.h"
#include "cli/paths.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"
#include "report/chart.h"
#include "report/chart_axes.h"
#include "report/histogram.h"
#include "report/page.h"
#include "report/population_chart.h"
#include "report/relative.h"
#include "report/results.h"
#include "report/svg.h"

namespace app {
namespace {

struct PlotOptions {
  std::vector<std::string> inputs;
  std::string output;
  std::string kind = "auto";
  ChartOptions chart;
  std::string relative_to;
  std::string format;
};

// Results of all files; of a configuration that was measured several times the last one.
Results read_all(const std::vector<std::string>& paths) {
  Results all;
  for (const std::string& path : paths) {
    Results results = read_results(path);
    for (Measurement& measurement : results.measurements) {
      const auto found = std::find_if(
          all.measurements.begin(), all.measurements.end(),
          [&](const Measurement& each) { return each.configuration == measurement.configuration; });
      if (found == all.measurements.end()) {
        all.measurements.push_back(std::move(measurement));
      } else {
        *found = std::move(measurement);
      }
    }
    for (const Json& ceiling : results.ceilings) all.ceilings.push_back(ceiling);
    all.not_timed.insert(all.not_timed.end(), results.not_timed.begin(), results.not_timed.end());
    if (!all.devices.empty() && all.devices != results.devices)
      say(fmt::format("{} was not measured on a machine like the others'", path));
    all.about = results.about;
    all.devices = results.devices;
  }
  return all;
}

// Makes the speed relative to the reference the value that is drawn.
void draw_relative(Results& results, PlotOptions& options) {
  std::string& value = options.chart.y;
  if (options.chart.kind == ChartKind::roofline) usage("--relative-to is not for rooflines");
  if (!value.empty() && value != relative_value)
    usage(fmt::format("--relative-to draws {}, and --y {} was asked for: leave one of them out",
                      relative_value, value));
  relate(results, Reference::parse(options.relative_to));
  value = relative_value;
}

std::vector<Chart> charts_of_measurements(PlotOptions& options) {
  Results results = read_all(options.inputs);
  try {
    if (!options.relative_to.empty()) draw_relative(results, options);
    return make_charts(results, options.chart);
  } catch (const Json::exception& error) {
    throw moorea::Error(fmt::format("{}: a row is not as moorea bench writes it: {}",
                                    joined(options.inputs, ", "), error.what()));
  }
}

// A table has one kind of chart.
void refuse_axes(const PlotOptions& options, const char* what) {
  if (options.kind != "auto" || !options.chart.x.empty() || !options.chart.rows.empty() ||
      !options.relative_to.empty())
    usage(fmt::format("{} is a table of {}: leave out --kind, --x, --rows and --relative-to",
                      options.inputs.front(), what));
}

struct Plot {
  std::vector<Chart> charts;
  const char* source;  // of what is drawn
};

enum class InputKind { measurements, worlds, populations };

InputKind kind_of(const std::string& input) {
  return is_world_table(input)        ? InputKind::worlds
         : is_population_table(input) ? InputKind::populations
                                      : InputKind::measurements;
}

// Of all files; different ones are not drawn in one chart.
InputKind kind_of_all(const std::vector<std::string>& inputs) {
  const InputKind kind = kind_of(inputs.front());
  for (const std::string& input : inputs) {
    const InputKind mine = kind_of(input);
    if (mine == kind) continue;
    // If one is neither, that is what is wrong
    for (const std::string& each : {inputs.front(), input}) {
      if (kind_of(each) == InputKind::measurements) read_results(each);
    }
    usage(fmt::format("{} and {} are of different kinds, which are not drawn in one chart", inputs.front(),
                      input));
  }
  return kind;
}

Plot plot_of(PlotOptions& options) {
  const std::vector<std::string>& inputs = options.inputs;
  switch (kind_of_all(inputs)) {
    case InputKind::worlds:
      refuse_axes(options, "worlds, of which histograms are drawn");
      if (inputs.size() > 1) usage(fmt::format("{}: one table of worlds is drawn at a time", inputs[1]));
      return {world_histograms(inputs.front(), options.chart.y, options.chart.title), "ensemble recorded"};
    case InputKind::populations:
      refuse_axes(options, "populations, of which lines are drawn");
      return {{population_chart(inputs, options.chart.y, options.chart.title)}, "run counted"};
    case InputKind::measurements:
      break;
  }
  return {charts_of_measurements(options), "bench measured"};
}

// Files may have commas between them, as the values of other options; or in their names.
std::vector<std::string> files_in(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (std::filesystem::exists(input, ignored)) {
      files.push_back(input);
      continue;
    }
    std::string file;
    for (std::istringstream stream(input); std::getline(stream, file, ',');) files.push_back(file);
  }
  return files;
}

int plot(PlotOptions options) {
  options.inputs = files_in(options.inputs);
  if (options.kind != "auto") options.chart.kind = parse_chart_kind(options.kind);
  std::string format = options.format;
  if (format.empty())
    format = options.output == "-" ? "svg" : options.output.substr(options.output.rfind('.') + 1);
  for (char& letter : format) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (format != "svg" && format != "html" && format != "json") {
    if (options.format.empty())
      usage(
          fmt::format("{}: expected a name that ends in .svg, .html or .json, or --format", options.output));
    usage(fmt::format("--format \"{}\": expected svg, html or json", format));
  }
  for (const std::string& input : options.inputs)
    require_different_files("the measurements", input, "-o", options.output);
  const auto [charts, source] = plot_of(options);
  std::string text;
  if (format == "json") {
    Json list = Json::array();
    for (const Chart& chart : charts) list.push_back(chart_json(chart));
    text = list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  } else if (format == "html") {
    std::string body;
    for (const Chart& chart : charts) {
      const char* head = body.empty() ? "h1" : "h2";
      body += fmt::format("<{0}>{1}</{0}>\n{2}", head, escaped(chart.title), html_figure(chart));
    }
    text =
        html_page(charts.size() == 1 ? charts.front().title
                                     : charts.front().title.substr(0, charts.front().title.rfind(": ")),
                  body + fmt::format("<footer>Drawn by moorea plot from what moorea {}.</footer>\n", source));
  } else {
    text = svg(charts);
  }
  moorea::OutputFile file(options.output);
  file.write(text);
  file.finish();
  return ok;
}

}  // namespace

Action add_plot(CommandLine& line) {
  Command command = line.add_command(
      "plot", "Draw what bench measured, ensemble recorded, or run counted, as SVG or as an HTML page",
      false);
  const auto options = std::make_shared<PlotOptions>();
  command
      .add_repeated("results", options->inputs,
                    "Results of moorea bench -o or --json, - is standard input; or a table (.csv) of moorea "
                    "ensemble, or some of moorea run --populations")
      .required();
  command
      .add_option("-o,--output", options->output,
                  "File to write: .svg, .html, or .json; - is SVG on standard output")
      .required()
      .type_name("FILE");
  command
      .add_option(
          "--kind", options->kind,
          "line, speedup, bars, heatmap, roofline, or maps of core and time (--y frequency). Default: chosen "
          "by the axes that vary")
      .type_name("KIND");
  command.add_option("--x", options->chart.x, fmt::format("Horizontal axis: {}", joined(chart_axes(), ", ")))
      .type_name("AXIS");
  command.add_option("--rows", options->chart.rows, "Vertical axis of a heat map").type_name("AXIS");
  command
      .add_option("--y,--value", options->chart.y,
                  fmt::format("Value that is shown: {}. Default: cells-per-second. Of a table of worlds or "
                              "populations: one of its columns",
                              joined(chart_values(), ", ")))
      .type_name("VALUE");
  command
      .add_option(
          "--relative-to", options->relative_to,
          "Draw speeds relative to this kernel's in the same world; with :N, to its row with N threads")
      .type_name("KERNEL[:THREADS]");
  command.add_option("--title", options->chart.title, "Title. Default: made from the axes").type_name("TEXT");
  command.add_option("--format", options->format, "svg, html, or json: the numbers that would be drawn")
      .type_name("NAME");
  command.footer(
      "Each combination of the other axes that vary is a line, or a heat map of its own; values that all\n"
      "measurements share are in the caption. Bars and points have the quartiles of their samples. A page\n"
      "opens without a network, follows the reader's light or dark setting, prints in black on white, and\n"
      "has all numbers as tables.\n"
      "Examples:\n"
      "  moorea bench --kernel cpu/bits,cpu/strided --size 256:16384:x2 -o sizes.json\n"
      "  moorea plot sizes.json -o sizes.svg\n"
      "  moorea run patterns/acorn.rle -g 5206 --populations acorn.csv\n"
      "  moorea plot acorn.csv -o acorn.svg\n"
      "  moorea bench --kernel cpu/ladder/02_tiled --tile 16:512:x2x16:512:x2 -o tiles.json\n"
      "  moorea plot tiles.json -o tiles.html\n"
      "  moorea bench --kernel cpu/ladder/03_vectorised,cpu/ladder/06_avx512 --min-seconds 2 -o clock.json\n"
      "  moorea plot clock.json --value frequency -o clock.html\n"
      "  moorea ensemble --worlds 10k -o worlds.csv && moorea plot worlds.csv --value population -o "
      "worlds.html\n"
      "  moorea bench --size 4096 -o all.json && moorea plot all.json --kind roofline -o roofline.svg");
  return [options] { return plot(*options); };
}

}  // namespace app
