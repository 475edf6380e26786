// SPDX-License-Identifier: MIT
// moorea bench: measures all combinations of kernels, devices, worlds and kernel options in a sweep, and
// prints the results as a table, as JSON or as CSV.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cli/app.h"
#include "cli/paths.h"
#include "cli/world.h"
#include "lab/combinations.h"
#include "lab/submitted.h"
#include "lab/sweep.h"
#include "lab/sweep_table.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/starting_worlds.h"
#include "moorea/plan.h"
#include "moorea/support/file_names.h"
#include "moorea/support/output_file.h"
#include "report/csv.h"
#include "report/results.h"
#include "report/row_schema.h"
#include "report/submission.h"

namespace app {
namespace {

// What options say; sizes, rules and devices are empty where they say nothing, for the defaults of --submit
// are others.
Selection nothing_selected() {
  Selection selection;
  for (std::vector<std::string>* list : {&selection.sizes, &selection.rules, &selection.devices})
    list->clear();
  return selection;
}

struct BenchOptions {
  Selection selection = nothing_selected();
  std::string relative_to;
  double budget = 2;
  double min_seconds = 0;
  std::string rounds = "3";
  std::string frequency_every = "10";
  std::string output;
  std::string csv;
  std::string csv_columns = "moorea";
  bool resume = false;
  bool json = false;
  bool explain = false;
  bool keys = false;
  bool submit = false;
};

std::string start_names() {
  std::string names;
  for (const moorea::StartInfo& info : moorea::starting_worlds())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  return names;
}

void require_valid(const BenchOptions& options) {
  if (options.csv_columns != "moorea" && options.csv_columns != "easypap")
    usage(fmt::format("--csv-columns \"{}\": expected moorea or easypap", options.csv_columns));
  if (options.output == "-" || moorea::has_ending(options.output, ".gz"))
    usage(
        fmt::format("-o {}: expected an uncompressed file, which is rewritten after each measurement; "
                    "--json prints the results at the end",
                    options.output));
  if (options.resume && options.output.empty())
    usage("--resume needs -o with the name of the file to continue");
  if (!options.resume && std::filesystem::is_regular_file(options.output))
    usage(fmt::format("{} exists already; --resume continues it, and another name keeps it", options.output));
  if (options.submit && (options.json || options.csv == "-"))
    usage("--submit wants standard output for its lines: leave --json and --csv - out");
  if (options.json && options.csv == "-")
    usage("--csv - and --json both want standard output: name a file for the table");
  require_different_files("--csv", options.csv, "-o", options.output);
}

SweepOptions sweep_options(const BenchOptions& options) {
  SweepOptions sweep;
  sweep.sampling.budget = options.budget;
  sweep.sampling.min_seconds = options.min_seconds;
  sweep.sampling.rounds = static_cast<int>(parse_whole(options.rounds, "--rounds", 1000));
  if (sweep.sampling.rounds == 0) usage("--rounds 0: expected at least 1");
  sweep.sampling.frequency_interval =
      1e-3 * static_cast<double>(parse_whole(options.frequency_every, "--frequency-every", 60'000));
  sweep.output = options.output;
  sweep.resume = options.resume;
  return sweep;
}

// Reports a reason once, although it may hold for hundreds of configurations.
void report_skipped(Sweep& sweep) {
  sweep.on_skipped = [said = std::set<std::pair<std::string, std::string>>()](const Json& row,
                                                                              bool is_error) mutable {
    const auto kernel = row["kernel"].get<std::string>(), reason = row["reason"].get<std::string>();
    if (said.emplace(kernel, reason).second)
      (is_error ? say_error : say)(
          fmt::format("{} at {}x{}: {}", kernel, row["width"].dump(), row["height"].dump(), reason));
  };
}

int exit_code_of(const Sweep& sweep, const BenchOptions& options) {
  if (was_interrupted()) {
    say(fmt::format("{} after {} measurements{}", interruption_text(), sweep.document()["results"].size(),
                    options.submit           ? ", which are not printed: a submission has all of its kernels"
                    : options.output.empty() ? ""
                                             : fmt::format("; --resume continues {}", options.output)));
    return interruption_exit();
  }
  if (const std::string busy = busy_text(sweep.document()["results"]); !busy.empty())
    say(fmt::format("{}: {}", busy,
                    options.output.empty() ? "measure again when they have ended"
                                           : "--resume measures these again when they have ended"));
  if (sweep.any_wrong()) return results_differ;
  if (sweep.document()["results"].empty() && sweep.first_refusal()) return exit_code(*sweep.first_refusal());
  return sweep.any_failed() ? run_error : ok;
}

// The plans that "auto" is, as Simulation makes them.
void explain_automatic(const std::vector<Configuration>& configurations) {
  for (const Configuration& each : configurations) {
    if (each.kernel.name != automatic || !each.problem.empty()) continue;
    const Start& start = each.start;
    explain(moorea::plan_run(start.spec(), each.options));
  }
}

// Says in how many worlds the reference is missing, where it was not timed; returns whether in some.
bool report_unrelated(const Sweep& sweep, const SweepOptions& how) {
  if (!how.relative_to || was_interrupted()) return false;
  std::size_t unrelated = 0;
  for (const Json& row : sweep.document()["results"]) unrelated += row.contains("times_reference") ? 0 : 1;
  if (unrelated > 0)
    say(fmt::format(
        "--relative-to {}: it was not timed in the worlds of {} rows, for the reason above; choose "
        "another kernel or other worlds",
        how.relative_to->str(), unrelated));
  return unrelated > 0;
}

int bench(BenchOptions options) {
  if (options.keys) {
    print(row_schema_table());
    return ok;
  }
  require_valid(options);
  SweepOptions how = sweep_options(options);
  if (!options.relative_to.empty()) options.selection.relative_to = Reference::parse(options.relative_to);
  how.relative_to = options.selection.relative_to;
  complete(options.selection, options.submit ? selection_to_submit() : Selection());
  const auto [configurations, notes] =
      options.submit ? combine_to_submit(options.selection) : combine(options.selection);
  how.notes = notes;
  for (const std::string& note : notes) say(note);
  if (options.explain) explain_automatic(configurations);
  std::optional<moorea::OutputFile> table_file;  // opened before hours are spent
  if (!options.csv.empty()) table_file.emplace(options.csv);
  Sweep sweep(configurations, how);
  std::optional<SweepTable> table;
  if (!options.json && !options.submit && options.csv != "-")
    table.emplace(options.selection, configurations);
  if (table) sweep.on_measured = [&](const Json& row) { table->add(row); };
  report_skipped(sweep);
  sweep.run();
  if (options.json) print_json(sweep.document());
  if (options.submit && sweep.document()["revision"].get<std::string>().ends_with("-dirty"))
    say("this build has uncommitted changes: the table of devices does not accept its lines");
  if (options.submit && !was_interrupted())
    for (const Json& line : submissions(sweep.document())) print(line.dump() + "\n");
  if (table_file && !sweep.document()["results"].empty()) {
    table_file->write(options.csv_columns == "easypap" ? easypap_csv(sweep.document())
                                                       : csv(sweep.document()));
    table_file->finish();
  }
  const bool unrelated = report_unrelated(sweep, how);
  const int code = exit_code_of(sweep, options);
  return code == ok && unrelated ? run_error : code;
}

void add_selection(Command& command, Selection& selection) {
  command
      .add_list("--kernel", selection.kernels,
                "Kernels to time; auto is Moorea's own choice. Default: all that run here")
      .type_name("A,B,...");
  command
      .add_list("--kernel-file", selection.kernel_files,
                "Kernels of your own, in C++, CUDA or OpenCL, in addition to those of --kernel: see "
                "docs/your-own-kernel.md")
      .type_name("FILE,...");
  command.add_list("--size", selection.sizes, "World sizes. Default: 4096").type_name("N|WxH|RANGE,...");
  command.add_list("-r,--rule", selection.rules, "Rules. Default: Life").type_name("RULE,...");
  command.add_list("--topology", selection.topologies, "plane, torus or both. Default: torus")
      .type_name("plane|torus");
  command
      .add_list(
          "--mesh", selection.meshes,
          "Surfaces instead of flat worlds, as in moorea run --mesh; then the kernels of meshes are timed")
      .type_name("NAME|FILE.obj,...");
  command
      .add_option("--adjacency", selection.adjacency,
                  "Neighbours on surfaces: faces that share a corner (vertex) or an edge. Default: vertex")
      .type_name("vertex|edge");
  command.add_list("--threads", selection.threads, "CPU threads. Default: all cores")
      .type_name("N|RANGE,...");
  command.add_list("--device", selection.devices, "Devices. Default: auto").type_name("NAME,...");
  add_axes(command, selection.axes);
  command
      .add_list("--start", selection.starts,
                "Worlds to start from: " + start_names() + ". Default: noise, by --random and --seed")
      .type_name("NAME,...");
  command.add_option("--random", selection.density, "Density of the noise to start from. Default: 0.5")
      .type_name("P");
  command.add_option("--seed", selection.seed, "Seed of the noise. Default: 0").type_name("S");
  command.add_option("--after", selection.after, "Generations computed before the first sample. Default: 0")
      .type_name("N");
}

void add_sweep_options(Command& command, BenchOptions& options) {
  command
      .add_option(
          "--relative-to", options.relative_to,
          "Compare speeds with this kernel's in the same world; with :N, with its row with N threads. "
          "It is measured too")
      .type_name("KERNEL[:THREADS]");
  command
      .add_option("--budget", options.budget,
                  "Maximum seconds of sampling for one configuration while its median is noisy. Default: 2")
      .positive()
      .type_name("SECONDS");
  command
      .add_option("--generations", options.selection.generations,
                  "Length of every sample, which begins with the start; the budget then bounds the number of "
                  "samples only. Default: as many as take 20 ms")
      .type_name("N");
  command
      .add_option(
          "--rounds", options.rounds,
          "Rounds in which all configurations are sampled; each has a part of its samples in each round. "
          "Default: 3")
      .type_name("N");
  command
      .add_option("--min-seconds", options.min_seconds,
                  "Minimum seconds of sampling for one configuration, for series over time. Default: 0")
      .range(0, 1e6)
      .type_name("SECONDS");
  command
      .add_option("--frequency-every", options.frequency_every,
                  "Milliseconds between two samples of the CPUs' clock frequency; 0: none. Default: 10")
      .type_name("MS");
  command
      .add_option("-o,--output", options.output,
                  "Write the JSON here after each measurement, so that an interruption loses nothing")
      .type_name("FILE");
  command.add_flag("--resume", options.resume,
                   "Go on with the file of -o: its measurements are not repeated");
  command.add_option("--csv", options.csv, "Write a table here; - is standard output").type_name("FILE");
  command
      .add_option("--csv-columns", options.csv_columns,
                  "Columns of --csv: moorea, or easypap, a line for each sample. Default: moorea")
      .type_name("NAME");
  command.add_flag("--json", options.json, "Print JSON");
  command.add_flag("--explain", options.explain,
                   "With --kernel auto: print how each world is run and why, as moorea run does");
  command.add_flag(
      "--submit", options.submit,
      "Print a line of JSON for each device, for the table of devices (docs/devices.md); nothing "
      "is sent. Without other options: the CPU and all CUDA devices with their default kernels, Life and "
      "ANNEAL, 1024 to 16384 cells square, which takes some minutes");
  command.add_flag(
      "--keys", options.keys,
      "Measure nothing; print the keys of a row of the JSON, with units and meanings, in Markdown");
}

constexpr const char* footer =
    "gens/s and cells/s are computed from the median of the samples; spread is the distance between their\n"
    "quartiles. \"of copy\" and \"of logic\" compare with this machine's copy bandwidth and logic "
    "throughput,\n"
    "measured in the same run: the speed of a kernel that memory, or the logic units, alone would limit. "
    "Worlds\n"
    "that fit in a cache can exceed 100 % of the copy bandwidth.\n"
    "A range is 1:8, 0:100:+25 or 1024:16384:x2; a range of sizes or tiles is one of squares, and\n"
    "16:64:x2x8:32:x2 every width with every height. All axes are combined; unsupported combinations are\n"
    "reported with the reason and left out. --tile, --block and similar options apply to the kernels that "
    "have\n"
    "them; the others are measured without. The kernels timed by default are those that have all given "
    "options.\n"
    "For CUDA kernels, registers are those of a thread, and occupancy is the fraction of a multiprocessor's\n"
    "threads that can be resident. The JSON also has every sample, the times of a population, of a hash and "
    "of\n"
    "the conversion to the kernel's layout and back, the joules of a billion cell updates where RAPL or "
    "NVML\n"
    "measures them, and the cores' clock frequency over time where the system reports it; --keys describes\n"
    "them.\n"
    "A row that is \"busy\" was measured while other processes used the CPUs, for that part of the time:\n"
    "samples that they disturbed are discarded and taken again, three times as many at most.\n"
    "Examples:\n"
    "  moorea bench\n"
    "  moorea bench --kernel cpu/ladder/02_tiled --tile 16:256:x2x16:256:x2 --schedule static -o tiles.json\n"
    "  moorea bench --kernel cuda/ladder/11_bits_bytes --block 64,256 --bytes-per-thread 1,8,64\n"
    "  moorea bench --kernel cpu/bits --size 1024:16384:x2 --threads 1:8 --json > results.json\n"
    "  moorea plot results.json -o results.html\n"
    "  moorea bench --size 4096 --relative-to cpu/ladder/01_serial:1\n"
    "Exits with 3 when a kernel's answer is wrong (it is not timed then).";

}  // namespace

Action add_bench(CommandLine& line) {
  Command command =
      line.add_command("bench", "Time kernels side by side, each checked against the reference first");
  const auto options = std::make_shared<BenchOptions>();
  add_selection(command, options->selection);
  add_sweep_options(command, *options);
  command.footer(footer);
  return [options] {
    catch_interruption();
    return bench(*options);
  };
}

}  // namespace app
