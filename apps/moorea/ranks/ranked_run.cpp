// SPDX-License-Identifier: MIT
#include "ranks/ranked_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cli/cell_output.h"
#include "cli/clock.h"
#include "cli/input_files.h"
#include "cli/line_file.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "media/population_rows.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/ranks.h"
#include "moorea/support/bitmap_file.h"
#include "moorea/support/file_names.h"
#include "ranks/rank_processes.h"
#include "ranks/session.h"
#include "ranks/start.h"

namespace app {
namespace {

constexpr double max_gathered = 1 << 30;  // cells of a world that rank 0 writes alone
constexpr std::int64_t cells_at_once = std::int64_t{1} << 28;
constexpr std::uint64_t counts_at_once = 1 << 16;
constexpr double table_seconds = 1;  // between two appends to the table of --populations

bool is_bitmap(const RankedRun& run) {
  if (!run.format.empty())
    return run.format == "pbm" && !moorea::has_ending(run.output, ".gz") && run.output != "-";
  return moorea::has_ending(run.output, ".pbm");
}

bool wants_whole_world(const RankedRun& run) {
  return run.format.starts_with("pbm") || (run.format.empty() && moorea::has_ending(run.output, ".pbm.gz"));
}

void check(const RankedRun& run, const moorea::WorldSpec& world) {
  if (!run.output.empty()) {
    moorea::check_writable(run.output, run.format);
    if (!is_bitmap(run) && world.box().area() > max_gathered) {
      usage(
          fmt::format("-o {}: ranks write a world of {} x {} cells as PBM, each its rows: choose a name "
                      "that ends in .pbm",
                      run.output, world.width, world.height));
    }
  } else if (!run.format.empty()) {
    usage("--format needs -o");
  }
  if (run.output == "-" && run.json)
    usage("-o - and --json both want standard output; write the pattern to a file");
  if (run.saved.receipt == "-" && (run.json || run.output == "-" || run.populations == "-"))
    usage("--receipt - wants standard output for itself; write the receipt to a file");
  if (run.changes && run.populations.empty()) usage("--changes needs --populations");
}

// Each rank writes its rows. Rank 0 creates the file and names it.
void write_bitmap(const moorea::Simulation& simulation, moorea::RankLink& link, const RankedStart& start,
                  const std::string& path) {
  const moorea::Size size = simulation.box().size();
  moorea::Pattern header = start.about();
  header.generation = simulation.generation();
  header.rule = simulation.world().str();
  header.position = moorea::Position{-(size.width / 2), -(size.height / 2)};
  std::optional<moorea::BitmapWriter> file;
  if (link.rank() == 0) file = moorea::BitmapWriter::create(path, header, size);
  wait_for_ranks(link);
  if (!file) file = moorea::BitmapWriter::open(path, header, size);
  const moorea::Box own = rows_of_rank(simulation);
  const std::int64_t at_once = std::max<std::int64_t>(1, cells_at_once / size.width);
  for (std::int64_t y = own.y; y < own.bottom(); y += at_once)
    file->write(y, read_rows_of_rank(simulation, y, std::min(at_once, own.bottom() - y)));
  file->flush();
  wait_for_ranks(link);
  if (link.rank() == 0) file->finish();
}

void write(const moorea::Simulation& simulation, moorea::RankLink& link, const RankedStart& start,
           const RankedRun& run) {
  if (run.output.empty()) return;
  if (is_bitmap(run)) return write_bitmap(simulation, link, start, run.output);
  const moorea::Pattern pattern = named(start.about(), simulation.snapshot(wants_whole_world(run)));
  if (link.rank() == 0) moorea::write_pattern(pattern, run.output, run.format);
}

// A run from its start or a checkpoint.
struct RankedSteps {
  moorea::Simulation& simulation;
  moorea::RankLink& link;
  std::uint64_t generations = 0;
  std::optional<ResumedTable> resumed;
};

// Steps with a table of populations, which rank 0 writes.
void step_counting(const RankedSteps& steps, const RankedRun& run, const std::function<bool()>& go_on) {
  moorea::Simulation& simulation = steps.simulation;
  moorea::RankLink& link = steps.link;
  std::optional<LineFile> table;
  if (link.rank() == 0) table.emplace(run.populations);
  const auto append = [&](const std::string& lines) {
    if (table) table->write(lines);
  };
  const std::uint64_t population = simulation.population();  // of all ranks
  if (table)
    begin_populations(*table, run.populations, run.changes, steps.resumed,
                      {simulation.generation(), population});
  std::uint64_t left = steps.generations, interrupted = 0;
  while (left > 0 && interrupted == 0) {
    std::uint64_t generation = simulation.generation();
    std::string lines;
    const std::uint64_t before = generation, now = std::min(left, counts_at_once);
    const auto begin = Clock::now();
    const auto goes_on = [&] { return go_on() && since(begin) < table_seconds; };
    if (run.changes) {
      for (const moorea::Activity& did : simulation.step_comparing(now, goes_on))
        lines += fmt::format("{},{},{}\n", ++generation, did.population, did.changed);
    } else {
      for (const std::uint64_t count : simulation.step_counting(now, goes_on))
        lines += fmt::format("{},{}\n", ++generation, count);
    }
    append(lines);
    left -= simulation.generation() - before;
    interrupted = max_of_ranks(link, was_interrupted() ? 1 : 0);
  }
  if (table) table->finish();
}

// What the devices of this rank are.
Json hardware_of_rank(const moorea::Simulation& simulation) {
  const std::string names = "," + simulation.device() + ",";
  Json all = Json::array();
  for (const moorea::DeviceInfo& device : moorea::list_devices())
    if (names.find("," + device.name + ",") != std::string::npos) all.push_back(device.description);
  return all;
}

Json facts_of_rank(const moorea::Simulation& simulation, const moorea::MpiSession& session,
                   const RankedRun& run) {
  const moorea::Box own = rows_of_rank(simulation);
  const moorea::RankExchanges exchanges = exchanges_of_rank(simulation);
  Json json = {{"host", session.host(session.link()->rank())},
               {"device", simulation.device()},
               {"kernel", simulation.kernel()},
               {"threads", simulation.threads()},
               {"y", own.y},
               {"rows", own.height},
               {"exchanges", exchanges.number},
               {"bytes_sent", exchanges.bytes},
               {"transport", exchanges.transport},
               {"exchange_seconds", exchanges.seconds}};
  if (!run.saved.receipt.empty()) json["hardware"] = hardware_of_rank(simulation);
  return json;
}

// A line for the table of results: "4 on 2 machines, 250 to 251 rows each, which pass by NCCL 2.28.3".
std::string ranks_text(const Json& ranks) {
  std::int64_t min_rows = INT64_MAX, max_rows = 0;
  std::set<std::string> hosts;
  for (const Json& each : ranks) {
    const auto rows = each["rows"].get<std::int64_t>();
    min_rows = std::min(min_rows, rows);
    max_rows = std::max(max_rows, rows);
    hosts.insert(each["host"].get<std::string>());
  }
  return fmt::format(
      "  ranks   {} on {}, {} rows each, which pass by {}; kernel, device and threads are rank "
      "0's\n",
      ranks.size(), counted(hosts.size(), "machine"),
      min_rows == max_rows ? fmt::format("{}", min_rows) : fmt::format("{} to {}", min_rows, max_rows),
      ranks.front()["transport"].get<std::string>());
}

struct RankedEnd {
  double seconds = 0;
  int interruption = 0;  // exit code; 0: none
};

void print_report(const moorea::Simulation& simulation, const moorea::MpiSession& session,
                  const RankedRun& run, const SavedRun& saved, const RankedEnd& end) {
  Json json = run.report(simulation, end.seconds);
  const std::vector<std::string> texts =
      gather_texts(*session.link(), facts_of_rank(simulation, session, run).dump());
  for (const std::string& text : texts) json["ranks"].push_back(Json::parse(text));
  saved.report(json, simulation);
  if (session.link()->rank() != 0) return;
  if (end.interruption != 0) add_interruption(json, end.interruption);
  if (run.json) return print_json(json);
  const std::string text = run.report_text(json, simulation) + ranks_text(json["ranks"]);
  if (run.output == "-" || run.populations == "-" || run.saved.receipt == "-") {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
}

moorea::RowTransport parse_transport(const std::string& name) {
  if (name == "auto") return moorea::RowTransport::automatic;
  if (name == "mpi") return moorea::RowTransport::messages;
  if (name == "nccl") return moorea::RowTransport::nccl;
  usage(fmt::format("--rank-transport {}: expected auto, mpi or nccl", name));
}

moorea::RankedWorld world_of(const RankedStart& start, const RankedRun& run) {
  moorea::RankedWorld world;
  world.spec = start.spec();
  world.generation = start.generation();
  world.start = [&start](std::int64_t top, std::int64_t rows) { return start.rows(top, rows); };
  if (!run.ranks.shares.empty()) world.shares = parse_shares(run.ranks.shares, ',', "--rank-shares", "rank");
  world.transport = parse_transport(run.ranks.transport);
  return world;
}

// Runs to the end, or until a signal reaches a rank. Launchers send signals to some ranks or to all.
RankedEnd step_all(const RankedSteps& steps, const RankedRun& run, SavedRun& saved) {
  moorea::RankLink& link = steps.link;
  Progress progress(steps.simulation, steps.generations);
  const auto go_on = [&] {
    if (link.rank() == 0) progress.update();
    if (const SaveNews news = saved.poll(); !news.line.empty()) {
      progress.clear();
      news.tell();
    }
    return !was_interrupted();
  };
  wait_for_ranks(link);
  const auto begin = Clock::now();
  if (run.populations.empty()) {
    steps.simulation.step(steps.generations, go_on);
  } else {
    step_counting(steps, run, go_on);
  }
  wait_for_ranks(link);
  stop_time_limit();
  RankedEnd end = {since(begin), 0};
  progress.clear();
  end.interruption = static_cast<int>(
      max_of_ranks(link, was_interrupted() ? static_cast<std::uint64_t>(interruption_exit()) : 0));
  return end;
}

int run_part(RankedRun run, moorea::MpiSession& session) {
  moorea::RankLink& link = *session.link();
  require_own_files(run.saved, run.world,
                    {run.output, run.populations, inputs_beside_pattern(run.world, run.engine)});
  const int share = bind_to_share(link);
  const RankProcesses processes(session.link(), share);
  DumpOptions none;
  const SavedStart saved_start(run.saved, run.generations, run.world, none, processes);
  const RankedStart start(run.world);
  check(run, start.spec());
  const std::uint64_t generations = saved_start.generations;
  if (generations > static_cast<std::uint64_t>(INT64_MAX) - start.generation()) {
    usage(fmt::format("generation {} and {} more: generations end at 2^63", start.generation(), generations));
  }
  moorea::Options options = run.engine.options(generations);
  if (options.threads == 0) options.threads = share;
  if (!run.saved.checkpoint.wanted()) catch_interruption();
  moorea::Simulation simulation = simulate_ranks(world_of(start, run), session.link(), options);
  if (link.rank() == 0) run.engine.say_plan(simulation.plan());
  SavedRun saved(saved_start, run.world, simulation);
  saved.keep_texts(start.about());
  const RankedEnd end = step_all({simulation, link, generations, table_of(saved_start.resumed)}, run, saved);
  saved.finish();
  write(simulation, link, start, run);
  print_report(simulation, session, run, saved, end);
  return saved.end(simulation, end.interruption);
}

}  // namespace

void add_rank_options(Command& command, RankOptions& options) {
  command
      .add_option("--rank-timeout", options.timeout,
                  "Under mpirun or srun: seconds that a rank may take longer than the others before all end. "
                  "Default: 60")
      .type_name("SECONDS")
      .range(0.1, 1e6);
  command
      .add_option("--rank-shares", options.shares,
                  "Under mpirun or srun: rows of each rank, relative to each other. Default: equal")
      .type_name("N,...");
  command
      .add_option(
          "--rank-transport", options.transport,
          "Under mpirun or srun: how rows pass between ranks. auto is nccl if each rank has a GPU of its "
          "own and NCCL is installed, and mpi otherwise. Default: auto")
      .type_name("NAME");
}

int run_over_ranks(const RankedRun& run) {
  if (run.saved.checkpoint.wanted()) {
    // A scheduler may end a run at any time, and what takes long begins here
    catch_interruption();
    catch_checkpoint_request();
  }
  return over_ranks(run.ranks.timeout, [&](moorea::MpiSession& session) { return run_part(run, session); });
}

}  // namespace app
