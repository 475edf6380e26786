// SPDX-License-Identifier: MIT
// moorea replay: a run from its receipt, on any machine and device, compared at each generation that the
// receipt has a hash of.
#include <fmt/core.h>

#include <memory>
#include <optional>

#include "cli/app.h"
#include "cli/progress.h"
#include "cli/world.h"
#include "media/run_record.h"
#include "moorea/error.h"

namespace app {
namespace {

struct ReplayOptions {
  std::string receipt;
  EngineOptions engine;
  bool json = false;
};

// A generation of the receipt that the replay has reached.
struct Compared {
  std::uint64_t generation = 0;
  std::string expected, found;
  bool same = false;
};

Compared compare(const Json& entry, const moorea::Simulation& simulation) {
  const moorea::WorldSummary facts = simulation.summary();
  Compared compared = {simulation.generation(), entry.at("hash"), hash_text(facts.hash)};
  compared.same = compared.expected == compared.found && entry.at("population") == facts.population;
  return compared;
}

std::uint64_t generation_of(const Json& entry, const moorea::Simulation& simulation) {
  const std::uint64_t generation = entry.at("generation");
  if (generation < simulation.generation() || generation > static_cast<std::uint64_t>(INT64_MAX))
    usage("the receipt is damaged: its generations do not rise");
  return generation;
}

// Each comparison until the first difference.
std::vector<Compared> replay_all(const Json& receipt, moorea::Simulation& simulation) {
  std::vector<Compared> all;
  const Json& entries = receipt.at("hashes");
  if (entries.empty()) usage("the receipt is damaged: it has no hashes");
  Progress progress(simulation, generation_of(entries.back(), simulation) - simulation.generation());
  for (const Json& entry : entries) {
    simulation.step(generation_of(entry, simulation) - simulation.generation(), [&] {
      progress.update();
      return !was_interrupted();
    });
    if (was_interrupted()) break;
    all.push_back(compare(entry, simulation));
    if (!all.back().same) break;
  }
  progress.clear();
  return all;
}

Json report(const std::vector<Compared>& all, const moorea::Simulation& simulation) {
  const bool same = all.empty() || all.back().same;
  Json json = {{"same", same},
               {"generation", simulation.generation()},
               {"compared", all.size()},
               {"rule", simulation.rule().str()},
               {"topology", moorea::to_string(simulation.topology())},
               {"width", simulation.width()},
               {"height", simulation.height()},
               {"device", simulation.device()},
               {"kernel", simulation.kernel()}};
  if (!same) {
    json["hash"] = {{"receipt", all.back().expected}, {"replay", all.back().found}};
    if (all.size() > 1) json["last_equal_generation"] = all[all.size() - 2].generation;
  }
  if (was_interrupted()) json["interrupted"] = true;
  return json;
}

std::string report_text(const std::vector<Compared>& all, const moorea::Simulation& simulation) {
  if (all.empty() || all.back().same) {
    return fmt::format("the run is the same up to generation {}: {} hashes agree, on {} with {}\n",
                       all.empty() ? simulation.generation() : all.back().generation, all.size(),
                       simulation.device(), simulation.kernel());
  }
  const Compared& last = all.back();
  return fmt::format("the runs differ at generation {}: hash {} on {} with {}, {} in the receipt{}\n",
                     last.generation, last.found, simulation.device(), simulation.kernel(), last.expected,
                     all.size() > 1
                         ? fmt::format("; they agree at generation {}", all[all.size() - 2].generation)
                         : std::string());
}

int replay(const ReplayOptions& options) {
  const Json receipt = read_receipt(options.receipt);
  try {
    catch_interruption();
    moorea::Simulation simulation = simulate_receipt(receipt, options.engine.options());
    options.engine.say_plan(simulation.plan());
    const std::vector<Compared> all = replay_all(receipt, simulation);
    if (simulation.edge_met() && !receipt.contains("edge_met")) {
      throw moorea::Error(*edge_text(simulation) + ", unlike in the receipt; the replay needs more --memory");
    }
    const bool same = all.empty() || all.back().same;
    options.json ? print_json(report(all, simulation)) : print(report_text(all, simulation));
    if (!same) return results_differ;
    return was_interrupted() ? interruption_exit() : int{ok};
  } catch (const Json::exception& error) {
    usage(fmt::format("{}: the receipt is damaged: {}", options.receipt, error.what()));
  }
}

}  // namespace

Action add_replay(CommandLine& line) {
  Command command = line.add_command("replay", "Repeat a run from its receipt and compare the results");
  const auto options = std::make_shared<ReplayOptions>();
  command.add_option("receipt", options->receipt, "File that moorea run --receipt wrote").required();
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "Examples:\n"
      "  moorea run --random 0.5 --size 1024 -g 10k --receipt soup.json\n"
      "  moorea replay soup.json --device cuda\n"
      "Exits with 0 if all hashes agree, with 3 after the first generation that differs, and with 2 for a "
      "file\n"
      "that is no receipt.");
  return [options] { return replay(*options); };
}

}  // namespace app
