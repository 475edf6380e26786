// SPDX-License-Identifier: MIT
// moorea ensemble: many worlds of one size, one row of a table for each.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/status_line.h"
#include "moorea/error.h"
#include "moorea/launch.h"
#include "moorea/support/file_names.h"
#include "moorea/survey.h"
#include "report/npz.h"
#include "report/world_table.h"

namespace app {
namespace {

struct EnsembleCommand {
  std::vector<std::string> rules;
  std::string worlds;
  std::string size = "64";
  std::string topology = "torus";
  double density = 0.5;
  std::string seed = "0";
  std::string generations = "1000";
  std::string output;
  std::vector<std::string> record = {"population", "hash"};
  bool until_periodic = false;
  std::string max_period = "60";
  bool resume = false;
  std::string kernel;
  std::string threads = "0";
  std::string device = "cpu";
  bool json = false, json_lines = false;
};

moorea::EnsembleSpec spec_of(const EnsembleCommand& command) {
  moorea::EnsembleSpec spec;
  spec.size = parse_size(command.size);
  spec.topology = moorea::parse_topology(command.topology);
  spec.density = command.density;
  spec.seed = parse_whole(command.seed, "--seed", UINT64_MAX);
  const std::uint64_t worlds = parse_count(command.worlds, "--worlds");
  if (worlds == 0) usage("--worlds 0: expected at least 1");
  const std::vector<std::string> rules =
      command.rules.empty() ? std::vector<std::string>{"Life"} : command.rules;
  for (const std::string& rule : rules) spec.groups.push_back({moorea::Rule::parse(rule), worlds});
  return spec;
}

// Everything that the rows of the table depend on.
Json survey_json(const EnsembleCommand& command, const moorea::EnsembleSpec& spec,
                 const moorea::SurveyOptions& options, const WorldColumns& columns) {
  Json rules = Json::array();
  for (const moorea::RuleGroup& group : spec.groups) rules.push_back(group.rule.str());
  return {{"rules", rules},
          {"worlds", spec.groups.front().worlds},
          {"width", spec.size.width},
          {"height", spec.size.height},
          {"topology", moorea::to_string(spec.topology)},
          {"density", spec.density},
          {"seed", spec.seed},
          {"generations", options.generations},
          {"until_periodic", options.until_periodic},
          {"max_period", options.max_period},
          {"columns", columns.names()},
          {"file", command.output}};
}

class EnsembleRun {
 public:
  explicit EnsembleRun(const EnsembleCommand& command)
      : command_(command), spec_(spec_of(command)), columns_(WorldColumns::parse(command.record)) {
    constexpr std::uint64_t longest_period = 1 << 20;
    columns_.rule = spec_.groups.size() > 1;
    columns_.period = columns_.period || command.until_periodic;
    options_.generations = parse_count(command.generations, "generations");
    options_.until_periodic = command.until_periodic;
    options_.period = columns_.period;
    options_.max_period = static_cast<std::uint32_t>(
        parse_from_one(command.max_period, "--max-period", static_cast<std::int64_t>(longest_period)));
    options_.changed = columns_.changed;
    options_.engine.kernel = command.kernel;
    options_.engine.device = command.device;
    options_.engine.threads = static_cast<int>(parse_whole(command.threads, "--threads", 4096));
    WorldTable::check(command.output);
    if (moorea::has_ending(command.output, ".npz") &&
        npz_bytes(columns_.names().size(), spec_.worlds()) > max_npz_bytes)
      usage(fmt::format("{}: an archive of {} worlds would exceed 4 GiB: write .csv or .parquet",
                        command.output, spec_.worlds()));
  }

