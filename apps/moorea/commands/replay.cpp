// SPDX-License-Identifier: MIT
// moorea replay: a run from its receipt, on any machine and device, compared at each generation that the
// receipt has a hash of.
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  std::string expected, found;  // hashes
  std::uint64_t expected_population = 0, found_population = 0;

  bool has_same_hash() const { return expected == found; }
  bool same() const { return has_same_hash() && expected_population == found_population; }
};

Compared compare(const Json& entry, const moorea::Simulation& simulation) {
  const moorea::WorldSummary facts = simulation.summary();
  if (!entry.at("population").is_number_unsigned())
    usage(fmt::format("the receipt is damaged: a population of {}", entry.at("population").dump()));
  return {simulation.generation(), entry.at("hash"), hash_text(facts.hash), entry.at("population"),
          facts.population};
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
    if (!all.back().same()) break;
  }
  progress.clear();
  return all;
}

// The result of a replay. It is known once a hash differs or all of the receipt are compared.
struct Outcome {
  std::vector<Compared> all;
  std::size_t hashes = 0;                 // of the receipt
  std::optional<std::uint64_t> edge_met;  // of the receipt

  bool differs() const { return !all.empty() && !all.back().same(); }
  bool is_complete() const { return all.size() == hashes; }
};

std::string edge_of(const std::optional<std::uint64_t>& edge_met) {
  return edge_met ? fmt::format("at generation {}", *edge_met) : "not at all";
}

// The cause of a difference if memory ended the growth of the planes at different sizes; otherwise empty.
std::string edge_cause(const Outcome& outcome, const moorea::Simulation& simulation) {
  if (outcome.edge_met == simulation.edge_met()) return "";
  return fmt::format(
      "the cause may be memory, which ended the growth of the plane {} here and {} in the run "
      "of the receipt; choose --memory as there\n",
      edge_of(simulation.edge_met()), edge_of(outcome.edge_met));
}

Json report(const Outcome& outcome, const moorea::Simulation& simulation) {
  const std::vector<Compared>& all = outcome.all;
  const bool same = !outcome.differs();
  // Unknown after an interruption
  Json json = {{"same", same && !outcome.is_complete() ? Json() : Json(same)},
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
    json["population"] = {{"receipt", all.back().expected_population},
                          {"replay", all.back().found_population}};
    if (all.size() > 1) json["last_equal_generation"] = all[all.size() - 2].generation;
  }
  if (outcome.edge_met != simulation.edge_met()) {
    json["edge_met"] = {{"receipt", outcome.edge_met ? Json(*outcome.edge_met) : Json()},
                        {"replay", simulation.edge_met() ? Json(*simulation.edge_met()) : Json()}};
  }
  if (was_interrupted()) add_interruption(json);
  return json;
}

std::string report_text(const Outcome& outcome, const moorea::Simulation& simulation) {
  const std::vector<Compared>& all = outcome.all;
  if (!outcome.differs() && !outcome.is_complete()) {
    return fmt::format("{} at generation {}: {} of {} hashes were compared, and agree\n", interruption_text(),
                       simulation.generation(), all.size(), outcome.hashes);
  }
  if (!outcome.differs()) {
    return fmt::format("the run is the same up to generation {}: {} hashes agree, on {} with {}\n",
                       all.back().generation, all.size(), simulation.device(), simulation.kernel());
  }
  const Compared& last = all.back();
  const bool is_hash = !last.has_same_hash();
  return fmt::format("the runs differ at generation {}: {} {} on {} with {}, {} in the receipt{}\n",
                     last.generation, is_hash ? "hash" : "population",
                     is_hash ? last.found : std::to_string(last.found_population), simulation.device(),
                     simulation.kernel(), is_hash ? last.expected : std::to_string(last.expected_population),
                     all.size() > 1
                         ? fmt::format("; they agree at generation {}", all[all.size() - 2].generation)
                         : std::string()) +
         edge_cause(outcome, simulation);
}

int replay(const ReplayOptions& options) {
  const Json receipt = read_receipt(options.receipt);
  try {
    catch_interruption();
    moorea::Simulation simulation = simulate_receipt(receipt, options.engine.options());
    options.engine.say_plan(simulation.plan());
    Outcome outcome = {replay_all(receipt, simulation), receipt.at("hashes").size(), {}};
    if (receipt.contains("edge_met")) outcome.edge_met = receipt.at("edge_met").get<std::uint64_t>();
    if (simulation.edge_met() && !receipt.contains("edge_met")) {
      throw moorea::Error(*edge_text(simulation) + ", unlike in the receipt; the replay needs more --memory");
    }
    options.json ? print_json(report(outcome, simulation)) : print(report_text(outcome, simulation));
    if (outcome.differs()) return results_differ;
    return outcome.is_complete() ? int{ok} : interruption_exit();
  } catch (const Json::exception&) {
    usage(fmt::format("{}: the receipt is damaged: an entry is missing or invalid", options.receipt));
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
      "Exits with 0 if all hashes agree, with 3 after the first generation that differs, with 2 for a file\n"
      "that is no receipt, and with 130, 143 or 129 after Ctrl-C, SIGTERM or SIGHUP before all are "
      "compared.");
  return [options] { return replay(*options); };
}

}  // namespace app
