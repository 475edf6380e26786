// SPDX-License-Identifier: MIT
// moorea convert: from any pattern format to any other.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/app.h"
#include "cli/cell_output.h"
#include "cli/trees.h"
#include "cli/world.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/pattern.h"

namespace app {
namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string format;
  std::string rule;
  std::string window;
};

std::string format_list() {
  std::string text = "Formats:\n";
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    text += fmt::format("  {:10} {:12} {}{}\n", format.name, format.extensions, format.summary,
                        format.writable ? "" : " (read only)");
  }
  return text;
}

// Gives the pattern another rule. Throws moorea::Error (usage) for cells in states that the rule does not
// have.
void set_rule(moorea::Pattern& pattern, const std::string& text) {
  const moorea::WorldSpec spec = moorea::WorldSpec::parse(text);
  drop_marks(pattern, spec.rule);
  const int states = spec.rule.states(), largest = pattern.states ? pattern.states->largest_state() : 1;
  if (largest >= states) {
    throw moorea::Error(
        fmt::format("{} cannot be the rule: the pattern has cells in state {}, and the states "
                    "of the rule are 0 to {}",
                    text, largest, states - 1),
        moorea::ErrorKind::usage);
  }
  // The file's bounds stay where only the rule is replaced, as in moorea run
  const std::size_t colon = std::min(pattern.rule.find(':'), pattern.rule.size());
  const std::string bounds = pattern.rule.substr(colon);
  pattern.set_world(spec);
  if (spec.is_unbounded()) pattern.rule += bounds;
}

int convert(const ConvertOptions& options) {
  const CellOutput output = {options.output, options.format, parse_window(options.window)};
  output.check();
  // From tree to tree without the cells between
  const bool to_tree = is_tree_file(options.output) && options.format.empty();
  if (may_hold_tree(options.input) && (to_tree || output.window) && options.rule.empty()) {
    // The file's rule, which may be one that Moorea does not run, is copied
    moorea::Pattern facts;
    if (const std::optional<moorea::HashLife> world =
            moorea::HashLife::read_tree(options.input, "B3/S23", {}, &facts)) {
      if (output.window)
        output.write(facts, world->crop(*output.window));
      else
        world->write_tree(options.output, facts);
      return ok;
    }
  }
  std::optional<moorea::CellTree> tree;
  const bool writes_trees = moorea::CellTree::can_write(options.output, options.format);
  moorea::Pattern pattern =
      writes_trees ? moorea::read_pattern(options.input, tree, 0) : moorea::read_pattern(options.input, tree);
  if (!options.rule.empty()) set_rule(pattern, options.rule);
  output.write(pattern, tree);
  output.say_lost_definition(rule_or_life(pattern), options.rule);
  return ok;
}

}  // namespace

Action add_convert(CommandLine& line) {
  Command command = line.add_command("convert", "Convert a pattern file to another format", false);
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
                  "Rule to write into the file; its bounds such as :T100,50 stay unless this names others.\n"
                  "From LifeHistory to a rule of two states the marks are dropped")
      .type_name("RULE");
  command
      .add_option(
          "--window", options->window,
          "Write these cells instead of all live ones, at the file's coordinates, of any size, such as "
          "-50,-50,100,100")
      .type_name("X,Y,W,H");
  command.footer(
      format_list() +
      "A name that ends in .gz is gzipped. Generation, position and rule are kept: in comments where the\n"
      "format has no place for them.\n"
      "Examples:\n"
      "  moorea convert acorn.cells acorn.rle\n"
      "  moorea convert soup.rle.gz soup.pbm\n"
      "  moorea convert galaxy.mc corner.rle --window 0,0,4096,4096\n"
      "  moorea convert - - --format cells < glider.rle");
  return [options] { return convert(*options); };
}

}  // namespace app