  int run() {
    moorea::check_survey(spec_, options_);
    const Json survey = survey_json(command_, spec_, options_, columns_);
    WorldTable table(command_.output, columns_, spec_, survey);
    if (command_.resume) {
      options_.first = table.resume();
    } else {
      table.begin();
    }
    if (table.was_complete()) return leave_complete(table);
    say_where_periods_are_searched();
    begun_ = Clock::now();
    const moorea::SurveyTotals totals = moorea::survey(
        spec_, options_,
        [&](std::span<const moorea::WorldRecord> records) {
          table.add(records);
          for (const moorea::WorldRecord& each : records) count(each);
          return !was_interrupted();
        },
        [&](const moorea::SurveyTotals& now) {
          show(now);
          return !was_interrupted();
        });
    stop_time_limit();
    line_.clear();
    const bool complete = options_.first + totals.worlds == spec_.worlds();
    if (complete) table.finish();
    report(survey, totals, since(begun_));
    if (complete) return ok;
    say(fmt::format("{} after {} of {} worlds; the same command with --resume continues", interruption_text(),
                    options_.first + totals.worlds, spec_.worlds()));
    return interruption_exit();
  }

 private:
  // Where the state of the last generation may be periodic, and its period is not searched.
  void say_where_periods_are_searched() const {
    constexpr std::uint64_t enough = 10;  // intervals
    const std::uint64_t interval = moorea::period_search_interval(options_.max_period);
    if (!options_.period || options_.generations == 0 || options_.generations >= enough * interval) return;
    say(fmt::format(
        "periods are searched from generations that are multiples of {}: worlds that become periodic after "
        "generation {} have none here",
        interval, (options_.generations - 1) / interval * interval));
  }

  // A table that was complete is taken for this survey's if some of its worlds are.
  int leave_complete(const WorldTable& table) {
    bool is_same = true;
    for (const std::uint64_t world : table.compared_worlds()) {
      if (was_interrupted() || !is_same) break;
      options_.first = world;
      moorea::survey(
          spec_, options_,
          [&](std::span<const moorea::WorldRecord> records) {
            is_same = !table.differs(records.front());
            return false;
          },
          [](const moorea::SurveyTotals&) { return !was_interrupted(); });
    }
    if (was_interrupted()) return interruption_exit();
    if (!is_same)
      throw moorea::Error(
          fmt::format("{} is not the table of this survey: remove it to begin again", command_.output));
    stop_time_limit();
    options_.first = spec_.worlds();
    say(fmt::format("{} is complete", command_.output));
    if (command_.json) report(survey_json(command_, spec_, options_, columns_), {}, 0);
    return ok;
  }

  void count(const moorea::WorldRecord& record) {
    population_ += static_cast<double>(record.population);
    if (options_.period) ++periods_[record.period];
  }

  void show(const moorea::SurveyTotals& now) {
    const double seconds = since(begun_);
    if (!line_.due() || seconds < 0.1) return;
    const std::uint64_t done = options_.first + now.worlds;
    const double left = seconds / static_cast<double>(std::max<std::uint64_t>(now.worlds, 1)) *
                        static_cast<double>(spec_.worlds() - done);
    const double worlds_rate = static_cast<double>(now.worlds) / seconds,
                 rate = now.cell_generations / seconds;
    Json facts = {{"world", done},
                  {"goal", spec_.worlds()},
                  {"seconds", seconds},
                  {"worlds_per_second", worlds_rate},
                  {"cells_per_second", rate}};
    if (now.worlds > 0) facts["seconds_left"] = left;
    line_.show(fmt::format("world {} of {}, {} worlds/s, {} cells/s{}", done, spec_.worlds(),
                           human_rate(worlds_rate), human_rate(rate),
                           now.worlds == 0 ? "" : fmt::format(", {} left", human_seconds(left))),
               facts);
  }

  void report(const Json& survey, const moorea::SurveyTotals& totals, double seconds) const {
    const double worlds = static_cast<double>(totals.worlds);
    if (!command_.json) {
      print(fmt::format("{}: {} in {}, {} worlds/s, {} cells/s\n", command_.output,
                        counted(totals.worlds, "world"), human_seconds(seconds), human_rate(worlds / seconds),
                        human_rate(totals.cell_generations / seconds)));
      return;
    }
    Json json = survey;
    json["first_world"] = options_.first;
    json["completed_worlds"] = totals.worlds;
    json["device"] = command_.device;
    json["seconds"] = seconds;
    json["worlds_per_second"] = seconds > 0 ? Json(worlds / seconds) : Json();
    json["cell_generations"] = totals.cell_generations;
    json["cells_per_second"] = seconds > 0 ? Json(totals.cell_generations / seconds) : Json();
    json["mean_population"] = totals.worlds == 0 ? Json() : Json(population_ / worlds);
    if (options_.period) {
      json["periods"] = Json::object();
      for (const auto& [period, number] : periods_)
        json["periods"][period == 0 ? "none" : std::to_string(period)] = number;
    }
    json["interrupted"] = false;
    if (was_interrupted()) add_interruption(json);
    print_json(json);
  }

