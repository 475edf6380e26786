// SPDX-License-Identifier: MIT
// moorea run: a pattern or noise in, a later generation out.
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/cpu_watch.h"
#include "cli/line_file.h"
#include "cli/out_of_core.h"
#include "cli/parts.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/world.h"
#include "media/dump.h"
#include "media/saved_run.h"
#include "moorea/error.h"
#include "moorea/lab/instruments.h"
#include "moorea/lab/tuning.h"
#include "moorea/mpi_session.h"
#include "moorea/pattern.h"
#include "ranks/ranked_run.h"

namespace app {
namespace {

constexpr std::uint64_t counts_at_once = 1 << 16;
constexpr double table_seconds = 1;  // between two appends to the table of --populations
// Room held on the disk for the last generation while a table grows; RLE of noise is below a byte per cell
constexpr std::int64_t min_reserve = 1 << 20, max_reserve = 1 << 28;

struct RunOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string generations;
  std::string output;
  std::string format;
  std::string populations;
  DumpOptions dump;
  SavedRunOptions saved;
  RankOptions ranks;
  bool changes = false;
  bool json = false;
};

std::string rule_text(const moorea::Rule& rule) {
  return rule.name().empty() ? rule.str() : fmt::format("{} ({})", rule.str(), rule.name());
}

Json outcome_json(const moorea::Simulation& simulation, double seconds) {
  Json json = {{"rule", simulation.rule().str()},
               {"topology", moorea::to_string(simulation.topology())},
               {"width", simulation.width()},
               {"height", simulation.height()},
               {"generation", simulation.generation()},
               {"population", simulation.population()},
               {"hash", hash_text(simulation.hash())},
               {"kernel", simulation.kernel()},
               {"device", simulation.device()},
               {"threads", simulation.threads()},
               {"seconds", seconds},
               {"cells_per_second", seconds > 0 ? simulation.cell_updates() / seconds : 0.0}};
  if (const auto& tiling = simulation.tiling()) {
    json["tiling"] = tiling_json(*tiling);
    if (tiling->wide_share) json["wide_share"] = *tiling->wide_share;
  }
  if (simulation.launch_shape()) add_launch_shape(json, *simulation.launch_shape());
  if (const moorea::TileCounts counts = moorea::tile_counts(simulation);
      counts.computed + counts.skipped > 0) {
    json["tiles"] = {{"computed", counts.computed}, {"skipped", counts.skipped}, {"changed", counts.changed}};
  }
  if (Json parts = parts_json(simulation); !parts.is_null()) json["parts"] = std::move(parts);
  if (const auto& plan = simulation.plan().out_of_core) json["out_of_core"] = out_of_core_json(*plan);
  if (const moorea::WorldSpec world = simulation.world(); world.mesh != nullptr) {
    json["mesh"] = world.mesh->name();
    json["adjacency"] = to_string(world.adjacency);
  }
  if (simulation.edge_met()) json["edge_met"] = *simulation.edge_met();
  if (was_interrupted()) json["interrupted"] = true;
  return json;
}

// A line, or nothing for kernels without tiles.
std::string tiles_text(const moorea::Simulation& simulation) {
  const moorea::TileCounts counts = moorea::tile_counts(simulation);
  const std::string what = fmt::format("{} computed, {} skipped", counts.computed, counts.skipped);
  // With two kernels the counts are those of the second, which cuts the world its own way
  if (simulation.tiling() && simulation.kernel().find(" + ") == std::string::npos) {
    const moorea::Tiling& tiling = *simulation.tiling();
    return fmt::format(
        "  tiles   {} x {}, schedule {}, placement {}{}; {}\n", tiling.tile.width, tiling.tile.height,
        to_string(tiling.schedule), to_string(tiling.placement),
        tiling.wide_share ? fmt::format(", wide vectors on {} of the threads", *tiling.wide_share) : "",
        what);
  }
  return counts.computed + counts.skipped > 0 ? fmt::format("  tiles   {}\n", what) : "";
}

// A line, or nothing for kernels that do not let it be chosen.
std::string block_text(const moorea::Simulation& simulation) {
  if (!simulation.launch_shape()) return "";
  const moorea::LaunchShape& shape = *simulation.launch_shape();
  return fmt::format("  block   {} x {} threads{}\n", shape.block.width, shape.block.height,
                     shape.bytes_a_thread > 0 ? fmt::format(", {} bytes each", shape.bytes_a_thread) : "");
}

// A speed counts every cell of the world, also in tiles that were left out.
const char* mostly_skipped_text(const moorea::Simulation& simulation) {
  const moorea::TileCounts counts = moorea::tile_counts(simulation);
  return counts.skipped > counts.computed ? " (mostly skipped: ash)" : "";
}

// With the name of a surface's mesh.
std::string topology_text(const Json& json) {
  std::string text = json["topology"];
  if (json.contains("mesh")) text += fmt::format(" {}", json["mesh"].get<std::string>());
  return text;
}

std::string outcome_text(const Json& json, const moorea::Simulation& simulation) {
  return fmt::format(
      "generation {}, population {}\n"
      "  rule    {}\n"
      "  world   {}, {}{} x {}{}\n"
      "  hash    {}\n"
      "  kernel  {} on {}, {}\n{}{}{}"
      "  time    {}, {} cells/s{}\n",
      json["generation"].get<std::uint64_t>(), json["population"].get<std::uint64_t>(),
      rule_text(simulation.rule()), topology_text(json), simulation.grows() ? "now " : "", simulation.width(),
      simulation.height(),
      simulation.edge_met() ? ", could not grow any more"
      : simulation.grows()  ? ", grows with the pattern"
                            : "",
      json["hash"].get<std::string>(), simulation.kernel(), simulation.device(),
      simulation.threads() == 1 ? "1 thread" : fmt::format("up to {} threads", simulation.threads()),
      parts_text(simulation) + out_of_core_text(simulation.plan().out_of_core), tiles_text(simulation),
      block_text(simulation), human_seconds(json["seconds"].get<double>()),
      human_rate(json["cells_per_second"].get<double>()), mostly_skipped_text(simulation));
}

bool wants_whole_world(const RunOptions& options) {
  const std::string& name = options.output;
  return options.format.starts_with("pbm") ||
         (options.format.empty() && (name.ends_with(".pbm") || name.ends_with(".pbm.gz")));
}

// The engine's options; counting every generation was not measured.
moorea::Options engine_of(const RunOptions& options, std::uint64_t generations) {
  moorea::Options engine = options.engine.options(generations);
  if (!options.populations.empty()) {
    engine.use_tuning = false;
    if (options.engine.explain)
      say("the measurements of moorea tune are for runs without --populations: every generation is counted");
  }
  return engine;
}

// Compares a run with its prediction. A prediction that was wrong by a factor of three is dropped from the
// tuning file, unless other processes used the CPUs for more than a tenth of the time.
void judge(const moorea::Estimate& prediction, double seconds, double cpu_taken) {
  // Predictions do not include the first generations, which wake threads and touch memory
  constexpr double missed_by = 3, min_seconds = 0.1, busy = 0.1;
  if (seconds < missed_by * prediction.seconds || seconds - prediction.seconds < min_seconds) return;
  const std::string missed =
      fmt::format("this took {}, where moorea tune had predicted {} for {}", human_seconds(seconds),
                  human_seconds(prediction.seconds), prediction.name);
  if (cpu_taken > busy)
    return say(
        fmt::format("{}; other processes used the CPUs for {:.0f} % of the time, so the prediction is kept",
                    missed, 100 * cpu_taken));
  try {
    moorea::forget_plan(prediction.name);
    say(missed + ": that prediction is dropped, and moorea tune measures again");
  } catch (const std::exception& error) {
    say(fmt::format("{}; that prediction cannot be dropped: {}", missed, error.what()));
  }
}

void say_failure(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const moorea::Error& error) {
    say(error.what());
  }
}

