// SPDX-License-Identifier: MIT
// moorea identify: what a pattern is or becomes.
#include <fmt/core.h>

#include <memory>
#include <mutex>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/identification.h"
#include "cli/numbers.h"
#include "cli/status_line.h"
#include "cli/world.h"
#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/identify.h"

namespace app {
namespace {

struct Chosen {
  std::string pattern;
  std::string rule;
  std::string generations = "100k";
  std::string max_period = "5000";
  std::string threads = "0";
  bool json = false;
};

const char* heading(moorea::PatternKind kind) {
  using enum moorea::PatternKind;
  if (kind == gun || kind == rake) return "emitted in one period";
  return kind == puffer ? "left and emitted in one period" : "objects";
}

std::string table(const moorea::Identification& found) {
  std::string text = fmt::format("{}:\n", heading(found.kind));
  for (const moorea::ObjectCount& entry : found.census) {
    const std::string kind = entry.name.empty() ? std::string(moorea::to_string(entry.kind)) : entry.name;
    text += fmt::format("  {:>7}  {:24}  {:24}  {}\n", entry.count, kind,
                        entry.period > 1 ? motion_text(entry.displacement, entry.period) : "", entry.apgcode);
  }
  return text;
}

std::string text_of(const moorea::Identification& found) {
  std::string text = verdict_text(found) + "\n";
  const bool alone = found.kind == moorea::PatternKind::object;
  if (alone) text += fmt::format("population  {}\n", found.census[0].population);
  if (!found.apgcode.empty()) text += fmt::format("apgcode     {}\n", found.apgcode);
  if (!alone && !found.census.empty()) text += table(found);
  return text;
}

int identify(const Chosen& chosen) {
  moorea::IdentifyOptions search;
  search.max_generations = parse_count(chosen.generations, "--generations");
  search.max_period = parse_count(chosen.max_period, "--max-period");
  if (search.max_period == 0) usage("--max-period 0: expected at least 1");
  search.threads = static_cast<int>(parse_whole(chosen.threads, "--threads", 4096));
  std::optional<moorea::CellTree> far;
  moorea::Pattern pattern = moorea::read_pattern(chosen.pattern, far);
  catch_interruption();
  StatusLine line;
  std::mutex mutex;
  search.go_on = [&, begun = Clock::now()] {
    constexpr double quiet_seconds = 0.5;  // most patterns are identified by then
    if (const std::unique_lock lock(mutex, std::try_to_lock);
        lock && since(begun) > quiet_seconds && line.due())
      line.show(fmt::format("searching for {}", human_seconds(since(begun))));
    return !was_interrupted();
  };
  if (!chosen.rule.empty()) pattern.rule = chosen.rule;
  moorea::Options options;
  options.device = "cpu";
  options.threads = search.threads;
  const moorea::Identification found =
      far ? moorea::identify(simulate_pattern(pattern, far, pattern.world(), options), search)
          : moorea::identify(pattern, search);
  stop_time_limit();
  line.clear();
  if (chosen.json) {
    Json json = {{"pattern", chosen.pattern}};
    json.update(identification_json(found));
    json["interrupted"] = false;
    if (was_interrupted()) add_interruption(json);
    print_json(json);
  } else {
    print(text_of(found));
  }
  if (!was_interrupted()) return ok;
  say(fmt::format("{}: this is what the search had found by then", interruption_text()));
  return interruption_exit();
}

}  // namespace

Action add_identify(CommandLine& line) {
  Command command =
      line.add_command("identify", "Say what a pattern is: still life, spaceship, gun, methuselah, ...");
  const auto chosen = std::make_shared<Chosen>();
  command.add_option("pattern", chosen->pattern, "Pattern file, or - for standard input").required();
  command.add_option("-r,--rule", chosen->rule, "Rule instead of the pattern's").type_name("RULE");
  command
      .add_option("-g,--generations", chosen->generations,
                  "Generations after which the search ends. Default: 100k")
      .type_name("N");
  command.add_option("--max-period", chosen->max_period, "Largest period that is searched. Default: 5000")
      .type_name("N");
  command.add_option("--threads", chosen->threads, "CPU threads; 0: all cores. Default: 0").type_name("N");
  command.add_flag("--json", chosen->json, "Print JSON");
  command.footer(
      "A pattern has settled when all that is left are still lifes, oscillators and spaceships that will\n"
      "never meet. docs/identify.md has the definitions.\n"
      "Examples:\n"
      "  moorea identify patterns/acorn.rle      how long it lives, and what is left\n"
      "  moorea identify gun.rle --json          period, and what it emits\n");
  return [chosen] { return identify(*chosen); };
}

}  // namespace app
