// SPDX-License-Identifier: MIT
// moorea convert: from any pattern format to any other.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/app.h"
#include "cli/trees.h"
#include "moorea/hashlife.h"
#include "moorea/pattern.h"

namespace app {
namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string format;
  std::string rule;
};

std::string format_list() {
  std::string text = "Formats:\n";
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    text += fmt::format("  {:10} {:12} {}{}\n", format.name, format.extensions, format.summary,
                        format.writable ? "" : " (read only)");
  }
  return text;
}

int convert(const ConvertOptions& options) {
  moorea::check_writable(options.output, options.format);
  // From tree to tree without the cells between
  if (is_tree_file(options.input) && is_tree_file(options.output) && options.format.empty() &&
      options.rule.empty()) {
    // The file's rule, which may be one that Moorea does not run, is copied
    moorea::Pattern facts;
    if (const std::optional<moorea::HashLife> world =
            moorea::HashLife::read_tree(options.input, "B3/S23", {}, &facts)) {
      world->write_tree(options.output, facts);
      return ok;
    }
  }
  moorea::Pattern pattern = moorea::read_pattern(options.input);
  if (!options.rule.empty()) {
    const moorea::WorldSpec spec = moorea::WorldSpec::parse(options.rule);
    // The file's bounds stay where only the rule is replaced, as in moorea run
    const std::size_t colon = std::min(pattern.rule.find(':'), pattern.rule.size());
    pattern.rule = spec.is_unbounded() ? spec.str() + pattern.rule.substr(colon) : spec.str();
  }
  moorea::write_pattern(pattern, options.output, options.format);
  return ok;
}

}  // namespace

Action add_convert(CommandLine& line) {
  Command command = line.add_command("convert", "Convert a pattern file to another format");
  const auto options = std::make_shared<ConvertOptions>();
  command
      .add_option("input", options->input, "File to read, its format found by content; - is standard input")
      .required();
  command
      .add_option("output", options->output,
                  "File to write; its name selects the format; - is RLE on standard output")
      .required();
  command.add_option("--format", options->format, "Format to write, instead of the one that the name selects")
      .type_name("NAME");
  command
      .add_option("-r,--rule", options->rule,
                  "Rule to write into the file; its bounds such as :T100,50 stay unless this names others")
      .type_name("RULE");
  command.footer(
      format_list() +
      "A name that ends in .gz is gzipped. Generation, position and rule are kept: in comments where the\n"
      "format has no place for them.\n"
      "Examples:\n"
      "  moorea convert acorn.cells acorn.rle\n"
      "  moorea convert soup.rle.gz soup.pbm\n"
      "  moorea convert - - --format cells < glider.rle");
  return [options] { return convert(*options); };
}

}  // namespace app