int run_as_rank(const RunOptions& options) {
  const SavedRunOptions& saved = options.saved;
  if (!options.dump.files.empty() || !saved.receipt.empty() || saved.checkpoint.wanted())
    usage("--dump, --checkpoint, --resume and --receipt are for one process: write a PBM with -o");
  const std::string generations = options.generations.empty() ? "1000" : options.generations;
  return run_over_ranks({options.world, options.engine, options.ranks,
                         parse_count(generations, "generations"), options.output, options.format,
                         options.populations, options.changes, options.json, outcome_json, outcome_text});
}

int run(RunOptions options) {
  if (moorea::launched_ranks() > 1) return run_as_rank(options);
  const SavedStart start(options.saved, options.generations, options.world, options.dump);
  const std::uint64_t generations = start.generations;
  if (!options.output.empty()) {
    moorea::check_writable(options.output, options.format);
  } else if (!options.format.empty()) {
    throw moorea::Error("--format needs -o", moorea::ErrorKind::usage);
  }
  const bool to_stdout = options.output == "-";
  if (to_stdout && options.json) {
    throw moorea::Error("-o - and --json both want standard output; write the pattern to a file",
                        moorea::ErrorKind::usage);
  }
  const bool table_to_stdout = options.populations == "-";
  if (table_to_stdout && (to_stdout || options.json)) {
    throw moorea::Error("--populations - wants standard output for itself; write the table to a file",
                        moorea::ErrorKind::usage);
  }
  require_different_files("-o", options.output, "--populations", options.populations);
  require_different_files("-o", options.output, "--checkpoint", options.saved.checkpoint.file);
  require_different_files("-o", options.output, "--receipt", options.saved.receipt);
  require_different_files("the pattern", options.world.pattern, "--populations", options.populations);
  if (options.changes && options.populations.empty())
    throw moorea::Error("--changes needs --populations", moorea::ErrorKind::usage);
  if (start.resumed && !options.populations.empty())
    usage("--populations and --resume: the table would begin again; leave one of them out");
  std::optional<LineFile> table;
  if (!options.populations.empty()) table.emplace(options.populations);
  auto world = std::make_unique<World>(options.world);
  catch_interruption();
  moorea::Simulation simulation = world->simulate(engine_of(options, generations));
  options.engine.say_plan(simulation.plan());
  world.reset();  // its pattern may be large
  if (generations > static_cast<std::uint64_t>(INT64_MAX) - simulation.generation()) {
    throw moorea::Error(fmt::format("generation {} and {} more: generations end at 2^63",
                                    simulation.generation(), generations),
                        moorea::ErrorKind::usage);
  }

  std::optional<Dump> dump;
  if (!options.dump.files.empty()) {
    dump.emplace(options.dump, simulation,
                 OtherFiles{{"-o", options.output}, {"--populations", options.populations}});
  } else if (!options.dump.format.empty()) {
    throw moorea::Error("--every and --dump-format are for --dump", moorea::ErrorKind::usage);
  }
  SavedRun saved(start, options.world, simulation);
  Progress progress(simulation, generations);
  bool edge_said = false;
  CpuWatch watch(simulation.threads());
  watch.begin();
  const auto begun = Clock::now();
  const auto go_on = [&] {
    progress.update();
    if (simulation.edge_met() && !edge_said) {
      progress.clear();
      say(*edge_text(simulation));
      edge_said = true;
    }
    if (const std::string line = saved.poll(); !line.empty()) {
      progress.clear();
      say(line);
    }
    return !was_interrupted() && !(dump && dump->failure());
  };
  std::optional<DiskReserve> reserve;
  if (table && !options.output.empty()) {
    reserve.emplace(options.output,
                    std::clamp(simulation.width() * simulation.height(), min_reserve, max_reserve));
  }
  std::exception_ptr table_failure;  // what was computed is saved before it ends the program
  const auto write = [&](const std::string& lines) {
    try {
      table->write(lines);
    } catch (const moorea::Error&) {
      table_failure = std::current_exception();
    }
  };
  if (!table) {
    simulation.step(generations, go_on);
  } else {
    // Nobody knows what the first generation changed
    write(fmt::format("generation,population{}\n{},{}{}\n", options.changes ? ",changed" : "",
                      simulation.generation(), simulation.population(), options.changes ? "," : ""));
    for (std::uint64_t left = generations;
         left > 0 && !was_interrupted() && !table_failure && !(dump && dump->failure());) {
      const std::uint64_t before = simulation.generation(), now = std::min(left, counts_at_once);
      std::uint64_t generation = before;
      std::string lines;
      const auto begin = Clock::now();
      const auto goes_on = [&] { return go_on() && since(begin) < table_seconds; };
      if (options.changes) {
        for (const moorea::Activity& did : simulation.step_comparing(now, goes_on))
          lines += fmt::format("{},{},{}\n", ++generation, did.population, did.changed);
      } else {
        for (const std::uint64_t count : simulation.step_counting(now, goes_on))
          lines += fmt::format("{},{}\n", ++generation, count);
      }
      write(lines);
      left -= simulation.generation() - before;
    }
  }
  const double seconds = since(begun);
  progress.clear();
  // Pictures and checkpoints on the way take time of their own
  if (const moorea::Estimate* prediction = simulation.plan().prediction();
      prediction != nullptr && !dump && !options.saved.checkpoint.wanted() && !was_interrupted())
    judge(*prediction, seconds, watch.end());

  saved.finish();
  if (reserve) reserve->release();
  if (!options.output.empty()) {
    try {
      moorea::write_pattern(simulation.snapshot(wants_whole_world(options)), options.output, options.format);
    } catch (const moorea::Error&) {
      if (table_failure) say_failure(table_failure);
      throw;
    }
  }
  if (table_failure) std::rethrow_exception(table_failure);
  if (dump) dump->finish();
  if (table) table->finish();
  if (options.engine.explain) explain_parts(simulation);
  Json json = outcome_json(simulation, seconds);
  saved.report(json, simulation);
  if (options.json) {
    print_json(json);
  } else if (to_stdout || table_to_stdout) {
    std::fputs(outcome_text(json, simulation).c_str(), stderr);
  } else {
    print(outcome_text(json, simulation));
  }
  return saved.end(simulation);
}

}  // namespace