  const EnsembleCommand& command_;
  moorea::EnsembleSpec spec_;
  WorldColumns columns_;
  moorea::SurveyOptions options_;
  std::map<std::uint32_t, std::uint64_t> periods_;
  double population_ = 0;
  Clock::time_point begun_;
  StatusLine line_;
};

}  // namespace

Action add_ensemble(CommandLine& line) {
  Command command = line.add_command("ensemble", "Run many worlds of one size and write a table of them");
  const auto options = std::make_shared<EnsembleCommand>();
  command.add_option("--worlds", options->worlds, "Number of worlds, of each rule: 1000, 1e6, 2^20, 1M")
      .required()
      .type_name("N");
  command
      .add_repeated("-r,--rule", options->rules,
                    "Rule; given several times, there are --worlds worlds of each. Default: Life")
      .type_name("RULE");
  command.add_option("--size", options->size, "Size of each world: 64 or 100x37. Default: 64")
      .type_name("WxH");
  command.add_option("--topology", options->topology, "torus or plane. Default: torus").type_name("NAME");
  command
      .add_option("--random", options->density, "Density of the noise that worlds begin with. Default: 0.5")
      .range(0.0, 1.0)
      .type_name("P");
  command.add_option("--seed", options->seed, "Seed of the ensemble's noise. Default: 0").type_name("N");
  command.add_option("-g,--generations", options->generations, "Generations of each world. Default: 1000")
      .type_name("N");
  command
      .add_option("-o,--output", options->output,
                  "Table to write, one row per world: .csv, .npz, or .parquet (by Python's pyarrow)")
      .required()
      .type_name("FILE");
  command
      .add_list("--record", options->record,
                "Columns of the table: seed, population, hash, changed, box, period. Default: "
                "population,hash")
      .type_name("A,B,...");
  command.add_flag("--until-periodic", options->until_periodic,
                   "End each world when its period is found, after at most -g generations");
  command.add_option("--max-period", options->max_period, "Longest period that is searched. Default: 60")
      .type_name("N");
  command.add_flag("--resume", options->resume,
                   "Continue the table of the same command that was interrupted");
  command
      .add_option(
          "--kernel", options->kernel,
          "cpu/strided_avx512, cpu/strided_avx2, or cpu/strided, which is portable and slower. Default: the "
          "widest that suits")
      .type_name("NAME");
  command.add_option("--threads", options->threads, "CPU threads; 0: all cores. Default: 0").type_name("N");
  command.add_option("--device", options->device, "cpu, cuda or cuda:N. Default: cpu").type_name("NAME");
  command.add_flag("--json", options->json, "Print a summary as JSON");
  command.add_flag("--jsonl", options->json_lines,
                   "Print progress once a second and the summary as lines of JSON");
  command.footer(
      "World i begins with the noise of the seed in the column \"seed\", whatever the number of worlds and\n"
      "threads: \"moorea run --random P --size WxH --seed SEED\" runs it alone. Ctrl-C keeps the rows.\n"
      "Examples:\n"
      "  moorea ensemble --worlds 1e6 --size 64 --random 0.37 -g 10000 -o worlds.csv\n"
      "  moorea ensemble --worlds 1e6 --until-periodic -g 20000 --record population,hash,period -o "
      "soups.npz\n"
      "  moorea ensemble --worlds 10k -r Life -r HighLife --size 32 -o two.csv --resume");
  return [options] {
    if (options->json_lines) {
      set_json_lines();
      options->json = true;
    }
    catch_interruption();
    catch_broken_output();
    return EnsembleRun(*options).run();
  };
}

}  // namespace app
