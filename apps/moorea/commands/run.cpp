// SPDX-License-Identifier: MIT
// moorea run: a pattern or noise in, a later generation out.
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "cli/app.h"
#include "cli/cell_output.h"
#include "cli/clock.h"
#include "cli/cpu_watch.h"
#include "cli/input_files.h"
#include "cli/parts.h"
#include "cli/paths.h"
#include "cli/plane_changes.h"
#include "cli/progress.h"
#include "cli/until.h"
#include "cli/world.h"
#include "media/backward_run.h"
#include "media/dump.h"
#include "media/far_run.h"
#include "media/population_table.h"
#include "media/saved_run.h"
#include "moorea/error.h"
#include "moorea/lab/instruments.h"
#include "moorea/lab/tuning.h"
#include "moorea/mpi_session.h"
#include "moorea/pattern.h"
#include "ranks/ranked_run.h"
#include "report/outcome.h"

namespace app {
namespace {

// Room held on the disk for the last generation while a table grows; RLE of noise is below a byte per cell
constexpr std::int64_t min_reserve = 1 << 20, max_reserve = 1 << 28;

struct RunOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string generations;
  std::string until;
  std::string output;
  std::string format;
  std::string window;
  std::string populations;
  DumpOptions dump;
  SavedRunOptions saved;
  RankOptions ranks;
  bool changes = false;
  bool json = false, json_lines = false;
};

CellOutput output_of(const RunOptions& options) {
  return {options.output, options.format, parse_window(options.window),
          CellOutput::is_bitmap(options.output, options.format)};
}

// The engine's options; looking at every generation was not measured.
moorea::Options engine_of(const RunOptions& options, const Until& until, std::uint64_t generations) {
  moorea::Options engine = options.engine.options(generations);
  const bool looks = until.is_given() && !until.is_searched();
  if (looks || !options.populations.empty()) {
    engine.use_tuning = false;
    if (options.engine.explain)
      say(fmt::format("the measurements of moorea tune are for runs without {}: every generation is {}",
                      looks ? "--until" : "--populations", looks ? "looked at" : "counted"));
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
    say_error(error.what());
  }
}

int run_as_rank(const RunOptions& options) {
  if (!options.dump.files.empty()) usage("--dump is for one process: write a PBM with -o");
  if (!options.until.empty()) usage("--until is for one process; --populations counts each generation");
  if (!options.window.empty()) usage("--window is for one process");
  return run_over_ranks({options.world, options.engine, options.ranks, options.generations, options.output,
                         options.format, options.populations, options.changes, options.json, options.saved,
                         outcome_json, outcome_text});
}

// The option that needs a Simulation, whose numbers have 64 bits; null if there is none.
const char* option_of_simulation(const RunOptions& options, const Until& until) {
  const SavedRunOptions& saved = options.saved;
  if (until.is_searched()) return "--until settled or period";
  if (!options.populations.empty() || options.changes) return "--populations";
  if (!options.dump.files.empty() || !options.dump.format.empty()) return "--dump";
  if (saved.checkpoint.wanted() || !saved.checkpoint.every_generations.empty()) return "--checkpoint";
  if (!saved.every.empty()) return "--every";
  return saved.receipt.empty() ? nullptr : "--receipt";
}

FarRun far_run(const RunOptions& options, const Until& until, const CellOutput& output) {
  return {options.world, options.engine, parse_generations(options.generations), until, output, options.json};
}

// Runs with numbers of any size if the options are for them. Otherwise `world` is the one that was read, if
// it was: standard input can be read only once.
std::optional<int> run_with_large_numbers(const RunOptions& options, const Until& until,
                                          const CellOutput& output, std::unique_ptr<World>& world) {
  const FarRun run = far_run(options, until, output);
  const char* const option = option_of_simulation(options, until);
  if (option == nullptr)
    return options.engine.kernel == "hashlife" || may_run_far(run) ? run_far(run, world) : std::nullopt;
  if (!run.generations.as_signed())
    usage(fmt::format("-g {}: with {} generations end at 2^63: leave it out, or choose fewer generations",
                      options.generations, option));
  return std::nullopt;
}

int run(RunOptions options) {
  if (options.json_lines) {
    set_json_lines();
    options.json = true;
  }
  if (moorea::launched_ranks() > 1) return run_as_rank(options);
  if (const moorea::UnconnectedTask task = moorea::unconnected_task(); task.tasks > 1 && task.number == 0) {
    say(fmt::format("srun started {} processes without --mpi=pmix: each of them runs the whole world",
                    task.tasks));
  }
  Until until(options.until);
  CellOutput output = output_of(options);
  if (until.is_given() && options.generations.empty()) options.generations = Until::default_generations;
  if (goes_back(options.generations)) {
    const char* const option = until.is_given() ? "--until" : option_of_simulation(options, until);
    if (option != nullptr)
      usage(fmt::format("-g {} goes back from the start: leave {} out", options.generations, option));
    return run_back({options.world, options.engine, options.generations, output, options.json, outcome_json,
                     outcome_text});
  }
  std::unique_ptr<World> world;
  if (const std::optional<int> exit = run_with_large_numbers(options, until, output, world)) return *exit;
  const bool receipt_to_stdout = options.saved.receipt == "-";
  if (receipt_to_stdout && (options.json || options.output == "-" || options.populations == "-"))
    usage("--receipt - wants standard output for itself; write the receipt to a file");
  const RunFiles files = {options.output, options.populations,
                          inputs_beside_pattern(options.world, options.engine)};
  require_own_files(options.saved, options.world, files);
  // A scheduler may end a run at any time, and what takes long begins here
  const bool saves = options.saved.checkpoint.wanted();
  if (saves) {
    catch_interruption();
    catch_checkpoint_request();
  }
  if (saves || !options.output.empty()) catch_broken_output();
  const RunProcesses one;
  SavedStart start(options.saved, options.generations, options.world, options.dump, one);
  std::uint64_t& generations = start.generations;
  output.check();
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
  if (options.changes && options.populations.empty())
    throw moorea::Error("--changes needs --populations", moorea::ErrorKind::usage);
  std::optional<PopulationTable> table;
  if (!options.populations.empty()) table.emplace(options.populations, options.changes);
  if (!world) world = std::make_unique<World>(options.world.for_engine(options.engine));
  until.require(world->spec());
  if (!saves) catch_interruption();
  if (needs_tree(*world, options.engine)) {
    if (const char* const option = option_of_simulation(options, until))
      usage(fmt::format(
          "{}: under {} an unbounded plane is a tree, which has none: leave it out, or choose --size", option,
          world->rule().str()));
    return run_tree(far_run(options, until, output), *world);
  }
  if (until.is_searched()) {
    moorea::Simulation searched = world->simulate(options.engine.options(generations));
    generations = until.search(searched, generations);
  }
  moorea::Simulation simulation = world->simulate(engine_of(options, until, generations));
  options.engine.say_plan(simulation.plan());
  say_kernel_warnings(options.engine.kernel_file);
  if (world->pattern()) output.keep_texts(*world->pattern());
  world.reset();  // its pattern may be large
  if (generations > static_cast<std::uint64_t>(INT64_MAX) - simulation.generation()) {
    throw moorea::Error(fmt::format("generation {} and {} more: generations end at 2^63",
                                    simulation.generation(), generations),
                        moorea::ErrorKind::usage);
  }

  std::optional<Dump> dump;
  if (!options.dump.files.empty()) {
    NamedFiles others = output_files(options.saved, files);
    others.emplace_back("the pattern", options.world.pattern);
    dump.emplace(options.dump, simulation, others, start.resumed.has_value());
  } else if (!options.dump.format.empty()) {
    throw moorea::Error("--every and --dump-format are for --dump", moorea::ErrorKind::usage);
  }
  SavedRun saved(start, options.world, simulation);
  saved.keep_texts(output.about);
  Progress progress(simulation, generations);
  bool edge_said = false;
  CpuWatch watch(simulation.threads());
  watch.begin();
  const auto begun = Clock::now();
  const auto poll_saves = [&] {
    if (const SaveNews news = saved.poll(); !news.line.empty()) {
      progress.clear();
      news.tell();
    }
  };
  const auto go_on = [&] {
    progress.update();
    if (simulation.edge_met() && !edge_said) {
      progress.clear();
      say(*edge_text(simulation));
      edge_said = true;
    }
    if (!table) poll_saves();
    return !was_interrupted() && !(dump && dump->failure());
  };
  std::optional<DiskReserve> reserve;
  if (table && !options.output.empty()) {
    reserve.emplace(options.output,
                    std::clamp(simulation.width() * simulation.height(), min_reserve, max_reserve));
  }
  if (table) table->begin(simulation, table_of(start.resumed));
  const std::uint64_t goal = simulation.generation() + generations;
  while (simulation.generation() < goal && !was_interrupted() && !(dump && dump->failure()) &&
         !(table && table->failure())) {
    const std::uint64_t now = std::min(goal - simulation.generation(), until.distance(simulation));
    if (now == 0) break;
    if (table) {
      // No checkpoint is later than the table, which is to be continued from it
      table->step(simulation, now, go_on);
      if (!table->is_due()) continue;
      table->flush();
      poll_saves();
    } else {
      simulation.step(now, go_on);
    }
  }
  stop_time_limit();
  if (table) table->flush();
  const double seconds = since(begun);
  progress.clear();
  // Pictures and checkpoints on the way take time of their own
  if (const moorea::Estimate* prediction = simulation.plan().prediction();
      prediction != nullptr && !dump && !options.saved.checkpoint.wanted() && !was_interrupted())
    judge(*prediction, seconds, watch.end());

  saved.finish();
  if (reserve) reserve->release();
  Json json = outcome_json(simulation, seconds);
  std::exception_ptr failure = output.try_to_write(simulation, json);
  const std::exception_ptr of_table = table ? table->failure() : nullptr;
  if (failure && of_table) say_failure(of_table);
  if (!failure) failure = of_table;
  if (!failure) output.say_lost_definition(simulation.rule(), options.world.rule);
  if (dump) dump->finish();
  if (table && !of_table) table->finish();
  if (options.engine.explain) {
    explain_parts(simulation);
    explain_plane_changes(simulation.plane_changes());
  }
  until.report(json, simulation.generation(), until.is_fulfilled(simulation));
  saved.report(json, simulation);
  const std::string text = outcome_text(json, simulation) + Until::text(json);
  const int ended = was_interrupted() ? interruption_exit() : 0;  // by what was before the report
  if (options.json) {
    print_json(json);
  } else if (to_stdout || table_to_stdout || receipt_to_stdout) {
    if (has_remarks()) std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
  const int exit = Until::exit_of(json, saved.end(simulation, ended));
  if (failure) std::rethrow_exception(failure);
  return exit;
}

}  // namespace

Action add_run(CommandLine& line) {
  Command command = line.add_command("run", "Run a pattern or noise and print the generation it reached");
  const auto options = std::make_shared<RunOptions>();
  add_world_options(command, options->world);
  command
      .add_option("-g,--generations", options->generations,
                  "Generations to run: 1000, 1e6, 2^20, 10k, 1M; on an unbounded plane of any size. With a "
                  "minus, -1000, back from the start, under rules that can be reversed. Default: 1000")
      .type_name("N");
  command
      .add_option("--until", options->until,
                  "End at the first generation that is settled (objects that never meet are left), that "
                  "repeats (period), with so many live cells (population=0, or in quotes 'population>1000', "
                  ">=, <, <=), or whose "
                  "live cells are so wide "
                  "and high (box=1000x1000), at most -g ones, default 100,000")
      .type_name("CONDITION");
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
  command.add_option("--format", options->format, "Format of -o: rle, cells, life106, mc, pbm or pbm-plain")
      .type_name("NAME");
  command
      .add_option("--window", options->window,
                  "With -o: write these cells instead of all live ones; coordinates as in --view of render, "
                  "on an unbounded plane of any size, as in 2^70,2^70,100,100")
      .type_name("X,Y,W,H");
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  add_rank_options(command, options->ranks);
  command.add_flag("--json", options->json, "Print the result as JSON");
  command.add_flag("--jsonl", options->json_lines,
                   "Print progress once a second and the result as lines of JSON");
  command.footer(
      "Examples:\n"
      "  moorea run patterns/acorn.rle -g 5206\n"
      "      the acorn, on a plane that grows with it: population 633\n"
      "  moorea run patterns/r-pentomino.rle --until settled\n"
      "      generation 1103; other conditions: period, population=0, box=1000x1000\n"
      "  moorea run --rule Anneal --random 0.5 --size 512 -g 100 --dump 'frames/%04d.pbm' --every 10\n"
      "  moorea run --random 0.5 --size 4096x4096 --seed 7 -g 10k -o soup.rle.gz\n"
      "      noise on a torus, 10,000 generations, the last one into a gzipped file\n"
      "  moorea run patterns/gosper-glider-gun.rle -g 2^1000\n"
      "      an unbounded plane becomes a tree of equal squares when that is faster (docs/unbounded.md)\n"
      "  moorea run soup.rle.gz -g 1M --json\n"
      "      goes on from there: world, generation and position are in the file\n"
      "  moorea run - -r HighLife --size 200x200 --topology torus -o - < in.cells > out.rle\n"
      "  moorea run --random 0.5 --size 16384 -g 1e9 --checkpoint soup.checkpoint --resume\n"
      "      begins, or continues where an earlier start of the same command was ended\n"
      "  mpirun -n 4 moorea run --random 0.5 --size 65536 -g 1e9 --checkpoint soup.checkpoint --resume\n"
      "      the same in four processes, each with a part of the rows (docs/many-devices.md)\n"
      "Ctrl-C stops between generations, writes what -o asked for, and exits with 130; SIGTERM and SIGHUP "
      "do\n"
      "the same, with 143 and 129, and --time-limit with 124. Other exit codes: 0 done, 1 a file or the run "
      "failed, 2 wrong usage, 3 "
      "--until\n"
      "was not fulfilled, 4 kernel or device unavailable.");
  return [options] { return run(*options); };
}

}  // namespace app