Action add_run(CommandLine& line) {
  Command command = line.add_command("run", "Run a pattern or noise and print the generation it reached");
  const auto options = std::make_shared<RunOptions>();
  add_world_options(command, options->world);
  command
      .add_option("-g,--generations", options->generations,
                  "Generations to run: 1000, 1e6, 2^20, 10k, 1M. Default: 1000")
      .type_name("N");
  command
      .add_option(
          "-o,--output", options->output,
          "Write the last generation here, in the format of the name's ending; - is RLE on standard output")
      .type_name("FILE");
  command
      .add_option(
          "--populations", options->populations,
          "Write the live cells of every generation here, as lines of \"generation,population\" that are "
          "appended while it runs; - is standard output")
      .type_name("FILE");
  command
      .add_option("--dump", options->dump.files,
                  "Write generations as pictures of the whole world here, such as frames/%06d.pbm, from the "
                  "first one on; .pbm or .png")
      .type_name("FILES");
  command
      .add_option(
          "--dump-format", options->dump.format,
          "With --dump: pbm (P4), pbm-plain (P1, digits) or png. Default: that of the names' ending, P4")
      .type_name("NAME");
  add_saved_run_options(command, options->saved);
  command.add_flag("--changes", options->changes,
                   "With --populations: a third column, the cells that each generation changed");
  command.add_option("--format", options->format, "Format of -o: rle, cells, life106, pbm or pbm-plain")
      .type_name("NAME");
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  add_rank_options(command, options->ranks);
  command.add_flag("--json", options->json, "Print the result as JSON");
  command.footer(
      "Examples:\n"
      "  moorea run patterns/acorn.rle -g 5206\n"
      "      the acorn, on a plane that grows with it: population 633\n"
      "  moorea run --rule Anneal --random 0.5 --size 512 -g 100 --dump 'frames/%04d.pbm' --every 10\n"
      "  moorea run --random 0.5 --size 4096x4096 --seed 7 -g 10k -o soup.rle.gz\n"
      "      noise on a torus, 10,000 generations, the last one into a gzipped file\n"
      "  moorea run soup.rle.gz -g 1M --json\n"
      "      goes on from there: world, generation and position are in the file\n"
      "  moorea run - -r HighLife --size 200x200 --topology torus -o - < in.cells > out.rle\n"
      "  moorea run --random 0.5 --size 16384 -g 1e9 --checkpoint soup.checkpoint --resume\n"
      "      begins, or continues where an earlier start of the same command was ended\n"
      "Ctrl-C stops between generations, writes what -o asked for, and exits with 130.");
  return [options] { return run(*options); };
}

}  // namespace app
